/**
 * Processes that share a database share its version, its secret and its pictures, or do not open.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StartError } from '#server/errors.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { migratedDatabase, type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { login } from '#tests/support/people.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { program, spawnShop } from '#tests/support/shop-process.ts'

const APP_SECRET = 'the same for every process, and long'
let database: TestDatabase
let folders: string[]
beforeEach(async () => {
  database = await migratedDatabase()
  folders = []
})
afterEach(async () => {
  for (const folder of folders) await removeDataFolder(folder)
  await database.drop()
})

const newFolder = async () => {
  const folder = await dataFolder()
  folders.push(folder)
  return folder
}
type Environment = Record<string, string>
const open = (dataDir: string, settings: Environment = {}, shared = database, newSecret = false) =>
  openTestShop({ DEMO: 'off', ...settings }, { shared, dataDir, newSecret })
/** Opens a shop and closes it. */
const openOnce = async (...how: Parameters<typeof open>) => (await open(...how)).close()
/** The message with which a shop refuses to open. */
const refusal = (...how: Parameters<typeof open>) =>
  openOnce(...how).then(
    () => 'it opened',
    (error: StartError) => error.message,
  )

test('three that begin a new shop together in one folder are one shop', async () => {
  const folder = await newFolder()
  // with the tables already created, all get equally far at once
  const begin = () => open(folder)
  const shops = await Promise.allSettled([begin(), begin(), begin()])
  const opened = shops.filter((shop) => shop.status === 'fulfilled')
  await Promise.all(opened.map(({ value }) => value.close()))
  expect(shops.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
})

test('a program that is older than its database is refused, and changes nothing', async () => {
  await database.pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)`,
  )
  expect(await refusal(await newFolder())).toBe(
    'The database is that of a newer Ferrite (it has a migration of 2100-01-01 that this version does not know): ' +
      'start that version, or restore a backup of before the upgrade.',
  )
  expect((await database.pool.query('select from shop')).rowCount).toBe(0)
})

test('a database from before the first release is refused, and nothing changes', async () => {
  const old = await testDatabase()
  await old.pool.query(`
    create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('first', 1767225600000);
    create table stock_movements (_id bigserial primary key)`)
  const sentence =
    'The database was made by a Ferrite from before the first release, and this version cannot bring it up to date: ' +
    'start the version that made it, or begin anew with DATA_DIR set to a new folder (or DATABASE_URL to an empty database).'
  expect(await refusal(await newFolder(), {}, old)).toBe(sentence)
  // a copy of only the tables does not say what they are
  await old.pool.query('drop schema drizzle cascade')
  expect(await refusal(await newFolder(), {}, old)).toBe(sentence)
  const { rows } = await old.pool.query(
    `select tablename from pg_tables where schemaname in ('public', 'drizzle')`,
  )
  expect(rows).toEqual([{ tablename: 'stock_movements' }])
  await old.drop()
})

test('another secret or other pictures are refused; with the same of both a second process opens', async () => {
  const folder = await newFolder()
  const first = await open(folder, { APP_SECRET })
  const another = { APP_SECRET: 'another that is long enough to be one' }
  expect(await refusal(folder, another)).toMatch(
    /^APP_SECRET is not the secret of the shop in this database: set the APP_SECRET, or .*start one with --new-secret \(npm start -- --new-secret\)\.$/,
  )
  // no new one is created either
  expect(await refusal(folder)).toMatch(/secrets\/app-secret is not the secret of the shop/)
  await expect(readFile(join(folder, 'secrets/app-secret'))).rejects.toThrow('ENOENT')

  const other = await newFolder()
  expect(await refusal(other, { APP_SECRET })).toMatch(
    /images does not hold the pictures of the shop in this database \(its file shop-id is missing\)/,
  )
  await mkdir(join(other, 'images'))
  await writeFile(join(other, 'images/shop-id'), '00000000-0000-4000-8000-000000000000\n')
  expect(await refusal(other, { APP_SECRET })).toContain('(it holds those of another shop)')

  await copyFile(join(folder, 'images/shop-id'), join(other, 'images/shop-id'))
  const second = await open(other, { APP_SECRET })
  const same = await login(second.origin, 'owner@ferrite.example', 'owner-password')
  expect((await same.call('GET', `/api/admin/${same.email}`)).body).toEqual({ admin: true })
  await second.close()
  await first.close()
})

test('another currency is refused: every price and order is in the one of the first start', async () => {
  const euros = await migratedDatabase()
  const folder = await newFolder()
  await openOnce(folder, { CURRENCY: 'EUR' }, euros)
  expect(await refusal(folder, { CURRENCY: 'GBP' }, euros)).toBe(
    'CURRENCY is GBP, and every price and order in this database is in EUR: set CURRENCY=EUR. Another currency needs a shop of its own, with an empty database.',
  )
  // without the setting it is the default, which differs too
  expect(await refusal(folder, {}, euros)).toMatch(/^CURRENCY is USD or not set, and .* in EUR/)
  await openOnce(folder, { CURRENCY: 'EUR' }, euros)
  await euros.drop()
})

test('a secret is changed for good when that is asked for', async () => {
  const folder = await newFolder()
  await openOnce(folder, { APP_SECRET })
  const other = { APP_SECRET: 'another that is long enough to be one' }
  const environment = { PORT: '0', DATA_DIR: folder, DATABASE_URL: database.url, ...other }
  const { child, isReady } = await spawnShop(environment, ['--new-secret'])
  child.kill()
  await once(child, 'exit')
  expect(isReady).toBe(true)
  expect(await refusal(folder, { APP_SECRET })).toMatch(/^APP_SECRET is not the secret/)
  await openOnce(folder, other)
})

test('pictures of one shop are not given to a new database without a word', async () => {
  const folder = await newFolder()
  await openOnce(folder)
  await writeFile(join(folder, `images/${'ab'.repeat(12)}-960.webp`), 'a picture')
  const newDatabase = await migratedDatabase()
  expect(await refusal(folder, {}, newDatabase)).toMatch(
    /images has the pictures of another shop than that of this database, which is new: correct/,
  )
  await rm(join(folder, 'images/shop-id'))
  await openOnce(folder, {}, newDatabase)
  await newDatabase.drop()
})

test.each([
  ['doctor', '--repair'],
  ['backup', 'backup', 'never-made'],
] as const)('%s refuses a folder that is not of this shop', async (name, ...words) => {
  await openOnce(await newFolder(), { APP_SECRET })
  const env = { ...process.env, NODE_ENV: 'production', DATA_DIR: await newFolder() }
  const cwd = await newFolder()
  const ended = spawnSync(process.execPath, [await program(name), ...words], {
    cwd,
    env: { ...env, DATABASE_URL: database.url, APP_SECRET },
    encoding: 'utf8',
  })
  expect(ended.stderr).toMatch(/images does not hold the pictures of the shop/)
  expect(ended.status).toBe(1)
  expect(await readdir(cwd)).toEqual([])
})
