import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { diskImages } from '#server/adapters/images/disk.ts'
import { backUp } from '#server/commands/backup/back-up.ts'
import { restore } from '#server/commands/backup/restore.ts'
import { migrate } from '#server/database/migrate.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { readSecrets } from '#server/secrets.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { type TestDatabase, testDatabase, wholeDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { laterMigrations } from '#tests/support/migrations.ts'
import {
  bookingOf,
  confirmCard,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { runProgram, type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockOf, stockPart } from '#tests/support/stock.ts'

/** Two starts of a shop, a backup and a restore, on a busy machine. */
const slow = { timeout: 300_000 }
type Ended = { code: number; output: string }
type Where = { DATA_DIR: string; DATABASE_URL?: string; APP_SECRET?: string }

/** Makes a backup through the function behind the command. */
const backedUp = (folder: string, where: Where) => backUp(where, folder, '0.1.0')

/** Runs `npm run backup` or `npm run restore` without npm. */
const run = (command: 'backup' | 'restore', folder: string, where: Where): Promise<Ended> =>
  runProgram('backup', [command, folder], where)
async function mustRun(command: 'backup' | 'restore', folder: string, where: Where): Promise<void> {
  const { code, output } = await run(command, folder, where)
  expect(output).toMatch(command === 'backup' ? /^Backed up \d+ rows/ : /^Restored \d+ rows/)
  expect(code).toBe(0)
}

let work: string
beforeAll(async () => {
  work = await dataFolder()
})
afterAll(() => removeDataFolder(work))

/** Every row in the embedded database of a stopped shop. */
async function embeddedRows(dataDir: string) {
  const database = await startEmbedded({ dataDir, log: () => {}, owner: 'the test' })
  try {
    return await wholeDatabase(database.url)
  } finally {
    await database.stop()
  }
}

async function pictureFiles(dataDir: string): Promise<Record<string, string>> {
  const folder = join(dataDir, 'images')
  const names = (await readdir(folder)).toSorted()
  const each = names.map(async (name) => [name, await readFile(join(folder, name), 'base64')])
  return Object.fromEntries(await Promise.all(each))
}

async function paidOrder(shop: ShopProcess, person: Person, part: Part): Promise<string> {
  const id = await bookingOf(person, part)
  const payment = await intentFor(person, id)
  const html = await (await fetch(`${shop.origin}/`)).text()
  const publishableKey = /pk_test_\w+/.exec(html)?.[0] ?? ''
  expect((await confirmCard({ origin: shop.origin, publishableKey }, payment)).status).toBe(200)
  const status = async () => (await orderOf(person, id)).status
  await expect.poll(status).toBe('paid')
  return id
}

/**
 * Orders in every state, a refund, a part with a photo, a review: the data of a shop after a day.
 */
async function trade(shop: ShopProcess, ada: Person) {
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const image = (await upload(shop, owner, await photo())).body.data.url
  const pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 90, price: 300 })
  const spare = await stockPart(pool, { onHand: 9 })
  await pool.query('update parts set image = $1', [image])
  await pool.end()
  const [paid, refundedOrder] = [await paidOrder(shop, ada, part), await paidOrder(shop, ada, part)]
  const refund = { amount: 100, reason: 'scratched', restock: 1 }
  const key = { 'idempotency-key': 'one' }
  const answer = await owner.call('POST', `/api/order/${refundedOrder}/refund`, refund, key)
  expect(answer.status).toBe(200)
  await owner.call('PUT', `/api/order/${paid}/shipped`, { carrier: 'DHL', trackingNumber: '1' })
  const review = { review: 'Cool and quiet.', ratings: 5 }
  expect((await ada.call('POST', '/api/review', review)).status).toBe(200)
  const deleted = await bookingOf(ada, part)
  await ada.call('DELETE', `/api/userProduct/${deleted}`)
  const added = await owner.call('POST', '/api/product', {
    name: 'Rack, 12″ “quoted” \\ and {plain}',
    image,
    description: 'Two\nlines.',
    minimumOrderQuantity: 1,
    availableQuantity: 10,
    price: 5,
  })
  expect(added.status).toBe(200)
  return { paid, refundedOrder, held: await bookingOf(ada, part), part, spare, image }
}

