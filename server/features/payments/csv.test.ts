/** payments.csv: what a month's books are made from. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { unmatch } from '#tests/support/money.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  crowd,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let part: Part
const soon = { timeout: 15_000, interval: 50 }

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await crowd(shop, 1)) as [Person]
  part = await stockPart(shop.pool, { onHand: 5000, price: 100, name: 'Lüfter' })
})
afterAll(() => shop.close())

type Line = Record<string, string>
async function exported(query = ''): Promise<Line[]> {
  const { status, body } = await owner.call('GET', `/api/payments.csv${query}`)
  expect(status).toBe(200)
  return parse(body, { columns: true, bom: true })
}
async function charge(card?: string) {
  const id = await bookingOf(ada, part, { quantity: 3 })
  const payment = await intentFor(ada, id)
  await confirmCard(cardsOf(shop), payment, card)
  return { id, ...payment }
}
async function paid(card?: string) {
  const order = await charge(card)
  const claim = { transactionId: order.intentId }
  expect((await ada.call('PATCH', `/api/order/${order.id}`, claim)).status).toBe(200)
  return order
}
const refund = (id: string, amount: number) =>
  owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount, reason: 'arrived broken', restock: 0 },
    { 'idempotency-key': crypto.randomUUID() },
  )
const linesOf = async (intentId: string) =>
  (await exported()).filter((line) => line['Of payment'] === intentId)

test('a payment and each of its refunds is a line, with day, amount, reference, order and reason', async () => {
  const { id, intentId } = await paid()
  for (const amount of [100, 50]) expect((await refund(id, amount)).status).toBe(200)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const all = {
    'Date (UTC)': time,
    'Order number': expect.stringMatching(/^F-\d+$/),
    Currency: 'USD',
    'Of payment': intentId,
    Product: 'Lüfter',
    Customer: ada.name,
    'E-mail': ada.email,
    Order: id,
  }
  const back = { ...all, Type: 'refund', Reason: 'arrived broken', 'Asked for by': owner.email }
  const reference = expect.stringMatching(/^re_/)
  expect(await linesOf(intentId)).toEqual([
    {
      ...all,
      Type: 'payment',
      Amount: '300.00',
      'Provider’s reference': intentId,
      Reason: '',
      'Asked for by': '',
    },
    { ...back, Amount: '-100.00', 'Provider’s reference': reference },
    { ...back, Amount: '-50.00', 'Provider’s reference': reference },
  ])
})

test('a refund that a bank sends back comes again; one that was refused never went', async () => {
  const sentBack = await paid('pm_card_refundFail')
  expect((await refund(sentBack.id, 300)).status).toBe(200)
  const typesOf = async (intentId: string) =>
    (await linesOf(intentId)).map(({ Type, Amount }) => `${Type} ${Amount}`)
  await expect
    .poll(() => typesOf(sentBack.intentId), soon)
    .toEqual(['payment 300.00', 'refund -300.00', 'refund sent back 300.00'])
  const refused = await paid('pm_card_createDispute')
  expect((await refund(refused.id, 300)).status).toBe(409)
  expect(await typesOf(refused.intentId)).toEqual(['payment 300.00'])
})

test('money that no order could take came and went', async () => {
  await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
  const { intentId } = await charge()
  await shop.pool.query(unmatch, [intentId])
  await expect.poll(async () => (await linesOf(intentId)).length, soon).toBe(2)
  expect(await linesOf(intentId)).toMatchObject([
    { Type: 'payment', Amount: '300.00' },
    { Type: 'refund', Amount: '-300.00', Reason: 'the order is deleted' },
  ])
})

test('the days are those of the movement, and the list is whole however long it is', async () => {
  const before = (await exported()).length
  await shop.pool.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price, total_price)
     select u._id, $1, 'Old ' || n, '/i', 'c', u.email, '12345', 1, 1, 1 from users u, generate_series(1, 1300) n
     where u.email = $2`,
    [part._id, ada.email],
  )
  // two of them at each moment, across the batches that are read
  await shop.pool.query(
    `insert into payments (intent_id, order_id, amount, status, received_at)
     select 'pi_old_' || n, _id, 100, 'succeeded', timestamptz '2020-01-31T23:59:59Z' + (n / 2) * interval '1 millisecond'
     from (select _id, row_number() over (order by _id) as n from orders where product like 'Old %') o`,
  )
  const january = await exported('?from=2020-01-01&to=2020-01-31')
  const february = await exported('?from=2020-02-01&to=2020-02-29')
  const both = [...january, ...february].map((line) => line['Of payment'])
  expect(new Set(both).size).toBe(1300)
  expect(both).toHaveLength(1300)
  expect(january.at(-1)?.['Date (UTC)']).toBe('2020-01-31 23:59:59')
  expect(february).toHaveLength(0)
  expect((await exported()).length).toBeGreaterThanOrEqual(before + 1300)
  expect((await owner.call('GET', '/api/payments.csv?from=2020-02-30')).status).toBe(400)
  const times = (await exported()).map((line) => line['Date (UTC)'])
  expect(times).toEqual(times.toSorted())
})
