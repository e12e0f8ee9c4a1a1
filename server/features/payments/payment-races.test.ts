import { describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import { payingShop, refundByHand, refundsOf, strayIntent } from '#tests/support/money.ts'
import { bookingOf, call, intentFor, orderOf } from '#tests/support/people.ts'
import { adjustStock, stockOf, stockPart } from '#tests/support/stock.ts'

const { shop, owner, ada, part, control, confirm, reportPayment, endHold } = payingShop()

describe('money that went back', () => {
  test('pays nothing later, when the stock is there again', async () => {
    const id = await bookingOf(ada, part, { quantity: 5 })
    const payment = await strayIntent(shop, id)
    await endHold(id)
    await adjustStock(shop.pool, part, -10)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(409)
    expect(await refundsOf(shop.pool, payment.intentId)).toMatchObject([
      { cause: 'unmatched_payment', amount: 125_000, state: 'succeeded' },
    ])

    await adjustStock(shop.pool, part, 10)
    expect((await reportPayment(id, payment.intentId)).status).toBe(409)
    expect(await orderOf(ada, id)).toMatchObject({ status: 'unpaid', transactionId: null })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  })
})

describe('money that comes after the hold of a part that the owner took off sale', () => {
  const late = async () => {
    const id = await bookingOf(ada, part)
    const payment = await strayIntent(shop, id)
    await endHold(id)
    return { id, ...payment }
  }

  test('goes back while it is a draft', async () => {
    const { id, ...payment } = await late()
    await shop.pool.query(`update parts set state = 'draft' where _id = $1`, [part._id])
    await confirm(payment)
    const { status, body } = await reportPayment(id, payment.intentId)
    expect([status, body.error.code]).toEqual([409, 'PAYMENT_REFUNDED'])
    expect(await refundsOf(shop.pool, payment.intentId)).toMatchObject([
      { cause: 'unmatched_payment', amount: 25_000, state: 'succeeded' },
    ])
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  })

  test('buys it when it is deleted and has the units', async () => {
    const { id, ...payment } = await late()
    expect((await owner.call('DELETE', `/api/adminProduct/${part._id}`)).status).toBe(200)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
    expect(await orderOf(ada, id)).toMatchObject({ status: 'paid' })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 1 })
  })
})

test('a second payment of a paid order is refunded as soon as the browser reports it', async () => {
  const id = await bookingOf(ada, part)
  const [first, second] = [await intentFor(ada, id), await strayIntent(shop, id)]
  await confirm(first)
  await confirm(second)
  expect((await reportPayment(id, first.intentId)).status).toBe(200)
  const { status, body } = await reportPayment(id, second.intentId)
  expect([status, body.error.code]).toEqual([409, 'PAYMENT_REFUNDED'])
  expect(await refundsOf(shop.pool, second.intentId)).toMatchObject([
    { cause: 'unmatched_payment', amount: 25_000, state: 'succeeded' },
  ])
})

test('the open payment of an order that another one paid is canceled, and checked no more', async () => {
  const id = await bookingOf(ada, part)
  const [open, other] = [await intentFor(ada, id), await strayIntent(shop, id)]
  await confirm(other)
  expect((await reportPayment(id, other.intentId)).status).toBe(200)
  const recorded = async () =>
    (await shop.pool.query('select status from payments where intent_id = $1', [open.intentId]))
      .rows
  await expect.poll(recorded).toEqual([{ status: 'canceled' }])
  expect((await confirm(open)).status).toBe(400)
  expect(await orderOf(ada, id)).toMatchObject({ status: 'paid', transactionId: other.intentId })
})

test('a refund made by hand at the provider is not made again', async () => {
  const id = await bookingOf(ada, part)
  const payment = await strayIntent(shop, id)
  await ada.call('DELETE', `/api/userProduct/${id}`)
  await confirm(payment)
  const { id: provider_id } = await refundByHand(shop, payment.intentId, 25_000)
  await shop.pool.query('delete from sandbox_stripe.keys')
  expect((await reportPayment(id, payment.intentId)).status).toBe(409)
  expect(await refundsOf(shop.pool, payment.intentId)).toMatchObject([
    { cause: 'unmatched_payment', state: 'failed', provider_id: null },
    { cause: 'provider', amount: 25_000, state: 'succeeded', provider_id },
  ])
})

test('of a payment that was partly refunded by hand, the job refunds the rest', async () => {
  const id = await bookingOf(ada, part)
  const payment = await strayIntent(shop, id)
  await ada.call('DELETE', `/api/userProduct/${id}`)
  await confirm(payment)
  await refundByHand(shop, payment.intentId, 10_000)
  expect((await reportPayment(id, payment.intentId)).status).toBe(409)
  await expect
    .poll(async () =>
      (await refundsOf(shop.pool, payment.intentId)).filter(({ state }) => state !== 'failed'),
    )
    .toMatchObject([
      { cause: 'provider', amount: 10_000, state: 'succeeded' },
      { cause: 'unmatched_payment', amount: 15_000, state: 'succeeded' },
    ])
})

