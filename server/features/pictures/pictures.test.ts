import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drawingAddress, drawings, noPicture } from '#contracts/drawings.ts'
import { AdminPart, Part } from '#contracts/parts.ts'
import { PictureUploaded } from '#contracts/pictures.ts'
import { comparePictures } from '#server/features/reconciliation/compare-images.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { editBody, partBody, stockPart } from '#tests/support/stock.ts'
import { removeOrphans, uploadPicture } from './pictures.ts'

let shop: TestShop
let owner: Person
let plain: Buffer
const hostile = new Map<string, Uint8Array>()

const paint = { width: 60, height: 40, channels: 3, background: '#333b41' } as const
const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A tiny PNG whose header declares 60,000 × 60,000 pixels. */
function bomb(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(60_000, 0)
  head.writeUInt32BE(60_000, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const zeros = deflateSync(Buffer.alloc(200_000))
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', zeros),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

beforeAll(async () => {
  // made before the shop starts, which disables the other decoders in this process
  const picture = () => sharp({ create: paint })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  plain = await photo()
  hostile.set('SVG', Buffer.from(svg))
  hostile.set('SVG behind the first bytes of a JPEG', Buffer.from(`\xff\xd8\xff${svg}`, 'latin1'))
  hostile.set('GIF', await picture().gif().toBuffer())
  hostile.set('TIFF', await picture().tiff().toBuffer())
  hostile.set('AVIF', await picture().avif().toBuffer())
  hostile.set('PDF', Buffer.from('%PDF-1.7\n'))
  hostile.set('HTML', Buffer.from('<!doctype html><script>alert(1)</script>'))
  hostile.set('zip', Buffer.from('504b0304140000000800', 'hex'))
  hostile.set('half a JPEG', plain.subarray(0, plain.length / 2))
  hostile.set('half a PNG', (await picture().png().toBuffer()).subarray(0, 60))
  hostile.set('half a WebP', (await picture().webp().toBuffer()).subarray(0, 40))
  hostile.set('only the first bytes of a PNG', Buffer.from('89504e470d0a1a0a', 'hex'))
  hostile.set('60,000 × 60,000 pixels', bomb())
  hostile.set('nothing', Buffer.alloc(0))
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const listImageFiles = async () => {
  const names = await readdir(join(shop.dataDir, 'images')).catch(() => [])
  return names.filter((name) => name !== 'shop-id')
}
const get = async (url: string) => {
  const response = await fetch(`${shop.origin}${url}`)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const accepted = (answer: { status: number; body: unknown }) => {
  expect(answer.status).toBe(200)
  return PictureUploaded.parse(answer.body).data
}

describe('a photo from a phone', () => {
  test('is kept upright, without the place it was taken, in three widths and two formats', async () => {
    const half = (background: string) =>
      sharp({ create: { width: 1000, height: 1000, channels: 3, background } })
        .png()
        .toBuffer()
    const halves = await Promise.all([half('#ff0000'), half('#0000ff')])
    const lying = await sharp({ create: { ...paint, width: 2000, height: 1000 } })
      .composite(halves.map((input, i) => ({ input, left: i * 1000, top: 0 })))
      .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(lying).metadata()).exif).toBeDefined()
    const { url, width, height, placeholder } = accepted(await upload(shop, owner, lying))
    expect([width, height]).toEqual([1000, 2000])
    const webp = await get(url)
    expect(webp.response.headers.get('content-type')).toBe('image/webp')
    const info = await sharp(webp.bytes).metadata()
    expect([info.width, info.height, info.exif, info.orientation]).toEqual([
      960,
      1920,
      undefined,
      undefined,
    ])
    const { data } = await sharp(webp.bytes).raw().toBuffer({ resolveWithObject: true })
    const [top, bottom] = [data.subarray(0, 3), data.subarray(-3)]
    expect([(top[0] ?? 0) > 200, (bottom[2] ?? 0) > 200]).toEqual([true, true])
    for (const size of [480, 960, 1600]) {
      const avif = await get(url.replace('-960.webp', `-${size}.avif`))
      expect(avif.response.headers.get('content-type')).toBe('image/avif')
      expect(avif.bytes.subarray(4, 12).toString()).toBe('ftypavif')
      expect(avif.bytes.includes('Phone')).toBe(false)
      expect((await get(url.replace('-960', `-${size}`))).response.status).toBe(200)
    }
    const tiny = Buffer.from(placeholder.split(',')[1] ?? '', 'base64')
    expect((await sharp(tiny).metadata()).width).toBe(16)
  })

  test('is never enlarged', async () => {
    const { url, width } = accepted(await upload(shop, owner, await photo(300, 200)))
    expect(width).toBe(300)
    const { bytes } = await get(url.replace('-960', '-1600'))
    expect((await sharp(bytes).metadata()).width).toBe(300)
  })

  test('comes with the answers about its part, with its placeholder for a single part', async () => {
    const { url, ...facts } = accepted(await upload(shop, owner, await photo(1200, 900)))
    const part = { name: 'Pictured', image: url, description: 'x', minimumOrderQuantity: 1 }
    const numbers = { availableQuantity: 5, price: 10 }
    const { insertedId } = (await owner.call('POST', '/api/product', { ...part, ...numbers })).body
    const drawn = await stockPart(shop.pool, { onHand: 1 })
    const list = z.array(Part).parse((await owner.call('GET', '/api/part')).body)
    const pictureOf = (id: string) => list.find(({ _id }) => _id === id)?.picture
    expect(pictureOf(insertedId)).toEqual({ width: 1200, height: 900 })
    expect(pictureOf(drawn._id)).toBeNull()
    const one = await owner.call('GET', `/api/part/${insertedId}`)
    expect(Part.parse(one.body).picture).toEqual(facts)
    const owned = await owner.call('GET', `/api/product/${insertedId}`)
    expect(AdminPart.parse(owned.body).picture).toEqual(facts)
  })

  test('is identified by its content, not its type', async () => {
    for (const type of ['image/png', 'application/octet-stream', 'text/html', 'image/svg+xml']) {
      const { url } = accepted(await upload(shop, owner, plain, { type }))
      expect(url).toMatch(/^\/images\/[0-9a-f]{24}-960\.webp$/)
    }
  })

  test('keeps no trailing data, and only the first frame of an animation', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    const both = accepted(await upload(shop, owner, Buffer.concat([plain, page])))
    expect((await get(both.url)).bytes.includes('<script>')).toBe(false)
    const frame = (background: string) => ({ create: { ...paint, background } })
    const animation = await sharp([frame('#fff'), frame('#000')] as never, {
      join: { animated: true },
    })
      .webp()
      .toBuffer()
    expect((await sharp(animation, { animated: true }).metadata()).pages).toBe(2)
    const still = accepted(await upload(shop, owner, animation))
    expect([still.width, still.height]).toEqual([60, 40])
  })
})

describe('what is no picture', () => {
  test('is refused by its content and leaves nothing', async () => {
    const before = await listImageFiles()
    for (const [name, bytes] of hostile) {
      const { status, body } = await upload(shop, owner, bytes, { type: 'image/png' })
      expect([400, 415], name).toContain(status)
      expect(body.error.message, name).not.toMatch(/vips|sharp|input buffer/i)
    }
    expect(await listImageFiles()).toEqual(before)
    const { rows } = await shop.pool.query('select count(*)::int as count from pictures')
    expect(before).toHaveLength(rows[0].count * 6)
  })

  test('or larger than 5 MB is refused, also without a Content-Length', async () => {
    const many = (megabytes: number) => Buffer.concat([plain, Buffer.alloc(megabytes * 2 ** 20)])
    for (const megabytes of [5, 12]) {
      const { status, body } = await upload(shop, owner, many(megabytes))
      expect([status, body.error.code]).toEqual([413, 'TOO_LARGE'])
      expect(body.error.message).toContain('5 MB')
    }
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(2 ** 20)),
    })
    const refused = await fetch(`${shop.origin}/api/image`, {
      method: 'POST',
      duplex: 'half',
      body: endless,
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'image/jpeg',
      },
    } as RequestInit).catch(() => null)
    expect(refused?.status ?? 413).toBe(413)
  })
})

