import { expect, test } from 'vitest'
import type { ToShipCheckout } from '#contracts/to-ship.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop, refundByHand, refundsOf, withLines } from '#tests/support/money.ts'
import { bookingOf, createUsers } from '#tests/support/people.ts'
import { stockOf } from '#tests/support/stock.ts'

const paying = payingShop({ price: 100, webhooks: 'normal' })
const { shop, owner, ada, part, control, bookedCheckout, checkoutOf, payCheckout } = paying

const newKey = () => crypto.randomUUID()
const cancel = (id: string, orderIds?: string[], { by = ada, key = newKey() } = {}) =>
  by.call('POST', `/api/checkout/${id}/cancel`, { orderIds }, { 'idempotency-key': key })
const ship = (id: string) => owner.call('PUT', `/api/order/${id}/shipped`, {})
/** The checkout and the intent of a paid order of 2 units, $200. */
async function paidOrder() {
  const { id, intentId } = await paying.paidOrder(2)
  const { checkoutId } = (await ada.call('GET', `/api/order/${id}`)).body
  return { id, intentId, checkoutId }
}
const statusesOf = async (id: string) => (await checkoutOf(id)).orders.map(({ status }) => status)
const mailsOf = async (recipient: string, template: string) => {
  const { rows } = await shop.pool.query(
    'select subject, text from mail_queue where recipient = $1 and template = $2 order by created_at desc',
    [recipient, template],
  )
  return rows as { subject: string; text: string }[]
}

/** Adds a delivery anywhere in the US for $9. */
async function addParcel(freeFrom: number | null = null): Promise<string> {
  const days = { daysFrom: 1, daysTo: 2, freeFrom }
  const method = { name: newKey(), type: 'ship', price: 9, regions: ['US'], ...days }
  return (await owner.call('POST', '/api/shipping-methods', method)).body.insertedId
}
const seattle = {
  ...{ name: 'Ada Example', company: '', line1: '400 Broad St', line2: '' },
  ...{ city: 'Seattle', region: 'US-WA', postcode: '98109', country: 'US' },
}
/** A paid checkout of parts at these prices, and its delivery for $9. */
async function paidCheckout(prices: number[], freeFrom: number | null = null) {
  const checkout = await bookedCheckout(prices)
  const choice = { methodId: await addParcel(freeFrom), address: seattle }
  const chosen = await ada.call('PUT', `/api/checkout/${checkout.id}/shipping`, choice)
  expect([chosen.status, chosen.body.error]).toEqual([200, undefined])
  return { ...checkout, intentId: await payCheckout(checkout.id) }
}

test('a paid order is canceled: the money goes back, the units are on sale, the owner is told', async () => {
  const { id, intentId, checkoutId } = await paidOrder()
  const { status, body } = await cancel(checkoutId)
  expect([status, body.state]).toEqual([200, 'succeeded'])
  expect(await refundsOf(shop.pool, intentId)).toMatchObject([
    { cause: 'customer', amount: 20_000, state: 'succeeded' },
  ])
  expect((await ada.call('GET', `/api/order/${id}`)).body).toMatchObject({
    status: 'refunded',
    refunded: 200,
  })
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  expect(await mailsOf(ada.email, 'order-refunded')).toHaveLength(1)
  const [told] = await mailsOf(owner.email, 'owner-canceled')
  expect(told?.text).toContain('Don’t send it.')
  expect(told?.text).toContain('$200')
  const { body: log } = await owner.call('GET', `/api/audit?about=order:${id}`)
  expect(log[0]).toMatchObject({
    by: ada.email,
    action: 'payment refunded',
    note: '$200 refunded, 2 restocked, “canceled by the customer”',
  })
  const shipped = await ship(id)
  expect(shipped.body.error?.code).toBe('ORDER_REFUNDED')
  expect((await cancel(checkoutId)).body.error?.code).toBe('REFUND_REFUSED')
})

test('a line is canceled alone; the delivery goes back with the last one', async () => {
  const { id, orderIds, intentId, parts } = await paidCheckout([100, 200, 300])
  const [first = '', second = '', third = ''] = orderIds
  expect((await cancel(id, [second])).status).toBe(200)
  expect(await statusesOf(id)).toEqual(['paid', 'refunded', 'paid'])
  expect((await cancel(id, [second])).body.error?.code).toBe('REFUND_REFUSED')
  expect((await cancel(id, [first, third])).status).toBe(200)
  expect((await refundsOf(shop.pool, intentId)).map(({ amount }) => amount)).toEqual([
    20_000, 40_900,
  ])
  expect(await statusesOf(id)).toEqual(['refunded', 'refunded', 'refunded'])
  for (const { _id } of parts)
    expect(await stockOf(shop.pool, _id)).toEqual({ onHand: 10, reserved: 0 })
})