test('a payment that no order could take and that is disputed is owed until the provider takes the refund', async () => {
  const id = await bookingOf(ada, part)
  const payment = await strayIntent(shop, id)
  await ada.call('DELETE', `/api/userProduct/${id}`)
  await confirm(payment, 'pm_card_createDispute')
  expect((await reportPayment(id, payment.intentId)).status).toBe(409)
  const disputed = (is: boolean) =>
    shop.pool.query(
      `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{disputed}', to_jsonb($2::bool))::json
       where kind = 'charge' and body->>'payment_intent' = $1`,
      [payment.intentId, is],
    )
  expect(await refundsOf(shop.pool, payment.intentId)).toMatchObject([{ state: 'requested' }])
  await disputed(false)
  // until its keys are deleted, the provider repeats its earlier refusal
  await shop.pool.query('delete from sandbox_stripe.keys')
  const states = async () =>
    (await refundsOf(shop.pool, payment.intentId)).map(({ state }) => state)
  await expect.poll(states).toEqual(['succeeded'])
})

test('a refund of money that no order could take, returned by the bank: the owner is told, and the shop does not repeat it', async () => {
  const id = await bookingOf(ada, part)
  const payment = await strayIntent(shop, id)
  await ada.call('DELETE', `/api/userProduct/${id}`)
  await control('webhooks', { mode: 'normal' })
  await confirm(payment, 'pm_card_refundFail')
  const states = async () =>
    (await refundsOf(shop.pool, payment.intentId)).map(({ state }) => state)
  await expect.poll(states).toEqual(['failed'])
  expect(await shop.deps.payments.listRefunds(payment.intentId)).toHaveLength(1)
  const { rows } = await shop.pool.query('select template from mail_queue where order_id = $1', [
    id,
  ])
  expect(rows.map(({ template }) => template)).toEqual(
    expect.arrayContaining(['payment-returned', 'refund-failed', 'owner-refund-failed']),
  )
  const { body } = await owner.call('GET', '/api/money')
  const ofPayments = body.issues.filter(({ type }: Issue) => type === 'payment')
  expect(ofPayments).toMatchObject([
    { about: `intent:${payment.intentId}`, orderId: id, provider: 'paid, $250', repair: null },
  ])
})

describe('an intent that the provider does not know', () => {
  const forget = (id: string) =>
    shop.pool.query(
      `insert into payments (intent_id, checkout_id, amount)
       values ('pi_' || md5($1::text), (select checkout_id from orders where _id = $1::uuid), 25000)`,
      [id],
    )

  test('does not keep its order from being paid', async () => {
    const id = await bookingOf(ada, part)
    await forget(id)
    const payment = await intentFor(ada, id)
    expect((await confirm(payment)).status).toBe(200)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
  })

  test('does not keep its order from being deleted, nor its hold from ending', async () => {
    const [deleted, ended] = [await bookingOf(ada, part), await bookingOf(ada, part)]
    await forget(deleted)
    await forget(ended)
    expect((await ada.call('DELETE', `/api/userProduct/${deleted}`)).status).toBe(200)
    await endHold(ended)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  })
})

/** Waits until this many connections of the shop wait for a lock. */
const waiting = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await shop.pool.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows.length
    })
    .toBe(count)

test('an order deleted while its payment opens gets no payment', async () => {
  const id = await bookingOf(ada, part)
  const slow = await shop.pool.connect()
  await slow.query('begin')
  await slow.query('lock table sandbox_stripe.objects in exclusive mode')
  const opening = ada.call('POST', '/api/create-payment-intent', { totalPrice: 250, orderId: id })
  await waiting(1)
  expect((await ada.call('DELETE', `/api/userProduct/${id}`)).status).toBe(200)
  await slow.query('commit')
  slow.release()
  const { status, body } = await opening
  expect([status, body.error?.code]).toEqual([409, 'ORDER_GONE'])
  const { rows } = await shop.pool.query(
    'select from payments where checkout_id = (select checkout_id from orders where _id = $1)',
    [id],
  )
  expect(rows).toEqual([])
})

test('a foreign payment at the same provider is left alone', async () => {
  const intent = await shop.deps.payments.createIntent({
    amount: 100,
    orderId: 'INV-2026-1',
    userId: 'x',
    description: 'another shop',
    receiptEmail: 'x@example.com',
    idempotencyKey: crypto.randomUUID(),
  })
  await control('webhooks', { mode: 'normal' })
  await confirm({ intentId: intent.id, clientSecret: intent.clientSecret })
  await expect
    .poll(async () => {
      const { body } = await call(shop.origin, 'GET', '/sandbox/stripe/_sandbox/deliveries')
      return body.data
        .filter(({ type }: { type: string }) => type === 'payment_intent.succeeded')
        .map(({ state }: { state: string }) => state)
    })
    .toContain('delivered')
})

test('one key for two parts at once makes one order and one refusal', async () => {
  const other = await stockPart(shop.pool, { onHand: 10, price: 99 })
  const book = (bookedPart: Part) =>
    ada.call(
      'POST',
      '/api/order',
      { partId: bookedPart._id, quantity: 1, phone: '+1 555 0100' },
      { 'idempotency-key': 'same-key' },
    )
  const hold = await shop.pool.connect()
  await hold.query('begin')
  await hold.query('select 1 from users where email = $1 for update', [ada.email])
  const answers = Promise.all([book(part), book(other)])
  await waiting(2)
  await hold.query('commit')
  hold.release()
  expect((await answers).map(({ status }) => status).toSorted()).toEqual([200, 422])
})
