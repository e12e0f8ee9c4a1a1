import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtinKinds } from '#server/database/seed/kinds.ts'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { call, login, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

const APP_SECRET = 'the same for every process, and long'
let database: TestDatabase
let folder: string
let shops: TestShop[] = []
beforeAll(async () => {
  database = await testDatabase()
  folder = await dataFolder()
})
afterAll(async () => {
  for (const shop of shops) await shop.close()
  await removeDataFolder(folder)
  await database.drop()
})
/** Opens another shop on the same database and folder. */
const openAnother = (ADMIN_EMAIL: string) =>
  openTestShop({ APP_SECRET, ADMIN_EMAIL }, { shared: database, dataDir: folder })

test('processes that start together on an empty database make one owner, and the kinds once', async () => {
  const begin = () => openAnother('owner@ferrite.example')
  const opened = await Promise.allSettled([begin(), begin(), begin()])
  shops = opened.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  const { rows } = await database.pool.query(`select email from users where role = 'admin'`)
  expect(rows).toEqual([{ email: 'owner@ferrite.example' }])
  // in other tests the databases have the kinds before their shop opens
  const kinds = (await database.pool.query('select name from kinds')).rows
  expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(builtinKinds).sort())
  const fields = await database.pool.query('select from spec_fields where is_builtin')
  expect(fields.rowCount).toBeGreaterThan(kinds.length)
})

test('an owner whose address is taken, unverified, gets it with the password of the settings', async () => {
  const { origin } = shops[0] as TestShop
  const mallory = await register(origin, 'Mallory', { verified: false })
  // the database never lets the last admin go, so the test removes the admin with triggers bypassed
  await database.pool.query(
    `alter table users disable trigger users_keep_an_admin;
     update users set role = 'customer';
     alter table users enable trigger users_keep_an_admin`,
  )
  await (await openAnother(mallory.email)).close()
  await login(origin, mallory.email, 'owner-password')
  await expect(login(origin, mallory.email, 'correct horse')).rejects.toThrow('no session')
  expect((await mallory.call('GET', `/api/admin/${mallory.email}`)).status).toBe(401)
  const { body } = await call(origin, 'GET', '/identity/token', {
    headers: { cookie: mallory.cookie },
  })
  expect(body.token).toBeUndefined()
})

test('an ADMIN_EMAIL that comes too late is reported, with the present admin', async () => {
  const late = await openAnother('late@shop.example')
  await late.close()
  expect(late.notes.join('\n')).toMatch(
    /ADMIN_EMAIL is not used: this shop has an admin already \(\S+@\S+\)\. npm run admin -- EMAIL makes another\./,
  )
})
