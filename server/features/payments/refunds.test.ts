import { describe, expect, test } from 'vitest'
import { Order } from '#contracts/orders.ts'
import { RefundAnswer } from '#contracts/refunds.ts'
import { payingShop, refundByHand, withLines } from '#tests/support/money.ts'
import { bookingOf, intentFor } from '#tests/support/people.ts'
import { stockOf } from '#tests/support/stock.ts'

const paying = payingShop({ price: 100 })
const { shop, owner, ada, part, control, confirm } = paying

/** A paid order of 3 units, $300. */
const paidOrder = (card?: string) => paying.paidOrder(3, card)
const input = { amount: 100, reason: 'arrived broken', restock: 0 }
const newKey = () => crypto.randomUUID()
const refund = (id: string, request: object = {}, key = newKey()) =>
  owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { ...input, ...request },
    { 'idempotency-key': key },
  )
const readOrder = async (id: string) =>
  Order.parse((await ada.call('GET', `/api/order/${id}`)).body)
const rowsOf = async (id: string) =>
  (
    await shop.pool.query(
      `select _id, amount, state, (select sum(restock)::int from refund_lines where refund_id = _id) as restock, note from refunds
       where intent_id = (select transaction_id from orders where _id = $1) order by created_at`,
      [id],
    )
  ).rows
const mails = async (template: string) =>
  (
    await shop.pool.query(
      'select subject, text, html from mail_queue where recipient = $1 and template = $2 order by created_at',
      [ada.email, template],
    )
  ).rows
const actions = async (id: string) =>
  (await owner.call('GET', `/api/audit?about=order:${id}`)).body.map(
    ({ by, action, note }: Record<string, unknown>) => ({ by, action, note }),
  )
const atProvider = (intentId: string) => shop.deps.payments.listRefunds(intentId)

