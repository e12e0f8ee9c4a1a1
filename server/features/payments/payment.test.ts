import { describe, expect, test } from 'vitest'
import { payingShop, refundsOf, strayIntent } from '#tests/support/money.ts'
import { bookingOf, call, intentFor, orderOf } from '#tests/support/people.ts'
import { adjustStock, stockOf } from '#tests/support/stock.ts'

const { shop, ada, part, control, confirm, reportPayment, endHold } = payingShop()

describe('paying an order', () => {
  test('card, confirmation, PATCH: paid once, stock sold, transaction kept', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    const payment = await intentFor(ada, id)
    expect((await confirm(payment)).status).toBe(200)
    const first = await reportPayment(id, payment.intentId)
    expect(first.status).toBe(200)
    expect([0, 1]).toContain(first.body.modifiedCount)
    expect((await reportPayment(id, payment.intentId)).body).toEqual({
      acknowledged: true,
      modifiedCount: 0,
    })
    expect(await orderOf(ada, id)).toMatchObject({
      paid: true,
      status: 'paid',
      transactionId: payment.intentId,
      holdExpiresAt: null,
    })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
  })

  test('the client’s word alone pays nothing', async () => {
    const id = await bookingOf(ada, part)
    const { intentId } = await intentFor(ada, id)
    expect((await reportPayment(id, intentId)).status).toBe(402)
    expect((await reportPayment(id, 'pi_doesnotexist')).status).toBe(402)
    expect((await reportPayment(id, 'not-an-id')).status).toBe(400)
    expect((await orderOf(ada, id)).paid).toBe(false)
  })

  test('one order’s payment cannot pay another', async () => {
    const cheap = await bookingOf(ada, part)
    const dear = await bookingOf(ada, part, { quantity: 3 })
    const payment = await intentFor(ada, cheap)
    await confirm(payment)
    expect((await reportPayment(dear, payment.intentId)).status).toBe(402)
    expect((await orderOf(ada, dear)).paid).toBe(false)
    expect((await reportPayment(cheap, payment.intentId)).status).toBe(200)
    expect((await reportPayment(cheap, 'pi_another')).status).toBe(402)
  })

  test('a declined card leaves the order unpaid and it can be paid after', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    const declined = await confirm(payment, 'pm_card_chargeDeclined')
    expect(declined.status).toBe(402)
    expect(declined.body.error.message).toBe('Your card was declined.')
    expect((await reportPayment(id, payment.intentId)).status).toBe(402)
    expect((await orderOf(ada, id)).status).toBe('unpaid')
    expect((await intentFor(ada, id)).intentId).toBe(payment.intentId)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
  })

  test('the same open intent serves every tab; a paid order opens none', async () => {
    const id = await bookingOf(ada, part)
    const tabs = await Promise.all(Array.from({ length: 6 }, () => intentFor(ada, id)))
    expect(new Set(tabs.map(({ intentId }) => intentId)).size).toBe(1)
    const [tab] = tabs as [(typeof tabs)[0]]
    await confirm(tab)
    await reportPayment(id, tab.intentId)
    const again = await ada.call('POST', '/api/create-payment-intent', {
      totalPrice: 250,
      orderId: id,
    })
    expect(again.status).toBe(409)
    expect(again.body.error.code).toBe('ALREADY_PAID')
  })

  test('a payment that was canceled says nothing about an order that another paid', async () => {
    const id = await bookingOf(ada, part)
    const canceled = await intentFor(ada, id)
    await endHold(id)
    const payment = await intentFor(ada, id)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
    const { status, body } = await reportPayment(id, canceled.intentId)
    expect([status, body.error.code]).toEqual([409, 'ALREADY_PAID'])
  })

  test('without orderId it is for the only unpaid order with that total', async () => {
    const pay = (totalPrice: number) =>
      ada.call('POST', '/api/create-payment-intent', { totalPrice })
    expect((await pay(250)).status).toBe(404)
    await bookingOf(ada, part)
    expect((await pay(250)).status).toBe(200)
    await bookingOf(ada, part)
    expect((await pay(250)).body.error.code).toBe('AMBIGUOUS')
  })

  test('a wrong total is refused', async () => {
    const orderId = await bookingOf(ada, part)
    for (const totalPrice of [1, 249, 251, 250.01]) {
      const { status } = await ada.call('POST', '/api/create-payment-intent', {
        totalPrice,
        orderId,
      })
      expect(status).toBe(409)
    }
    for (const totalPrice of [0, -250, 0.505, '250', null]) {
      const { status } = await ada.call('POST', '/api/create-payment-intent', {
        totalPrice,
        orderId,
      })
      expect(status).toBe(400)
    }
  })
})

describe('when the browser says nothing', () => {
  test('the webhook pays the order', async () => {
    await control('webhooks', { mode: 'normal' })
    const id = await bookingOf(ada, part)
    await confirm(await intentFor(ada, id))
    await expect.poll(async () => (await orderOf(ada, id)).status).toBe('paid')
  })

  test('every webhook lost: the job pays it', async () => {
    const id = await bookingOf(ada, part)
    await confirm(await intentFor(ada, id))
    await expect.poll(async () => (await orderOf(ada, id)).status).toBe('paid')
  })

  test('webhook, PATCH and job at once, many times: one payment, one sale', async () => {
    await control('webhooks', { mode: 'duplicate' })
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await confirm(payment)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => reportPayment(id, payment.intentId)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const changed = answers.reduce((sum, { body }) => sum + body.modifiedCount, 0)
    expect(changed).toBeLessThanOrEqual(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 1 })
  })
})

