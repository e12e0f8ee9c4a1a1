import { describe, expect, test } from 'vitest'
import type { Checkout } from '#contracts/checkouts.ts'
import type { Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import { payingShop, refundByHand, refundsOf, strayIntent } from '#tests/support/money.ts'
import { bookingOf, createUsers, intentFor, orderOf, type Person } from '#tests/support/people.ts'
import { adjustStock, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

const { shop, owner, ada, confirm, control } = payingShop()

const phone = '+1 555 0100'
/** This many new parts, at $100, $200 … each. */
const partsFor = (count: number, onHand = 10) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => stockPart(shop.pool, { onHand, price: 100 * (i + 1) })),
  )
const linesOf = (parts: Part[], quantity = 1) =>
  parts.map(({ _id: partId }) => ({ partId, quantity }))
const book = (person: Person, body: object, key?: string) =>
  person.call('POST', '/api/orders', { phone, ...body }, key ? { 'idempotency-key': key } : {})

/** A checkout of these parts, booked by Ada. */
async function booked(parts: Part[], quantity = 1) {
  const { status, body } = await book(ada, { lines: linesOf(parts, quantity) })
  expect(body).toMatchObject({ acknowledged: true })
  expect(status).toBe(200)
  return body as { insertedId: string; orderIds: string[] }
}
const checkoutOf = async (id: string): Promise<Checkout> =>
  (await ada.call('GET', `/api/checkout/${id}`)).body
const statusesOf = async (id: string) => (await checkoutOf(id)).orders.map(({ status }) => status)
const startPayment = (totalPrice: number, orderId?: string) =>
  ada.call('POST', '/api/create-payment-intent', { totalPrice, orderId })
