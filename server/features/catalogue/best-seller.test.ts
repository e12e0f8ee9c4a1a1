import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BestSellingPart, Part } from '#contracts/parts.ts'
import {
  bookingOf,
  call,
  confirmCard,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { countSales } from './best-seller.ts'

let shop: TestShop
let ada: Person

beforeEach(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  ada = await register(shop.origin)
})
afterEach(() => shop.close())

const make = async (kind: string): Promise<Part> => {
  const part = await stockPart(shop.pool, { onHand: 50, price: 20 })
  await shop.pool.query('update parts set kind = $2 where _id = $1', [part._id, kind])
  return part
}

async function pay(part: Part, quantity: number): Promise<string> {
  const id = await bookingOf(ada, part, { quantity })
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  const paymentReport = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(200)
  return id
}

/** Polls, because visitors may see a result that is a second old. */
async function expectBest(id: string | null): Promise<void> {
  await countSales(shop.deps)
  const best = async () => (await call(shop.origin, 'GET', '/api/bestSeller')).body
  await expect.poll(best).toEqual({ _id: id } satisfies BestSellingPart)
}

test('an empty shop has none; without sales it is the first monitor, else the first part', async () => {
  await expectBest(null)
  const fan = await make('fan')
  await expectBest(fan._id)
  const monitor = await make('Monitor')
  await expectBest(monitor._id)
})

test('is the most sold monitor of 90 days, else the most sold part; refunds and older sales do not count', async () => {
  const fan = await make('fan')
  const drive = await make('drive')
  const first = await make('monitor')
  const second = await make('monitor')
  const old = await pay(drive, 9)
  await pay(fan, 1)
  await expectBest(drive._id)
  await shop.pool.query(
    `update orders set created_at = created_at - interval '91 days', paid_at = paid_at - interval '91 days' where _id = $1`,
    [old],
  )
  await expectBest(fan._id)
  await pay(first, 1)
  const returned = await pay(second, 2)
  await expectBest(second._id)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const refund = { amount: 40, restock: 2, reason: 'came back' }
  const key = { 'idempotency-key': 'came-back' }
  const answer = await owner.call('POST', `/api/order/${returned}/refund`, refund, key)
  expect(answer.status).toBe(200)
  await expectBest(first._id)
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [first._id])
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [second._id])
  await expectBest(fan._id)
})