test('a picture whose row cannot be written leaves no file', async () => {
  const before = await listImageFiles()
  const nobody = { _id: crypto.randomUUID(), email: '', name: '', role: 'admin' } as const
  const failing = uploadPicture(shop.deps, { ...nobody, emailVerified: true }, plain)
  await expect(failing).rejects.toThrow()
  expect(await listImageFiles()).toEqual(before)
})

test('an admin uploads at most 24 pictures a minute', async () => {
  const limited = await openTestShop({ RATE_LIMIT: 'on' })
  const admin = await login(limited.origin, 'owner@ferrite.example', 'owner-password')
  const statuses: number[] = []
  const small = await photo(20, 20)
  for (let i = 0; i < 25; i++) statuses.push((await upload(limited, admin, small)).status)
  await limited.close()
  expect(statuses).toEqual([...Array(24).fill(200), 429])
})

test('an unused picture is removed after a day; one of a part or an order stays', async () => {
  const urls: string[] = []
  const small = await photo(20, 20)
  for (let i = 0; i < 4; i++) urls.push(accepted(await upload(shop, owner, small)).url)
  const [onPart, onOrder, unused, fresh] = urls as [string, string, string, string]
  const part = partBody({ name: 'Shown', image: onOrder })
  const { insertedId } = (await owner.call('POST', '/api/product', part)).body
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const { body: booked } = await ada.call('GET', `/api/part/${insertedId}`)
  await bookingOf(ada, booked)
  const edit = { ...editBody({ name: 'Shown', image: onPart }), version: 1 }
  expect((await owner.call('PUT', `/api/product/${insertedId}`, edit)).status).toBe(200)
  await owner.call('DELETE', `/api/adminProduct/${insertedId}`)
  await shop.pool.query(
    `update pictures set created_at = now() - interval '25 hours' where url = any($1)`,
    [[onPart, onOrder, unused]],
  )
  await removeOrphans(shop.deps)
  const there = await Promise.all(urls.map(async (url) => (await get(url)).response.status))
  expect(there).toEqual([200, 200, 404, 200])
  const again = { ...part, name: 'Late', image: unused }
  const { status, body } = await owner.call('POST', '/api/product', again)
  expect([status, Object.keys(body.error.fields)]).toEqual([400, ['image']])
  expect(fresh).toBeTruthy()
})

