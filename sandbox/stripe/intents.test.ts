import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardFields,
  openStandIn,
  payByBrowser,
  type StandIn,
} from '#tests/support/stripe-stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())

const open = (amount = 2000) =>
  standIn.stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { orderId: 'o1' } })

const failure = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error) => error,
  )

describe('opening a payment', () => {
  test('gives an intent that waits for a card', async () => {
    const intent = await open()
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 2000,
      amount_received: 0,
      currency: 'usd',
      livemode: false,
      latest_charge: null,
      metadata: { orderId: 'o1' },
      payment_method_types: ['card'],
      status: 'requires_payment_method',
    })
    expect(intent.id).toMatch(/^pi_[A-Za-z0-9]{24}$/)
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`))
    expect(intent.lastResponse).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      apiVersion: '2026-10-28.endive',
    })
  })

  test('refuses amounts that no card can pay', async () => {
    expect(await failure(open(49))).toMatchObject({
      statusCode: 400,
      code: 'amount_too_small',
      param: 'amount',
      message: 'Amount must be at least $0.50 usd',
    })
    expect(await failure(open(100_000_000))).toMatchObject({ code: 'amount_too_large' })
    expect(await failure(open(10.5))).toMatchObject({ code: 'parameter_invalid_integer' })
  })

  test('refuses parameters that the call does not have, and calls that do not exist', async () => {
    const odd = { amount: 2000, currency: 'usd', prize: '1' } as Stripe.PaymentIntentCreateParams
    expect(await failure(standIn.stripe.paymentIntents.create(odd))).toMatchObject({
      code: 'parameter_unknown',
      param: 'prize',
    })
    expect(await failure(standIn.stripe.customers.list())).toMatchObject({ statusCode: 404 })
  })
})

describe('keys', () => {
  test('refuses text that can not be kept, in path and parameters', async () => {
    const { id, client_secret } = await open()
    const fields = { client_secret: client_secret ?? '', payment_method: 'a\0b' }
    expect((await standIn.browser(`/v1/payment_intents/${id}/confirm`, fields)).status).toBe(400)
    expect((await standIn.browser('GET /v1/payment_intents/a%00b')).status).toBe(400)
  })

  test('a wrong key is refused and not repeated in full', async () => {
    const error = await failure(standIn.sdk('sk_test_somebodyelse').paymentIntents.list())
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    expect(error.message).toBe('Invalid API Key provided: sk_test_***else')
  })

  test('Basic authentication works too', async () => {
    const basic = Buffer.from('sk_test_standin:').toString('base64')
    const answer = await fetch(`${standIn.base}/v1/events`, {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(answer.status).toBe(200)
  })

  test('the publishable key reads an intent only with its client secret, and without metadata', async () => {
    const intent = await open()
    const path = `GET /v1/payment_intents/${intent.id}`
    expect((await standIn.browser(path)).status).toBe(400)
    const other = await open()
    const wrong = await standIn.browser(path, { client_secret: other.client_secret ?? '' })
    expect(wrong.body.error.code).toBe('payment_intent_invalid_parameter')
    const right = await standIn.browser(path, { client_secret: intent.client_secret ?? '' })
    expect(right.body.status).toBe('requires_payment_method')
    expect(right.body).not.toHaveProperty('metadata')
  })

  test('the publishable key cannot open, list, change or refund', async () => {
    const intent = await open()
    const secret = { client_secret: intent.client_secret ?? '' }
    for (const path of [
      '/v1/payment_intents',
      'GET /v1/payment_intents',
      'GET /v1/events',
      '/v1/refunds',
    ]) {
      expect((await standIn.browser(path, { amount: '50', currency: 'usd' })).status).toBe(401)
    }
    const path = `/v1/payment_intents/${intent.id}`
    expect((await standIn.browser(path, { ...secret, amount: '50' })).status).toBe(401)
    expect((await standIn.browser(`${path}/cancel`, secret)).status).toBe(401)
  })

  test('pages of another origin cannot read answers, the card frame can', async () => {
    const ask = async (origin: string, path: string) => {
      const body = new URLSearchParams({
        key: 'pk_test_standin',
        ...cardFields('4242424242424242'),
      })
      const answer = await fetch(`${standIn.base}${path}`, {
        method: 'POST',
        headers: { origin },
        body,
      })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await ask('null', '/v1/payment_methods')).toBe('null')
    expect(await ask(standIn.origin, '/v1/payment_methods')).toBe(standIn.origin)
    expect(await ask('https://elsewhere.example', '/v1/payment_methods')).toBeNull()
    expect(await ask('null', '/v1/payment_intents/pi_1/confirm')).toBeNull()
  })
})

describe('changing a payment', () => {
  test('amount and metadata change while it is open', async () => {
    const { id } = await open()
    const changed = await standIn.stripe.paymentIntents.update(id, {
      amount: 3000,
      metadata: { orderId: '', part: 'p1' },
    })
    expect(changed).toMatchObject({ amount: 3000, metadata: { part: 'p1' } })
    expect(changed.metadata).not.toHaveProperty('orderId')
  })

  test('a new amount voids an authentication that is under way', async () => {
    const { intent, answer } = await payByBrowser(standIn, '4000000000003220')
    expect(answer.body.status).toBe('requires_action')
    const changed = await standIn.stripe.paymentIntents.update(intent.id, { amount: 9000 })
    expect(changed).toMatchObject({ status: 'requires_confirmation', next_action: null })
    expect((await standIn.control(`/3ds/${intent.id}`, { outcome: 'complete' })).status).toBe(409)
  })

  test('the amount of a paid intent is fixed', async () => {
    const { intent } = await payByBrowser(standIn, '4242424242424242')
    const call = standIn.stripe.paymentIntents.update(intent.id, { amount: 50 })
    expect(await failure(call)).toMatchObject({ code: 'payment_intent_unexpected_state' })
  })

  test('a canceled intent cannot be paid, a paid one cannot be canceled', async () => {
    const { id } = await open()
    const canceled = await standIn.stripe.paymentIntents.cancel(id, {
      cancellation_reason: 'abandoned',
    })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
    expect(canceled.canceled_at).toBeGreaterThan(0)
    const pay = standIn.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(await failure(pay)).toMatchObject({ code: 'payment_intent_unexpected_state' })
    const paid = await payByBrowser(standIn, '4242424242424242')
    const cancel = standIn.stripe.paymentIntents.cancel(paid.intent.id)
    expect(await failure(cancel)).toMatchObject({ code: 'payment_intent_unexpected_state' })
  })

  test('confirming twice says that it is paid, and charges once', async () => {
    const { intent, answer } = await payByBrowser(standIn, '4242424242424242')
    expect(answer.body.status).toBe('succeeded')
    const again = await standIn.browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      payment_method: 'pm_card_visa',
    })
    expect(again.body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      message:
        'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      payment_intent: { status: 'succeeded' },
    })
    const charges = await standIn.stripe.charges.list({ payment_intent: intent.id })
    expect(charges.data).toHaveLength(1)
  })
})

test('confirming and canceling at once has exactly one outcome', async () => {
  for (let round = 0; round < 12; round++) {
    const { id } = await open()
    const [paid, canceled] = await Promise.allSettled([
      standIn.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
      standIn.stripe.paymentIntents.cancel(id),
    ])
    expect([paid.status, canceled.status].sort()).toEqual(['fulfilled', 'rejected'])
    const now = await standIn.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
    const events = await standIn.stripe.events.list({
      types: ['payment_intent.succeeded', 'payment_intent.canceled'],
      limit: 100,
    })
    const own = events.data.filter(({ data }) => 'id' in data.object && data.object.id === id)
    expect(own).toHaveLength(1)
    expect(now.status).toBe(paid.status === 'fulfilled' ? 'succeeded' : 'canceled')
    if (now.status === 'canceled') expect(now.latest_charge).toBeNull()
    else expect(now.latest_charge).toMatchObject({ object: 'charge', amount: 2000, paid: true })
  }
})

test('intents are listed newest first, in pages, by time', async () => {
  const made = [await open(), await open(), await open()].map(({ id }) => id).reverse()
  const since = Math.floor(Date.now() / 1000) - 60
  const first = await standIn.stripe.paymentIntents.list({ limit: 2, created: { gte: since } })
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' })
  const rest = await standIn.stripe.paymentIntents.list({ limit: 1, starting_after: made[1] })
  expect(rest.data.map(({ id }) => id)).toEqual(made.slice(2))
  const none = await standIn.stripe.paymentIntents.list({ created: { gt: since + 3600 } })
  expect(none).toMatchObject({ data: [], has_more: false })
})

test('a list brings each intent with its last charge, and what was given back of it', async () => {
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  await standIn.stripe.refunds.create({ payment_intent: intent.id, amount: 500 })
  const { data } = await standIn.stripe.paymentIntents.list({ expand: ['data.latest_charge'] })
  expect(data.find(({ id }) => id === intent.id)?.latest_charge).toMatchObject({
    object: 'charge',
    amount: 2000,
    amount_refunded: 500,
  })
})