test('what is on its way is not canceled, the rest is, and the delivery stays paid', async () => {
  const { id, orderIds, intentId } = await paidCheckout([100, 200])
  const [first = '', second = ''] = orderIds
  await ship(first)
  const refused = await cancel(id, [first])
  expect([refused.status, refused.body.error.code]).toEqual([409, 'ALREADY_SHIPPED'])
  expect((await cancel(id, orderIds)).body.error?.code).toBe('ALREADY_SHIPPED')
  expect(await statusesOf(id)).toEqual(['shipped', 'paid'])
  expect((await cancel(id)).status).toBe(200)
  expect(await statusesOf(id)).toEqual(['shipped', 'refunded'])
  expect(await refundsOf(shop.pool, intentId)).toMatchObject([{ amount: 20_000 }])
  expect((await cancel(id, [second])).body.error?.code).toBe('REFUND_REFUSED')
  expect((await cancel(id)).body.error?.code).toBe('ALREADY_SHIPPED')
})

test('no line is canceled alone whose price made the delivery of the others free', async () => {
  const { id, orderIds, intentId } = await paidCheckout([60, 50, 5], 100)
  const [first = '', filler = '', rest = ''] = orderIds
  const refused = await cancel(id, [filler])
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    409,
    'REFUND_REFUSED',
    'Delivery of what is left would cost $9: with what you cancel, it was free. Cancel all of it, or ask us.',
  ])
  expect((await cancel(id, [filler, rest])).status).toBe(409)
  expect(await refundsOf(shop.pool, intentId)).toEqual([])
  // the others still reach the sum
  expect((await cancel(id, [rest])).status).toBe(200)
  await ship(first)
  const sent = await cancel(id)
  expect(sent.body.error?.message).toBe(
    'Delivery of what is left would cost $9: with what you cancel, it was free. Ask us.',
  )
  const whole = await paidCheckout([60, 50], 100)
  expect((await cancel(whole.id)).status).toBe(200)
  expect(await refundsOf(shop.pool, whole.intentId)).toMatchObject([{ amount: 11_000 }])
  // what the shop itself refunded takes nothing from its customer
  const short = await paidCheckout([60, 50, 5], 100)
  const [, gone, other] = short.orderIds
  const soldOut = { amount: 50, restock: 0, reason: 'sold out' }
  await owner.call('POST', `/api/order/${gone}/refund`, soldOut, { 'idempotency-key': newKey() })
  expect((await cancel(short.id, [other ?? ''])).status).toBe(200)
})

test('what was refunded before stays refunded once', async () => {
  const { id, intentId, checkoutId } = await paidOrder()
  const some = { amount: 50, reason: 'a scratch', restock: 1 }
  await owner.call('POST', `/api/order/${id}/refund`, some, { 'idempotency-key': newKey() })
  await refundByHand(shop, intentId, 1000)
  await expect.poll(async () => (await refundsOf(shop.pool, intentId)).length).toBe(2)
  expect((await cancel(checkoutId)).status).toBe(200)
  expect((await refundsOf(shop.pool, intentId)).map(({ amount }) => amount)).toEqual([
    5000, 1000, 14_000,
  ])
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
})

test('a unit whose money went back without restock does not go on sale when the rest is canceled', async () => {
  const { id, checkoutId } = await paidOrder()
  const broken = { amount: 100, reason: 'One is broken', restock: 0 }
  await owner.call('POST', `/api/order/${id}/refund`, broken, { 'idempotency-key': newKey() })
  expect((await cancel(checkoutId)).status).toBe(200)
  expect(await statusesOf(checkoutId)).toEqual(['refunded'])
  // the broken one left the shelf
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 9, reserved: 0 })
  const { rows } = await shop.pool.query(
    `select type, on_hand_delta, reserved_delta from stock_movements where order_id = $1 order by _id`,
    [id],
  )
  expect(rows.slice(2)).toEqual([
    { type: 'restock', on_hand_delta: 0, reserved_delta: -1 },
    { type: 'write off', on_hand_delta: -1, reserved_delta: -1 },
  ])
  const [told] = await mailsOf(owner.email, 'owner-canceled')
  expect(told?.text).toContain('Not put back on sale')
})

test('a discount, and what was put back already, leave the other units to go on sale', async () => {
  const { id, checkoutId } = await paidOrder()
  for (const some of [
    { amount: 30, reason: 'a scratch', restock: 0 },
    { amount: 100, reason: 'one less', restock: 1 },
  ])
    await owner.call('POST', `/api/order/${id}/refund`, some, { 'idempotency-key': newKey() })
  expect((await cancel(checkoutId)).status).toBe(200)
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
})

test('only its customer cancels it, once for a key, and only once it is paid', async () => {
  const unpaid = await bookingOf(ada, part)
  const { checkoutId } = (await ada.call('GET', `/api/order/${unpaid}`)).body
  expect((await cancel(checkoutId)).body.error?.code).toBe('ORDER_UNPAID')
  const paid = await paidOrder()
  const [eve] = await createUsers(shop, 1)
  for (const by of [eve, owner])
    expect((await cancel(paid.checkoutId, undefined, { by: by ?? ada })).status).toBe(404)
  const key = newKey()
  const all = await Promise.all(
    Array.from({ length: 5 }, () => cancel(paid.checkoutId, [paid.id], { key })),
  )
  expect(new Set(all.map(({ status, body }) => `${status} ${body.insertedId}`)).size).toBe(1)
  expect((await cancel(paid.checkoutId, undefined, { key })).body.error?.code).toBe('KEY_REUSED')
  const stray = await cancel(paid.checkoutId, [unpaid])
  expect([stray.status, await refundsOf(shop.pool, paid.intentId)]).toMatchObject([404, [{}]])
})