describe('a part with several pictures', () => {
  type PictureFields = Pick<AdminPart, 'image' | 'imageAlt' | 'morePictures' | 'version'>
  const read = async (id: string): Promise<AdminPart> =>
    AdminPart.parse((await owner.call('GET', `/api/product/${id}`)).body)
  const save = async (id: string, more: Partial<PictureFields>) =>
    owner.call('PUT', `/api/product/${id}`, { ...(await read(id)), ...more })
  const add = (id: string, image: string, alt?: string) =>
    owner.call('POST', `/api/product/${id}/pictures`, { image, ...(alt !== undefined && { alt }) })
  const newPart = async (name: string, image: string) =>
    (await owner.call('POST', '/api/product', partBody({ name, image }))).body.insertedId as string
  const uploaded = async (count: number) => {
    const small = await photo(20, 20)
    const urls: string[] = []
    for (let i = 0; i < count; i++) urls.push(accepted(await upload(shop, owner, small)).url)
    return urls as [string, string, string]
  }
  const anHourOld = (hours: number) =>
    shop.pool.query(`update pictures set created_at = now() - make_interval(hours => $1)`, [hours])

  test('has them in the owner’s order, each once, and the first is its image', async () => {
    const [a, b, c] = await uploaded(3)
    const id = await newPart('Several', noPicture)
    expect((await add(id, a, 'Its front')).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    // the first picture replaces the drawing
    expect(await read(id)).toMatchObject({ image: a, imageAlt: 'Its front', morePictures: [] })
    expect((await add(id, b)).status).toBe(200)
    expect((await add(id, b)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect((await add(id, c, 'Its back')).status).toBe(200)
    const [first, second] = [
      { image: b, alt: '' },
      { image: c, alt: 'Its back' },
    ]
    expect(await read(id)).toMatchObject({ version: 4, image: a, morePictures: [first, second] })
    const turned = { image: c, imageAlt: 'Its back', morePictures: [first, { image: a, alt: '' }] }
    expect((await save(id, turned)).status).toBe(200)
    expect(await read(id)).toMatchObject(turned)
    expect((await save(id, { version: 4 })).body.error.code).toBe('OUTDATED')
    // duplicates are stored once
    const twice = [...turned.morePictures, { image: c, alt: '' }, { image: a, alt: 'again' }]
    expect((await save(id, { ...turned, morePictures: twice })).status).toBe(200)
    expect(await read(id)).toMatchObject(turned)
    const { body: lines } = await owner.call('GET', `/api/audit?partId=${id}&limit=1`)
    expect(lines[0]).toMatchObject({ action: 'part changed' })
    const { body: list } = await owner.call('GET', '/api/part')
    expect(list.find(({ _id }: Part) => _id === id).image).toBe(c)
  })

  test('has at most twelve, of this shop, with texts of 200 characters', async () => {
    const [a, b] = await uploaded(2)
    const id = await newPart('Full', a)
    const gone = b.replace(/[0-9a-f]{24}/, 'a'.repeat(24))
    expect((await add(id, gone)).body.error.fields).toHaveProperty('image')
    const unknownPicture = { morePictures: [{ image: gone, alt: '' }] }
    expect((await save(id, unknownPicture)).body.error.fields).toHaveProperty('morePictures')
    expect((await add(id, b, 'x'.repeat(201))).status).toBe(400)
    const some = drawings.slice(0, 12).map((name) => ({ image: drawingAddress(name), alt: '' }))
    expect((await save(id, { morePictures: some })).status).toBe(400)
    expect((await save(id, { morePictures: some.slice(0, 11) })).status).toBe(200)
    expect((await add(id, b)).body.error.message).toContain('at most 12 pictures')
    await expect(
      shop.pool.query(`update parts set more_pictures = '[{"image": 1}]' where _id = $1`, [id]),
    ).rejects.toThrow('parts_more_pictures')
  })

  test('frees removed pictures and keeps the others', async () => {
    const [a, b, c] = await uploaded(3)
    const id = await newPart('Kept', a)
    expect((await save(id, { morePictures: [{ image: b, alt: 'Its back' }] })).status).toBe(200)
    const { version } = await read(id)
    const line = `_id,image,morePictures,version\n${id},${c},-,${version}`
    const csv = { 'content-type': 'text/csv' }
    const { body: report } = await owner.call('POST', '/api/products/import', line, csv)
    expect(report).toMatchObject({ updated: 1, problems: [] })
    expect(await read(id)).toMatchObject({ image: c, imageAlt: '', morePictures: [] })
    expect((await save(id, { image: a, morePictures: [{ image: c, alt: '' }] })).status).toBe(200)
    await anHourOld(25)
    await removeOrphans(shop.deps)
    const there = await Promise.all([a, b, c].map(async (url) => (await get(url)).response.status))
    expect(there).toEqual([200, 404, 200])
    const { issues } = await comparePictures(shop.deps)
    expect(issues.filter(({ about }) => about.includes(id))).toEqual([])
  })

  test('an undone import does not restore a picture that was removed meanwhile', async () => {
    const [a, b, c] = await uploaded(3)
    const id = await newPart('Undone', a)
    expect((await save(id, { morePictures: [{ image: b, alt: 'Its back' }] })).status).toBe(200)
    const line = `_id,image,imageAlt,morePictures,price\n${id},${c},New,-,99`
    const csv = { 'content-type': 'text/csv' }
    const { body: report } = await owner.call('POST', '/api/products/import', line, csv)
    await shop.pool.query(
      `update pictures set created_at = now() - interval '25 hours' where url = $1`,
      [b],
    )
    await removeOrphans(shop.deps)
    const { body: undone } = await owner.call('POST', `/api/batch/${report.batch}/undo`)
    expect(undone).toEqual({ undone: 1, refused: [] })
    expect(await read(id)).toMatchObject({ image: a, imageAlt: '', morePictures: [], price: 10 })
  })

  test('are exported and imported by CSV', async () => {
    const [a, b, c] = await uploaded(3)
    const id = await newPart('Spreadsheet', a)
    const more = [
      { image: b, alt: 'Its back | with ports' },
      { image: c, alt: '' },
    ]
    expect((await save(id, { imageAlt: 'Front', morePictures: more })).status).toBe(200)
    const { body: text } = await owner.call('GET', '/api/products.csv?q=Spreadsheet')
    expect(text).toContain(`${a},Front,${b} Its back | with ports | ${c},`)
    const csv = { 'content-type': 'text/csv' }
    const { body: same } = await owner.call('POST', '/api/products/import', text, csv)
    expect(same).toMatchObject({ updated: 0, problems: [] })
    const { body: turned } = await owner.call(
      'POST',
      '/api/products/import',
      `_id,morePictures\n${id},${c} Its top|${b}`,
      csv,
    )
    expect(turned).toMatchObject({ updated: 1, problems: [] })
    const after = [
      { image: c, alt: 'Its top' },
      { image: b, alt: '' },
    ]
    expect((await read(id)).morePictures).toEqual(after)
  })
})

describe('a part without a picture of its own', () => {
  const shownOf = async (id: string) => (await owner.call('GET', `/api/part/${id}`)).body.image
  const edit = async (id: string, more: object) => {
    const { body } = await owner.call('GET', `/api/product/${id}`)
    const { status } = await owner.call('PUT', `/api/product/${id}`, { ...body, ...more })
    expect(status).toBe(200)
  }

  test('shows the drawing of its kind, in orders too, and follows the kind until it has a picture', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    const bare = partBody({ name: 'Bare', kind: 'fan', image: noPicture })
    const { body } = await owner.call('POST', '/api/product', bare)
    const id = body.insertedId
    expect(await shownOf(id)).toBe(drawingAddress('fan'))
    const { body: part } = await owner.call('GET', `/api/part/${id}`)
    await bookingOf(ada, part)
    const { rows } = await shop.pool.query('select image from orders where part_id = $1', [id])
    expect(rows).toEqual([{ image: drawingAddress('fan') }])
    await edit(id, { kind: 'Monitor' })
    expect(await shownOf(id)).toBe(drawingAddress('monitor'))
    await edit(id, { kind: 'riser cable' })
    expect(await shownOf(id)).toBe(noPicture)
    const image = (await upload(shop, owner, plain)).body.data.url
    await edit(id, { image })
    await edit(id, { kind: 'fan' })
    expect(await shownOf(id)).toBe(image)
    await edit(id, { image: noPicture })
    expect(await shownOf(id)).toBe(drawingAddress('fan'))
    const { issues } = await comparePictures(shop.deps)
    expect(issues.filter(({ about }) => about === `part:${id}`)).toEqual([])
  })

  test('each drawing is served in both widths, and no other name is', async () => {
    for (const drawing of drawings)
      for (const width of [480, 960]) {
        const address = drawingAddress(drawing).replace('960', String(width))
        const answer = await fetch(`${shop.origin}${address}`)
        const { width: wide, format } = await sharp(await answer.bytes()).metadata()
        expect([drawing, wide, format]).toEqual([drawing, width, 'webp'])
      }
    for (const other of ['-1600.webp', '-960.avif'])
      expect((await get(noPicture.replace('-960.webp', other))).response.status).toBe(404)
    expect((await get(noPicture.replace('0000-', '9999-'))).response.status).toBe(404)
  })
})

test('a drawing of the shop is sent as SVG, compressed; no other SVG is read', async () => {
  const address = noPicture.replace('-960.webp', '.svg')
  const packed = await fetch(shop.origin + address, { headers: { 'accept-encoding': 'br' } })
  expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'br'])
  expect(packed.headers.get('content-type')).toBe('image/svg+xml')
  expect(packed.headers.get('content-security-policy')).toContain('sandbox')
  expect(packed.headers.get('cache-control')).toContain('immutable')
  expect(await packed.text()).toMatch(/^<svg /)
  const etagHeader = { 'if-none-match': packed.headers.get('etag') ?? '' }
  expect((await fetch(shop.origin + address, { headers: etagHeader })).status).toBe(304)
  for (const other of [
    address.replace('0000.', '9999.'),
    '/images/part.svg',
    '/images/..%2Fpart.svg',
  ])
    expect([other, (await fetch(shop.origin + other)).status]).toEqual([other, 404])
  const drawing = await upload(shop, owner, hostile.get('SVG') ?? Buffer.alloc(0))
  expect(drawing.status).toBe(415)
})