describe('a shop of its own database', () => {
  let shop: ShopProcess
  afterEach(() => shop.remove())

  test(
    'backed up while bookings go on, wiped and restored, is a sound shop with all that was acknowledged before',
    slow,
    async () => {
      // one customer makes all bookings
      const manyHolds = { OPEN_HOLDS: '10000', DEMO: 'off' }
      shop = await startShop(manyHolds)
      const ada = await register(shop.origin, 'Ada Backup')
      const { refundedOrder, held, part, spare, image } = await trade(shop, ada)
      let booking = true
      const bookings = (async () => {
        for (let many = 0; ; many += 1) {
          if (!booking) return many
          await bookingOf(ada, part, { quantity: 1 }).catch(() => null)
        }
      })()
      await mustRun('backup', join(work, 'busy'), { DATA_DIR: shop.dataDir })
      booking = false
      expect(await bookings).toBeGreaterThan(0)
      const atProvider = (await orderOf(ada, refundedOrder)).transactionId
      await shop.remove()

      await mustRun('restore', join(work, 'busy'), { DATA_DIR: shop.dataDir })
      shop = await startShop(manyHolds, shop.dataDir)
      const pool = await shopDatabase(shop)
      expect(await brokenInvariants(pool)).toEqual([])
      await pool.end()
      const again = await login(shop.origin, ada.email, 'correct horse')
      expect((await orderOf(again, refundedOrder)).transactionId).toBe(atProvider)
      expect((await orderOf(again, held)).status).toBe('unpaid')
      expect((await fetch(`${shop.origin}${image}`)).status).toBe(200)
      const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
      expect((await owner.call('GET', '/api/allOrders')).status).toBe(200)
      const { body } = await owner.call('GET', '/api/money')
      expect(body).toMatchObject({ provider: 'answered', issues: [] })
      // the sandbox's payments are restored too: the old order can be refunded, a new one paid
      const rest = { amount: 100, reason: 'again', restock: 0 }
      const key = { 'idempotency-key': 'two' }
      const refund = await owner.call('POST', `/api/order/${refundedOrder}/refund`, rest, key)
      expect(refund.status).toBe(200)
      await paidOrder(shop, again, spare)
    },
  )

  test.runIf(atLength)(
    'backed up while it is closed and restored is the same, row by row and byte by byte',
    slow,
    async () => {
      shop = await startShop({ DEMO: 'off' })
      await trade(shop, await register(shop.origin, 'Ada Closed'))
      await shop.end('SIGTERM')
      const [rows, pictures] = [await embeddedRows(shop.dataDir), await pictureFiles(shop.dataDir)]
      await mustRun('backup', join(work, 'closed'), { DATA_DIR: shop.dataDir })
      const secret = await readFile(join(shop.dataDir, 'secrets/app-secret'), 'utf8')
      const restored = join(work, 'restored')
      await mustRun('restore', join(work, 'closed'), { DATA_DIR: restored })

      expect(Object.keys(pictures).length).toBeGreaterThan(4)
      expect(await pictureFiles(restored)).toEqual(pictures)
      expect(await readFile(join(restored, 'secrets/app-secret'), 'utf8')).toBe(secret)
      expect(rows['public.orders']?.length).toBe(4)
      expect(await embeddedRows(restored)).toEqual(rows)
      await removeDataFolder(restored)
    },
  )
})

