import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isDrawing } from '#contracts/drawings.ts'
import type { AdminPart, Part } from '#contracts/parts.ts'
import { PictureMatches, PictureQueue } from '#contracts/picture-queue.ts'
import { pictureLimits } from '#contracts/pictures.ts'
import type { Internet } from '#server/adapters/internet.ts'
import { login, type Person } from '#tests/support/people.ts'
import { photo } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { takePicture } from './picture-queue.ts'

let shop: TestShop
let owner: Person
let server: Server
let paths: Record<string, RequestListener> = {}
let [front, back]: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)]

/** Every name resolves to a public address, except `inner.example`. */
const internet: Internet = {
  resolve: async (name) => [name === 'inner.example' ? '127.0.0.1' : '93.184.216.34'],
  place: () => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
}

beforeAll(async () => {
  ;[front, back] = [await photo(300, 200), await photo(200, 300)]
  server = createServer((request, answer) => {
    const listener = paths[request.url ?? '']
    if (listener) listener(request, answer)
    else answer.writeHead(404).end()
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  shop = await openTestShop({}, { internet })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(async () => {
  server.close()
  await shop.close()
})
beforeEach(async () => {
  paths = {}
  await shop.pool.query('delete from picture_queue')
})

const newPart = async (
  numbers: { sku?: string; mpn?: string; gtin?: string; name?: string } = {},
) => {
  const part = await stockPart(shop.pool, {
    onHand: 1,
    ...(numbers.name && { name: numbers.name }),
  })
  await shop.pool.query(
    `update parts set image = $2, sku = $3, mpn = $4, gtin = $5 where _id = $1`,
    [part._id, drawn, numbers.sku ?? '', numbers.mpn ?? '', numbers.gtin ?? ''],
  )
  return part
}
const drawn = '/images/dddddddddddddddddddd0000-960.webp'

const queue = (part: Part, file: Buffer, name = 'a.jpg', place = 0) =>
  owner.call(
    'POST',
    `/api/picture-queue?${new URLSearchParams({ partId: part._id, name, place: String(place) })}`,
    new Uint8Array(file),
    { 'content-type': 'application/octet-stream' },
  )
const status = async () => PictureQueue.parse((await owner.call('GET', '/api/picture-queue')).body)
/** Waits until no picture is waiting. */
async function finished() {
  await expect.poll(async () => (await status()).waiting).toBe(0)
  return status()
}
const read = async ({ _id }: { _id: string }): Promise<AdminPart> =>
  (await owner.call('GET', `/api/product/${_id}`)).body

test('file names match parts by their numbers and names', async () => {
  const fan = await newPart({ sku: 'FAN/140-B', gtin: '4006381333931' })
  const used = await newPart({ mpn: 'CI-7600' })
  const fresh = await newPart({ mpn: 'CI-7600', name: 'Quiet Fan No. 5' })
  const ends = await newPart({ sku: 'SSD-2' })
  const { number } = await read(fan)
  const names = [
    ...[
      'FAN-140-B.jpg',
      'fan_140_b (2).PNG',
      'pictures/4006381333931.webp',
      '04006381333931_3.jpg',
    ],
    ...[`${number}.jpg`, 'FAN 140 B/1.jpg', 'fan-140-b/front.jpg'],
    ...['ci7600.jpg', 'quiet-fan-no-5-2.jpg', 'SSD-2.jpg', 'SSD-2-2.jpg', 'nothing.jpg', '.jpg'],
  ]
  const { body } = await owner.call('POST', '/api/picture-queue/match', { names })
  const found = PictureMatches.parse(body).map(({ by, place, parts }) => [
    by,
    place,
    parts.map(({ _id }) => _id).toSorted(),
  ])
  const of = (...parts: Part[]) => parts.map(({ _id }) => _id).toSorted()
  expect(found).toEqual([
    ...[
      ['sku', 0, of(fan)],
      ['sku', 2, of(fan)],
      ['gtin', 0, of(fan)],
      ['gtin', 3, of(fan)],
    ],
    ...[
      ['number', 0, of(fan)],
      ['sku', 1, of(fan)],
      ['sku', 50, of(fan)],
    ],
    ...[
      ['mpn', 0, of(used, fresh)],
      ['name', 2, of(fresh)],
    ],
    ...[
      ['sku', 0, of(ends)],
      ['sku', 2, of(ends)],
      [null, 0, []],
      [null, 0, []],
    ],
  ])
})

test('files become the pictures of their parts in the background, each once', async () => {
  const part = await newPart()
  expect((await queue(part, back, 'a-2.jpg', 2)).body).toEqual({ state: 'queued' })
  expect((await queue(part, front, 'a.jpg')).body).toEqual({ state: 'queued' })
  expect(await finished()).toMatchObject({ added: 2, failed: 0 })
  const { image, morePictures } = await read(part)
  expect(isDrawing(image)).toBe(false)
  expect(morePictures).toHaveLength(1)
  expect((await queue(part, front, 'again.jpg')).body).toEqual({ state: 'there' })
  // the same file for another part is not encoded again
  const other = await newPart()
  await queue(other, front)
  await finished()
  expect([image, ...morePictures.map((each) => each.image)]).toContain((await read(other)).image)
  const { body: log } = await owner.call('GET', `/api/audit?about=part:${part._id}`)
  expect(log.map(({ by, action }: { by: string; action: string }) => [by, action])).toEqual(
    Array(2).fill([owner.email, 'part changed']),
  )
})

test('a file that is no picture is refused at once or listed with its reason', async () => {
  const part = await newPart()
  expect((await queue(part, Buffer.from('<html>'))).body.error.code).toBe('UNSUPPORTED')
  const large = Buffer.concat([front, Buffer.alloc(pictureLimits.bytes)])
  expect((await queue(part, large)).body.error.code).toBe('TOO_LARGE')
  expect((await queue({ ...part, _id: crypto.randomUUID() }, front)).body.error.code).toBe(
    'NOT_FOUND',
  )
  await queue(part, front.subarray(0, 200), 'torn.jpg')
  const { failed, failures } = await finished()
  expect({ failed, failures }).toMatchObject({
    failed: 1,
    failures: [{ partId: part._id, name: 'torn.jpg', canRetry: false }],
  })
  expect(failures[0]?.reason).toContain('damaged')
  expect((await owner.call('POST', '/api/picture-queue/retry')).body.modifiedCount).toBe(0)
  expect((await owner.call('DELETE', '/api/picture-queue/failures')).body.deletedCount).toBe(1)
  expect(await status()).toMatchObject({ waiting: 0, failed: 0 })
})

test('a picture that is removed as unused while it is being added to another part is made again', async () => {
  const first = await newPart()
  await queue(first, front)
  await finished()
  const { image } = await read(first)
  await shop.pool.query('update parts set image = $2 where _id = $1', [first._id, drawn])
  const removal = await shop.pool.connect()
  try {
    await removal.query('begin')
    await removal.query('delete from pictures where url = $1', [image])
    const other = await newPart()
    await queue(other, front)
    const waits = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await shop.pool.query(waits)).rows[0].n).toBe(1)
    await removal.query('commit')
    expect(await finished()).toMatchObject({ added: 2, failures: [] })
    expect([drawn, image]).not.toContain((await read(other)).image)
  } finally {
    removal.release()
  }
})

/** Inserts a row in the state that a crashed process leaves behind. */
async function leftBehind(part: Part, file: Buffer, more: string): Promise<void> {
  await shop.pool.query(
    `with queued as (
       insert into picture_queue (part_id, name, content, place, created_by, attempts, taken_until)
       select $1, 'left.jpg', encode(sha256($2), 'hex'), 0, _id, ${more} from users where email = $3 returning _id)
     insert into picture_files select _id, $2 from queued`,
    [part._id, file, owner.email],
  )
}

test('a picture whose process died is retried, and one that ends every process is given up', async () => {
  const part = await newPart()
  await leftBehind(part, front, `1, now() - interval '1 second'`)
  await finished()
  expect(isDrawing((await read(part)).image)).toBe(false)
  await leftBehind(await newPart(), back, `4, now() - interval '1 second'`)
  expect((await finished()).failures).toMatchObject([
    { reason: expect.stringContaining('stopped each time'), canRetry: true },
  ])
})

test('a file that a restore did not bring is reported as missing, and the others continue', async () => {
  await leftBehind(await newPart(), front, `1, now() + interval '1 second'`)
  await shop.pool.query('delete from picture_files')
  const { failures } = await finished()
  expect(failures).toMatchObject([{ name: 'left.jpg', canRetry: false }])
  expect(failures[0]?.reason).toBe('A backup leaves out files that wait. Send this one again.')
  await queue(await newPart(), front)
  expect(await finished()).toMatchObject({ added: 1, failed: 1 })
})

test('all processes together work on two at a time', async () => {
  const part = await newPart()
  await leftBehind(part, front, `1, now() + interval '1 minute'`)
  await leftBehind(await newPart(), front, `1, now() + interval '1 minute'`)
  await queue(part, back)
  expect(await takePicture(shop.deps.db)).toBeUndefined()
  await shop.pool.query(`update picture_queue set taken_until = null`)
  expect(await finished()).toMatchObject({ added: 3 })
})

const csv = (file: string, query = '') =>
  owner.call('POST', `/api/products/import?${query}`, file, { 'content-type': 'text/csv' })

test('an import fetches the pictures that it names, once, and its undo takes them back', async () => {
  const knownPart = await newPart({ sku: 'KNOWN-1' })
  let requestCount = 0
  paths = {
    '/front.jpg': (_, answer) => {
      requestCount += 1
      answer.end(front)
    },
    '/back.jpg': (_, answer) => void answer.end(back),
  }
  const at = (path: string) => `http://cdn.example${path}`
  const file = [
    'sku,name,kind,description,price,availableQuantity,minimumOrderQuantity,pictureAddress',
    `KNOWN-1,,,,,,,${at('/front.jpg')}`,
    `NEW-1,A new part of a file,fan,Quiet.,20,5,1,${at('/front.jpg')} | ${at('/back.jpg')}`,
    `NEW-2,Another new part,fan,Quiet.,20,5,1,${at('/gone.jpg')} | http://inner.example/x.jpg`,
  ].join('\r\n')
  const dry = (await csv(file, 'dryRun=true')).body
  expect(dry).toMatchObject({ added: 2, updated: 1, pictures: 5, problems: [] })
  expect(dry.rows.find(({ line }: { line: number }) => line === 2)).toMatchObject({
    outcome: 'changed',
    changes: '1 picture to fetch',
  })
  const { batch, pictures } = (await csv(file)).body
  expect(pictures).toBe(5)
  const { failures, added } = await finished()
  expect(added).toBe(3)
  expect(failures.map(({ reason }) => reason).toSorted()).toEqual([
    'cdn.example has nothing at this address.',
    'inner.example is in a private network, which the shop does not ask.',
  ])
  expect(failures.every(({ canRetry }) => canRetry)).toBe(true)
  const named = async (sku: string): Promise<AdminPart> =>
    (await owner.call('GET', `/api/products?q=${sku}`)).body[0]
  expect(isDrawing((await read(knownPart)).image)).toBe(false)
  expect((await named('NEW-1')).morePictures).toHaveLength(1)
  expect(isDrawing((await named('NEW-2')).image)).toBe(true)
  expect(requestCount).toBe(2)

  // importing the same file again fetches only the failed pictures
  expect((await csv(file, 'dryRun=true')).body).toMatchObject({ added: 0, updated: 1, pictures: 2 })

  // on request, failed addresses are fetched again
  paths['/gone.jpg'] = (_, answer) => void answer.end(back)
  expect((await owner.call('POST', '/api/picture-queue/retry')).body.modifiedCount).toBe(2)
  expect((await finished()).failed).toBe(1)
  expect(isDrawing((await named('NEW-2')).image)).toBe(false)

  // undoing the import also removes pictures sent for a part that it added
  await queue(await named('NEW-2'), Buffer.concat([front, Buffer.from('another file')]))
  await finished()
  const undo = (await owner.call('POST', `/api/batch/${batch}/undo`)).body
  expect(undo).toEqual({ undone: 3, refused: [] })
  expect(isDrawing((await read(knownPart)).image)).toBe(true)
  expect(await status()).toMatchObject({ waiting: 0, added: 1, failed: 0 })
})
