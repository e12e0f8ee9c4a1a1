/** Row counts of lists: equal to the rows of all pages, with every filter, up to a limit. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLimit, RowCount } from '#contracts/lists.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let eve: Person

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada, eve] = (await createUsers(shop, 2)) as [Person, Person]
  for (const name of ['Zirconium blower', 'Quiet fan', 'Loud fan']) {
    const part = await stockPart(shop.pool, { onHand: 9, price: 20, name })
    const id = await bookingOf(ada, part)
    if (name === 'Loud fan') await ada.call('DELETE', `/api/userProduct/${id}`)
    else await bookingOf(eve, part)
  }
  for (const [person, ratings] of [
    [ada, 5],
    [eve, 2],
  ] as const)
    await person.call('POST', '/api/review', { review: 'A fan that hums.', ratings })
  await owner.call('PUT', `/api/user/admin/${eve.email}`)
})
afterAll(() => shop.close())

async function counted(by: Person, list: string, filter: Record<string, string>) {
  const { status, body } = await by.call('GET', `/api/${list}/count?${new URLSearchParams(filter)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return RowCount.parse(body)
}
async function listed(by: Person, list: string, filter: Record<string, string>): Promise<number> {
  const { body } = await by.call('GET', `/api/${list}?${new URLSearchParams(filter)}`)
  return body.length
}

test.each([
  ['allOrders', [{}, { status: 'held' }, { status: 'pending' }, { q: 'fan' }, { q: 'zircnium' }]],
  ['allOrders', [{ from: '2020-01-01', to: '2020-01-02' }, { q: 'qqqq' }]],
  ['products', [{}, { state: 'deleted' }, { state: 'low' }, { q: 'fan' }, { q: 'zircnium' }]],
  ['user', [{}, { role: 'admin' }, { blocked: 'yes' }, { q: 'owner' }]],
  ['reviews', [{}, { ratings: '5' }, { bought: 'yes' }, { q: 'hums' }]],
  ['audit', [{}, { about: 'user:nobody@example.com' }]],
])('%s has as many rows as its count says', async (list, filters) => {
  for (const filter of filters as Record<string, string>[]) {
    const count = await listed(owner, list, filter)
    expect(await counted(owner, list, filter), JSON.stringify(filter)).toEqual({
      count,
      isMore: false,
    })
  }
  expect((await counted(owner, list, {})).count).toBeGreaterThan(0)
})

test('a customer’s orders are counted without deleted ones and those of others', async () => {
  const { email } = ada
  expect(await counted(ada, 'orders', { email })).toEqual({ count: 2, isMore: false })
  expect(await counted(ada, 'orders', { email, q: 'quiet' })).toEqual({ count: 1, isMore: false })
  expect(await counted(owner, 'orders', { email })).toEqual({ count: 2, isMore: false })
  const [grace] = (await createUsers(shop, 1)) as [Person]
  expect((await grace.call('GET', `/api/orders/count?email=${email}`)).status).toBe(403)
})

test('a long list is counted up to a limit, and says that there is more', async () => {
  await shop.pool.query(
    `insert into users (issuer, subject, email, name)
     select 'bench', n::text, 'crowd' || n || '@example.com', 'Crowd' from generate_series(1, $1) n`,
    [countLimit + 1],
  )
  const all = { count: countLimit, isMore: true }
  expect(await counted(owner, 'user', {})).toEqual(all)
  expect(await counted(owner, 'user', { q: 'crowd' })).toEqual(all)
  expect(await counted(owner, 'user', { q: 'crowd10000@' })).toEqual({ count: 1, isMore: false })
})