describe('webhooks', () => {
  const deliver = (body: string, headers: Record<string, string>) =>
    call(shop.origin, 'POST', '/api/stripe/webhook', { body, headers })

  test('without a good signature nothing is read', async () => {
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' })
    for (const headers of [
      {},
      { 'stripe-signature': 't=1,v1=00' },
      { 'stripe-signature': 'v0=x' },
    ]) {
      expect((await deliver(body, headers as Record<string, string>)).status).toBe(400)
    }
    expect((await call(shop.origin, 'GET', '/api/stripe/webhook')).status).toBe(404)
  })
})

describe('holds', () => {
  test('a hold that ended gives the stock back, and paying takes it again', async () => {
    const id = await bookingOf(ada, part, { quantity: 4 })
    const old = await intentFor(ada, id)
    await endHold(id)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect((await confirm(old)).status).toBe(400)
    const payment = await intentFor(ada, id)
    expect(payment.intentId).not.toBe(old.intentId)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 4 })
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
  })

  test('when the stock is gone meanwhile, the customer learns it before any money moves', async () => {
    const id = await bookingOf(ada, part, { quantity: 5 })
    await endHold(id)
    await adjustStock(shop.pool, part, -10)
    const { status, body } = await ada.call('POST', '/api/create-payment-intent', {
      totalPrice: 1250,
      orderId: id,
    })
    expect(status).toBe(409)
    expect(body.error.code).toBe('STOCK_GONE')
    expect((await orderOf(ada, id)).status).toBe('unpaid')
  })

  test('starting a payment renews the hold', async () => {
    const id = await bookingOf(ada, part)
    await shop.pool.query(
      `update orders set hold_expires_at = now() + interval '1 minute' where _id = $1`,
      [id],
    )
    await intentFor(ada, id)
    const { holdExpiresAt } = await orderOf(ada, id)
    expect(Date.parse(holdExpiresAt ?? '') - Date.now()).toBeGreaterThan(29 * 60_000)
  })
})

describe('deleting', () => {
  test('an unpaid order gives its stock back at once and is gone', async () => {
    const id = await bookingOf(ada, part, { quantity: 5 })
    const payment = await intentFor(ada, id)
    const { body } = await ada.call('DELETE', `/api/userProduct/${id}`)
    expect(body).toEqual({ acknowledged: true, deletedCount: 1 })
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect((await ada.call('GET', `/api/order/${id}`)).status).toBe(404)
    expect((await ada.call('GET', `/api/orders?email=${ada.email}`)).body).toEqual([])
    const again = await ada.call('DELETE', `/api/userProduct/${id}`)
    expect([again.status, again.body]).toEqual([200, { acknowledged: true, deletedCount: 0 }])
    expect((await confirm(payment)).status).toBe(400)
  })

  test('a paid order stays', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await confirm(payment)
    await reportPayment(id, payment.intentId)
    const { status, body } = await ada.call('DELETE', `/api/userProduct/${id}`)
    expect(status).toBe(409)
    expect(body.error.code).toBe('ALREADY_PAID')
  })

  test('deleting while paying ends paid or deleted, never both', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await bookingOf(ada, part)
      const payment = await intentFor(ada, id)
      const [paid, deleted] = await Promise.all([
        confirm(payment).then(() => reportPayment(id, payment.intentId)),
        ada.call('DELETE', `/api/userProduct/${id}`),
      ])
      expect([paid.status, deleted.status].filter((status) => status === 200)).toHaveLength(1)
      const { rows } = await shop.pool.query('select status from orders where _id = $1', [id])
      expect(rows[0].status).toBe(deleted.status === 200 ? 'deleted' : 'paid')
      await shop.pool.query(
        `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
        [part._id],
      )
    }
  })

  test('money that arrives for a deleted order is refunded', async () => {
    const id = await bookingOf(ada, part)
    const payment = await strayIntent(shop, id)
    await ada.call('DELETE', `/api/userProduct/${id}`)
    await confirm(payment)
    const { status, body } = await reportPayment(id, payment.intentId)
    expect(status).toBe(409)
    expect(body.error.message).toContain('goes back')
    expect(await refundsOf(shop.pool, payment.intentId)).toEqual([
      {
        cause: 'unmatched_payment',
        amount: 25_000,
        state: 'succeeded',
        provider_id: expect.stringMatching(/^re_/),
      },
    ])
  })
})

describe('when the provider is in trouble', () => {
  test('the customer is told, and nothing is charged or lost', async () => {
    const id = await bookingOf(ada, part)
    await control('fail-next', { status: 500, count: 1_000, path: '/v1/payment_intents' })
    const { status, body } = await ada.call('POST', '/api/create-payment-intent', {
      totalPrice: 250,
      orderId: id,
    })
    expect(status).toBe(503)
    expect(body.error.code).toBe('PROVIDER_DOWN')
    await control('fail-next', { status: 500, count: 0 })
    expect((await intentFor(ada, id)).intentId).toMatch(/^pi_/)
  })
})
