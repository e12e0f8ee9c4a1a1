/**
 * Refunds that race with everything else that can happen to an order, with two admins and an
 * unreliable provider.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { Order } from '#contracts/orders.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop, refundByHand, refundsOf, withLines } from '#tests/support/money.ts'
import { bookingOf, call, createUsers, intentFor, type Person } from '#tests/support/people.ts'
import { stockOf } from '#tests/support/stock.ts'
import { importRefunds } from './catch-up.ts'

const paying = payingShop({ price: 100, webhooks: 'normal' })
const { shop, owner, ada, part, control, confirm, reportPayment } = paying
let partner: Person

beforeAll(async () => {
  ;[partner] = (await createUsers(shop, 1)) as [Person]
  await shop.pool.query(`update users set role = 'admin', email_verified = true where email = $1`, [
    partner.email,
  ])
})

/** A paid order of 2 units, $200. */
const paidOrder = (card?: string) => paying.paidOrder(2, card)
const refund = (id: string, { by = owner, amount = 200, restock = 2 } = {}) =>
  by.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount, restock, reason: 'changed their mind' },
    { 'idempotency-key': crypto.randomUUID() },
  )
const ship = (id: string, by = owner) => by.call('PUT', `/api/order/${id}/shipped`, {})
const readOrder = async (id: string) =>
  Order.parse((await ada.call('GET', `/api/order/${id}`)).body)
const mails = async (template: string) => {
  const { rows } = await shop.pool.query(
    'select subject from mail_queue where recipient = $1 and template = $2',
    [ada.email, template],
  )
  return rows
}

test('two admins refund all of it at once: one does, the other is told', async () => {
  const { id, intentId } = await paidOrder()
  const answers = await Promise.all([refund(id), refund(id, { by: partner })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await shop.deps.payments.listRefunds(intentId)).toHaveLength(1)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  expect(await mails('order-refunded')).toHaveLength(1)
})

test('refund, shipping and deletion at once: shipped before, or never', async () => {
  for (let round = 0; round < (atLength ? 6 : 3); round += 1) {
    const { id } = await paidOrder()
    const [refunded, shipped, deleted] = await Promise.all([
      refund(id),
      ship(id, partner),
      owner.call('DELETE', `/api/userProduct/${id}`),
    ])
    expect([refunded.status, deleted.status]).toEqual([200, 409])
    const order = await readOrder(id)
    expect(order).toMatchObject({ status: 'refunded', refunded: 200 })
    expect(order.shippedAt !== null).toBe(shipped.status === 200)
    if (shipped.status !== 200) expect(shipped.body.error.code).toBe('ORDER_REFUNDED')
  }
})

test('an order that is being refunded in full is not shipped while the provider does not respond', async () => {
  const { id } = await paidOrder()
  await control('fail-next', { status: 500, count: 1000, path: '/v1/refunds' })
  expect((await refund(id)).body.state).toBe('pending')
  const refused = await ship(id, partner)
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'This order is being refunded, so it cannot be shipped',
  ])
  await control('fail-next', { status: 500, count: 0 })
  await expect.poll(async () => (await readOrder(id)).status).toBe('refunded')
  expect(await mails('order-shipped')).toEqual([])
}, 30_000)

test('a provider that is busy with the same key (409) makes it once', async () => {
  const { id, intentId } = await paidOrder()
  await control('fail-next', { status: 409, count: 2, path: '/v1/refunds' })
  expect((await refund(id)).status).toBe(200)
  await expect.poll(async () => (await readOrder(id)).status).toBe('refunded')
  expect(await shop.deps.payments.listRefunds(intentId)).toHaveLength(1)
}, 30_000)

test('the provider’s webhook and its response at once are one refund, however often it is reported', async () => {
  const times = atLength ? 5 : 3
  await control('webhooks', { mode: 'duplicate' })
  for (let round = 0; round < times; round += 1) {
    const { id, intentId } = await paidOrder()
    expect((await refund(id, { amount: 50, restock: 1 })).body.state).toBe('succeeded')
    const { rows } = await shop.pool.query(
      'select amount, cause from refunds where intent_id = $1',
      [intentId],
    )
    expect(rows).toEqual([{ amount: 5000, cause: 'admin' }])
    expect(await shop.deps.payments.listRefunds(intentId)).toHaveLength(1)
  }
  expect(await mails('order-refunded')).toHaveLength(times)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: times })
})

