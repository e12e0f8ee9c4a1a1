/** API keys: what the access tables in `tests/security` do not cover. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastKeyDay } from '#contracts/api-keys.ts'
import { call, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', RATE_LIMIT: 'on' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

async function admin(): Promise<Person> {
  const [person] = (await createUsers(shop, 1)) as [Person]
  await owner.call('PUT', `/api/user/admin/${person.email}`)
  return person
}

const keyInput = { name: 'Warehouse', scopes: ['orders:read'], endsOn: lastKeyDay() }
const keyOf = async (person: Person, changes: object = {}) =>
  (await person.call('POST', '/api/key', { ...keyInput, ...changes })).body

const read = (key: string) => call(shop.origin, 'GET', '/api/allOrders', { token: key })
const statusOf = async (key: string) => (await read(key)).status

test('is shown once, stored as a hash, mailed to its admin, and revoked at once', async () => {
  const ada = await admin()
  const { key, insertedId } = await keyOf(ada)
  expect(key).toMatch(/^ferrite_[0-9a-f]{56}$/)
  expect(await statusOf(key)).toBe(200)
  const { body } = await owner.call('GET', '/api/keys')
  const listed = body.find(({ _id }: { _id: string }) => _id === insertedId)
  const { name, scopes } = keyInput
  expect(listed).toMatchObject({ name, scopes, owner: ada.email, start: key.slice(0, 14) })
  expect(JSON.stringify(body)).not.toContain(key)
  const { rows } = await shop.pool.query(`select to_jsonb(k)::text as row from api_keys k`)
  expect(JSON.stringify(rows)).not.toContain(key.slice(14))
  const mails = await shop.pool.query(
    `select text from mail_queue where template = 'key-made' and recipient = $1`,
    [ada.email],
  )
  expect(mails.rows).toHaveLength(1)
  expect(mails.rows[0].text).not.toContain(key)
  expect((await owner.call('DELETE', `/api/key/${insertedId}`)).status).toBe(200)
  expect(await statusOf(key)).toBe(401)
})

test('notes its last use, at most once a minute', async () => {
  const { key, insertedId } = await keyOf(owner)
  const usedAt = async () =>
    (await shop.pool.query('select last_used_at as at from api_keys where _id = $1', [insertedId]))
      .rows[0].at
  expect(await usedAt()).toBe(null)
  await read(key)
  const first = await usedAt()
  expect(first).toBeInstanceOf(Date)
  await read(key)
  expect(await usedAt()).toEqual(first)
  await shop.pool.query(`update api_keys set last_used_at = now() - interval '61 seconds'`)
  await read(key)
  expect((await usedAt()).getTime()).toBeGreaterThanOrEqual(first.getTime())
})

test.each([
  [
    'who loses the role, and has it again',
    async ({ email }: Person) => {
      await owner.call('DELETE', `/api/user/admin/${email}`)
      await owner.call('PUT', `/api/user/admin/${email}`)
    },
  ],
  [
    'who is blocked, and unblocked',
    async ({ email }: Person) => {
      const find = 'select _id from users where email = $1'
      const path = `/api/user/${(await shop.pool.query(find, [email])).rows[0]._id}`
      await owner.call('POST', `${path}/block`, { reason: 'A mistake.' })
      await owner.call('POST', `${path}/unblock`, { reason: 'A mistake.' })
    },
  ],
  [
    'whose account is deleted',
    async (person: Person) => {
      const answer = await person.call('DELETE', '/api/me', { email: person.email })
      expect(answer.status).toBe(200)
    },
  ],
])('dies with an admin %s', async (_, lose) => {
  const ada = await admin()
  const { key } = await keyOf(ada)
  expect(await statusOf(key)).toBe(200)
  await lose(ada)
  expect(await statusOf(key)).toBe(401)
})

test('is refused while its admin’s address is unverified, after its last day, and when forged', async () => {
  const ada = await admin()
  const { key, insertedId } = await keyOf(ada)
  const verify = 'update users set email_verified = $2 where email = $1'
  await shop.pool.query(verify, [ada.email, false])
  expect(await statusOf(key)).toBe(401)
  await shop.pool.query(verify, [ada.email, true])
  expect(await statusOf(key)).toBe(200)
  const other = key.at(-1) === '0' ? '1' : '0'
  for (const wrongKey of [key.slice(0, -1), `${key}0`, key.slice(0, -1) + other, key.toUpperCase()])
    expect(await statusOf(wrongKey)).toBe(401)
  await shop.pool.query('update api_keys set ends_at = now() where _id = $1', [insertedId])
  expect(await statusOf(key)).toBe(401)
})

test('ends within a year, has a name and a scope; an admin has at most twenty', async () => {
  const ada = await admin()
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  for (const changes of [
    { endsOn: day(366) },
    { endsOn: day(-1) },
    { endsOn: undefined },
    { name: ' ' },
    { scopes: [] },
    { scopes: ['users:write'] },
  ]) {
    const { status } = await ada.call('POST', '/api/key', { ...keyInput, ...changes })
    expect(status, JSON.stringify(changes)).toBe(400)
  }
  const requests = Array.from({ length: 21 }, () => ada.call('POST', '/api/key', keyInput))
  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
})

test('has rate limits of its own, apart from its admin’s', async () => {
  const { key } = await keyOf(owner)
  const ask = () => call(shop.origin, 'GET', '/api/allOrders.csv', { token: key })
  const statuses = []
  for (let i = 0; i < 11; i += 1) statuses.push((await ask()).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await owner.call('GET', '/api/allOrders.csv')).status).toBe(200)
})
