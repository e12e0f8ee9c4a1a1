import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import {
  bookingOf,
  confirmCard,
  createUsers,
  intentFor,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person
let eve: Person
let part: Part
/** In the order of booking: paid, held, paid, no longer held. */
let ids: [string, string, string, string]

async function paid(): Promise<string> {
  const id = await bookingOf(ada, part)
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  const paymentReport = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(200)
  return id
}

async function endHold(id: string): Promise<void> {
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '1 minute' where _id = $1`,
    [id],
  )
  await vi.waitFor(async () => expect((await readOrder(id)).holdExpiresAt).toBeNull(), {
    timeout: 60_000,
  })
}

async function listed(query: Record<string, string> = {}, person = ada): Promise<Order[]> {
  const params = new URLSearchParams({ email: ada.email, ...query })
  const { status, body } = await person.call('GET', `/api/orders?${params}`)
  expect(status).toBe(200)
  return z.array(Order).parse(body)
}
const idsOf = (orders: Order[]) => orders.map(({ _id }) => _id)
const readOrder = async (id: string) =>
  Order.parse((await ada.call('GET', `/api/order/${id}`)).body)

beforeAll(async () => {
  shop = await openTestShop()
  ;[ada, eve] = (await createUsers(shop, 2)) as [Person, Person]
  part = await stockPart(shop.pool, { onHand: 50, price: 250, name: 'Lodestone' })
  const other = await stockPart(shop.pool, { onHand: 50, price: 20, name: 'Quiet fan' })
  const first = await paid()
  const held = await bookingOf(ada, other)
  ids = [first, held, await paid(), await bookingOf(ada, part)]
  await endHold(ids[3])
})
afterAll(() => shop.close())

test('without a page all orders are answered, newest first', async () => {
  expect(idsOf(await listed())).toEqual(ids.toReversed())
})

test('unpaid ones come first, each page after the other, none twice', async () => {
  const [paidFirst, held, paidLast, ended] = ids
  const order = [ended, held, paidLast, paidFirst]
  const query = { sort: 'unpaid-first', limit: '1' }
  const pages: string[] = []
  for (const after of [undefined, ...order]) {
    pages.push(...idsOf(await listed({ ...query, ...(after && { after }) })))
  }
  expect(pages).toEqual(order)
})

test('are found by number, product and transaction', async () => {
  const [first, held] = ids
  const { number, transactionId } = await readOrder(first)
  expect(idsOf(await listed({ q: number }))).toEqual([first])
  expect(idsOf(await listed({ q: transactionId as string }))).toEqual([first])
  expect(idsOf(await listed({ q: 'quiet fan', sort: 'unpaid-first', limit: '51' }))).toEqual([held])
  expect(await listed({ q: 'nothing like it' })).toEqual([])
})

test('customers cannot search others’ orders, and an invalid query is refused', async () => {
  const path = `/api/orders?email=${encodeURIComponent(ada.email)}`
  expect((await eve.call('GET', `${path}&q=fan`)).status).toBe(403)
  for (const query of ['sort=cheapest', 'limit=0', 'limit=501', 'after=1']) {
    expect((await ada.call('GET', `${path}&${query}`)).status).toBe(400)
  }
})

test('an order whose hold is over says when it ended, until it is held again', async () => {
  const [first, held, , ended] = ids
  expect((await readOrder(first)).holdEndedAt).toBeNull()
  expect((await readOrder(held)).holdEndedAt).toBeNull()
  const { holdEndedAt } = await readOrder(ended)
  const ago = Date.now() - Date.parse(holdEndedAt as string)
  expect(ago).toBeGreaterThan(55_000)
  expect(ago).toBeLessThan(5 * 60_000)
  await intentFor(ada, ended)
  expect((await readOrder(ended)).holdEndedAt).toBeNull()
  await endHold(ended)
  expect((await readOrder(ended)).holdEndedAt).not.toBeNull()
})
