/** Unpaid orders after their hold: their new price, release by the owner, and expiry. */

import { describe, expect, test } from 'vitest'
import { Modified } from '#contracts/api.ts'
import { ErrorBody } from '#contracts/errors.ts'
import { AdminOrder } from '#contracts/orders.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { withFacts } from '#server/mail/shop-slots.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop, strayIntent } from '#tests/support/money.ts'
import {
  type Answer,
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  orderOf,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { brokenInvariants, havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

const { shop, owner, ada, part, control, confirm, reportPayment, passHold, endHold, renewAda } =
  payingShop()

const pay = (orderId: string, totalPrice: number): Promise<Answer> =>
  ada.call('POST', '/api/create-payment-intent', { totalPrice, orderId })
const setPart = (change: string) =>
  shop.pool.query(`update parts set ${change} where _id = $1`, [part._id])
const statusAndCode = ({ status, body }: Answer) => [status, body.error?.code]
const intentOf = ({ body }: Answer) => {
  const clientSecret: string = body.clientSecret
  return { clientSecret, intentId: clientSecret.split('_secret_')[0] as string }
}
const mailsOf = async (template: string, id: string) =>
  (
    await shop.pool.query<{ subject: string; text: string }>(
      `select subject, text from mail_queue where template = $1 and text like '%' || $2 || '%'`,
      [template, id],
    )
  ).rows

describe('while it is held', () => {
  test('an order keeps its price', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    await setPart('price_cents = 30000')
    expect(statusAndCode(await pay(id, 600))).toEqual([409, 'PRICE_CHANGED'])
    const payment = intentOf(await pay(id, 500))
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
    expect((await orderOf(ada, id)).totalPrice).toBe(500)
  })
})

describe('once its hold is over', () => {
  test('an order is paid at the current price, and only when the customer agrees to it', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    const old = intentOf(await pay(id, 500))
    await endHold(id)
    await setPart('price_cents = 30000')
    const answer = await pay(id, 500)
    expect(ErrorBody.parse(answer.body).error).toMatchObject({
      code: 'PRICE_CHANGED',
      totalPrice: 600,
      message: expect.stringContaining('$600'),
    })
    expect(answer.status).toBe(409)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect((await orderOf(ada, id)).totalPrice).toBe(500)
    for (const total of [1, 499, 599]) expect((await pay(id, total)).status).toBe(409)

    const payment = intentOf(await pay(id, 600))
    expect(payment.intentId).not.toBe(old.intentId)
    expect(await orderOf(ada, id)).toMatchObject({ totalPrice: 600, price: 300, status: 'unpaid' })
    expect((await confirm(old)).status).toBe(400)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
    const { rows } = await shop.pool.query('select amount from payments where intent_id = $1', [
      payment.intentId,
    ])
    expect(rows[0].amount).toBe(60_000)
  })

  test('a lower price is accepted, too, and without orderId the current total is enough', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    await endHold(id)
    await setPart('price_cents = 10000')
    const byTotal = (totalPrice: number) =>
      ada.call('POST', '/api/create-payment-intent', { totalPrice })
    expect(statusAndCode(await byTotal(500))).toEqual([409, 'PRICE_CHANGED'])
    expect((await byTotal(200)).status).toBe(200)
    expect((await orderOf(ada, id)).totalPrice).toBe(200)
  })

  test('an order below the current minimum is not paid', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    await endHold(id)
    await setPart('minimum_order_quantity = 3')
    const refused = await pay(id, 500)
    expect(statusAndCode(refused)).toEqual([409, 'TERMS_CHANGED'])
    expect(refused.body.error.message).toMatch(/minimum order of this part is now 3/)
    await setPart('minimum_order_quantity = 1, price_cents = 50000000')
    expect(statusAndCode(await pay(id, 1_000_000))).toEqual([400, 'INVALID'])
    expect(statusAndCode(await pay(id, 500))).toEqual([409, 'TERMS_CHANGED'])
  })

  test('that applies from the moment it ends, not from when a job notices', async () => {
    await using slow = await slowShop()
    const { shop: quiet, person } = slow
    const fan = await stockPart(quiet.pool, { onHand: 10, price: 250 })
    const id = await bookingOf(person, fan)
    const first = await intentFor(person, id)
    await quiet.pool.query('update parts set price_cents = 30000 where _id = $1', [fan._id])
    await quiet.pool.query(
      `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
      [id],
    )
    const again = await person.call('POST', '/api/create-payment-intent', {
      totalPrice: 250,
      orderId: id,
    })
    expect([again.status, again.body.error.totalPrice]).toEqual([409, 300])
    expect((await confirmCard(cardsOf(quiet), first)).status).toBe(400)
  })

  test('money that was confirmed before buys the part at the price that the customer saw', async () => {
    await using slow = await slowShop()
    const { shop: quiet, person } = slow
    const fan = await stockPart(quiet.pool, { onHand: 10, price: 250 })
    const id = await bookingOf(person, fan)
    const first = await intentFor(person, id)
    await controlSandbox(quiet.origin, 'webhooks', { mode: 'drop' })
    await confirmCard(cardsOf(quiet), first)
    await quiet.pool.query('update parts set price_cents = 30000 where _id = $1', [fan._id])
    await quiet.pool.query(
      `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
      [id],
    )
    const again = await person.call('POST', '/api/create-payment-intent', {
      totalPrice: 300,
      orderId: id,
    })
    expect(statusAndCode(again)).toEqual([409, 'ALREADY_PAID'])
    expect(await orderOf(person, id)).toMatchObject({ status: 'paid', totalPrice: 250 })
  })

  test('many tabs agree to the price at once: one price, one intent, one hold', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    await endHold(id)
    await setPart('price_cents = 30000')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => pay(id, i % 2 ? 600 : 500)),
    )
    const opened = answers.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(4)
    expect(new Set(opened.map((answer) => intentOf(answer).intentId)).size).toBe(1)
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 2 })
  })

  test('a tab that finds the hold ended does not disturb another tab that takes it again and pays', async () => {
    const id = await bookingOf(ada, part)
    await endHold(id)
    const opened = await strayIntent(shop, id)
    const other = await shop.pool.connect()
    await other.query('begin')
    await other.query('lock table payments in access exclusive mode')
    const opening = pay(id, 250)
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like 'select%"payments"."checkout_id" = $1%'`
    await expect.poll(async () => (await shop.pool.query(waiting)).rowCount).toBe(1)
    const hold = `insert into stock_movements (part_id, order_id, type, reserved_delta) values ($1, $2, 'hold', 1)`
    await other.query(hold, [part._id, id])
    await other.query(
      `update orders set hold_expires_at = now() + interval '9 minutes', hold_limit_at = now() + interval '1 hour' where _id = $1`,
      [id],
    )
    const open =
      'insert into payments (intent_id, checkout_id, amount) values ($1, (select checkout_id from orders where _id = $2), 25000)'
    await other.query(open, [opened.intentId, id])
    await other.query('commit')
    other.release()
    expect(intentOf(await opening).intentId).toBe(opened.intentId)
    expect((await confirm(opened)).status).toBe(200)
  })

  test('holds that end, prices that change and tabs that pay at once violate no invariant', async () => {
    for (let round = 0; round < (atLength ? 6 : 3); round += 1) {
      const id = await bookingOf(ada, part)
      await pay(id, (await orderOf(ada, id)).totalPrice)
      await Promise.all([
        passHold(id),
        setPart(`price_cents = ${26_000 + round * 1000}`),
        ...[250, 260, 270, 280, 290, 300, 310].map((total) => pay(id, total)),
      ])
      const { totalPrice } = await orderOf(ada, id)
      const last = await pay(id, totalPrice)
      const agreed = last.status === 409 ? await pay(id, last.body.error.totalPrice) : last
      if (agreed.status === 200) {
        await confirm(intentOf(agreed))
        await reportPayment(id, intentOf(agreed).intentId)
      }
      expect(await brokenInvariants(shop.pool)).toEqual([])
      await ada.call('DELETE', `/api/userProduct/${id}`)
      await renewAda()
    }
  })
})

/** Opens a shop whose jobs do not run during a test. */
async function slowShop() {
  const opened = await openTestShop({ DEMO: 'off', JOB_SECONDS: '3600' })
  const [person] = (await createUsers(opened, 1)) as [Person]
  return { shop: opened, person, [Symbol.asyncDispose]: () => opened.close() }
}

test('a hundred payments that cannot be canceled do not keep other holds from ending', async () => {
  const [bob] = (await createUsers(shop, 1)) as [Person]
  const many = await stockPart(shop.pool, { onHand: 110, price: 250 })
  const [free, paying] = [await bookingOf(bob, many), await bookingOf(bob, many)]
  const cancelable = await intentFor(bob, paying)
  const id = await bookingOf(ada, many)
  const { intentId } = await intentFor(ada, id)
  await shop.pool.query(
    `with held as (
       insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
         hold_expires_at, hold_limit_at)
       select user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
         now() - interval '1 minute', now()
       from orders, generate_series(1, 100) where _id = $1 returning *
     ), ledger as (
       insert into stock_movements (part_id, order_id, type, reserved_delta) select part_id, _id, 'hold', 1 from held
     ), opened as (
       insert into payments (intent_id, checkout_id, amount) select 'pi_' || md5(_id::text), checkout_id, 25000 from held
       returning intent_id
     )
     insert into sandbox_stripe.objects (id, kind, created, body, hidden)
     select intent_id, kind, created, body::jsonb || jsonb_build_object('id', intent_id, 'status', 'processing'), hidden
     from opened, sandbox_stripe.objects where id = $2`,
    [id, intentId],
  )
  const endOf = async (order: string) => {
    await passHold(order)
    await expect.poll(async () => (await orderOf(bob, order)).holdExpiresAt).toBeNull()
  }
  await endOf(paying)
  expect((await confirm(cancelable)).status).toBe(400)
  // a provider that is down does not keep a hold without a payment open
  await control('fail-next', { status: 500, count: 100_000, path: '/v1/payment_intents' })
  await endOf(free)
  await control('fail-next', { status: 500, count: 0 })
  await shop.pool.query(
    `update payments set status = 'canceled' where checkout_id in (select checkout_id from orders where part_id = $1)`,
    [many._id],
  )
  // the hold that Ada is paying stays
  await expect.poll(() => stockOf(shop.pool, many._id)).toEqual({ onHand: 110, reserved: 1 })
})

describe('a made-up payment', () => {
  test('causes a request to the card provider only once in some seconds', async () => {
    const id = await bookingOf(ada, part)
    await control('fail-next', { status: 500, count: 1_000, path: '/v1/payment_intents' })
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => reportPayment(id, `pi_made_up_${i}`)),
    )
    const spans = Math.ceil((performance.now() - began) / 5000)
    await control('fail-next', { status: 500, count: 0 })
    // one request in five seconds reached the provider, and it failed
    const asked = answers.filter(({ status }) => status === 503).length
    expect(asked).toBeGreaterThanOrEqual(1)
    expect(asked).toBeLessThanOrEqual(spans)
    const refused = answers.filter(({ status }) => status === 402)
    expect(refused).toHaveLength(60 - asked)
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    // the order's own payment is checked all the same
    const payment = await intentFor(ada, id)
    await confirm(payment)
    expect((await reportPayment(id, payment.intentId)).status).toBe(200)
  })

  test('of another order causes no request', async () => {
    const [bob] = (await createUsers(shop, 1)) as [Person]
    const foreignIntent = await intentFor(bob, await bookingOf(bob, part))
    const id = await bookingOf(ada, part)
    await control('fail-next', { status: 500, count: 1_000, path: '/v1/payment_intents' })
    expect(statusAndCode(await reportPayment(id, foreignIntent.intentId))).toEqual([
      402,
      'NOT_PAID',
    ])
    await control('fail-next', { status: 500, count: 0 })
  })
})

describe('the owner', () => {
  const release = (id: string, by = owner) => by.call('DELETE', `/api/order/${id}/hold`)

  test('sees what is held and by whom, and releases it once', async () => {
    await havePaid(shop.pool, [ada.email])
    const id = await bookingOf(ada, part, { quantity: 10 })
    const old = intentOf(await pay(id, 2500))
    const ended = await bookingOf(ada, await stockPart(shop.pool, { onHand: 1 }))
    await endHold(ended)
    const held = (await owner.call('GET', '/api/allOrders?status=held')).body
    expect(held.map(({ _id }: { _id: string }) => _id)).toContain(id)
    expect(held.map(({ _id }: { _id: string }) => _id)).not.toContain(ended)
    expect(held.every(({ holdExpiresAt }: { holdExpiresAt: string }) => holdExpiresAt)).toBe(true)

    expect((await release(id, ada)).status).toBe(403)
    const answers = await Promise.all([release(id), release(id), release(id)])
    const counts = answers.map(({ body }) => Modified.parse(body).modifiedCount)
    expect(counts.sort()).toEqual([0, 0, 1])
    expect(await stockOf(shop.pool, part._id)).toEqual({ onHand: 10, reserved: 0 })
    expect(await orderOf(ada, id)).toMatchObject({ holdExpiresAt: null, holdReleased: true })
    expect(await orderOf(ada, ended)).toMatchObject({ holdExpiresAt: null, holdReleased: false })
    expect((await confirm(old)).status).toBe(400)
    const { body: actions } = await owner.call('GET', `/api/audit?about=order:${id}`)
    expect(actions).toMatchObject([{ action: 'hold released', by: owner.email }])
    expect(await mailsOf('hold-ended', id)).toHaveLength(1)
    // other customers have priority now
    expect(statusAndCode(await pay(id, 2500))).toEqual([409, 'HOLD_REFUSED'])
  })

  test('sees when a customer got a new hold after one that had ended', async () => {
    const id = await bookingOf(ada, part)
    const heldAgainAt = async () =>
      AdminOrder.parse((await owner.call('GET', `/api/order/${id}`)).body).heldAgainAt
    await pay(id, 250)
    expect(await heldAgainAt()).toBeNull()
    await endHold(id)
    expect((await pay(id, 250)).status).toBe(200)
    expect(Date.now() - Date.parse(String(await heldAgainAt()))).toBeLessThan(60_000)
  })

  test('releases and deletes nothing while the provider works on a payment', async () => {
    const id = await bookingOf(ada, part)
    const { intentId } = await intentFor(ada, id)
    await shop.pool.query(
      `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{status}', '"processing"')
       where body->>'id' = $1`,
      [intentId],
    )
    expect(statusAndCode(await release(id))).toEqual([409, 'PAYMENT_IN_PROGRESS'])
    const deleted = await ada.call('DELETE', `/api/userProduct/${id}`)
    expect(statusAndCode(deleted)).toEqual([409, 'PAYMENT_IN_PROGRESS'])
    expect(await orderOf(ada, id)).toMatchObject({ status: 'unpaid', holdEndedAt: null })
  })

  test('releases nothing of a paid order', async () => {
    const id = await bookingOf(ada, part)
    const payment = await intentFor(ada, id)
    await confirm(payment)
    const answer = await release(id)
    expect([200, 409]).toContain(answer.status)
    expect((await reportPayment(id, payment.intentId)).body.modifiedCount ?? 0).toBe(0)
    expect((await orderOf(ada, id)).status).toBe('paid')
    expect((await release(id)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect((await release(crypto.randomUUID())).status).toBe(404)
  })
})

describe('an order that is not paid', () => {
  const age = (id: string, days: number) =>
    shop.pool.query(
      `update orders set created_at = now() - make_interval(secs => $2::float8 * 86400),
         end_announced_at = end_announced_at - interval '1 day' where _id = $1`,
      [id, days],
    )
  const statusOf = async (id: string) =>
    (await shop.pool.query('select status from orders where _id = $1', [id])).rows[0].status

  test('ends after seven days, with one mail a day before', async () => {
    const id = await bookingOf(ada, part)
    const young = await bookingOf(ada, part)
    await endHold(id)
    await endHold(young)
    await age(young, 5.9)
    const began = Date.now()
    await age(id, 6.1)
    await expect.poll(async () => (await mailsOf('order-ending', id)).length).toBe(1)
    const [mail] = await mailsOf('order-ending', id)
    expect(mail?.subject).toBe('Your unpaid order is about to expire')
    // the end is a full day after the mail, later than the seventh day
    const ends = [began, Date.now()].map((time) =>
      new Date(time + 86_400_000).toLocaleDateString('en-US', {
        dateStyle: 'long',
        timeZone: 'UTC',
      }),
    )
    const sent = withFacts(mail?.text ?? '', sampleFacts)
    expect(ends.filter((end) => sent.includes(end))).not.toEqual([])
    expect(await statusOf(id)).toBe('unpaid')
    await age(id, 7.1)
    await expect.poll(() => statusOf(id)).toBe('deleted')
    expect(await mailsOf('order-ending', id)).toHaveLength(1)
    expect(await mailsOf('order-ending', young)).toHaveLength(0)
    expect((await ada.call('GET', `/api/order/${id}`)).status).toBe(404)
    // the owner of the shop sees why it was deleted
    expect((await owner.call('GET', `/api/audit?about=order:${id}`)).body).toMatchObject([
      { action: 'order expired', by: 'the shop', note: 'not paid within 7 days' },
    ])
    expect((await owner.call('GET', `/api/order/${id}`)).body).toMatchObject({
      status: 'deleted',
      deletedBy: 'shop',
    })
  })

  test('stays, with its payment, when its customer begins to pay just before it ends', async () => {
    const [first, second, third] = [
      await bookingOf(ada, part),
      await bookingOf(ada, part),
      await bookingOf(ada, part),
    ]
    const all = [first, second, third]
    for (const id of all) await endHold(id)
    for (const [index, id] of all.entries()) await age(id, 10 - index)
    for (const id of all)
      await expect.poll(async () => (await mailsOf('order-ending', id)).length).toBe(1)
    // all orders are due at once, and the job waits for the lock of the first
    const [making, holding] = [await shop.pool.connect(), await shop.pool.connect()]
    await making.query('begin')
    await making.query(
      `update orders set end_announced_at = end_announced_at - interval '1 day' where _id = any($1)`,
      [all],
    )
    await holding.query('begin')
    const held = holding.query('select from orders where _id = $1 for update', [first])
    const oneWaits = () =>
      expect
        .poll(async () => {
          const { rows } = await shop.pool.query(
            `select from pg_stat_activity where datname = current_database()
               and wait_event_type = 'Lock' and query ilike '%for update%'`,
          )
          return rows.length
        })
        .toBe(1)
    await oneWaits()
    await making.query('commit')
    await held
    await oneWaits()
    const payment = intentOf(await pay(second, (await orderOf(ada, second)).totalPrice))
    await holding.query('commit')
    for (const client of [making, holding]) client.release()
    await expect.poll(() => statusOf(third)).toBe('deleted')
    expect(await statusOf(first)).toBe('deleted')
    await confirm(payment)
    expect((await reportPayment(second, payment.intentId)).status).toBe(200)
    expect(await statusOf(second)).toBe('paid')
  })

  test('is announced a day before in any case, and stays while it is held', async () => {
    const old = await bookingOf(ada, part)
    const held = await bookingOf(ada, part)
    await endHold(old)
    await age(old, 30)
    await age(held, 30)
    await expect.poll(async () => (await mailsOf('order-ending', old)).length).toBe(1)
    await expect.poll(async () => (await mailsOf('order-ending', held)).length).toBe(1)
    expect(await statusOf(old)).toBe('unpaid')
    await age(held, 30)
    await age(old, 30)
    await expect.poll(() => statusOf(old)).toBe('deleted')
    expect(await statusOf(held)).toBe('unpaid')
    await passHold(held)
    await expect.poll(() => statusOf(held)).toBe('deleted')
  })
})
