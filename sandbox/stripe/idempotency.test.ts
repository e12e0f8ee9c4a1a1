import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStandIn, type StandIn } from '#tests/support/stripe-stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())

const create = (idempotencyKey: string, amount = 2000) =>
  standIn.stripe.paymentIntents.create({ amount, currency: 'usd' }, { idempotencyKey })

const intentsInAll = async () => {
  const { rows } = await standIn.pool.query(
    "select count(*)::int as n from sandbox_stripe.objects where kind = 'payment_intent'",
  )
  return rows[0].n as number
}

const failure = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error) => error,
  )

test('the same key gives the same answer and has one effect', async () => {
  const before = await intentsInAll()
  const first = await create('order-1')
  const second = await create('order-1')
  expect(second).toEqual(first)
  expect(await intentsInAll()).toBe(before + 1)
  const raw = await fetch(`${standIn.base}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_standin', 'idempotency-key': 'order-1' },
    body: 'amount=2000&currency=usd',
  })
  expect(raw.headers.get('idempotent-replayed')).toBe('true')
  expect(raw.headers.get('idempotency-key')).toBe('order-1')
  expect(raw.headers.get('original-request')).toBe(first.lastResponse.requestId)
})

test('the same key with other parameters, or for another call, is refused', async () => {
  const { id } = await create('order-2')
  const other = await failure(create('order-2', 2100))
  expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  expect(other.message).toBe(
    "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than 'order-2' if you meant to execute a different request.",
  )
  const cancel = standIn.stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'order-2' })
  expect(await failure(cancel)).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
})

test('twenty calls at once with one key have one effect', async () => {
  const before = await intentsInAll()
  const calls = await Promise.allSettled(Array.from({ length: 20 }, () => create('order-3')))
  const ids = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value.id] : []))
  const codes = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []))
  expect(new Set(ids).size).toBe(1)
  expect([...new Set(codes)].every((code) => code === 'idempotency_key_in_use')).toBe(true)
  expect(await intentsInAll()).toBe(before + 1)
})

test('a declined payment is remembered, a mistyped parameter is not', async () => {
  const { id } = await create('order-4')
  const pay = (payment_method: string) =>
    failure(
      standIn.stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey: 'pay-4' }),
    )
  const first = await pay('pm_card_chargeDeclined')
  expect(first.statusCode).toBe(402)
  expect((await pay('pm_card_chargeDeclined')).charge).toBe(first.charge)
  expect(await failure(create('order-5', 1))).toMatchObject({ code: 'amount_too_small' })
  expect((await create('order-5')).status).toBe('requires_payment_method')
})

test('a call told to fail leaves nothing behind, and the SDK gets through by trying again', async () => {
  const before = await intentsInAll()
  await standIn.control('/fail-next', { status: 500, count: 1, path: '/payment_intents' })
  expect((await failure(create('order-6'))).statusCode).toBe(500)
  expect(await intentsInAll()).toBe(before)
  await standIn.control('/fail-next', { status: 409, count: 1 })
  const intent = await standIn.stripe.paymentIntents.create(
    { amount: 2000, currency: 'usd' },
    { maxNetworkRetries: 1 },
  )
  expect(intent.status).toBe('requires_payment_method')
})

test('a fault that is meant for making waits while others read', async () => {
  const { id } = await create('order-read')
  const meant = { status: 500, count: 1, path: '/payment_intents', method: 'POST' }
  await standIn.control('/fail-next', meant)
  expect((await standIn.stripe.paymentIntents.retrieve(id)).id).toBe(id)
  expect((await failure(create('order-made'))).statusCode).toBe(500)
})

test('after an answer that never came, the same key finds what was done', async () => {
  const before = await intentsInAll()
  await standIn.control('/fail-next', { status: 'timeout', count: 1 })
  const lost = standIn.stripe.paymentIntents.create(
    { amount: 2000, currency: 'usd' },
    { idempotencyKey: 'order-7', timeout: 300 },
  )
  expect(await failure(lost)).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  expect(await intentsInAll()).toBe(before + 1)
  expect((await create('order-7')).amount).toBe(2000)
  expect(await intentsInAll()).toBe(before + 1)
})
