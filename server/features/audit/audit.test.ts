import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AuditEntry } from '#contracts/audit.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { editBody, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const record = async (query: string) => {
  const { status, body } = await owner.call('GET', `/api/audit${query}`)
  expect(status).toBe(200)
  return z.array(AuditEntry).parse(body)
}

test('every action is listed with who did it, to what, and what changed', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const part = await stockPart(shop.pool, { onHand: 5, price: 100, name: 'Noted part' })
  const image = '/images/0123456789abcdef01234567-960.webp'
  await shop.pool.query('update parts set image = $2 where _id = $1', [part._id, image])
  const order = await bookingOf(ada, part)
  await owner.call('PUT', `/api/user/admin/${ada.email}`)
  await owner.call('POST', `/api/order/${order}/reminder`)
  const edited = await owner.call('PUT', `/api/product/${part._id}`, {
    ...editBody({ ...part, image, price: 120 }),
    version: 1,
    description: `${part.description} Better.`,
    stock: { change: 2, reason: 'recount' },
  })
  expect(edited.status).toBe(200)

  const all = await record('')
  expect(all.slice(0, 3).map(({ at: _, _id: __, ...line }) => line)).toEqual([
    {
      by: owner.email,
      key: null,
      action: 'part changed',
      about: `part:${part._id}`,
      name: 'Noted part',
      note: 'Price: $100 → $120, Stock: +2 (recount), Description changed',
    },
    {
      by: owner.email,
      key: null,
      action: 'payment reminder sent',
      about: `order:${order}`,
      name: expect.stringMatching(/^Noted part, F-\d+$/),
      note: null,
    },
    {
      by: owner.email,
      key: null,
      action: 'admin made',
      about: `user:${ada.email}`,
      name: ada.email,
      note: null,
    },
  ])
  for (const about of [`part:${part._id}`, `order:${order}`, `user:${ada.email}`]) {
    const lines = await record(`?about=${encodeURIComponent(about)}`)
    expect(lines.map((line) => line.about)).toEqual([about])
  }
  const [first, ...rest] = all
  expect(await record(`?limit=1`)).toEqual([first])
  expect(await record(`?after=${first?._id}`)).toEqual(rest)
})

test('what the demo owner did stays readable when the demonstration is taken out; no living admin is read by a name', async () => {
  const [demo] = (await createUsers(shop, 1)) as [Person]
  await owner.call('PUT', `/api/user/admin/${demo.email}`)
  const part = await stockPart(shop.pool, { onHand: 5 })
  await demo.call('DELETE', `/api/adminProduct/${part._id}`)
  const author = async () => (await record(`?about=part:${part._id}`))[0]?.by
  const name = `update users set name = 'The demo owner'`
  await shop.pool.query(`${name} where email = $1`, [demo.email])
  expect(await author()).toBe(demo.email)
  await shop.pool.query(
    `${name}, email = 'former.1@deleted.invalid', role = 'customer', deleted_at = now(), disabled_at = now(),
       email_verified = false
     where email = $1`,
    [demo.email],
  )
  expect(await author()).toBe('The demo owner')
})

test.each(['about=order', 'about=order:x', 'about=ledger:1', 'about=user:x', 'limit=0', 'after=x'])(
  'an odd question is refused: %s',
  async (query) => {
    expect((await owner.call('GET', `/api/audit?${query}`)).status).toBe(400)
  },
)