describe('a database of its owner', () => {
  const databases: TestDatabase[] = []
  const newDatabase = async () => {
    const database = await testDatabase()
    databases.push(database)
    return database
  }
  const APP_SECRET = 'the secret of the settings, long enough'
  afterAll(() => Promise.all(databases.map((database) => database.drop())))

  test('goes into another one whole, and the secret of the settings stays out of the backup', async () => {
    const from = await newDatabase()
    await migrate(from.url)
    const part = await stockPart(from.pool, { onHand: 5 })
    await from.pool.query(
      `with waits as (
         insert into users (issuer, subject, email, name, email_verified)
         values ('test', 'one', 'one@example.com', 'One', true) returning _id)
       insert into queue_places (user_id, part_id, quantity) select _id, $1, 6 from waits`,
      [part._id],
    )
    await from.pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
      [part._id],
    )
    await from.pool.query(
      `with queued as (
         insert into picture_queue (part_id, name, content, place, created_by)
         select $1, 'a.jpg', 'content', 0, _id from users returning _id)
       insert into picture_files select _id, 'bytes' from queued`,
      [part._id],
    )
    const backup = join(work, 'external')
    const where = { DATA_DIR: join(work, 'none'), APP_SECRET }
    // files waiting to become pictures are left out; the list of them is included
    const rows = await wholeDatabase(from.url)
    rows['public.picture_files'] = []
    expect(rows['public.picture_queue']).toHaveLength(1)
    await backedUp(backup, { ...where, DATABASE_URL: from.url })
    // the shop has recorded its backup, and the dashboard shows it
    expect((await from.pool.query('select job from last_runs')).rows).toEqual([{ job: 'backup' }])
    expect((await readdir(backup)).toSorted()).not.toContain('secrets')
    // what copies it elsewhere reports its own failure the same way
    const copying = ['failed', 'the copy: no route to host']
    const noted = await runProgram('backup', copying, { ...where, DATABASE_URL: from.url })
    expect([noted.code, noted.output]).toEqual([0, ''])
    const failure = `select detail from last_runs where job = 'backup_failure'`
    expect((await from.pool.query(failure)).rows).toEqual([
      { detail: { reason: 'the copy: no route to host' } },
    ])

    const to = await newDatabase()
    const target = { DATA_DIR: join(work, 'external-data'), DATABASE_URL: to.url }
    await expect(restore(target, backup)).rejects.toThrow(
      'The shop of this backup had its APP_SECRET in its settings: set the same; nothing was changed.',
    )
    await restore({ ...target, APP_SECRET }, backup)
    expect(rows['public.stock_movements']).toHaveLength(3)
    expect(await wholeDatabase(to.url)).toEqual(rows)
    const again = { ...where, DATABASE_URL: to.url }
    await expect(restore(again, backup)).rejects.toThrow(
      'The database of DATABASE_URL is not empty: name a new one; nothing was changed.',
    )
    expect(await wholeDatabase(to.url)).toEqual(rows)
    // the offer still exists
    expect(await brokenInvariants(to.pool)).toEqual([])
    await to.pool.query('delete from queue_places')
    expect(await stockOf(to.pool, part._id)).toEqual({ onHand: 6, reserved: 0 })
  })

  test('backed up by an older version is brought up to this one', async () => {
    const from = await newDatabase()
    await migrate(from.url)
    const part = await stockPart(from.pool, { onHand: 7, name: 'Old fan' })
    const backup = join(work, 'older')
    const where = { DATA_DIR: join(work, 'none'), APP_SECRET }
    await backedUp(backup, { ...where, DATABASE_URL: from.url })

    const to = await newDatabase()
    const target = { DATA_DIR: join(work, 'older-data'), DATABASE_URL: to.url, APP_SECRET }
    const later = await laterMigrations([
      'alter table parts add column warranty_months int not null default 24',
    ])
    await restore(target, backup, later)
    expect(await stockOf(to.pool, part._id)).toEqual({ onHand: 7, reserved: 0 })
    const { rows } = await to.pool.query('select warranty_months from parts')
    expect(rows).toEqual([{ warranty_months: 24 }])
    expect(await brokenInvariants(to.pool)).toEqual([])
    // the triggers are enabled again
    await expect(to.pool.query('update parts set on_hand = 8')).rejects.toThrow(
      'stock changes only',
    )
  })
})

