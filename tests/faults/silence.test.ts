/**
 * A card provider that acts but does not respond: no client waits long, and nothing happens twice.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import {
  type Answer,
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { providerOf } from '#tests/support/provider-events.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

/** On a busy machine the provider may take longer than the shop waits: then the shop retries. */
let shop: TestShop
let owner: Person
let ada: Person
let part: Part
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', PROVIDER_SECONDS: '0.5' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ada = await register(shop.origin, 'Ada Patient')
  part = await stockPart(shop.pool, { onHand: 90, price: 250 })
})
beforeEach(() => speak())
afterAll(() => shop.close())

const control = (body: object) => controlSandbox(shop.origin, 'fail-next', body)
/**
 * @param method defaults to every method: a reconciliation that reads would otherwise discover what
 * was done
 */
const fallSilent = (path: string, method?: 'POST', count = 1_000) =>
  control({ status: 'timeout', count, path, method })
const speak = () => control({ status: 500, count: 0 })

const startPaying = (orderId: string) =>
  ada.call('POST', '/api/create-payment-intent', { totalPrice: 250, orderId })
/** The order's payment intents at the provider. */
const intentsOf = async (orderId: string) => {
  const { rows } = await shop.pool.query<{ intentId: string; clientSecret: string }>(
    `select body->>'id' as "intentId", body->>'client_secret' as "clientSecret" from sandbox_stripe.objects
     where kind = 'payment_intent' and body->'metadata'->>'orderId' = $1`,
    [orderId],
  )
  return rows
}
const paidMails = async (orderId: string) =>
  (await shop.pool.query(`select from mail_queue where dedupe = $1`, [`paid ${orderId}`])).rowCount

async function payFor(orderId: string): Promise<string> {
  const payment = await intentFor(ada, orderId)
  await confirmCard(cardsOf(shop), payment)
  const reportPayment = () =>
    ada.call('PATCH', `/api/order/${orderId}`, { transactionId: payment.intentId })
  await expect.poll(async () => (await reportPayment()).status).toBe(200)
  return payment.intentId
}

test('while a customer pays: they are told, and the next try opens no second payment', async () => {
  const id = await bookingOf(ada, part)
  await fallSilent('/v1/payment_intents', 'POST')
  const { status, body } = await startPaying(id)
  expect([status, body.error.code]).toEqual([503, 'PROVIDER_DOWN'])
  await speak()
  await expect.poll(async () => (await startPaying(id)).status).toBe(200)
  expect(await intentsOf(id)).toHaveLength(1)
  await payFor(id)
  expect(await paidMails(id)).toBe(1)
})

test('while a customer pays, and then sends the event: the order is paid once, and no other payment is opened', async () => {
  const deliver = await providerOf(shop)
  const id = await bookingOf(ada, part)
  await fallSilent('/v1/payment_intents', 'POST')
  expect((await startPaying(id)).status).toBe(503)
  await speak()
  const [opened] = await intentsOf(id)
  if (!opened) throw new Error('the provider opened nothing')
  expect((await confirmCard(cardsOf(shop), opened)).status).toBe(200)
  const { intentId } = opened
  expect((await deliver({ type: 'payment_intent.succeeded', intentId })).status).toBe(200)
  await expect.poll(async () => (await orderOf(ada, id)).status).toBe('paid')
  const { status, body } = await startPaying(id)
  expect([status, body.error.code]).toEqual([409, 'ALREADY_PAID'])
  expect(await intentsOf(id)).toHaveLength(1)
  expect(await paidMails(id)).toBe(1)
})

test.each([
  ['for good: the refund is promised at once and made when it speaks again', undefined, 'pending'],
  ['once: it is asked again, and makes one refund', 1, expect.stringMatching(/pending|succeeded/)],
])('to an admin who gives back, %s', async (_, once, state) => {
  const id = await bookingOf(ada, part)
  const intentId = await payFor(id)
  await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
  await fallSilent('/v1/refunds', once ? 'POST' : undefined, once)
  const refund = { amount: 250, reason: 'came back', restock: 1 }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const answer: Answer = await owner.call('POST', `/api/order/${id}/refund`, refund, key)
  expect([answer.status, answer.body.state]).toEqual([200, state])
  await controlSandbox(shop.origin, 'webhooks', { mode: 'normal' })
  await speak()
  const stateOf = async () =>
    (await owner.call('POST', `/api/order/${id}/refund`, refund, key)).body.state
  await expect.poll(stateOf).toBe('succeeded')
  expect(await shop.deps.payments.listRefunds(intentId)).toHaveLength(1)
  const mails = await shop.pool.query(
    `select from mail_queue where template = 'order-refunded' and order_id = $1`,
    [id],
  )
  expect(mails.rowCount).toBe(1)
})

test('when a payment has to end first: order, hold and account stay', async () => {
  const eve = await register(shop.origin, 'Eve Leaving')
  const deliver = await providerOf(shop)
  const id = await bookingOf(eve, part)
  const { intentId } = await intentFor(eve, id)
  await fallSilent('/v1/payment_intents')
  const answers: Answer[] = await Promise.all([
    eve.call('DELETE', `/api/userProduct/${id}`),
    eve.call('DELETE', '/api/me', { password: 'correct horse' }),
    owner.call('DELETE', `/api/order/${id}/hold`),
    deliver({ type: 'payment_intent.succeeded', intentId }),
  ])
  for (const { status, body } of answers) {
    expect([status, body.error?.code]).toEqual([503, 'PROVIDER_DOWN'])
  }
  expect(await orderOf(eve, id)).toMatchObject({ status: 'unpaid', holdEndedAt: null })
})