test('an order whose part is deleted is paid, shipped and refunded, and its units are counted', async () => {
  const id = await bookingOf(ada, part, { quantity: 2 })
  expect((await owner.call('DELETE', `/api/adminProduct/${part._id}`)).status).toBe(200)
  const payment = await intentFor(ada, id)
  await confirm(payment)
  await reportPayment(id, payment.intentId)
  expect((await ship(id)).body.modifiedCount).toBe(1)
  expect((await refund(id, { restock: 2 })).status).toBe(200)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  expect((await owner.call('POST', `/api/product/${part._id}/restore`)).body.modifiedCount).toBe(1)
  expect((await ada.call('GET', `/api/part/${part._id}`)).body.availableQuantity).toBe(10)
})

test('what no admin would type is refused and changes nothing', async () => {
  const { id } = await paidOrder()
  const ask = (body: string) =>
    owner.call('POST', `/api/order/${id}/refund`, body, {
      'idempotency-key': crypto.randomUUID(),
    })
  for (const amount of ['1e309', '9007199254740993', 'null', '[1]', '{"$gt":0}', 'true', '"1"'])
    expect((await ask(`{"amount":${amount},"reason":"x"}`)).status, amount).toBe(400)
  for (const restock of ['1e309', '-1', '"1"', 'null'])
    expect((await ask(`{"amount":1,"reason":"x","restock":${restock}}`)).status).toBe(400)
  const huge = await ask('{"amount":999999,"reason":"x"}')
  expect([huge.status, huge.body.error.code]).toEqual([409, 'REFUND_REFUSED'])
  const more = await ask(
    '{"amount":1,"reason":"x","state":"succeeded","requestedBy":null,"__proto__":{"amount":200}}',
  )
  expect(more.status).toBe(200)
  expect(await readOrder(id)).toMatchObject({ refunded: 1, status: 'paid' })
  for (const key of ['', 'x'.repeat(256), 'a b']) {
    const input = { amount: 1, reason: 'x' }
    const headers = { 'idempotency-key': key }
    expect((await owner.call('POST', `/api/order/${id}/refund`, input, headers)).status).toBe(400)
  }
})

