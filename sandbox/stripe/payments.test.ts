import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardFields,
  openStripeSandbox,
  payByBrowser,
  type StripeSandbox,
} from '#tests/support/stripe-sandbox.ts'

let sandbox: StripeSandbox
beforeAll(async () => {
  sandbox = await openStripeSandbox()
})
afterAll(() => sandbox.close())

const open = (amount = 2000, options: Stripe.RequestOptions = {}) =>
  sandbox.stripe.paymentIntents.create({ amount, currency: 'usd' }, options)

const intentNow = (id: string) =>
  sandbox.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })

const failure = (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => expect.unreachable('the call should fail'),
    (error) => error,
  )

const count = async (kind: string) => {
  const { rows } = await sandbox.pool.query(
    'select count(*)::int as n from sandbox_stripe.objects where kind = $1',
    [kind],
  )
  return rows[0].n as number
}

describe('a card', () => {
  test.each([
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['378282246310005', 'amex'],
  ])('%s (%s) pays', async (number, brand) => {
    const { intent, method, answer } = await payByBrowser(sandbox, number)
    expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded', next_action: null } })
    expect(method.body).toMatchObject({ card: { brand, last4: number.slice(-4), exp_year: 2034 } })
    expect(await intentNow(intent.id)).toMatchObject({
      amount_received: 2000,
      latest_charge: { amount_captured: 2000, amount_refunded: 0, payment_intent: intent.id },
    })
  })

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      '4000000000009995',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ])('%s is declined: %s %s, and another card pays', async (number, code, decline, message) => {
    const { intent, answer } = await payByBrowser(sandbox, number)
    expect(answer.status).toBe(402)
    expect(answer.body.error).toMatchObject({ type: 'card_error', code, message })
    expect(answer.body.error.decline_code).toBe(decline)
    expect(await intentNow(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      amount_received: 0,
      last_payment_error: { code, message },
    })
    const payment_method = 'pm_card_visa'
    const again = await sandbox.stripe.paymentIntents.confirm(intent.id, { payment_method })
    expect(again).toMatchObject({ status: 'succeeded', last_payment_error: null })
  })

  test('that is not a test card is refused, and no digit of it is stored or repeated', async () => {
    const real = await sandbox.browser('/v1/payment_methods', cardFields('4539578763621486'))
    expect([real.status, real.body.error.decline_code]).toEqual([402, 'test_mode_live_card'])
    const testCard = cardFields('4242424242424242', { 'card[cvc]': '987' })
    const { body } = await sandbox.browser('/v1/payment_methods', testCard)
    expect(JSON.stringify(body)).not.toMatch(/42424242|987"/)
    const { rows } = await sandbox.pool.query(
      `select count(*)::int as n from sandbox_stripe.objects
        where body::text || hidden::text ~ '[0-9]{14,16}'`,
    )
    expect(rows[0].n).toBe(0)
  })

  test('responds to no page of another origin, except the card frame', async () => {
    const ask = async (origin: string, path: string) => {
      const body = new URLSearchParams({
        key: 'pk_test_sandbox',
        ...cardFields('4242424242424242'),
      })
      const headers = { origin }
      const answer = await fetch(`${sandbox.base}${path}`, { method: 'POST', headers, body })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await ask('null', '/v1/payment_methods')).toBe('null')
    expect(await ask('https://elsewhere.example', '/v1/payment_methods')).toBeNull()
    expect(await ask('null', '/v1/payment_intents/pi_1/confirm')).toBeNull()
  })
})

