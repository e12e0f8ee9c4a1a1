import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { startEmbedded } from '#server/postgres/start.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  orderOf,
  register,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { runProgram, type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: ShopProcess
afterEach(() => shop?.remove())

const doctor = (dataDir: string, words: string[] = [], settings: NodeJS.ProcessEnv = {}) =>
  runProgram('doctor', words, { DATA_DIR: dataDir, ...settings })

async function ask(url: string, query: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query(query, values)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

// one start of a shop and three of the doctor
test('beside a running shop and after its stop: agrees, finds an unrecorded payment, repairs it', {
  timeout: 120_000,
}, async () => {
  shop = await startShop({ JOB_SECONDS: '3600', DEMO: 'off' })
  // in the gate this is checked only after the repair
  if (atLength) {
    const well = await doctor(shop.dataDir)
    expect(well.output).toContain('Everything agrees.')
    expect(well.code).toBe(0)
  }

  const pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 3 })
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const image = (await upload(shop, owner, await photo())).body.data.url
  await pool.query('update parts set image = $1', [image])
  await pool.query('delete from part_index')
  const ada = await register(shop.origin, 'Ada Unheard')
  const id = await bookingOf(ada, part)
  const payment = await intentFor(ada, id)
  const html = await (await fetch(`${shop.origin}/`)).text()
  const publishableKey = /pk_test_\w+/.exec(html)?.[0] ?? ''
  await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
  expect((await confirmCard({ origin: shop.origin, publishableKey }, payment)).status).toBe(200)
  const beside = await doctor(shop.dataDir)
  expect(beside.output).toContain(`intent:${payment.intentId}`)
  expect(beside.output).toContain('repair: settle')
  expect(beside.output).toContain('Broken: the index of a part says what the part says.')
  expect(beside.code).toBe(1)
  // the doctor's instructions
  await pool.query('insert into parts_to_index select _id from parts')
  const indexed = 'select from parts_to_index'
  await expect.poll(async () => (await pool.query(indexed)).rowCount).toBe(0)
  await pool.end()
  // the shop kept its database
  expect((await orderOf(ada, id)).status).toBe('unpaid')
  expect(await shop.end('SIGTERM')).toBe(0)

  const stopped = await doctor(shop.dataDir, ['--repair'])
  expect(stopped.output).toContain('The order is paid now.')
  expect(stopped.output).toContain('Repaired: 1. Then:')
  expect(stopped.output).toContain('Everything agrees.')
  expect(stopped.code).toBe(0)

  const database = await startEmbedded({ dataDir: shop.dataDir, log: () => {}, owner: 'the test' })
  const rows = await ask(
    database.url,
    `select o.status, a.action, a.detail->>'by' as by from orders o join audit_log a on a.order_id = o._id
     where o._id = $1 and a.action = 'repair made'`,
    [id],
  ).finally(database.stop)
  expect(rows).toEqual([{ status: 'paid', action: 'repair made', by: 'npm run doctor' }])
})

describe('what it cannot look at it says in one sentence, and makes nothing', () => {
  const databases: TestDatabase[] = []
  let folder: string
  beforeEach(async () => {
    folder = await dataFolder()
  })
  afterEach(() => removeDataFolder(folder))
  afterAll(() => Promise.all(databases.map((database) => database.drop())))
  const refuses = async (
    sentence: string,
    words: string[] = [],
    settings: NodeJS.ProcessEnv = {},
  ) => {
    expect(await doctor(folder, words, settings)).toEqual({ code: 1, output: sentence })
  }
  async function newDatabase() {
    const database = await testDatabase()
    databases.push(database)
    return { DATABASE_URL: database.url }
  }

  test('a folder without a shop, an unknown word, half a restore', async () => {
    await refuses(`There is no shop in ${folder}: set DATA_DIR to its data folder.`)
    expect(await readdir(folder)).toEqual([])
    await refuses('--repiar is unknown: npm run doctor [-- --repair]', ['--repiar'])
    await writeFile(join(folder, 'unfinished-restore'), '')
    await refuses(
      `A restore into ${folder} did not finish: empty that folder (and the database, if it is one of yours) and restore again.`,
    )
  })

  test('a database that does not answer, is empty, or is that of another version', async () => {
    await refuses(
      'The database of DATABASE_URL cannot be used (connect ECONNREFUSED 127.0.0.1:1): start it, or correct DATABASE_URL.',
      [],
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    )
    const empty = await newDatabase()
    await refuses('There is no shop in this database: look at DATABASE_URL.', [], empty)
    const shops = await newDatabase()
    await migrate(shops.DATABASE_URL)
    await refuses(
      `${join(folder, 'secrets/app-secret')} is missing: set DATA_DIR to the shop's data folder, or APP_SECRET as it is set for the shop.`,
      [],
      shops,
    )
    await databases
      .at(-1)
      ?.pool.query(
        `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)`,
      )
    await refuses(
      'The database is that of a newer Ferrite (it has a migration of 2100-01-01 that this version does not know): start that version, or restore a backup of before the upgrade.',
      [],
      shops,
    )
    expect(await readdir(folder)).toEqual([])
  })
})