describe('refused in one sentence, with nothing changed', () => {
  let whole: string
  let damaged: string
  let dataDir: string
  let shop: { DATA_DIR: string; DATABASE_URL: string }
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
    shop = { DATA_DIR: await dataFolder(), DATABASE_URL: database.url }
    await migrate(database.url)
    await stockPart(database.pool, { onHand: 3 })
    const bytes = await photo(40, 30)
    const picture = await diskImages(join(shop.DATA_DIR, 'images')).save([
      { width: 960, format: 'webp', bytes },
    ])
    expect(picture).toMatch(/^\/images\//)
    await readSecrets(undefined, join(shop.DATA_DIR, 'secrets'))
    whole = join(work, 'whole')
    await backedUp(whole, shop)
    damaged = join(work, 'damaged')
    dataDir = join(work, 'target')
  })
  afterEach(() => rm(damaged, { recursive: true, force: true }))
  afterAll(async () => {
    await database.drop()
    await removeDataFolder(shop.DATA_DIR)
  })

  async function refused(backup: string, sentence: RegExp, where: Where = { DATA_DIR: dataDir }) {
    await expect(restore(where, backup)).rejects.toThrow(sentence)
    await expect(stat(dataDir)).rejects.toThrow('ENOENT')
  }
  const path = (...parts: string[]) => join(damaged, ...parts)
  const copy = () => cp(whole, damaged, { recursive: true })

  test('a file with one other byte, a file that is cut, a file that is missing', async () => {
    for (const folder of ['database', 'images', 'secrets']) {
      await copy()
      const [name = ''] = await readdir(path(folder))
      const bytes = await readFile(path(folder, name))
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(path(folder, name), bytes)
      const says = (why: string) =>
        new RegExp(`^The backup in ${damaged} is damaged \\(${folder}/${name} is ${why}\\): `)
      await refused(damaged, says('not as it was made'))
      await truncate(path(folder, name), bytes.length >> 1)
      await refused(damaged, says('not as it was made'))
      await rm(path(folder, name))
      await refused(damaged, says('missing'))
      await rm(damaged, { recursive: true })
    }
  })

  test('a manifest that is cut, changed or missing', async () => {
    await copy()
    const text = await readFile(path('manifest.json'), 'utf8')
    await writeFile(path('manifest.json'), text.slice(0, text.length / 2))
    await refused(damaged, /manifest\.json is not as it was made/)
    await writeFile(path('manifest.json'), text.replace('"rows": 1', '"rows": 2'))
    await refused(damaged, /manifest\.json is not as it was made/)
    await rm(path('manifest.json'))
    await refused(damaged, /^There is no whole backup in /)
    await refused(join(work, 'nothing-here'), /^There is no whole backup in /)
  })

  test('a backup of a newer version, and of one from before the first release', async () => {
    const text = await readFile(join(whole, 'manifest.json'), 'utf8')
    const isNewer = /was made by a newer Ferrite \(0\.1\.0\): restore it with that one/
    const isOlder =
      /was made by a Ferrite from before the first release \(0\.1\.0\), which this version cannot read: restore it with the version that made it; nothing was changed\.$/
    for (const [from, to, sentence] of [
      [/"format": 1/, '"format": 2', isNewer],
      [/"migration": \d+/, '"migration": 99999999999999', isNewer],
      [/"migration": \d+/, '"migration": 1767225600000', isOlder],
    ] as const) {
      await copy()
      const changed = text.replace(from, to)
      await writeFile(path('manifest.json'), changed)
      const sha256 = createHash('sha256').update(changed).digest('hex')
      await writeFile(path('manifest.json.sha256'), `${sha256}  manifest.json\n`)
      await refused(damaged, sentence)
    }
  })

  test('a manifest written by hand with a good checksum', async () => {
    const manifest = JSON.parse(await readFile(join(whole, 'manifest.json'), 'utf8'))
    const [file] = manifest.files
    const [table] = manifest.tables
    const withFile = (changed: object) => ({ ...manifest, files: [...manifest.files, changed] })
    const hostile = {
      'no text of JSON': '{',
      nothing: 'null',
      'a list': '[]',
      'a way out of the folder': withFile({ ...file, path: 'images/../../../tmp/evil' }),
      'a way from the root': withFile({ ...file, path: '/tmp/evil' }),
      'another secret': withFile({ ...file, path: 'secrets/database-password' }),
      'a file twice': withFile(file),
      'a table of PostgreSQL': {
        ...manifest,
        tables: [...manifest.tables, { ...table, schema: 'pg_catalog', name: 'pg_authid' }],
      },
      'a table twice': { ...manifest, tables: [...manifest.tables, table] },
      'rows from outside': { ...manifest, tables: [{ ...table, file: '../../etc/passwd' }] },
    }
    for (const [name, content] of Object.entries(hostile)) {
      await copy()
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      await writeFile(path('manifest.json'), text)
      const sha256 = createHash('sha256').update(text).digest('hex')
      await writeFile(path('manifest.json.sha256'), `${sha256}  manifest.json\n`)
      await expect(restore({ DATA_DIR: dataDir }, damaged), name).rejects.toThrow(
        /^The backup in .* is damaged \(.*\): take another one; nothing was changed\.$/,
      )
      await expect(stat(dataDir)).rejects.toThrow('ENOENT')
    }
  })

  test('a data folder with something in it, also that of a shop; another secret', async () => {
    const full = await dataFolder()
    await writeFile(join(full, 'note'), 'mine')
    await refused(whole, /^The data folder .* is not empty: /, { DATA_DIR: full })
    expect(await readdir(full)).toEqual(['note'])
    await removeDataFolder(full)
    await refused(whole, /^The data folder .* is not empty: /, shop)
    const APP_SECRET = 'another secret that is long enough'
    await refused(whole, /^APP_SECRET is not /, { DATA_DIR: dataDir, APP_SECRET })
  })

  test('a backup of nothing, or over something; what is there stays', async () => {
    const where = { DATA_DIR: join(work, 'nothing-here') }
    const nothing = await run('backup', join(work, 'of-nothing'), where)
    expect(nothing).toEqual({
      code: 1,
      output: `There is no shop in ${where.DATA_DIR}: set DATA_DIR to its data folder.`,
    })
    await expect(backedUp(whole, shop)).rejects.toThrow(
      `${whole} is there already: name a new folder for the backup.`,
    )
    expect(await readdir(work)).not.toContain('of-nothing')
    expect((await readdir(work)).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('a shop whose restore did not finish does not open', async () => {
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'unfinished-restore'), '')
    await expect(startShop({}, dataDir)).rejects.toThrow(/A restore into .* did not finish: empty/)
    await expect(restore({ DATA_DIR: dataDir }, whole)).rejects.toThrow(/^[^\n]*did not finish/)
    await removeDataFolder(dataDir)
  })
})
