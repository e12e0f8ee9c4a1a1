/**
 * The card provider is slow, silent, failing, repeating events, out of order or late; and many
 * customers pay at once.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  login,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { providerOf } from '#tests/support/provider-events.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, editBody, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let deliver: Awaited<ReturnType<typeof providerOf>>
let owner: Person
let ada: Person
let part: Part

const control = (path: string, body: object) => controlSandbox(shop.origin, path, body)
const pay = (payment: { intentId: string; clientSecret: string }, card?: string) => {
  return confirmCard(cardsOf(shop), payment, card)
}
const reportPayment = (person: Person, id: string, transactionId: string) =>
  person.call('PATCH', `/api/order/${id}`, { transactionId })
const startPaying = (person: Person, orderId: string, totalPrice = 250) =>
  person.call('POST', '/api/create-payment-intent', { totalPrice, orderId })
const statusesOf = (answers: { status: number }[]) => [
  ...new Set(answers.map(({ status }) => status)),
]
const count = async (query: string, value: string): Promise<number> =>
  (await shop.pool.query(`select count(*)::int as n from ${query} = $1`, [value])).rows[0].n
const intentsOf = (id: string) =>
  count(`sandbox_stripe.objects where kind = 'payment_intent' and body->'metadata'->>'orderId'`, id)

/** The records of a payment, which must not depend on its events or their number. */
const traces = async (id: string) => ({
  payments: await count('payments join orders using (checkout_id) where _id', id),
  sales: await count(`stock_movements where type = 'sell' and order_id`, id),
  mails: await count(`mail_queue where template = 'order-paid' and dedupe`, `paid ${id}`),
})
const once = { payments: 1, sales: 1, mails: 1 }