describe('refunding', () => {
  test('all of it: the order is refunded, its units are back, its customer is told once', async () => {
    const { id, intentId } = await paidOrder()
    const { status, body } = await refund(id, { amount: 300, restock: 2 })
    expect([status, RefundAnswer.parse(body).state]).toEqual([200, 'succeeded'])
    expect(await readOrder(id)).toMatchObject({
      status: 'refunded',
      refunded: 300,
      paid: true,
      transactionId: intentId,
    })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 9, reserved: 0 })
    const [mail, ...more] = await mails('order-refunded')
    expect(more).toEqual([])
    expect(mail.subject).toBe('Your order has been refunded')
    expect(mail.text).toContain('We’ve refunded $300.')
    expect(mail.text + mail.html).not.toContain('arrived broken')
    expect(await actions(id)).toEqual([
      {
        by: owner.email,
        action: 'payment refunded',
        note: '$300 refunded, 2 restocked, “arrived broken”',
      },
    ])
  })

  test('parts, until nothing is left', async () => {
    const { id, intentId } = await paidOrder()
    expect((await refund(id, { amount: 120, restock: 1 })).status).toBe(200)
    expect(await readOrder(id)).toMatchObject({ status: 'paid', refunded: 120 })
    const ship = await owner.call('PUT', `/api/order/${id}/shipped`, {})
    expect(ship.body.modifiedCount).toBe(1)
    const over = await refund(id, { amount: 181 })
    expect([over.status, over.body.error.code]).toEqual([409, 'REFUND_REFUSED'])
    expect(over.body.error.fields.amount).toBe('Amount cannot be more than the remaining $180')
    expect((await refund(id, { amount: 80 })).status).toBe(200)
    expect(await readOrder(id)).toMatchObject({ status: 'shipped', refunded: 200 })
    expect((await refund(id, { amount: 100, restock: 2 })).status).toBe(200)
    expect(await readOrder(id)).toMatchObject({ status: 'refunded', refunded: 300 })
    const nothing = await refund(id, { amount: 1 })
    expect(nothing.body.error.message).toBe('This order is already fully refunded')
    expect((await atProvider(intentId)).map(({ amount }) => amount).toSorted()).toEqual([
      10_000, 12_000, 8000,
    ])
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect((await mails('order-refunded')).map(({ subject }) => subject)).toEqual([
      'Some of your money is on its way back',
      'Some of your money is on its way back',
      'Your order has been refunded',
    ])
    expect((await owner.call('PUT', `/api/order/${id}/shipped`, {})).body.error?.code).toBe(
      'ORDER_REFUNDED',
    )
  })

  test('twenty at once refund no more than was paid', async () => {
    const { id, intentId } = await paidOrder()
    const all = await Promise.all(Array.from({ length: 20 }, () => refund(id, { restock: 1 })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(all.filter(({ status }) => status === 409)).toHaveLength(17)
    expect(await atProvider(intentId)).toHaveLength(3)
    expect(await readOrder(id)).toMatchObject({ status: 'refunded', refunded: 300 })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect(await mails('order-refunded')).toHaveLength(3)
  })

  test('one key is one refund, however often and at once it is sent', async () => {
    const { id, intentId } = await paidOrder()
    const key = newKey()
    const same = await Promise.all(Array.from({ length: 10 }, () => refund(id, {}, key)))
    expect(new Set(same.map(({ status, body }) => `${status} ${body.insertedId}`)).size).toBe(1)
    expect(await atProvider(intentId)).toHaveLength(1)
    expect((await refund(id, { amount: 99 }, key)).body.error.code).toBe('KEY_REUSED')
    const other = await paidOrder()
    expect((await refund(other.id, {}, key)).body.error.code).toBe('KEY_REUSED')
    expect(await readOrder(id)).toMatchObject({ refunded: 100 })
    // a replay gets the earlier response even when nothing is left to refund
    expect((await refund(id, { amount: 200 })).status).toBe(200)
    expect((await refund(id, {}, key)).body).toEqual(same[0]?.body)
    expect(await rowsOf(id)).toHaveLength(2)
  })

  test('one key for two orders at once is one refund and one refusal', async () => {
    const [one, two] = [await paidOrder(), await paidOrder()]
    const key = newKey()
    const answers = await Promise.all([refund(one.id, {}, key), refund(two.id, {}, key)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})

describe('what is not refunded', () => {
  test('an order that was not paid, is deleted or does not exist', async () => {
    const id = await bookingOf(ada, part)
    const unpaid = await refund(id)
    expect([unpaid.status, unpaid.body.error.code]).toEqual([409, 'ORDER_UNPAID'])
    await ada.call('DELETE', `/api/userProduct/${id}`)
    expect((await refund(id)).status).toBe(404)
    expect((await refund(crypto.randomUUID())).status).toBe(404)
  })

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: -5 }, 'amount'],
    [{ amount: 1.505 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ reason: '  ' }, 'reason'],
    [{ reason: 'a\nb' }, 'reason'],
    [{ reason: 'x'.repeat(201) }, 'reason'],
    [{ restock: -1 }, 'restock'],
    [{ restock: 0.5 }, 'restock'],
  ])('%o', async (request, field) => {
    const { status, body } = await refund(crypto.randomUUID(), request)
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
  })

  test('anything without a key, or for a user who is not an admin', async () => {
    const { id } = await paidOrder()
    expect((await owner.call('POST', `/api/order/${id}/refund`, input)).status).toBe(400)
    const key = { 'idempotency-key': newKey() }
    expect((await ada.call('POST', `/api/order/${id}/refund`, input, key)).status).toBe(403)
    expect(await rowsOf(id)).toEqual([])
  })

  test('more units than were booked, in total', async () => {
    const { id } = await paidOrder()
    const four = await refund(id, { amount: 10, restock: 4 })
    expect([four.status, four.body.error.fields.restock]).toEqual([
      409,
      'Restock cannot be more than 3',
    ])
    expect((await refund(id, { amount: 10, restock: 2 })).status).toBe(200)
    expect((await refund(id, { amount: 10, restock: 2 })).status).toBe(409)
    expect((await refund(id, { amount: 10, restock: 1 })).status).toBe(200)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  })

  test('statements that bypass the shop’s code', async () => {
    const { id, intentId } = await paidOrder()
    const { body } = await refund(id, { restock: 1 })
    const attempt = (text: string, ...values: unknown[]) =>
      shop.pool.query(text, values).then(
        () => 'accepted',
        (error) => error.constraint ?? error.message,
      )
    const ask = withLines(
      `insert into refunds (intent_id, cause, amount, state, requested_by, reason, idempotency_key, request_hash)
       select $1, 'admin', $2, 'requested', _id, 'x', md5(random()::text), 'x' from users where role = 'admin' limit 1`,
      '$3::int',
    )
    expect(await attempt(ask, intentId, 20_001, 0)).toBe('refunds_within_paid')
    expect(await attempt(ask, intentId, 100, 3)).toBe('refunds_within_booked')
    const unpaid = await intentFor(ada, await bookingOf(ada, part))
    expect(await attempt(ask, unpaid.intentId, 100, 0)).toBe('refunds_of_paid')
    const insertProviderRefund = `insert into refunds (intent_id, cause, amount, state, provider_id) values ($1, 'provider', $2, 'succeeded', 're_x')`
    expect(await attempt(insertProviderRefund, intentId, 20_001)).toBe('refunds_within_paid')
    const { insertedId } = body
    expect(await attempt('update refunds set amount = 1 where _id = $1', insertedId)).toMatch(
      /frozen/,
    )
    expect(
      await attempt(`update refunds set state = 'pending' where _id = $1`, insertedId),
    ).toMatch(/can not go from succeeded to pending/)
    expect(await attempt('delete from refunds where _id = $1', insertedId)).toMatch(/append-only/)
    expect(await attempt('update orders set refunded_cents = 0 where _id = $1', id)).toMatch(
      /only by refunds/,
    )
    const again = `insert into stock_movements (part_id, order_id, refund_id, type, on_hand_delta)
      values ($1, $2, $3, 'restock', 1)`
    expect(await attempt(again, part._id, id, insertedId)).toBe('stock_restocked_once')
    expect(await attempt(again, part._id, id, null)).toBe('stock_restocked')
  })
})

