/** Tests payments.csv, the export for monthly bookkeeping. */
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { payingShop, unmatch } from '#tests/support/money.ts'

const { shop, owner, ada, part, control, chargedOrder, paidOrder } = payingShop({
  price: 100,
  webhooks: 'normal',
})

type Line = Record<string, string>
async function exported(query = ''): Promise<Line[]> {
  const { status, body } = await owner.call('GET', `/api/payments.csv${query}`)
  expect(status).toBe(200)
  return parse(body, { columns: true, bom: true })
}
const refund = (id: string, amount: number) =>
  owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount, reason: 'arrived broken', restock: 0 },
    { 'idempotency-key': crypto.randomUUID() },
  )
const linesOf = async (intentId: string) =>
  (await exported()).filter((line) => line['Of payment'] === intentId)

test('a payment and each of its refunds is a line, with day, amount, reference, order and reason', async () => {
  await shop.pool.query(`update parts set name = 'Lüfter' where _id = $1`, [part._id])
  const { id, intentId } = await paidOrder(3)
  for (const amount of [100, 50]) expect((await refund(id, amount)).status).toBe(200)
  // the provider's event of a refund brings its fee
  const feesOf = async () => (await linesOf(intentId)).map((line) => line['Card fee'])
  await expect.poll(feesOf).toEqual(['9.00', '0.00', '0.00'])
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const all = {
    'Date (UTC)': time,
    'Order number': expect.stringMatching(/^F-\d+$/),
    Currency: 'USD',
    'Of payment': intentId,
    Product: 'Lüfter',
    Customer: ada.name,
    'E-mail': ada.email,
    Order: id,
    'Currency of the fee': 'USD',
  }
  const asked = { Reason: 'arrived broken', 'Asked for by': owner.email }
  const back = { ...all, Type: 'refund', ...asked, 'Card fee': '0.00' }
  const reference = expect.stringMatching(/^re_/)
  expect(await linesOf(intentId)).toEqual([
    {
      ...all,
      Type: 'payment',
      Amount: '300.00',
      'Provider’s reference': intentId,
      Reason: '',
      'Asked for by': '',
      'Card fee': '9.00',
    },
    { ...back, Amount: '-100.00', 'Provider’s reference': reference },
    { ...back, Amount: '-50.00', 'Provider’s reference': reference },
  ])
})

test('a refund that a bank returns is a line of its own; a refused one is not listed', async () => {
  const sentBack = await paidOrder(3, 'pm_card_refundFail')
  expect((await refund(sentBack.id, 300)).status).toBe(200)
  const typesOf = async (intentId: string) =>
    (await linesOf(intentId)).map(({ Type, Amount }) => `${Type} ${Amount}`)
  await expect
    .poll(() => typesOf(sentBack.intentId))
    .toEqual(['payment 300.00', 'refund -300.00', 'refund sent back 300.00'])
  const refused = await paidOrder(3, 'pm_card_createDispute')
  expect((await refund(refused.id, 300)).status).toBe(409)
  expect(await typesOf(refused.intentId)).toEqual(['payment 300.00', 'dispute fee '])
})

test('money that no order could take is listed as payment and refund', async () => {
  await control('webhooks', { mode: 'drop' })
  const { intentId } = await chargedOrder(3)
  await shop.pool.query(unmatch, [intentId])
  await expect.poll(async () => (await linesOf(intentId)).length).toBe(2)
  expect(await linesOf(intentId)).toMatchObject([
    { Type: 'payment', Amount: '300.00' },
    { Type: 'refund', Amount: '-300.00', Reason: 'the order is deleted' },
  ])
})

test('the days are those of the movement, and the list is whole however long it is', async () => {
  const before = (await exported()).length
  await shop.pool.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
     select u._id, $1, 'Old ' || n, '/i', 'c', u.email, '12345', 1, 100, 100 from users u, generate_series(1, 1300) n
     where u.email = $2`,
    [part._id, ada.email],
  )
  // two payments share each timestamp, across page boundaries
  await shop.pool.query(
    `with old as (
       insert into payments (intent_id, checkout_id, amount, status, received_at)
       select 'pi_old_' || n, checkout_id, 100, 'unmatched', timestamptz '2020-01-31T23:59:59Z' + (n / 2) * interval '1 millisecond'
       from (select checkout_id, row_number() over (order by _id) as n from orders where product like 'Old %') o
       returning *)
     insert into refunds (intent_id, cause, amount, state, reason)
     select intent_id, 'unmatched_payment', amount, 'failed', 'the order is deleted' from old`,
  )
  const january = await exported('?from=2020-01-01&to=2020-01-31')
  const february = await exported('?from=2020-02-01&to=2020-02-29')
  const both = [...january, ...february].map((line) => line['Of payment'])
  expect(new Set(both).size).toBe(1300)
  expect(both).toHaveLength(1300)
  expect(january.at(-1)?.['Date (UTC)']).toBe('2020-01-31 23:59:59')
  expect(february).toHaveLength(0)
  expect((await exported()).length).toBeGreaterThanOrEqual(before + 1300)
  expect((await owner.call('GET', '/api/payments.csv?from=2020-02-30')).status).toBe(400)
  expect((await owner.call('GET', '/api/payments/sums?from=2020-02-30')).status).toBe(400)
  const feesIn = (lines: Line[]) => {
    const known = lines.flatMap((line) => (line['Card fee'] ? Number(line['Card fee']) : []))
    const amount = known.reduce((sum, fee) => sum + Math.round(fee * 100), 0) / 100
    const unknown = lines.filter((line) => line.Type === 'payment' && !line['Card fee'])
    const fees = known.length > 0 ? [{ currency: 'USD', amount }] : []
    return { fees, feesUnknown: unknown.length }
  }
  for (const span of ['', '?from=2020-01-01&to=2020-01-31', '?from=2020-02-01&to=2020-02-29']) {
    const lines = await exported(span)
    const sumOf = (type: string) => {
      const amounts = lines.filter(({ Type }) => Type === type).map(({ Amount }) => Number(Amount))
      return {
        count: amounts.length,
        amount: Math.abs(amounts.reduce((sum, each) => sum + each, 0)),
      }
    }
    expect((await owner.call('GET', `/api/payments/sums${span}`)).body).toEqual({
      payments: sumOf('payment'),
      refunds: sumOf('refund'),
      sentBack: sumOf('refund sent back'),
      net: lines.reduce((sum, { Amount }) => sum + Number(Amount), 0),
      ...feesIn(lines),
    })
  }
  const times = (await exported()).map((line) => line['Date (UTC)'])
  expect(times).toEqual(times.toSorted())
})