test('canceling and shipping at once: exactly one of them happens', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < (atLength ? 100 : 6); round += 1) {
    const { id, orderIds, intentId, parts } = await paidCheckout([100])
    const [order = ''] = orderIds
    const inTurn = round % 2 === 0 ? [cancel(id), ship(order)] : [ship(order), cancel(id)]
    const answers = await Promise.all(inTurn)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const [{ status = '' } = {}] = (await checkoutOf(id)).orders
    seen.add(status)
    const [given] = await refundsOf(shop.pool, intentId)
    expect(given?.amount).toBe(status === 'refunded' ? 10_900 : undefined)
    const onHand = status === 'refunded' ? 10 : 9
    expect(await stockOf(shop.pool, parts[0]?._id ?? '')).toEqual({ onHand, reserved: 0 })
    // a mailbox cancels a few times a day
    await paying.renewAda()
  }
  expect(seen).toContain('refunded')
})

test('the database itself refuses to cancel what is shipped, and to ship what is canceled', async () => {
  const shipped = await paidOrder()
  await ship(shipped.id)
  const insert = (intentId: string) =>
    shop.pool.query(
      withLines(
        `insert into refunds (intent_id, cause, amount, state, reason, requested_by, idempotency_key, request_hash)
         select '${intentId}', 'customer', 20000, 'requested', 'canceled', _id, '${newKey()}', 'x' from users where email = '${ada.email}'`,
      ),
    )
  await expect(insert(shipped.intentId)).rejects.toMatchObject({
    constraint: 'refunds_cancel_unshipped',
  })
  await control('fail-next', { status: 500, count: 1000, path: '/v1/refunds' })
  const canceled = await paidOrder()
  expect((await cancel(canceled.checkoutId)).body.state).toBe('pending')
  const byHand = `update orders set status = 'shipped', shipped_at = now() where _id = $1`
  await expect(shop.pool.query(byHand, [canceled.id])).rejects.toMatchObject({
    constraint: 'orders_canceled',
  })
  expect((await ship(canceled.id)).body.error?.message).toBe(
    'This order is being refunded, so it cannot be shipped',
  )
  await control('fail-next', { status: 500, count: 0 })
  await expect.poll(() => statusesOf(canceled.checkoutId)).toEqual(['refunded'])
})

test('what is canceled is not shipped after the bank returned the money, which stays to be refunded', async () => {
  const { id } = await paying.paidOrder(2, 'pm_card_refundFail')
  const { checkoutId } = (await ada.call('GET', `/api/order/${id}`)).body
  expect((await cancel(checkoutId)).status).toBe(200)
  await expect.poll(() => statusesOf(checkoutId)).toEqual(['paid'])
  expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  const { checkouts } = (await owner.call('GET', '/api/to-ship')).body
  expect(checkouts.map((each: ToShipCheckout) => each.checkoutId)).not.toContain(checkoutId)
  const { toShip } = (await owner.call('GET', '/api/overview')).body
  expect(toShip.rows.map(({ _id }: { _id: string }) => _id)).not.toContain(id)
  const why = 'Its units are back on sale, so it cannot be shipped'
  for (const path of [`/api/order/${id}`, `/api/checkout/${checkoutId}`]) {
    const body = path.includes('checkout') ? { orderIds: [id] } : {}
    const refused = await owner.call('PUT', `${path}/shipped`, body)
    expect([refused.status, refused.body.error?.message]).toEqual([409, why])
  }
  // the owner is told, and finds the order with its money
  expect(await mailsOf(owner.email, 'owner-refund-failed')).toHaveLength(1)
  const pending = await owner.call('GET', '/api/allOrders?status=pending')
  expect(pending.body).toContainEqual(expect.objectContaining({ _id: id, refunded: 0, paid: true }))
  // refunding it again, by another way at the card provider or here, is still possible
  const again = { amount: 200, reason: 'canceled', restock: 0 }
  const key = { 'idempotency-key': newKey() }
  expect((await owner.call('POST', `/api/order/${id}/refund`, again, key)).status).toBe(200)
})

test('a mailbox cancels ten times a day', async () => {
  const { id, orderIds } = await bookedCheckout(Array<number>(11).fill(10))
  await payCheckout(id)
  const statuses: number[] = []
  for (const orderId of orderIds.slice(1)) statuses.push((await cancel(id, [orderId])).status)
  expect(statuses).toEqual(Array(10).fill(200))
  const refused = await cancel(id)
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    'You canceled 10 times within a day. To cancel more, write to us.',
  ])
})
