import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '#contracts/audit.ts'
import { Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let part: Part

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  part = await stockPart(shop.pool, { onHand: 20, price: 250 })
})
afterAll(() => shop.close())

const numberOf = async (id: string) =>
  Order.parse((await ada.call('GET', `/api/order/${id}`)).body).number
const figure = (number: string) => Number(number.replace('F-', ''))

test('orders are numbered as they are booked; a repeated booking, and one of an unknown part, takes no number', async () => {
  const key = { 'idempotency-key': crypto.randomUUID() }
  const booking = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  const first = await ada.call('POST', '/api/order', booking, key)
  expect((await ada.call('POST', '/api/order', booking, key)).body).toEqual(first.body)
  const unknown = { ...booking, partId: crypto.randomUUID() }
  expect((await ada.call('POST', '/api/order', unknown)).status).toBe(404)
  const [one, two] = [
    await numberOf(first.body.insertedId),
    await numberOf(await bookingOf(ada, part)),
  ]
  expect(one).toMatch(/^F-1\d{3}$/)
  expect(figure(two)).toBe(figure(one) + 1)
})

test('bookings at once have numbers of their own', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => bookingOf(ada, part)))
  expect(new Set(await Promise.all(ids.map(numberOf))).size).toBe(4)
})

test('an order keeps its number for good', async () => {
  const id = await bookingOf(ada, part)
  const renumber = shop.pool.query(`update orders set number = 'F-1' where _id = $1`, [id])
  await expect(renumber).rejects.toThrow('append-only')
})

test('the owner finds an order by its number, in small letters and without the F too', async () => {
  const id = await bookingOf(ada, part)
  const number = await numberOf(id)
  for (const q of [number, number.toLowerCase(), number.slice(2)]) {
    const { body } = await owner.call('GET', `/api/allOrders?q=${q}`)
    expect(body.map(({ _id }: Order) => _id)).toContain(id)
  }
  const { body } = await owner.call('GET', `/api/allOrders?q=${number}`)
  expect(body).toHaveLength(1)
})

test('the audit log names an order by its number, and is asked by it', async () => {
  const id = await bookingOf(ada, part)
  const number = await numberOf(id)
  await owner.call('POST', `/api/order/${id}/reminder`)
  for (const key of [id, number, number.toLowerCase()]) {
    const { status, body } = await owner.call('GET', `/api/audit?about=order:${key}`)
    expect(status).toBe(200)
    const lines = body as AuditEntry[]
    expect(lines.map(({ about, name }) => ({ about, name }))).toEqual([
      { about: `order:${id}`, name: `${part.name}, ${number}` },
    ])
  }
  expect((await owner.call('GET', '/api/audit?about=order:F-x')).status).toBe(400)
})

test('what the owner sees first names orders by their numbers', async () => {
  const { body } = await owner.call('GET', '/api/overview?timeZone=UTC')
  expect(body.holds.rows.length).toBeGreaterThan(0)
  for (const { number } of body.holds.rows) expect(number).toMatch(/^F-\d+$/)
})
