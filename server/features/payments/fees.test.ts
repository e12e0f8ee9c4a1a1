/** Tests what the card provider takes: in payments.csv, on the Money screen and by month. */
import { parse } from 'csv-parse/sync'
import { afterEach, expect, test } from 'vitest'
import { importEvents } from '#server/features/payments/catch-up.ts'
import { payingShop } from '#tests/support/money.ts'
import { providerOf } from '#tests/support/provider-events.ts'

const { shop, owner, control, chargedOrder, paidOrder, reportPayment } = payingShop({ price: 100 })

afterEach(() => control('account', {}))

type Line = Record<string, string>
const exported = async (path: string): Promise<Line[]> => {
  const { status, body } = await owner.call('GET', path)
  expect(status).toBe(200)
  return parse(body, { columns: true, bom: true })
}
/** Type, fee and currency of the lines of a payment. */
const feesOf = async (intentId: string) =>
  (await exported('/api/payments.csv'))
    .filter((line) => line['Of payment'] === intentId)
    .map((line) => [line.Type, line['Card fee'], line['Currency of the fee']])

test('a fee that comes late is empty until then, and nothing is wrong', async () => {
  await control('account', { isLate: true })
  const { intentId } = await paidOrder(1)
  expect(await feesOf(intentId)).toEqual([['payment', '', '']])
  const { feesUnknown } = (await owner.call('GET', '/api/payments/sums')).body
  expect(feesUnknown).toBe(1)
  const { issues } = (await owner.call('GET', '/api/money')).body
  expect(issues.filter(({ type }: { type: string }) => type !== 'picture')).toEqual([])
  // its webhook is lost: the import finds the event
  await expect
    .poll(async () => {
      await importEvents(shop.deps)
      return feesOf(intentId)
    })
    .toEqual([['payment', '3.20', 'USD']])
  expect((await owner.call('GET', '/api/payments/sums')).body.feesUnknown).toBe(0)
})

test('a fee that comes late is there with its webhook', async () => {
  await control('webhooks', { mode: 'normal' })
  await control('account', { isLate: true })
  const { intentId } = await paidOrder(2)
  await expect.poll(() => feesOf(intentId)).toEqual([['payment', '6.10', 'USD']])
})

test('a fee in another currency says so, and is added to no other', async () => {
  const sums = async () => (await owner.call('GET', '/api/payments/sums')).body
  const before = await sums()
  await control('account', { currency: 'jpy' })
  const { intentId } = await paidOrder(1)
  // the sandbox makes 9,000 yen of 10,000 cents: 2.9 % of them, and 30
  expect(await feesOf(intentId)).toEqual([['payment', '291', 'JPY']])
  const after = await sums()
  expect(after.fees).toEqual([{ currency: 'JPY', amount: 291 }, ...before.fees])
  expect(after.net).toBe(before.net + 100)
})

test('of a payment that is reported again, of its refunds and of a bank’s return, each is once', async () => {
  await control('webhooks', { mode: 'duplicate' })
  const { id, intentId } = await paidOrder(1, 'pm_card_refundFail')
  await owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount: 40, reason: 'A scratch', restock: 0 },
    { 'idempotency-key': crypto.randomUUID() },
  )
  await expect
    .poll(() => feesOf(intentId))
    .toEqual([
      ['payment', '3.20', 'USD'],
      ['refund', '0.00', 'USD'],
      ['refund sent back', '0.00', 'USD'],
    ])
})

test('of a dispute is a line of its own, and another when the bank gives it back', async () => {
  await control('webhooks', { mode: 'normal' })
  const { id, intentId } = await chargedOrder(1, 'pm_card_createDispute')
  await reportPayment(id, intentId)
  const paid = ['payment', '3.20', 'USD']
  await expect.poll(() => feesOf(intentId)).toEqual([paid, ['dispute fee', '15.00', 'USD']])
  await control(`disputes/${intentId}`, { outcome: 'warning_closed' })
  await expect
    .poll(() => feesOf(intentId))
    .toEqual([paid, ['dispute fee', '15.00', 'USD'], ['dispute fee', '-15.00', 'USD']])
})

test('of a dispute whose money is taken later is there with that event, once', async () => {
  const { intentId } = await paidOrder(1)
  const deliver = await providerOf(shop)
  const dispute = {
    ...{ object: 'dispute', id: 'dp_1', payment_intent: intentId, amount: 10_000 },
    ...{ reason: 'fraudulent', status: 'needs_response', evidence_details: { due_by: null } },
  }
  const movement = { id: `txn_${intentId}`, fee: 2000, currency: 'eur' }
  const event = { type: 'charge.dispute.funds_withdrawn', intentId }
  for (const id of ['first', 'again'])
    await deliver({
      ...event,
      id: `${id} ${intentId}`,
      object: { ...dispute, balance_transactions: [movement] },
    })
  const taken = ['dispute fee', '20.00', 'EUR']
  expect(await feesOf(intentId)).toEqual([['payment', '3.20', 'USD'], taken])
})
