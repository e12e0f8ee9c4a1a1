import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openStandIn, payByBrowser, type StandIn } from '#tests/support/stripe-stand-in.ts'

let standIn: StandIn
beforeAll(async () => {
  standIn = await openStandIn()
})
afterAll(() => standIn.close())

const chargeOf = async (intentId: string) => {
  const { latest_charge: id } = await standIn.stripe.paymentIntents.retrieve(intentId)
  return standIn.stripe.charges.retrieve(String(id))
}

test('a whole refund gives all back, once', async () => {
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const refund = await standIn.stripe.refunds.create({
    payment_intent: intent.id,
    reason: 'requested_by_customer',
    metadata: { why: 'late' },
  })
  expect(refund).toMatchObject({
    object: 'refund',
    amount: 2000,
    payment_intent: intent.id,
    reason: 'requested_by_customer',
    metadata: { why: 'late' },
    status: 'succeeded',
  })
  const charge = await chargeOf(intent.id)
  expect(charge).toMatchObject({ amount_refunded: 2000, refunded: true })
  await expect(standIn.stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
    message: `Charge ${charge.id} has already been refunded.`,
  })
  await vi.waitFor(() => {
    const event = standIn.received.find(({ type }) => type === 'charge.refunded')
    expect(event?.data).toMatchObject({
      object: { id: charge.id, amount_refunded: 2000, payment_intent: intent.id },
      previous_attributes: { amount_refunded: 0, refunded: false },
    })
  })
})

test('partial refunds add up, and never to more than was paid', async () => {
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const give = (amount: number) =>
    standIn.stripe.refunds.create({ payment_intent: intent.id, amount })
  await give(700)
  await give(800)
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 1500, refunded: false })
  await expect(give(501)).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
    message: 'Refund amount ($5.01) is greater than unrefunded amount on charge ($5.00)',
  })
  await expect(give(0)).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
  await give(500)
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 2000, refunded: true })
  const listed = await standIn.stripe.refunds.list({ payment_intent: intent.id })
  expect(listed.data.map(({ amount }) => amount)).toEqual([500, 800, 700])
})

test('ten refunds at once give no more than was paid', async () => {
  const { intent } = await payByBrowser(standIn, '4242424242424242')
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      standIn.stripe.refunds.create({ payment_intent: intent.id, amount: 600 }),
    ),
  )
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 1800 })
})

test('what was never paid is not refunded', async () => {
  const intent = await standIn.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
  await expect(standIn.stripe.refunds.create({ payment_intent: intent.id })).rejects.toThrow(
    'does not have a successful charge to refund',
  )
  await expect(standIn.stripe.refunds.create({ charge: 'ch_nothing' })).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such charge: 'ch_nothing'",
  })
})

test('a refund can fail later: the money is back and it is announced', async () => {
  const { intent } = await payByBrowser(standIn, '4000000000005126')
  const refund = await standIn.stripe.refunds.create({ payment_intent: intent.id })
  expect(refund.status).toBe('succeeded')
  await vi.waitFor(
    () => expect(standIn.received.map(({ type }) => type)).toContain('charge.refund.updated'),
    { timeout: 8000, interval: 50 },
  )
  expect(await standIn.stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' })
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 0, refunded: false })
})

test('a refund can wait: pending at first, succeeded when that is announced', async () => {
  const { intent } = await payByBrowser(standIn, '4000000000007726')
  const refund = await standIn.stripe.refunds.create({ payment_intent: intent.id })
  expect(refund.status).toBe('pending')
  expect(await chargeOf(intent.id)).toMatchObject({ amount_refunded: 2000, refunded: true })
  await vi.waitFor(
    () =>
      expect(
        standIn.received.find(
          ({ type, data }) =>
            type === 'refund.updated' && (data.object as { id: string }).id === refund.id,
        )?.data,
      ).toMatchObject({
        object: { status: 'succeeded' },
        previous_attributes: { status: 'pending' },
      }),
    { timeout: 8000, interval: 50 },
  )
})