test('two admins remind at once, and again around midnight: one mail a day', async () => {
  const id = await bookingOf(ada, part)
  const remind = (by: Person) => by.call('POST', `/api/order/${id}/reminder`)
  const answers = await Promise.all([remind(owner), remind(partner), remind(owner)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
  // the last reminder of another order was 23 hours and 59 minutes ago
  const other = await bookingOf(ada, part)
  const past = `insert into audit_log (actor_id, action, order_id, created_at)
    select _id, 'payment reminder sent', $1, now() - make_interval(mins => $2) from users where email = $3`
  await shop.pool.query(past, [other, 23 * 60 + 59, partner.email])
  expect((await owner.call('POST', `/api/order/${other}/reminder`)).status).toBe(429)
  expect(await mails('payment-reminder')).toHaveLength(1)
})

test('a chargeback is in the audit log of its order once, and nothing is refunded as well', async () => {
  await control('webhooks', { mode: 'duplicate' })
  const { id } = await paidOrder('pm_card_createDispute')
  const actions = async () =>
    (await owner.call('GET', `/api/audit?about=order:${id}`)).body.map(
      ({ by, action }: Record<string, unknown>) => ({ by, action }),
    )
  await expect.poll(actions).toEqual([{ by: null, action: 'payment disputed' }])
  await expect
    .poll(async () => {
      const { body } = await call(shop.origin, 'GET', '/sandbox/stripe/_sandbox/deliveries')
      const deliveries = body.data.filter(
        ({ type }: { type: string }) => type === 'charge.dispute.created',
      )
      return deliveries.map(({ state }: { state: string }) => state)
    })
    .toEqual(['delivered', 'delivered'])
  expect(await actions()).toHaveLength(1)
  expect((await refund(id)).body.error.code).toBe('REFUND_REFUSED')
})

test('a refund from the provider’s dashboard is imported within a day although every webhook was lost', async () => {
  await control('webhooks', { mode: 'drop' })
  const [some, all, none] = [await paidOrder(), await paidOrder(), await paidOrder()]
  await refundByHand(shop, some.intentId, 1250)
  await refundByHand(shop, some.intentId, 50)
  await refundByHand(shop, all.intentId, 20_000)
  expect((await readOrder(some.id)).refunded).toBe(0)
  await Promise.all([importRefunds(shop.deps), importRefunds(shop.deps)])
  await importRefunds(shop.deps)
  expect(await readOrder(some.id)).toMatchObject({ refunded: 13, status: 'paid' })
  expect(await readOrder(all.id)).toMatchObject({ refunded: 200, status: 'refunded' })
  expect(await readOrder(none.id)).toMatchObject({ refunded: 0, status: 'paid' })
  expect(await mails('order-refunded')).toHaveLength(3)
})

test('a refund that a bank returned without a webhook is imported within a day', async () => {
  await control('webhooks', { mode: 'drop' })
  const { id, intentId } = await paidOrder('pm_card_refundFail')
  expect((await refund(id, { restock: 0 })).status).toBe(200)
  await expect
    .poll(async () => (await shop.deps.payments.listRefunds(intentId))[0]?.state)
    .toBe('failed')
  expect((await readOrder(id)).status).toBe('refunded')
  await importRefunds(shop.deps)
  expect(await readOrder(id)).toMatchObject({ refunded: 0, status: 'paid' })
  expect(await mails('refund-failed')).toHaveLength(1)
})

describe('a refund that a bank returned before the shop learned of it', () => {
  const failedRefund = async (intentId: string, reference: string) => {
    await control('webhooks', { mode: 'drop' })
    const request = { intentId, amount: 20_000, reference, idempotencyKey: crypto.randomUUID() }
    const { id } = await shop.deps.payments.refund(request)
    const stateOf = async () => (await shop.deps.payments.listRefunds(intentId))[0]?.state
    await expect.poll(stateOf).toBe('failed')
    return id
  }
  /** Imports refunds. @returns whether the import asked the provider about this payment */
  const isAskedAbout = async (intentId: string) => {
    const path = `/v1/payment_intents/${intentId}`
    await control('fail-next', { status: 500, count: 9, path })
    await importRefunds(shop.deps)
    const { rows } = await shop.pool.query(
      `select remaining from sandbox_stripe.controls where name = 'fail-next'`,
    )
    await control('fail-next', { status: 500, count: 0 })
    return rows[0].remaining < 9
  }

  test('is not checked again once it is recorded', async () => {
    const { intentId } = await paidOrder('pm_card_refundFail')
    const _id = crypto.randomUUID()
    const provider_id = await failedRefund(intentId, _id)
    await shop.pool.query(
      withLines(
        `insert into refunds (_id, intent_id, cause, amount, state, requested_by, reason, idempotency_key, request_hash)
         select $1, $2, 'admin', 20000, 'requested', _id, 'x', 'silent', 'x' from users where email = $3`,
        '2',
      ),
      [_id, intentId, owner.email],
    )
    const recorded = () => refundsOf(shop.pool, intentId)
    await expect.poll(recorded).toMatchObject([{ state: 'failed' }])
    expect(await isAskedAbout(intentId)).toBe(false)
    expect(await recorded()).toMatchObject([{ provider_id }])
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
  })

  test('and that was made in the provider’s dashboard is not recorded', async () => {
    const { id, intentId } = await paidOrder('pm_card_refundFail')
    await failedRefund(intentId, 'none of the shop’s')
    expect(await isAskedAbout(intentId)).toBe(false)
    expect(await readOrder(id)).toMatchObject({ refunded: 0, status: 'paid' })
  })
})
