import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  openStripeSandbox,
  payByBrowser,
  type StripeSandbox,
} from '#tests/support/stripe-sandbox.ts'

let sandbox: StripeSandbox
beforeAll(async () => {
  sandbox = await openStripeSandbox()
})
afterAll(() => sandbox.close())
afterEach(async () => {
  sandbox.receiver.answer = () => 200
  await sandbox.control('/webhooks', { mode: 'normal' })
})

/** @returns a function that reads the types of an intent’s received events, in order */
const eventTypesReader = (intentId: string) => () =>
  sandbox.received
    .filter(({ data }) => {
      const object = data.object as { id: string; payment_intent?: string }
      return object.id === intentId || object.payment_intent === intentId
    })
    .map(({ type }) => type)

const paidBy = async (number = '4242424242424242') => {
  const { intent } = await payByBrowser(sandbox, number)
  return { id: intent.id, readEventTypes: eventTypesReader(intent.id) }
}

test('a payment is announced, signed, with the intent as it is', async () => {
  const { id, readEventTypes } = await paidBy()
  await expect.poll(readEventTypes).toEqual(['payment_intent.succeeded'])
  const event = sandbox.received.find(({ data }) => 'id' in data.object && data.object.id === id)
  expect(event).toMatchObject({
    object: 'event',
    api_version: '2026-10-28.endive',
    livemode: false,
    request: { id: expect.stringMatching(/^req_/), idempotency_key: null },
    data: { object: { status: 'succeeded', metadata: { orderId: 'order-1' } } },
  })
})

test('a declined payment and a chargeback are announced', async () => {
  const { readEventTypes } = await paidBy('4000000000009995')
  await expect.poll(readEventTypes).toEqual(['payment_intent.payment_failed'])
  const disputed = await paidBy('4000000000000259')
  await expect.poll(disputed.readEventTypes).toContain('charge.dispute.created')
})

test.each([500, 302, 404])(
  'a response of %i does not acknowledge it: it is sent again',
  async (status) => {
    let refusals = 1
    sandbox.receiver.answer = () => (refusals-- > 0 ? status : 200)
    const { readEventTypes } = await paidBy()
    await expect.poll(readEventTypes).toEqual(['payment_intent.succeeded'])
    const { data } = await sandbox.control('/deliveries')
    expect(data.at(-1)).toMatchObject({ type: 'payment_intent.succeeded', attempts: 2 })
  },
)

test('another process takes over what is undelivered', async () => {
  sandbox.receiver.answer = () => 503
  const { readEventTypes } = await paidBy()
  await sandbox.stop()
  sandbox.receiver.answer = () => 200
  const other = sandbox.another()
  await other.start()
  try {
    await expect.poll(readEventTypes).toEqual(['payment_intent.succeeded'])
  } finally {
    await other.stop()
    await sandbox.start()
  }
})

test('dropped events are found in the list', async () => {
  await sandbox.control('/webhooks', { mode: 'drop' })
  const { id } = await paidBy()
  const types = ['payment_intent.succeeded']
  const { data } = await sandbox.stripe.events.list({ types, limit: 1 })
  expect(data[0]?.data.object).toMatchObject({ id })
  const deliveries = await sandbox.control('/deliveries')
  expect(deliveries.data.map(({ event }) => event)).not.toContain(data[0]?.id)
})

test('events can come twice', async () => {
  await sandbox.control('/webhooks', { mode: 'duplicate' })
  const { readEventTypes } = await paidBy()
  const twice = ['payment_intent.succeeded', 'payment_intent.succeeded']
  await expect.poll(readEventTypes).toEqual(twice)
})

test('events can come in the wrong order', async () => {
  await sandbox.control('/webhooks', { mode: 'reorder' })
  const { readEventTypes } = await paidBy('4000000000000259')
  const backwards = ['charge.dispute.created', 'payment_intent.succeeded']
  await expect.poll(readEventTypes).toEqual(backwards)
})