const expireHolds = async (ids: string[]) => {
  const past = `update orders set hold_expires_at = now() - interval '1 second' where _id = any($1)`
  await shop.pool.query(past, [ids])
  const holding = 'select 1 from orders where hold_expires_at is not null and _id = any($1)'
  await expect.poll(async () => (await shop.pool.query(holding, [ids])).rowCount).toBe(0)
}

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  deliver = await providerOf(shop)
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
beforeEach(async () => {
  await control('webhooks', { mode: 'drop' })
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  part = await stockPart(shop.pool, { onHand: 50, price: 250 })
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

const buyersAtOnce = atLength ? 50 : 10

test(`${buyersAtOnce} pay at once for the last unit: one pays, the others are told before any money moves`, async () => {
  const buyers = await createUsers(shop, buyersAtOnce)
  // without earlier payments, so many customers of one network would have to leave half of the part
  // free
  await havePaid(
    shop.pool,
    buyers.map(({ email }) => email),
  )
  const ids = await Promise.all(buyers.map((buyer) => bookingOf(buyer, part)))
  await expireHolds(ids)
  await shop.pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'adjust', -49, 'counted')`,
    [part._id],
  )
  const answers = await Promise.all(buyers.map((buyer, i) => startPaying(buyer, ids[i] ?? '')))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(buyersAtOnce - 1)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
    new Set(['409 STOCK_GONE']),
  )
  const winner = answers.findIndex(({ status }) => status === 200)
  const [buyer, id] = [buyers[winner] as Person, ids[winner] ?? '']
  const payment = await intentFor(buyer, id)
  await pay(payment)
  expect((await reportPayment(buyer, id, payment.intentId)).status).toBe(200)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 1, reserved: 1 })
})

describe('what is said often', () => {
  const often = atLength ? 100 : 10

  test(`${often} webhooks and ${often} PATCHes at once: one payment, one sale, one mail`, async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await pay(payment)
    const word = { type: 'payment_intent.succeeded', intentId: payment.intentId }
    const each = Array.from({ length: often }, (_, i) => i)
    const [reports, deliveries] = await Promise.all([
      Promise.all(each.map(() => reportPayment(ada, id, payment.intentId))),
      Promise.all(each.map((i) => deliver({ ...word, id: `${id}${i}` }))),
    ])
    expect(statusesOf([...reports, ...deliveries])).toEqual([200])
    expect(reports.reduce((sum, { body }) => sum + body.modifiedCount, 0)).toBeLessThanOrEqual(1)
    expect(await traces(id)).toEqual(once)
  })

  test('one event ten times at once, then ten times more: it counts once', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await pay(payment)
    const event = { type: 'payment_intent.succeeded', intentId: payment.intentId, id }
    const ten = () => Array.from({ length: 10 }, () => deliver(event))
    const answers = await Promise.all(ten())
    for (let again = 0; again < 10; again += 1) answers.push(await deliver(event))
    expect(statusesOf(answers)).toEqual([200])
    expect(await count('webhook_events where event_id', `evt_${id}`)).toBe(1)
    expect(await traces(id)).toEqual(once)
  })
})

describe('events in the wrong order', () => {
  test('failed or canceled after it succeeded: the order stays paid', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await pay(payment, 'pm_card_chargeDeclined')
    await pay(payment)
    const { intentId } = payment
    for (const what of ['succeeded', 'payment_failed', 'canceled', 'processing', 'succeeded']) {
      expect((await deliver({ type: `payment_intent.${what}`, intentId })).status).toBe(200)
      expect((await orderOf(ada, id)).status).toBe('paid')
    }
    expect(await traces(id)).toEqual(once)
  })
})

describe('two clocks ten minutes apart', () => {
  const minutes = (n: number) => Math.floor(Date.now() / 1000) + n * 60

  test('a lagging provider: its webhook is too old to be accepted, and the job settles the payment', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await pay(payment)
    const word = { type: 'payment_intent.succeeded', intentId: payment.intentId, id }
    expect((await deliver({ ...word, timestamp: minutes(-10) })).status).toBe(400)
    await expect.poll(async () => (await orderOf(ada, id)).status).toBe('paid')
    expect(await count('webhook_events where event_id', `evt_${id}`)).toBe(0)
    expect(await traces(id)).toEqual(once)
  })

  test('a provider whose clock is ahead: its webhook counts', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await pay(payment)
    const word = { type: 'payment_intent.succeeded', intentId: payment.intentId, id }
    expect((await deliver({ ...word, timestamp: minutes(10) })).status).toBe(200)
    expect((await orderOf(ada, id)).status).toBe('paid')
    expect(await traces(id)).toEqual(once)
  })
})

describe('a provider in trouble', () => {
  test.each([500, 502, 409, 429])(
    'that responds %i: the customer is told, then pays once',
    async (status) => {
      const id = await bookingOf(ada, part)
      await control('fail-next', { status, count: 1_000, path: '/v1/payment_intents' })
      const refused = await startPaying(ada, id)
      expect([refused.status, refused.body.error.code]).toEqual([503, 'PROVIDER_DOWN'])
      await control('fail-next', { status: 500, count: 0 })
      const payment = await intentFor(ada, id)
      await pay(payment)
      await control('fail-next', { status, count: 1_000, path: '/v1/payment_intents' })
      const unheard = await reportPayment(ada, id, payment.intentId)
      expect([200, 503]).toContain(unheard.status)
      await control('fail-next', { status: 500, count: 0 })
      expect((await reportPayment(ada, id, payment.intentId)).status).toBe(200)
      expect(await traces(id)).toEqual(once)
    },
  )
})

describe('between booking and paying', () => {
  const change = async (price: number) => {
    const { _id } = part
    const image = `/images/${'0'.repeat(24)}-960.webp`
    await shop.pool.query('update parts set image = $1 where _id = $2', [image, _id])
    return owner.call('PUT', `/api/product/${_id}`, {
      ...editBody({ ...part, image, price }),
      version: 1,
    })
  }

  test('the price changes: what was booked is paid', async () => {
    const id = await bookingOf(ada, part)
    expect((await change(999)).body).toMatchObject({ modifiedCount: 1 })
    const payment = await intentFor(ada, id)
    expect(await shop.deps.payments.retrieveIntent(payment.intentId)).toMatchObject({
      amount: 25_000,
    })
    await pay(payment)
    expect((await reportPayment(ada, id, payment.intentId)).status).toBe(200)
    expect(await orderOf(ada, id)).toMatchObject({ price: 250, totalPrice: 250, status: 'paid' })
  })

  test('the hold ends and the part is taken off sale: the customer is told, and can book no more of it', async () => {
    const id = await bookingOf(ada, part)
    await expireHolds([id])
    expect((await owner.call('DELETE', `/api/adminProduct/${part._id}`)).status).toBe(200)
    const { status, body } = await startPaying(ada, id)
    expect([status, body.error?.code]).toEqual([409, 'STOCK_GONE'])
    expect(await intentsOf(id)).toBe(0)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 50, reserved: 0 })
    expect((await owner.call('POST', `/api/product/${part._id}/restore`)).status).toBe(200)
    expect((await startPaying(ada, id)).status).toBe(200)
  })
})

test('two clicks at once on Pay, Delete and Make admin are one', async () => {
  const paid = await bookingOf(ada, part)
  const payment = await intentFor(ada, paid)
  await pay(payment)
  const twice = (act: () => ReturnType<Person['call']>) => Promise.all([act(), act()])
  const reports = await twice(() => reportPayment(ada, paid, payment.intentId))
  expect(statusesOf(reports)).toEqual([200])
  expect(await traces(paid)).toEqual(once)

  const gone = await bookingOf(ada, part)
  const deleted = await twice(() => ada.call('DELETE', `/api/userProduct/${gone}`))
  expect(deleted.map(({ body }) => body.deletedCount).toSorted()).toEqual([0, 1])
  expect(await count(`stock_movements where type = 'release' and order_id`, gone)).toBe(1)

  await shop.pool.query('update users set email_verified = true where email = $1', [ada.email])
  const promotions = await twice(() => owner.call('PUT', `/api/user/admin/${ada.email}`))
  expect(statusesOf(promotions)).toEqual([200])
  expect(promotions.reduce((sum, { body }) => sum + body.modifiedCount, 0)).toBe(1)
})