/** Opens the payment of a checkout. */
async function intentOf(id: string) {
  const { due, orders } = await checkoutOf(id)
  const { status, body } = await startPayment(due, orders[0]?._id)
  expect(body).toMatchObject({ clientSecret: expect.any(String) })
  expect(status).toBe(200)
  return { clientSecret: body.clientSecret, intentId: body.clientSecret.split('_secret_')[0] }
}
/** A paid checkout of these parts. */
async function paid(parts: Part[], quantity = 1) {
  const { insertedId, orderIds } = await booked(parts, quantity)
  const payment = await intentOf(insertedId)
  await confirm(payment)
  const claim = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${orderIds[0]}`, claim)).status).toBe(200)
  return { id: insertedId, orderIds, ...payment }
}
const mailsOf = async (person: Person, template: string) => {
  const { rows } = await shop.pool.query(
    'select subject, text from mail_queue where recipient = $1 and template = $2 order by created_at',
    [person.email, template],
  )
  return rows as { subject: string; text: string }[]
}
const reservedOf = async (parts: Part[]) =>
  Promise.all(parts.map(async ({ _id }) => (await stockOf(shop.pool, _id)).reserved))
const endHoldsOf = async (id: string) => {
  const end = `update orders set hold_expires_at = now() - interval '1 second' where checkout_id = $1`
  await shop.pool.query(end, [id])
  await expect
    .poll(async () => (await checkoutOf(id)).orders.every((order) => !order.holdExpiresAt))
    .toBe(true)
}

describe('booking several parts', () => {
  test('makes an order of each, held for the same time, in one checkout with one mail', async () => {
    const parts = await partsFor(3)
    const { insertedId, orderIds } = await booked(parts, 2)
    const { orders, due } = await checkoutOf(insertedId)
    expect(due).toBe(1200)
    expect(orders.map(({ _id }) => _id)).toEqual(orderIds)
    // the owner's list, too, has them in the order of their numbers
    const list = await owner.call('GET', `/api/allOrders?q=${ada.email}&sort=oldest`)
    expect(list.body.map(({ _id }: Order) => _id)).toEqual(orderIds)
    expect(orders.map(({ partId }) => partId)).toEqual(parts.map(({ _id }) => _id))
    expect(new Set(orders.map(({ checkoutId }) => checkoutId))).toEqual(new Set([insertedId]))
    expect(new Set(orders.map(({ holdExpiresAt }) => holdExpiresAt)).size).toBe(1)
    expect(await reservedOf(parts)).toEqual([2, 2, 2])
    const [mail, ...more] = await mailsOf(ada, 'order-booked')
    expect(more).toEqual([])
    expect(mail?.text).toContain(`Order: ${orders[0]?.number} and 2 more\n`)
    for (const { name } of parts) expect(mail?.text).toContain(name)
    expect(mail?.text).toContain('$1,200')
    expect(mail?.text).toContain(`/dashboard/payment/${orderIds[0]}`)
  })

  test('happens once for a key, and only for the same lines', async () => {
    const [first, second] = (await partsFor(2)) as [Part, Part]
    const key = crypto.randomUUID()
    const lines = linesOf([first, second])
    const before = await book(ada, { lines }, key)
    expect(await book(ada, { lines }, key)).toMatchObject({ status: 200, body: before.body })
    expect(await reservedOf([first, second])).toEqual([1, 1])
    const other = await book(ada, { lines: linesOf([second, first]) }, key)
    expect(other.body.error.code).toBe('KEY_REUSED')
  })

  test('is refused as a whole: every refused line is named, and no number is drawn', async () => {
    const enough = await stockPart(shop.pool, { onHand: 10 })
    const short = await stockPart(shop.pool, { onHand: 1 })
    const large = await stockPart(shop.pool, { onHand: 50, minimum: 10 })
    const gone = { partId: crypto.randomUUID(), quantity: 1 }
    const lines = [...linesOf([enough, short, large], 2), gone]
    const numbers = 'select last_value from order_numbers'
    const { rows: before } = await shop.pool.query(numbers)
    const { status, body } = await book(ada, { lines })
    expect([status, body.error.code]).toEqual([409, 'STOCK_GONE'])
    expect(Object.keys(body.error.fields)).toEqual(['lines.1', 'lines.2', 'lines.3'])
    expect(await reservedOf([enough, short, large])).toEqual([0, 0, 0])
    expect((await shop.pool.query(numbers)).rows).toEqual(before)
  })

  test('accepts each part once, and at most 20', async () => {
    const [part] = (await partsFor(1)) as [Part]
    const twice = await book(ada, { lines: linesOf([part, part]) })
    expect([twice.status, Object.keys(twice.body.error.fields)]).toEqual([400, ['lines.1']])
    const ids = Array.from({ length: 21 }, () => ({ partId: crypto.randomUUID(), quantity: 1 }))
    const many = await book(ada, { lines: ids })
    expect([many.status, many.body.error.fields.lines]).toEqual([400, '20 are the most'])
    expect((await book(ada, { lines: [] })).status).toBe(400)
  })

  test('refuses a total that is not the current one', async () => {
    const parts = await partsFor(2)
    const { status, body } = await book(ada, { lines: linesOf(parts), totalPrice: 299 })
    expect([status, body.error.code, body.error.totalPrice]).toEqual([409, 'PRICE_CHANGED', 300])
    expect((await book(ada, { lines: linesOf(parts), totalPrice: 300 })).status).toBe(200)
  })

  test('requires a verified address for more than one part', async () => {
    const [bob] = (await createUsers(shop, 1, { verified: false })) as [Person]
    const parts = await partsFor(2)
    const { status, body } = await book(bob, { lines: linesOf(parts) })
    expect([status, body.error.code]).toEqual([409, 'NOT_VERIFIED'])
    expect((await book(bob, { lines: linesOf(parts.slice(0, 1)) })).status).toBe(200)
  })

  test('is limited to one checkout for a customer who never paid, and to OPEN_HOLDS checkouts afterwards', async () => {
    const parts = await partsFor(2)
    await booked(parts)
    const refused = async (call: Promise<{ body: { error: { code: string } } }>) =>
      (await call).body.error.code
    expect(await refused(book(ada, { lines: linesOf(await partsFor(2)) }))).toBe('TOO_MANY')
    expect(await refused(book(ada, { lines: linesOf(await partsFor(1)) }))).toBe('TOO_MANY')

    const [bob] = (await createUsers(shop, 1)) as [Person]
    await bookingOf(bob, await stockPart(shop.pool, { onHand: 5 }))
    expect(await refused(book(bob, { lines: linesOf(await partsFor(2)) }))).toBe('TOO_MANY')

    const [cleo] = (await createUsers(shop, 1)) as [Person]
    await havePaid(shop.pool, [cleo.email])
    for (let i = 0; i < shop.deps.openHolds; i += 1) {
      expect((await book(cleo, { lines: linesOf(await partsFor(2)) })).status).toBe(200)
    }
    expect(await refused(book(cleo, { lines: linesOf(await partsFor(1)) }))).toBe('TOO_MANY')
  })

  test('counts orders again where earlier payments do not cover what is held', async () => {
    const [ivy] = (await createUsers(shop, 1)) as [Person]
    await havePaid(shop.pool, [ivy.email], 5)
    expect((await book(ivy, { lines: linesOf(await partsFor(8, 50)) })).status).toBe(200)
    const more = await book(ivy, { lines: linesOf(await partsFor(2, 50)) })
    expect(more.body.error.code).toBe('TOO_MANY')
  })

  test('leaves the next lines only the trust that a line has not used', async () => {
    const [dora] = (await createUsers(shop, 1)) as [Person]
    await havePaid(shop.pool, [dora.email], 400)
    const scarce = await Promise.all(
      [1, 2].map(() => stockPart(shop.pool, { onHand: 4, price: 100 })),
    )
    const { status, body } = await book(dora, { lines: linesOf(scarce, 3) })
    expect([status, body.error.code]).toEqual([409, 'HOLD_REFUSED'])
    expect(Object.keys(body.error.fields)).toEqual(['lines.1'])
  })
})

describe('paying a checkout', () => {
  test('pays all its orders by one payment, with one receipt and one mail to the owner', async () => {
    const parts = await partsFor(3)
    const { insertedId, orderIds } = await booked(parts)
    // the sum alone says which checkout is meant
    const { body } = await startPayment(600)
    const intentId = body.clientSecret.split('_secret_')[0]
    await confirm({ clientSecret: body.clientSecret, intentId })
    const claims = await Promise.all(
      [...orderIds, ...orderIds].map((id) =>
        ada.call('PATCH', `/api/order/${id}`, { transactionId: intentId }),
      ),
    )
    const counts = claims.map((claim) => claim.body.modifiedCount).toSorted()
    expect(counts).toEqual([0, 0, 0, 0, 0, 3])
    expect(await statusesOf(insertedId)).toEqual(['paid', 'paid', 'paid'])
    const [receipt, ...more] = await mailsOf(ada, 'order-paid')
    expect(more).toEqual([])
    for (const { name } of parts) expect(receipt?.text).toContain(name)
    expect(receipt?.text).toContain('$600')
    // one number speaks for all of them: the one that screens show too
    const [lead] = (await checkoutOf(insertedId)).orders
    expect(receipt?.subject).toBe(`Receipt for your order ${lead?.number} and 2 more`)
    expect(receipt?.text).toContain(`mention order ${lead?.number}.`)
    expect(receipt?.text).toContain(`/dashboard/order/${lead?._id}`)
    const told = await shop.pool.query(
      `select from mail_queue where template = 'owner-paid' and order_id = any($1)`,
      [orderIds],
    )
    expect(told.rowCount).toBe(1)
  })

  test('asks for the sum, not for the price of the line that is named', async () => {
    const { orderIds } = await booked(await partsFor(2))
    const { body } = await startPayment(100, orderIds[0])
    expect([body.error.code, body.error.totalPrice]).toEqual(['PRICE_CHANGED', 300])
  })

  test('pays what is left after a line is deleted', async () => {
    const parts = await partsFor(3)
    const { insertedId, orderIds } = await booked(parts)
    await intentOf(insertedId)
    expect((await ada.call('DELETE', `/api/userProduct/${orderIds[1]}`)).body.deletedCount).toBe(1)
    expect(await reservedOf(parts)).toEqual([1, 0, 1])
    expect((await checkoutOf(insertedId)).due).toBe(400)
    const payment = await intentOf(insertedId)
    await confirm(payment)
    const claim = { transactionId: payment.intentId }
    const { body } = await ada.call('PATCH', `/api/order/${orderIds[2]}`, claim)
    expect(body.modifiedCount).toBe(2)
    expect(await statusesOf(insertedId)).toEqual(['paid', 'paid'])
  })

  test('refunds everything when one of its parts is gone; then the rest can be paid', async () => {
    const parts = await partsFor(2, 1)
    const { insertedId, orderIds } = await booked(parts)
    const stray = await strayIntent(shop, orderIds[0] ?? '', 300)
    await endHoldsOf(insertedId)
    const [bob] = (await createUsers(shop, 1)) as [Person]
    await bookingOf(bob, parts[1] as Part)
    await confirm(stray)
    const claim = { transactionId: stray.intentId }
    const late = await ada.call('PATCH', `/api/order/${orderIds[0]}`, claim)
    expect(late.body.error.code).toBe('PAYMENT_REFUNDED')
    expect(await refundsOf(shop.pool, stray.intentId)).toMatchObject([
      { cause: 'unmatched_payment', amount: 30_000, state: 'succeeded' },
    ])
    expect(await mailsOf(ada, 'payment-returned')).toHaveLength(1)

    const again = await startPayment(300, orderIds[0])
    expect([again.body.error.code, Object.keys(again.body.error.fields)]).toEqual([
      'STOCK_GONE',
      [orderIds[1]],
    ])
    await ada.call('DELETE', `/api/userProduct/${orderIds[1]}`)
    const payment = await intentOf(insertedId)
    await confirm(payment)
    const rest = { transactionId: payment.intentId }
    expect((await ada.call('PATCH', `/api/order/${orderIds[0]}`, rest)).body.modifiedCount).toBe(1)
  })
})

describe('a checkout that is not paid', () => {
  test('loses its holds together, with one mail, and is held again at today’s price', async () => {
    const parts = await partsFor(3)
    const { insertedId, orderIds } = await booked(parts)
    await endHoldsOf(insertedId)
    expect(await reservedOf(parts)).toEqual([0, 0, 0])
    const mails = await mailsOf(ada, 'hold-ended')
    expect(mails).toHaveLength(1)
    for (const { name } of parts) expect(mails[0]?.text).toContain(name)

    await shop.pool.query('update parts set price_cents = 5000 where _id = $1', [parts[0]?._id])
    const { body } = await startPayment(600, orderIds[0])
    expect([body.error.code, body.error.totalPrice]).toEqual(['PRICE_CHANGED', 550])
    expect((await startPayment(550, orderIds[0])).status).toBe(200)
    expect(await reservedOf(parts)).toEqual([1, 1, 1])
  })

  test('is deleted as a whole by its customer, and by no other', async () => {
    const parts = await partsFor(2)
    const { insertedId } = await booked(parts)
    const [bob] = (await createUsers(shop, 1)) as [Person]
    expect((await bob.call('DELETE', `/api/checkout/${insertedId}`)).status).toBe(404)
    expect((await bob.call('GET', `/api/checkout/${insertedId}`)).status).toBe(404)
    expect((await ada.call('DELETE', `/api/checkout/${insertedId}`)).body.deletedCount).toBe(2)
    expect((await ada.call('DELETE', `/api/checkout/${insertedId}`)).body.deletedCount).toBe(0)
    expect(await reservedOf(parts)).toEqual([0, 0])
    expect((await ada.call('GET', `/api/checkout/${insertedId}`)).status).toBe(404)
  })

  test('counts as one abandoned hold, however many parts it has', async () => {
    for (let i = 0; i < 2; i += 1) {
      const { insertedId } = await booked(await partsFor(4))
      await ada.call('DELETE', `/api/checkout/${insertedId}`)
    }
    const { insertedId } = await booked(await partsFor(4))
    await ada.call('DELETE', `/api/checkout/${insertedId}`)
    // after three there is one order at a time, and no checkout of several
    const { body } = await book(ada, { lines: linesOf(await partsFor(2)) })
    expect(body.error.code).toBe('TOO_MANY')
    expect((await book(ada, { lines: linesOf(await partsFor(1)) })).status).toBe(200)
  })

  test('is refused when no card can pay what a deleted line leaves', async () => {
    const cheap = await stockPart(shop.pool, { onHand: 9, price: 0.2 })
    const dear = await stockPart(shop.pool, { onHand: 9, price: 10 })
    const { insertedId, orderIds } = await booked([cheap, dear])
    await endHoldsOf(insertedId)
    expect((await startPayment(10.2, orderIds[0])).status).toBe(200)
    await ada.call('DELETE', `/api/userProduct/${orderIds[1]}`)
    const { status, body } = await startPayment(0.2, orderIds[0])
    expect([status, body.error.code]).toEqual([409, 'TERMS_CHANGED'])
  })

  test('is reminded of and ends with one mail', async () => {
    const { insertedId, orderIds } = await booked(await partsFor(2))
    expect((await owner.call('POST', `/api/order/${orderIds[1]}/reminder`)).status).toBe(200)
    const again = await owner.call('POST', `/api/order/${orderIds[0]}/reminder`)
    expect(again.body.error.code).toBe('TOO_MANY')
    expect(await mailsOf(ada, 'payment-reminder')).toHaveLength(1)
    const deleted = await owner.call('DELETE', `/api/checkout/${insertedId}`)
    expect(deleted.body.deletedCount).toBe(2)
    expect(await mailsOf(ada, 'order-deleted')).toHaveLength(1)
  })
})

describe('a paid checkout', () => {
  test('is shipped in parcels: named orders, then the rest; each has one mail', async () => {
    const parts = await partsFor(3)
    const { id, orderIds } = await paid(parts)
    const ship = (body: object) => owner.call('PUT', `/api/checkout/${id}/shipped`, body)
    const first = { orderIds: orderIds.slice(0, 2), carrier: 'UPS', trackingNumber: '1Z1' }
    const repeated = { ...first, orderIds: [...first.orderIds, first.orderIds[0]?.toUpperCase()] }
    expect((await ship(repeated)).body.modifiedCount).toBe(2)
    expect((await ship({ carrier: 'DHL', trackingNumber: '77' })).body.modifiedCount).toBe(1)
    expect((await ship({ carrier: 'GLS' })).body.modifiedCount).toBe(0)
    const { orders } = await checkoutOf(id)
    expect(orders.map(({ carrier }) => carrier)).toEqual(['UPS', 'UPS', 'DHL'])
    const mails = await mailsOf(ada, 'order-shipped')
    expect(mails).toHaveLength(2)
    expect(mails[0]?.text).toContain(parts[1]?.name)
    expect(await Promise.all(parts.map(({ _id }) => stockOf(shop.pool, _id)))).toEqual(
      parts.map(() => ({ onHand: 9, reserved: 0 })),
    )

    const right = { ...first, trackingNumber: '1Z2' }
    expect((await ship(right)).body.modifiedCount).toBe(0)
    const correct = () => owner.call('PUT', `/api/checkout/${id}/shipment`, right)
    expect((await correct()).body.modifiedCount).toBe(2)
    expect((await correct()).body.modifiedCount).toBe(0)
    const other = await paid(parts.slice(0, 1))
    const early = await owner.call('PUT', `/api/checkout/${other.id}/shipment`, { carrier: 'UPS' })
    expect(early.body.error.code).toBe('ORDER_UNSHIPPED')
    expect(await mailsOf(ada, 'shipment-corrected')).toHaveLength(1)
  })

  test('does not ship orders of another checkout, or unpaid or refunded ones', async () => {
    const { id, orderIds } = await paid(await partsFor(2))
    const other = await bookingOf(ada, await stockPart(shop.pool, { onHand: 5 }))
    const ship = (body: object, of = id) => owner.call('PUT', `/api/checkout/${of}/shipped`, body)
    expect((await ship({ orderIds: [other] })).status).toBe(404)
    const { checkoutId } = await orderOf(ada, other)
    expect((await ship({}, checkoutId)).body.error.code).toBe('ORDER_UNPAID')
    const refund = { lines: [{ orderId: orderIds[0], amount: 100, restock: 1 }], reason: 'broken' }
    const key = { 'idempotency-key': crypto.randomUUID() }
    expect((await owner.call('POST', `/api/checkout/${id}/refund`, refund, key)).status).toBe(200)
    expect((await ship({ orderIds })).body.error.code).toBe('ORDER_REFUNDED')
    expect((await ship({})).body.modifiedCount).toBe(1)
  })

  test('is refunded by lines: each changes only its own order', async () => {
    const parts = await partsFor(3)
    const { id, orderIds, intentId } = await paid(parts, 2)
    const refund = (lines: object[], key = crypto.randomUUID()) =>
      owner.call(
        'POST',
        `/api/checkout/${id}/refund`,
        { lines, reason: 'broken' },
        { 'idempotency-key': key },
      )
    const key = crypto.randomUUID()
    const third = [{ orderId: orderIds[2], amount: 600, restock: 2 }]
    const done = await refund(third, key)
    expect(done.status).toBe(200)
    expect((await refund(third, key)).body.insertedId).toBe(done.body.insertedId)
    const { orders } = await checkoutOf(id)
    expect(orders.map(({ status, refunded }) => [status, refunded])).toEqual([
      ['paid', 0],
      ['paid', 0],
      ['refunded', 600],
    ])
    expect(await reservedOf(parts)).toEqual([2, 2, 0])

    const both = [
      { orderId: orderIds[0], amount: 50, restock: 0 },
      { orderId: orderIds[1], amount: 401, restock: 0 },
    ]
    const tooMuch = await refund(both)
    expect([tooMuch.status, Object.keys(tooMuch.body.error.fields)]).toEqual([
      409,
      ['lines.1.amount'],
    ])
    expect((await refund([both[0] as object, { ...both[1], amount: 400 }])).status).toBe(200)
    const after = await checkoutOf(id)
    expect(after.orders.map(({ refunded }) => refunded)).toEqual([50, 400, 600])
    expect(await refundsOf(shop.pool, intentId)).toMatchObject([
      { amount: 60_000 },
      { amount: 45_000 },
    ])
    const mails = await mailsOf(ada, 'order-refunded')
    expect(mails).toHaveLength(2)
    expect(mails[0]?.text).toContain('Refunded now: $600\nPaid together: $1,200\n')
  })

  test('refunds nothing twice: a refund by hand goes to orders without a requested one', async () => {
    const { id, orderIds, intentId } = await paid(await partsFor(2))
    const key = () => ({ 'idempotency-key': crypto.randomUUID() })
    const refund = (orderId: string | undefined, amount: number) =>
      owner.call('POST', `/api/order/${orderId}/refund`, { amount, reason: 'broken' }, key())
    // the jobs of this shop ask the provider too: only refunds fail, until one is asked for
    const fail = (count: number) =>
      control('fail-next', { count, status: 503, path: '/v1/refunds', method: 'POST' })
    await fail(1000)
    expect((await refund(orderIds[0], 100)).body.state).toBe('pending')
    await fail(0)
    await refundByHand(shop, intentId, 10_000)
    const given = async () => (await checkoutOf(id)).orders.map(({ refunded }) => refunded)
    await expect.poll(given, { timeout: 30_000 }).toEqual([100, 100])
    const states = (await refundsOf(shop.pool, intentId)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['succeeded', 'succeeded'])
    const tooMuch = await refund(orderIds[1], 200)
    expect(tooMuch.body.error.code).toBe('REFUND_REFUSED')
  })

  test('spreads a refund by hand at the provider over its orders', async () => {
    await control('webhooks', { mode: 'normal' })
    const { id, intentId } = await paid(await partsFor(3))
    await refundByHand(shop, intentId, 25_000)
    const given = async () =>
      (await checkoutOf(id)).orders.reduce((sum, { refunded }) => sum + refunded, 0)
    await expect.poll(given).toBe(250)
    expect(await mailsOf(ada, 'order-refunded')).toHaveLength(1)
  })
})

describe('joining single orders', () => {
  const join = (orderIds: string[], person = ada) =>
    person.call('POST', '/api/checkouts/join', { orderIds })

  test('makes them one checkout, which one payment pays', async () => {
    const parts = await partsFor(3)
    const ids: string[] = []
    for (const part of parts) ids.push(await bookingOf(ada, part))
    const tried = await intentFor(ada, ids[0] as string)
    const { status, body } = await join(ids)
    expect(status).toBe(200)
    expect((await checkoutOf(body.insertedId)).due).toBe(600)
    expect((await join(ids)).body.insertedId).toBe(body.insertedId)
    expect((await confirm(tried)).status).not.toBe(200)
    const payment = await intentOf(body.insertedId)
    await confirm(payment)
    const claim = { transactionId: payment.intentId }
    expect((await ada.call('PATCH', `/api/order/${ids[1]}`, claim)).body.modifiedCount).toBe(3)
    const late = await join([ids[0] as string, await bookingOf(ada, parts[0] as Part)])
    expect(late.body.error.code).toBe('ALREADY_PAID')
  })

  test('closes a payment that the page before is still opening', async () => {
    await havePaid(shop.pool, [ada.email], 10_000)
    for (let round = 0; round < 10; round += 1) {
      const parts = await partsFor(2)
      const ids = [await bookingOf(ada, parts[0] as Part), await bookingOf(ada, parts[1] as Part)]
      const { totalPrice } = await orderOf(ada, ids[0] as string)
      let isOpening = true
      const opening = ada
        .call('POST', '/api/create-payment-intent', { orderId: ids[0], totalPrice })
        .finally(() => {
          isOpening = false
        })
      // as late as a page that is left can be: each question moves it on a little
      for (let i = 0; i < round && isOpening; i += 1) await orderOf(ada, ids[1] as string)
      const joined = await join(ids)
      expect([joined.status, joined.body.error]).toEqual([200, undefined])
      await opening
      await ada.call('DELETE', `/api/checkout/${joined.body.insertedId}`)
    }
  })

  test('refunds a payment that was opened before, if its money arrives after all', async () => {
    const parts = await partsFor(2)
    const ids = [await bookingOf(ada, parts[0] as Part), await bookingOf(ada, parts[1] as Part)]
    const stray = await strayIntent(shop, ids[0] as string)
    const { body } = await join(ids)
    await confirm(stray)
    const claim = { transactionId: stray.intentId }
    const { body: said } = await ada.call('PATCH', `/api/order/${ids[0]}`, claim)
    expect(said.error.code).toBe('PAYMENT_REFUNDED')
    expect(await refundsOf(shop.pool, stray.intentId)).toMatchObject([{ amount: 10_000 }])
    expect(await statusesOf(body.insertedId)).toEqual(['unpaid', 'unpaid'])
  })

  test('concurrently makes no checkout of more than 20 orders, and none that a card cannot pay', async () => {
    const [eve] = (await createUsers(shop, 1)) as [Person]
    await havePaid(shop.pool, [eve.email])
    const groups: string[] = []
    for (let i = 0; i < 4; i += 1) {
      const { body } = await book(eve, { lines: linesOf(await partsFor(8)) })
      groups.push(body.orderIds[0])
    }
    const [first, ...others] = groups as [string, ...string[]]
    await Promise.all(others.map((id) => join([first, id], eve)))
    const { rows } = await shop.pool.query(
      `select count(*)::int as orders from orders o join users u on u._id = o.user_id
       where u.email = $1 and o.status = 'unpaid' group by checkout_id order by 1 desc`,
      [eve.email],
    )
    expect(rows[0].orders).toBeLessThanOrEqual(20)
  })

  test('accepts only the caller’s own unpaid orders', async () => {
    const [bob] = (await createUsers(shop, 1)) as [Person]
    const parts = await partsFor(2)
    const ids = [await bookingOf(ada, parts[0] as Part), await bookingOf(bob, parts[1] as Part)]
    expect((await join(ids)).status).toBe(404)
    expect((await join(ids, bob)).status).toBe(404)
    expect((await join(ids, owner)).status).toBe(404)
  })

  test('is refused by the database while, or after, one of them is paid', async () => {
    const [first, second] = await partsFor(2)
    const open = await bookingOf(ada, first as Part)
    const single = await bookingOf(ada, second as Part)
    await intentFor(ada, open)
    const move = (id: string, like: string) =>
      shop.pool.query(
        `update orders set checkout_id = (select checkout_id from orders where _id = $2) where _id = $1`,
        [id, like],
      )
    await expect(move(single, open)).rejects.toMatchObject({ constraint: 'checkouts_frozen' })
    await expect(move(open, single)).rejects.toMatchObject({ constraint: 'checkouts_frozen' })
  })
})

test('a part that sells out while a checkout is booked leaves no order of it', async () => {
  const parts = await partsFor(2, 1)
  await adjustStock(shop.pool, parts[1] as Part, -1)
  const { body } = await book(ada, { lines: linesOf(parts) })
  expect([body.error.code, Object.keys(body.error.fields)]).toEqual(['STOCK_GONE', ['lines.1']])
  expect(await reservedOf(parts)).toEqual([0, 0])
})

describe('lists of orders', () => {
  test('keep a checkout together, even one that was joined later', async () => {
    const parts = await partsFor(3)
    const old = await bookingOf(ada, parts[0] as Part)
    const single = await bookingOf(ada, parts[1] as Part)
    const fresh = await bookingOf(ada, parts[2] as Part)
    await ada.call('POST', '/api/checkouts/join', { orderIds: [old, fresh] })
    const list = async (more = '') => {
      const query = `email=${encodeURIComponent(ada.email)}&sort=unpaid-first&limit=2${more}`
      const { body } = await ada.call('GET', `/api/orders?${query}`)
      return body as { _id: string; checkoutTotal: number }[]
    }
    const first = await list()
    const all = [...first, ...(await list(`&after=${first[1]?._id}`))]
    const places = [old, fresh].map((id) => all.findIndex(({ _id }) => _id === id))
    expect(Math.abs((places[0] ?? 0) - (places[1] ?? 0))).toBe(1)
    expect(all.find(({ _id }) => _id === fresh)?.checkoutTotal).toBe(400)
    expect(all.find(({ _id }) => _id === single)?.checkoutTotal).toBe(200)
  })

  test('that wait for shipping begin with those paid first', async () => {
    const first = await paid(await partsFor(2))
    const second = await paid(await partsFor(2))
    const { body } = await owner.call('GET', '/api/allOrders?status=pending&sort=oldest')
    const own = (body as { _id: string; checkoutId: string; email: string }[]).filter(
      ({ email }) => email === ada.email,
    )
    expect(own.map(({ checkoutId }) => checkoutId)).toEqual([
      first.id,
      first.id,
      second.id,
      second.id,
    ])
  })
})