describe('a provider that', () => {
  test('refuses: the refund failed, in its words, and nothing else changed', async () => {
    const { id, intentId } = await paidOrder('pm_card_createDispute')
    const { status, body } = await refund(id, { restock: 3 })
    expect([status, body.error.code]).toEqual([409, 'REFUND_REFUSED'])
    expect(body.error.message).toMatch(
      /^The card provider made no refund: the customer disputes this payment.* Answer the dispute.* says: Charge ch_\w+ has been charged back/,
    )
    expect(await readOrder(id)).toMatchObject({ status: 'paid', refunded: 0 })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 3 })
    expect(await rowsOf(id)).toMatchObject([{ state: 'failed' }])
    expect(await mails('order-refunded')).toEqual([])
    expect(await atProvider(intentId)).toEqual([])
    expect(await actions(id)).toMatchObject([{ by: owner.email, action: 'refund failed' }])
  })

  test('does not answer: it is made later, once', async () => {
    const { id, intentId } = await paidOrder()
    await control('fail-next', { status: 500, count: 1000, path: '/v1/refunds' })
    const key = newKey()
    const { status, body } = await refund(id, { restock: 1 }, key)
    expect([status, body.state]).toEqual([200, 'pending'])
    expect(await readOrder(id)).toMatchObject({ refunded: 0, status: 'paid' })
    // a requested refund counts at once, before any money is returned
    expect((await refund(id, { amount: 201 })).status).toBe(409)
    expect((await refund(id, { amount: 10, restock: 3 })).status).toBe(409)
    await control('fail-next', { status: 500, count: 0 })
    await expect.poll(async () => (await readOrder(id)).refunded).toBe(100)
    expect((await refund(id, { restock: 1 }, key)).body.state).toBe('succeeded')
    expect(await atProvider(intentId)).toHaveLength(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
    expect(await mails('order-refunded')).toHaveLength(1)
  }, 30_000)

  test('takes its time: pending, then succeeded', async () => {
    await control('webhooks', { mode: 'normal' })
    const { id } = await paidOrder('pm_card_pendingRefund')
    const key = newKey()
    expect((await refund(id, { amount: 300, restock: 1 }, key)).body.state).toBe('pending')
    expect(await readOrder(id)).toMatchObject({ refunded: 300, status: 'refunded' })
    await expect
      .poll(async () => (await refund(id, { amount: 300, restock: 1 }, key)).body.state)
      .toBe('succeeded')
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 8, reserved: 0 })
    expect(await mails('order-refunded')).toHaveLength(1)
  })

  test('returns it: the order counts as paid again, and customer and owner are told', async () => {
    await control('webhooks', { mode: 'normal' })
    const { id } = await paidOrder('pm_card_refundFail')
    await owner.call('PUT', `/api/order/${id}/shipped`, {})
    expect((await refund(id, { amount: 300, restock: 1 })).status).toBe(200)
    await expect.poll(async () => (await readOrder(id)).refunded).toBe(0)
    expect(await readOrder(id)).toMatchObject({ status: 'shipped', paid: true })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 8, reserved: 0 })
    expect(await mails('refund-failed')).toHaveLength(1)
    expect((await actions(id)).map(({ action }: { action: string }) => action)).toEqual([
      'refund failed',
      'payment refunded',
      'order shipped',
    ])
    // one unit is already restocked
    expect((await refund(id, { amount: 300, restock: 3 })).status).toBe(409)
  })
})

