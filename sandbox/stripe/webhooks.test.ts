import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openStandIn, payByBrowser, type StandIn } from '#tests/support/stripe-stand-in.ts'
import { signature } from './sending.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())
afterEach(async () => {
  standIn.receiver.answer = () => 200
  await standIn.control('/webhooks', { mode: 'normal' })
})

const about = (intentId: string) => ({
  types: () =>
    standIn.received
      .filter(({ data }) => {
        const object = data.object as { id: string; payment_intent?: string }
        return object.id === intentId || object.payment_intent === intentId
      })
      .map(({ type }) => type),
  deliveries: async (type: string) => {
    const { body } = await standIn.control('/deliveries')
    const ids = new Set(standIn.received.map(({ id }) => id))
    return body.data.filter((delivery) => delivery.type === type && ids.has(delivery.event))
  },
})

const soon = { timeout: 8000, interval: 20 }

test('a payment is announced at once, signed, with the intent as it is', async () => {
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const { types } = about(intent.id)
  await vi.waitFor(
    () =>
      expect(types().sort()).toEqual([
        'charge.succeeded',
        'payment_intent.created',
        'payment_intent.succeeded',
      ]),
    { timeout: 1500, interval: 10 },
  )
  const event = standIn.received.find(
    ({ type, data }) =>
      type === 'payment_intent.succeeded' && 'id' in data.object && data.object.id === intent.id,
  )
  expect(event).toMatchObject({
    object: 'event',
    api_version: '2026-10-28.endive',
    livemode: false,
    pending_webhooks: 1,
    request: { id: expect.stringMatching(/^req_/), idempotency_key: null },
    data: { object: { status: 'succeeded', metadata: { orderId: 'order-1' } } },
  })
  expect(await standIn.stripe.events.retrieve(event?.id ?? '')).toMatchObject({ type: event?.type })
})

test('a declined payment is announced', async () => {
  const { intent } = await payByBrowser(standIn, '4000000000009995')
  const { types } = about(intent.id)
  await vi.waitFor(() => expect(types()).toContain('payment_intent.payment_failed'), soon)
  expect(types()).toContain('charge.failed')
})

test.each([500, 302, 404])(
  'an answer of %i is no acknowledgement: it is sent again',
  async (status) => {
    let refusals = 1
    standIn.receiver.answer = ({ type }) =>
      type === 'payment_intent.succeeded' && refusals-- > 0 ? status : 200
    const { intent } = await payByBrowser(standIn, '4242424242424242')
    const { types, deliveries } = about(intent.id)
    await vi.waitFor(() => expect(types()).toContain('payment_intent.succeeded'), soon)
    const last = (await deliveries('payment_intent.succeeded')).at(-1)
    expect(last).toMatchObject({ attempts: 2 })
  },
)

test('another process takes over what is undelivered', async () => {
  standIn.receiver.answer = () => 503
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  await standIn.stop()
  standIn.receiver.answer = () => 200
  const other = standIn.another()
  await other.start()
  try {
    const { types } = about(intent.id)
    await vi.waitFor(() => expect(types()).toContain('payment_intent.succeeded'), {
      timeout: 20_000,
      interval: 50,
    })
  } finally {
    await other.stop()
    await standIn.start()
  }
})

test('dropped events are found in the list and can be sent again', async () => {
  await standIn.control('/webhooks', { mode: 'drop' })
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const { data } = await standIn.stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 })
  expect(data[0]?.data.object).toMatchObject({ id: intent.id })
  const { types } = about(intent.id)
  expect(types()).toEqual([])
  await standIn.control(`/resend/${data[0]?.id}`, {})
  await vi.waitFor(() => expect(types()).toEqual(['payment_intent.succeeded']), soon)
})

test('events can come twice', async () => {
  await standIn.control('/webhooks', { mode: 'duplicate' })
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const { types } = about(intent.id)
  const paid = () => types().filter((type) => type === 'payment_intent.succeeded')
  await vi.waitFor(() => expect(paid()).toHaveLength(2), soon)
})

test('events can come late', async () => {
  await standIn.control('/webhooks', { mode: 'delay', delayMs: 400 })
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const { types } = about(intent.id)
  expect(types()).toEqual([])
  await vi.waitFor(() => expect(types()).toContain('payment_intent.succeeded'), soon)
})

test('events can come in the wrong order', async () => {
  await standIn.control('/webhooks', { mode: 'reorder', delayMs: 2000 })
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const { types } = about(intent.id)
  await vi.waitFor(() => expect(types()).toHaveLength(3), soon)
  expect(types()).toEqual([
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.created',
  ])
})

test('a further endpoint gets the events that it asked for, by its own secret', async () => {
  const endpoint = await standIn.stripe.webhookEndpoints.create({
    url: 'http://127.0.0.1:9/nobody',
    enabled_events: ['payment_intent.canceled'],
  })
  expect(endpoint.secret).toMatch(/^whsec_/)
  const listed = await standIn.stripe.webhookEndpoints.list()
  expect(listed.data[0]).not.toHaveProperty('secret')
  const intent = await standIn.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await standIn.stripe.paymentIntents.cancel(intent.id)
  const { rows } = await standIn.pool.query(
    `select o.body->>'type' as type from sandbox_stripe.deliveries d
      join sandbox_stripe.objects o on o.id = d.event where d.endpoint = $1`,
    [endpoint.id],
  )
  expect(rows).toEqual([{ type: 'payment_intent.canceled' }])
  expect(await standIn.stripe.webhookEndpoints.del(endpoint.id)).toMatchObject({ deleted: true })
})

test('a signature of another secret or an old one does not verify', async () => {
  const now = Math.floor(Date.now() / 1000)
  const verify = (header: string, secret = 'whsec_a') =>
    Stripe.webhooks.constructEventAsync('{"id":"evt_1","object":"event"}', header, secret)
  const payload = '{"id":"evt_1","object":"event"}'
  expect((await verify(signature(payload, 'whsec_a', now))).id).toBe('evt_1')
  await expect(verify(signature(payload, 'whsec_b', now))).rejects.toThrow('No signatures found')
  await expect(verify(signature(payload, 'whsec_a', now - 301))).rejects.toThrow(
    'Timestamp outside',
  )
})
