/** A shop that sells in euros, with cents. */

import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents, fromCents } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import { Overview } from '#contracts/overview.ts'
import { atLength } from '#tests/support/length.ts'
import { withLines } from '#tests/support/money.ts'
import {
  cardsOf,
  confirmCard,
  createUsers,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person

beforeAll(async () => {
  shop = await openTestShop({ CURRENCY: 'EUR', DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const rowsOf = async (path: string): Promise<Record<string, string>[]> =>
  parse((await owner.call('GET', path)).body, { columns: true, bom: true })

test('a cable of 4.99 is booked, paid, refunded and accounted for to the cent', async () => {
  const part = await stockPart(shop.pool, { onHand: 20, price: 4.99, name: 'Cable 4.99' })
  const booking = { partId: part._id, quantity: 3, phone: '+1 555 0100' }
  const dearer = await ada.call('POST', '/api/order', { ...booking, totalPrice: 14.98 })
  expect([dearer.status, dearer.body.error.message, dearer.body.error.totalPrice]).toEqual([
    ...[409, 'The total price is €14.97 now. Look again before you book.', 14.97],
  ])
  const booked = await ada.call('POST', '/api/order', { ...booking, totalPrice: 14.97 })
  const id: string = booked.body.insertedId
  expect(await orderOf(ada, id)).toMatchObject({ price: 4.99, totalPrice: 14.97, refunded: 0 })
  const { rows: mails } = await shop.pool.query(
    `select text from mail_queue where order_id = $1 and template = 'order-booked'`,
    [id],
  )
  expect(mails[0].text).toMatch(/Price each: +€4\.99[\s\S]*Total price: +€14\.97/)

  const { body: started } = await ada.call('POST', '/api/create-payment-intent', {
    ...{ totalPrice: 14.97, orderId: id },
  })
  const [intentId] = started.clientSecret.split('_secret_')
  const intent = await shop.deps.payments.retrieveIntent(intentId)
  expect(intent).toMatchObject({ amount: 1497, currency: 'EUR' })
  await confirmCard(cardsOf(shop), { intentId, clientSecret: started.clientSecret })
  await ada.call('PATCH', `/api/order/${id}`, { transactionId: intentId })

  const refund = (amount: number) =>
    owner.call(
      'POST',
      `/api/order/${id}/refund`,
      { amount, reason: 'One was broken.' },
      { 'idempotency-key': crypto.randomUUID() },
    )
  expect((await refund(4.99)).status).toBe(200)
  expect(await orderOf(ada, id)).toMatchObject({ status: 'paid', refunded: 4.99 })
  const { fields } = (await refund(9.99)).body.error
  expect(fields).toEqual({ amount: 'Amount cannot be more than the remaining €9.98' })
  expect((await refund(0.005)).body.error.fields.amount).toMatch(/0\.01 or more|two decimals/)
  expect((await refund(9.98)).status).toBe(200)
  expect(await orderOf(ada, id)).toMatchObject({ status: 'refunded', refunded: 14.97 })

  const { number } = await orderOf(ada, id)
  expect(
    (await rowsOf('/api/allOrders.csv')).find((row) => row['Order number'] === number),
  ).toMatchObject({ Currency: 'EUR', 'Unit price': '4.99', Total: '14.97', Refunded: '14.97' })
  const money = (await rowsOf('/api/payments.csv')).filter((row) => row['Order number'] === number)
  expect(money.map(({ Amount, Currency }) => [Amount, Currency])).toEqual([
    ...[
      ['14.97', 'EUR'],
      ['-4.99', 'EUR'],
      ['-9.98', 'EUR'],
    ],
  ])
  const { body: actions } = await owner.call('GET', `/api/audit?about=order:${id}`)
  expect(actions.map(({ note }: { note: string }) => note)).toContain(
    '€4.99 refunded, “One was broken.”',
  )
})

test('an amount has at most two decimals, and a price is found by them', async () => {
  const part = await stockPart(shop.pool, { onHand: 5, price: 49.9, name: 'Riser 49.90' })
  const change = async (cost: string) => {
    const csv = `_id,cost\n${part._id},${cost}\n`
    const type = { 'content-type': 'text/csv' }
    return (await owner.call('POST', '/api/products/import', csv, type)).body
  }
  expect((await change('-0.01')).problems).toMatchObject([
    { message: 'Cost must be 0 or more, not “-0.01”' },
  ])
  expect((await change('31.33')).updated).toBe(1)
  const { body } = await owner.call('GET', `/api/product/${part._id}`)
  expect(body).toMatchObject({ price: 49.9, cost: 31.33 })
  const names = async (query: string) =>
    (await ada.call('GET', `/api/parts?${query}`)).body.parts.map(
      ({ name }: Order & { name: string }) => name,
    )
  expect(await names('q=riser&price-max=49.89')).toEqual([])
  expect(await names('q=riser&price-min=49.9&price-max=49.9')).toEqual(['Riser 49.90'])
  for (const q of ['riser under 49,90 €', 'riser up to €49.90', 'riser 40 - 49,90 eur'])
    expect(await names(`q=${encodeURIComponent(q)}`), q).toEqual(['Riser 49.90'])
  expect(await names(`q=${encodeURIComponent('riser under 49,89 €')}`)).toEqual([])
})

test('what no card can pay is refused at the booking', async () => {
  const part = await stockPart(shop.pool, { onHand: 20, price: 0.1 })
  const book = (quantity: number) =>
    ada.call('POST', '/api/order', { partId: part._id, quantity, phone: '+1 555 0100' })
  const { status, body } = await book(4)
  expect([status, body.error.fields.quantity]).toEqual([
    ...[400, 'An order must be at least €0.50, the minimum for a card payment'],
  ])
  expect((await book(5)).status).toBe(200)
})

const many = atLength ? 10_000 : 500

test(`${many} random orders and refunds agree to the cent in lists, CSV, overview and Money`, async () => {
  const emails = (await createUsers(shop, 1)).map(({ email }) => email)
  await havePaid(shop.pool, emails)
  const part = await stockPart(shop.pool, { onHand: many * 9, price: 1, name: 'Random' })
  const before = Overview.parse((await owner.call('GET', '/api/overview')).body)
  const client = await shop.pool.connect()
  await client.query('begin')
  await client.query(
    `with bought as (
       insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
         status, transaction_id, paid_at)
       select u._id, $1, 'Random', '/i', u.name, u.email, '12345', units, price, units * price, 'paid',
         'pi_' || gen_random_uuid(), now()
       from users u, (select 1 + (random() * 8)::int as units, 50 + (random() * 99999)::int as price
         from generate_series(1, $3::int)) each
       where u.email = any ($2) returning _id, checkout_id, quantity, total_cents, transaction_id),
     payment as (
       insert into payments (intent_id, checkout_id, amount, status)
       select transaction_id, checkout_id, total_cents, 'succeeded' from bought)
     insert into stock_movements (part_id, order_id, type, reserved_delta) select $1, _id, 'hold', quantity from bought`,
    [part._id, emails, many],
  )
  await client.query(
    `insert into stock_movements (part_id, order_id, type)
     select part_id, _id, 'sell' from orders where part_id = $1`,
    [part._id],
  )
  await client.query(
    withLines(`insert into refunds (intent_id, cause, amount, state, provider_id)
      select transaction_id, 'provider', 1 + (random() * (total_cents - 1))::int, 'succeeded', 're_' || gen_random_uuid()
      from orders where part_id = $1 and random() < 0.4`),
    [part._id],
  )
  await client.query('commit')
  client.release()

  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const { rows } = await shop.pool.query(
    `select sum(total_cents)::float8 as paid, sum(refunded_cents)::float8 as back from orders where part_id = $1`,
    [part._id],
  )
  const [{ paid, back }] = rows as [{ paid: number; back: number }]
  expect(back).toBeGreaterThan(0)
  const { body: listed } = await owner.call('GET', '/api/allOrders?q=Random')
  const orders: Order[] = listed.filter(({ partId }: Order) => partId === part._id)
  expect(orders).toHaveLength(many)
  for (const { price, quantity, totalPrice } of orders)
    expect(cents(totalPrice)).toBe(quantity * cents(price))
  expect(sum(orders.map(({ totalPrice }) => cents(totalPrice)))).toBe(paid)
  expect(sum(orders.map(({ refunded }) => cents(refunded)))).toBe(back)
  const inCents = (text = '') => Number(text.replace('.', ''))
  const ofPart = (row: Record<string, string>) => row.Product === 'Random'
  const lines = (await rowsOf('/api/allOrders.csv')).filter(ofPart)
  expect(sum(lines.map(({ Total }) => inCents(Total)))).toBe(paid)
  expect(sum(lines.map(({ Refunded }) => inCents(Refunded)))).toBe(back)
  const moves = (await rowsOf('/api/payments.csv')).filter(ofPart)
  expect(sum(moves.map(({ Amount }) => inCents(Amount)))).toBe(paid - back)
  const after = Overview.parse((await owner.call('GET', '/api/overview')).body)
  const revenueOf = ({ periods }: Overview) => cents(periods.at(-1)?.now.revenue ?? 0)
  expect(revenueOf(after) - revenueOf(before)).toBe(paid - back)
  expect(after.bestSellers.find(({ _id }) => _id === part._id)?.revenue).toBe(
    fromCents(paid - back),
  )
})