describe('a crash', () => {
  test('after the provider made it: the job records it, and makes no second one', async () => {
    const { id, intentId } = await paidOrder()
    const { rows } = await shop.pool.query(
      withLines(
        `insert into refunds (intent_id, cause, amount, state, requested_by, reason, idempotency_key, request_hash, checked_at)
         select $1, 'admin', 10000, 'requested', _id, 'x', 'crash-1', 'x', now() from users where role = 'admin' limit 1`,
        '1',
      ),
      [intentId],
    )
    await shop.deps.payments.refund({
      intentId,
      amount: 10_000,
      reference: rows[0]._id,
      idempotencyKey: `refund-${rows[0]._id}`,
    })
    // long enough for the provider's key to expire
    await shop.pool.query('delete from sandbox_stripe.keys')
    await shop.pool.query(
      `update refunds set checked_at = now() - interval '2 days' where _id = $1`,
      [rows[0]._id],
    )
    await expect.poll(async () => (await readOrder(id)).refunded).toBe(100)
    expect(await atProvider(intentId)).toHaveLength(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
    expect(await mails('order-refunded')).toHaveLength(1)
  })

  test('before the request reached the provider: the job makes it', async () => {
    const { id, intentId } = await paidOrder()
    await shop.pool.query(
      withLines(
        `insert into refunds (intent_id, cause, amount, state, requested_by, reason, idempotency_key, request_hash, checked_at)
         select $1, 'admin', 30000, 'requested', _id, 'x', 'crash-2', 'x', now() - interval '1 hour' from users where role = 'admin' limit 1`,
        '3',
      ),
      [intentId],
    )
    await expect.poll(async () => (await readOrder(id)).status).toBe('refunded')
    expect(await atProvider(intentId)).toHaveLength(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
  })
})

describe('a refund made by hand at the provider', () => {
  test('is imported by its webhook, once although it is sent twice, and with its cents', async () => {
    const { id, intentId } = await paidOrder()
    await control('webhooks', { mode: 'duplicate' })
    await refundByHand(shop, intentId, 1250)
    await expect.poll(async () => (await readOrder(id)).refunded).toBe(12.5)
    expect(await readOrder(id)).toMatchObject({ status: 'paid' })
    expect((await mails('order-refunded'))[0].text).toContain('We’ve refunded $12.50')
    expect(await actions(id)).toEqual([
      { by: null, action: 'payment refunded', note: '$12.50 refunded' },
    ])
    expect((await refund(id, { amount: 288 })).status).toBe(409)
    expect((await refund(id, { amount: 287 })).status).toBe(200)
    expect(await readOrder(id)).toMatchObject({ refunded: 299.5 })
    expect(await mails('order-refunded')).toHaveLength(2)
  })

  test('is recorded in any order of webhooks', async () => {
    await control('webhooks', { mode: 'reorder' })
    const { id, intentId } = await paidOrder()
    await refundByHand(shop, intentId, 10_000)
    await refundByHand(shop, intentId, 20_000)
    await expect.poll(async () => (await readOrder(id)).status).toBe('refunded')
    expect(await rowsOf(id)).toHaveLength(2)
    expect(await mails('order-refunded')).toHaveLength(2)
  })

  test('before the event of its payment: the order is paid, then refunded', async () => {
    const id = await bookingOf(ada, part, { quantity: 3 })
    const payment = await intentFor(ada, id)
    await confirm(payment)
    await control('webhooks', { mode: 'normal' })
    await refundByHand(shop, payment.intentId, 30_000)
    await expect.poll(async () => (await readOrder(id)).status).toBe('refunded')
  })

  test('without a webhook stops ours, and is recorded then', async () => {
    const { id, intentId } = await paidOrder()
    await refundByHand(shop, intentId, 25_000)
    expect(await readOrder(id)).toMatchObject({ refunded: 0 })
    const { status, body } = await refund(id, { restock: 1 })
    expect([status, body.error.code]).toEqual([409, 'REFUND_REFUSED'])
    expect(body.error.message).toMatch(/look the payment up there.* greater than unrefunded amount/)
    expect(await readOrder(id)).toMatchObject({ refunded: 250, status: 'paid' })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 3 })
    expect((await rowsOf(id)).map(({ state }) => state).toSorted()).toEqual(['failed', 'succeeded'])
  })
})