describe('an intent', () => {
  test('waits for a card, and keeps what it was made for', async () => {
    const metadata = { orderId: 'o1', userId: 'u1' }
    const params = { amount: 2000, currency: 'USD', description: 'Order F-1', metadata }
    const intent = await sandbox.stripe.paymentIntents.create(params)
    expect(intent).toMatchObject({
      ...params,
      currency: 'usd',
      amount_received: 0,
      latest_charge: null,
      status: 'requires_payment_method',
    })
    expect(intent.id).toMatch(/^pi_[A-Za-z0-9]{24}$/)
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`))
  })

  test('has an amount that a card can pay', async () => {
    expect(await failure(open(49))).toMatchObject({ statusCode: 400, code: 'amount_too_small' })
    expect(await failure(open(100_000_000))).toMatchObject({ code: 'amount_too_large' })
    expect(await failure(open(10.5))).toMatchObject({ code: 'parameter_invalid_integer' })
  })

  test('that is paid says so when it is confirmed again, and is charged once', async () => {
    const { intent } = await payByBrowser(sandbox, '4242424242424242')
    const charges = await count('charge')
    const again = await sandbox.browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      payment_method: 'pm_card_visa',
    })
    expect(again.body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'succeeded' },
    })
    expect(await count('charge')).toBe(charges)
  })

  test('that is confirmed and cancelled at once ends in one way', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await open()
      const [paid, canceled] = await Promise.allSettled([
        sandbox.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
        sandbox.stripe.paymentIntents.cancel(id),
      ])
      expect([paid.status, canceled.status].sort()).toEqual(['fulfilled', 'rejected'])
      const types = ['payment_intent.succeeded', 'payment_intent.canceled']
      const { data } = await sandbox.stripe.events.list({ types, limit: 100 })
      const own = data.filter((event) => 'id' in event.data.object && event.data.object.id === id)
      expect(own).toHaveLength(1)
      const { status } = await intentNow(id)
      expect(status).toBe(paid.status === 'fulfilled' ? 'succeeded' : 'canceled')
    }
  })

  test('is listed newest first, in pages, since a time, with its charge', async () => {
    const { intent } = await payByBrowser(sandbox, '4242424242424242')
    const ids = [await open(), await open(), intent].map(({ id }) => id)
    const newest = [ids[1], ids[0], ids[2]]
    const { created } = intent
    const expand = ['data.latest_charge']
    const first = await sandbox.stripe.paymentIntents.list({ limit: 2, created: { gte: created } })
    expect(first.data.map(({ id }) => id)).toEqual(newest.slice(0, 2))
    expect(first.has_more).toBe(true)
    const rest = await sandbox.stripe.paymentIntents.list({
      ...{ limit: 1, starting_after: ids[0], expand },
    })
    expect(rest.data[0]).toMatchObject({ id: ids[2], latest_charge: { amount: 2000 } })
    const none = await sandbox.stripe.paymentIntents.list({ created: { gte: created + 3600 } })
    expect(none).toMatchObject({ data: [], has_more: false })
  })
})

describe('a call', () => {
  test('with parameters or at addresses that the sandbox lacks is refused', async () => {
    const odd = { amount: 2000, currency: 'usd', prize: '1' } as Stripe.PaymentIntentCreateParams
    const refused = { code: 'parameter_unknown', param: 'prize' }
    expect(await failure(sandbox.stripe.paymentIntents.create(odd))).toMatchObject(refused)
    expect(await failure(sandbox.stripe.customers.list())).toMatchObject({ statusCode: 404 })
  })

  test('with text that cannot be stored is refused, in path and parameters', async () => {
    const { id, client_secret } = await open()
    const fields = { client_secret: client_secret ?? '', payment_method: 'a\0b' }
    expect((await sandbox.browser(`/v1/payment_intents/${id}/confirm`, fields)).status).toBe(400)
    expect((await sandbox.browser('GET /v1/payment_intents/a%00b')).status).toBe(400)
  })

  test('without a right key is refused', async () => {
    for (const authorization of ['Bearer sk_test_other', '']) {
      const answer = await fetch(`${sandbox.base}/v1/events`, { headers: { authorization } })
      expect(answer.status).toBe(401)
    }
  })

  test('with the publishable key reads an intent by its client secret, without metadata', async () => {
    const [intent, other] = [await open(), await open()]
    const path = `GET /v1/payment_intents/${intent.id}`
    expect((await sandbox.browser(path)).status).toBe(400)
    const refusal = await sandbox.browser(path, { client_secret: other.client_secret ?? '' })
    expect(refusal.body.error.code).toBe('payment_intent_invalid_parameter')
    const secret = { client_secret: intent.client_secret ?? '' }
    const answer = await sandbox.browser(path, secret)
    expect(answer.body.status).toBe('requires_payment_method')
    expect(answer.body).not.toHaveProperty('metadata')
    const others = ['/v1/payment_intents', 'GET /v1/payment_intents', 'GET /v1/events']
    for (const each of [...others, '/v1/refunds', `/v1/payment_intents/${intent.id}/cancel`]) {
      expect((await sandbox.browser(each, secret)).status, each).toBe(401)
    }
  })
})

describe('an idempotency key', () => {
  const create = (idempotencyKey: string, amount?: number) => open(amount, { idempotencyKey })

  test('has one effect, and the same answer again', async () => {
    const before = await count('payment_intent')
    const first = await create('order-1')
    expect(await create('order-1')).toEqual(first)
    expect(await count('payment_intent')).toBe(before + 1)
  })

  test('with other parameters, or for another call, is refused', async () => {
    const { id } = await create('order-2')
    const other = await failure(create('order-2', 2100))
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    const cancel = sandbox.stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'order-2' })
    expect(await failure(cancel)).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  })

  test('of twenty calls at once has one effect', async () => {
    const before = await count('payment_intent')
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => create('order-3')))
    const ids = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value.id] : []))
    const codes = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []))
    expect(new Set(ids).size).toBe(1)
    expect(codes.every((code) => code === 'idempotency_key_in_use')).toBe(true)
    expect(await count('payment_intent')).toBe(before + 1)
  })

  test('remembers a declined payment, not a mistyped parameter', async () => {
    const { id } = await create('order-4')
    const payment_method = 'pm_card_chargeDeclined'
    const pay = () =>
      failure(
        sandbox.stripe.paymentIntents.confirm(id, { payment_method }, { idempotencyKey: 'pay-4' }),
      )
    const first = await pay()
    expect(first.statusCode).toBe(402)
    expect((await pay()).charge).toBe(first.charge)
    expect(await failure(create('order-5', 1))).toMatchObject({ code: 'amount_too_small' })
    expect((await create('order-5')).status).toBe('requires_payment_method')
  })

  test('finds what was done after a lost response', async () => {
    const before = await count('payment_intent')
    await sandbox.control('/fail-next', { status: 'timeout', count: 1 })
    const lost = open(2000, { idempotencyKey: 'order-7', timeout: 300 })
    expect(await failure(lost)).toBeInstanceOf(Stripe.errors.StripeConnectionError)
    expect((await create('order-7')).amount).toBe(2000)
    expect(await count('payment_intent')).toBe(before + 1)
  })
})

describe('a call that a test lets fail', () => {
  test('leaves nothing behind, and the SDK gets through by trying again', async () => {
    const before = await count('payment_intent')
    await sandbox.control('/fail-next', { status: 500, count: 1, path: '/payment_intents' })
    expect((await failure(open())).statusCode).toBe(500)
    expect(await count('payment_intent')).toBe(before)
    await sandbox.control('/fail-next', { status: 409, count: 1 })
    expect((await open(2000, { maxNetworkRetries: 1 })).amount).toBe(2000)
  })

  test('is of the method that was named', async () => {
    const { id } = await open()
    const failing = { status: 500, count: 1, path: '/payment_intents', method: 'POST' }
    await sandbox.control('/fail-next', failing)
    expect((await intentNow(id)).id).toBe(id)
    expect((await failure(open())).statusCode).toBe(500)
  })
})

describe('3-D Secure', () => {
  /**
   * Pays with a card that requires authentication; returns a function that answers like the
   * dialog's frame.
   */
  async function challenged(number = '4000002500003155') {
    const { intent, method, answer } = await payByBrowser(sandbox, number)
    expect(answer.body).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
      payment_method: method.body.id,
    })
    const source = String(answer.body.next_action?.use_stripe_sdk?.source)
    const respond = async (outcome: string, named = source) => {
      const body = new URLSearchParams({ source: named, outcome })
      const reply = await fetch(`${sandbox.base}/3ds`, { method: 'POST', body })
      return { status: reply.status, ...((await reply.json()) as { ended: boolean }) }
    }
    return { intent, source, respond, now: () => intentNow(intent.id) }
  }

  test('completed, it pays', async () => {
    const { now, respond } = await challenged()
    expect((await now()).latest_charge).toBeNull()
    expect(await respond('complete')).toEqual({ status: 200, ended: true })
    expect(await now()).toMatchObject({ status: 'succeeded', amount_received: 2000 })
  })

  test('completed, it can still be declined', async () => {
    const { now, respond } = await challenged('4000008260003178')
    await respond('complete')
    expect(await now()).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
    })
  })

  test('failed, it moves no money', async () => {
    const { now, respond } = await challenged()
    await respond('fail')
    expect(await now()).toMatchObject({
      status: 'requires_payment_method',
      next_action: null,
      latest_charge: null,
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    })
  })

  test('ends once, whichever answer is first', async () => {
    const { now, respond } = await challenged()
    const both = await Promise.all([respond('complete'), respond('fail')])
    expect(both.map(({ ended }) => ended).sort()).toEqual([false, true])
    const won = both[0]?.ended ? 'succeeded' : 'requires_payment_method'
    expect((await now()).status).toBe(won)
  })

  test('is ended by its own secret, its two answers, and while the intent is open', async () => {
    const { intent, source, respond, now } = await challenged()
    expect((await respond('complete', `${source.slice(0, -1)}_`)).ended).toBe(false)
    expect((await respond('succeed')).status).toBe(400)
    expect((await now()).status).toBe('requires_action')
    await sandbox.stripe.paymentIntents.cancel(intent.id)
    expect((await respond('complete')).ended).toBe(false)
    expect(await now()).toMatchObject({ status: 'canceled', amount_received: 0 })
  })

  test('shows the price, and its address only as text', async () => {
    const { source } = await challenged()
    const page = await (await fetch(`${sandbox.base}/3ds?source=${source}&theme=dark`)).text()
    expect(page).toContain('$20.00')
    expect(page).toContain('data-theme="dark"')
    const attack = encodeURIComponent('"><script>alert(1)</script>')
    const hurt = await (await fetch(`${sandbox.base}/3ds?source=${attack}`)).text()
    expect(hurt).not.toContain('<script>alert')
  })
})

describe('a refund', () => {
  const give = (payment_intent: string, amount?: number) =>
    sandbox.stripe.refunds.create({ payment_intent, ...(amount !== undefined && { amount }) })
  const paidBy = async (number: string) => (await payByBrowser(sandbox, number)).intent.id
  const chargeOf = async (id: string) => (await intentNow(id)).latest_charge

  test('of a whole payment refunds all of it, once', async () => {
    const id = await paidBy('4242424242424242')
    const wholeRefund = { object: 'refund', amount: 2000, payment_intent: id, status: 'succeeded' }
    expect(await give(id)).toMatchObject(wholeRefund)
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: 2000, refunded: true })
    expect((await failure(give(id))).code).toBe('charge_already_refunded')
  })

  test('of parts adds up, and never to more than was paid', async () => {
    const id = await paidBy('4242424242424242')
    await give(id, 700)
    expect(await failure(give(id, 1301))).toMatchObject({
      param: 'amount',
      message: 'Refund amount ($13.01) is greater than unrefunded amount on charge ($13.00)',
    })
    expect(await failure(give(id, 0))).toMatchObject({ param: 'amount' })
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => give(id, 600)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: 1900, refunded: false })
    const listed = await sandbox.stripe.refunds.list({ payment_intent: id })
    expect(listed.data.map(({ amount }) => amount)).toEqual([600, 600, 700])
  })

  test('of what was never paid, or was charged back, is refused', async () => {
    const { id } = await open()
    expect((await failure(give(id))).message).toContain('does not have a successful charge')
    const disputed = await paidBy('4000000000000259')
    expect((await failure(give(disputed))).code).toBe('charge_disputed')
    expect((await failure(give('pi_none'))).code).toBe('resource_missing')
  })

  test.each([
    ['4000000000005126', 'succeeded', 'failed', 0],
    ['4000000000007726', 'pending', 'succeeded', 2000],
  ])('of %s is %s first, then %s, which is announced', async (number, first, then, finalAmount) => {
    const id = await paidBy(number)
    const refund = await give(id)
    expect(refund.status).toBe(first)
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: 2000 })
    await expect
      .poll(() => sandbox.received)
      .toContainEqual(
        expect.objectContaining({
          type: 'refund.updated',
          data: { object: expect.objectContaining({ id: refund.id, status: then }) },
        }),
      )
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: finalAmount })
  })
})
