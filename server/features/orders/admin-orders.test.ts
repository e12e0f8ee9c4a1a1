import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Modified } from '#contracts/api.ts'
import type { AuditEntry } from '#contracts/audit.ts'
import { AdminOrder, Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import {
  bookingOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let part: Part

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
beforeEach(async () => {
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  part = await stockPart(shop.pool, { onHand: 100, price: 250 })
})
afterAll(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await shop.close()
})

async function payOrder(card?: string) {
  const id = await bookingOf(ada, part)
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment, card)
  const paymentReport = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(200)
  return { id, intentId: payment.intentId }
}
const paidOrder = async () => (await payOrder()).id
const ship = (id: string, shipment: object = {}) =>
  owner.call('PUT', `/api/order/${id}/shipped`, shipment)
const remind = (id: string) => owner.call('POST', `/api/order/${id}/reminder`)
const readOrder = async (id: string) =>
  Order.parse((await ada.call('GET', `/api/order/${id}`)).body)
const mailsTo = async (person: Person, template: string) => {
  const { rows } = await shop.pool.query(
    'select subject, text, html from mail_queue where recipient = $1 and template = $2',
    [person.email, template],
  )
  return rows
}
const actionsOn = async (id: string) => {
  const { rows } = await shop.pool.query(
    'select action, detail from audit_log where order_id = $1 order by _id',
    [id],
  )
  return rows
}

describe('all orders', () => {
  test('are of all customers, newest first, whole or in pages, without the deleted', async () => {
    const [bob] = (await createUsers(shop, 1)) as [Person]
    const ids: string[] = []
    for (const person of [ada, bob, ada, bob]) ids.push(await bookingOf(person, part))
    const deleted = await bookingOf(ada, part)
    await ada.call('DELETE', `/api/userProduct/${deleted}`)
    const whole = z.array(AdminOrder).parse((await owner.call('GET', '/api/allOrders')).body)
    expect(whole.slice(0, 4).map(({ _id }) => _id)).toEqual(ids.toReversed())
    expect(whole.map(({ _id }) => _id)).not.toContain(deleted)
    const first = (await owner.call('GET', '/api/allOrders?limit=2')).body
    const rest = (await owner.call('GET', `/api/allOrders?after=${first[1]._id}`)).body
    expect([...first, ...rest]).toEqual(whole)
  })

  test('come whole however many there are', async () => {
    await shop.pool.query(
      `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
       select u._id, $1, 'Many', '/i', 'Ada', u.email, '12345', 1, 100, 100
       from users u, generate_series(1, 1200) where u.email = $2`,
      [part._id, ada.email],
    )
    const { body } = await owner.call('GET', '/api/allOrders')
    const many = body.filter(({ product }: Order) => product === 'Many')
    expect(new Set(many.map(({ _id }: Order) => _id)).size).toBe(1200)
  })
})

test('disputed orders are marked and found until the bank decides; a lost one stays marked', async () => {
  const states = async (status = '') => {
    const { body } = await owner.call('GET', `/api/allOrders${status}`)
    return z.array(AdminOrder).parse(body)
  }
  const quiet = await paidOrder()
  const [won, lost] = [
    await payOrder('pm_card_createDispute'),
    await payOrder('pm_card_createDispute'),
  ]
  const disputed = async () => (await states('?status=disputed')).map(({ _id }) => _id)
  await expect.poll(disputed).toEqual([lost.id, won.id])
  const { body: overview } = await owner.call('GET', '/api/overview')
  expect(overview.attention.disputes).toBe(2)
  expect((await owner.call('GET', '/api/allOrders/count?status=disputed')).body.count).toBe(2)
  await controlSandbox(shop.origin, `disputes/${won.intentId}`, { outcome: 'won' })
  await controlSandbox(shop.origin, `disputes/${lost.intentId}`, { outcome: 'lost' })
  await expect.poll(disputed).toEqual([])
  const testOrders = (await states()).filter(({ _id }) => [quiet, won.id, lost.id].includes(_id))
  expect(testOrders.map(({ dispute }) => dispute)).toEqual(['lost', null, null])
  const { body } = await owner.call('GET', `/api/order/${lost.id}`)
  expect(AdminOrder.parse(body).dispute).toBe('lost')
  expect(await readOrder(lost.id)).not.toHaveProperty('dispute')
  const [head = '', ...lines] = (await owner.call('GET', '/api/allOrders.csv')).body.split('\r\n')
  const disputeOf = (id: string) =>
    lines.find((line: string) => line.includes(id))?.split(',')[head.split(',').indexOf('Dispute')]
  expect([lost.id, won.id].map(disputeOf)).toEqual(['lost', ''])
})

describe('a paid order', () => {
  test('is shipped once; the customer sees it and is mailed', async () => {
    const id = await paidOrder()
    const shipment = { carrier: ' DHL & <Co> ', trackingNumber: 'JD014600003' }
    const answers = await Promise.all([ship(id, shipment), ship(id, shipment)])
    const counts = answers.map(({ body }) => Modified.parse(body).modifiedCount)
    expect(counts.sort()).toEqual([0, 1])
    const order = await readOrder(id)
    expect(order).toMatchObject({
      status: 'shipped',
      paid: true,
      carrier: 'DHL & <Co>',
      trackingNumber: 'JD014600003',
    })
    expect(order.shippedAt).not.toBeNull()
    const mails = await mailsTo(ada, 'order-shipped')
    expect(mails).toHaveLength(1)
    expect(mails[0].text).toContain('Tracking number: JD014600003')
    expect(mails[0].text).toContain(`${shop.origin}/dashboard/order/${id}`)
    expect(mails[0].html).toContain('DHL &amp; &lt;Co&gt;')
    const detail = { carrier: 'DHL & <Co>', trackingNumber: 'JD014600003' }
    expect(await actionsOn(id)).toEqual([{ action: 'order shipped', detail }])
  })

  test('is shipped without carrier and number too, and never deleted or reminded of', async () => {
    const id = await paidOrder()
    expect((await remind(id)).body.error.code).toBe('ALREADY_PAID')
    expect((await ship(id, { carrier: 'x'.repeat(61) })).status).toBe(400)
    expect((await ship(id, { carrier: 'a\r\nb' })).status).toBe(400)
    expect((await ship(id, { carrier: '', trackingNumber: '  ' })).body.modifiedCount).toBe(1)
    expect(await readOrder(id)).toMatchObject({ carrier: null, trackingNumber: null })
    expect((await owner.call('DELETE', `/api/userProduct/${id}`)).status).toBe(409)
    expect((await mailsTo(ada, 'payment-reminder')).length).toBe(0)
  })
})

describe('carrier and tracking number of a shipped order', () => {
  const correct = (id: string, shipment: object) =>
    owner.call('PUT', `/api/order/${id}/shipment`, shipment)

  test('are corrected, as often as need be; the customer is mailed each time, the log says from what', async () => {
    const id = await paidOrder()
    const wrong = { carrier: 'UPS', trackingNumber: 'JD1' }
    const right = { carrier: 'DHL', trackingNumber: 'JD0002' }
    await ship(id, wrong)
    const { shippedAt } = await readOrder(id)
    const answers = await Promise.all([correct(id, right), correct(id, right)])
    expect(answers.map(({ body }) => Modified.parse(body).modifiedCount).sort()).toEqual([0, 1])
    expect(await readOrder(id)).toMatchObject({ ...right, status: 'shipped', shippedAt })
    const found = await owner.call('GET', '/api/allOrders?q=jd0002')
    expect(found.body.map(({ _id }: Order) => _id)).toEqual([id])
    await correct(id, wrong)
    expect((await correct(id, { carrier: '' })).body.modifiedCount).toBe(1)
    expect(await readOrder(id)).toMatchObject({ carrier: null, trackingNumber: null })
    const mails = await mailsTo(ada, 'shipment-corrected')
    expect(mails).toHaveLength(3)
    const first = mails.find(({ text }) => text.includes('JD0002'))
    expect(first.text).toContain('Carrier: DHL\nTracking number: JD0002\n')
    expect(first.text).toContain('tracking-id=JD0002')
    expect(mails.filter(({ text }) => text.includes('Your parcel can’t be tracked.'))).toHaveLength(
      1,
    )
    const { body } = await owner.call('GET', `/api/audit?about=order:${id}`)
    const notes = body.map(({ action, note }: AuditEntry) => [action, note])
    expect(notes).toEqual([
      ['shipment corrected', 'UPS, JD1 → not stated'],
      ['shipment corrected', 'DHL, JD0002 → UPS, JD1'],
      ['shipment corrected', 'UPS, JD1 → DHL, JD0002'],
      ['order shipped', 'UPS, JD1'],
    ])
  })

  test('cannot be corrected before the order is shipped', async () => {
    const id = await paidOrder()
    const { status, body } = await correct(id, { carrier: 'DHL' })
    expect([status, body.error.code]).toEqual([409, 'ORDER_UNSHIPPED'])
    expect((await correct(crypto.randomUUID(), {})).status).toBe(404)
    expect((await correct(id, { trackingNumber: 'x'.repeat(61) })).status).toBe(400)
    expect(await mailsTo(ada, 'shipment-corrected')).toEqual([])
  })
})

describe('an unpaid order', () => {
  test('is not shipped', async () => {
    const id = await bookingOf(ada, part)
    const { status, body } = await ship(id)
    expect([status, body.error.code]).toEqual([409, 'ORDER_UNPAID'])
    expect((await ship(crypto.randomUUID())).status).toBe(404)
    expect((await mailsTo(ada, 'order-shipped')).length).toBe(0)
  })

  test('gets one reminder a day, however often that is requested', async () => {
    const id = await bookingOf(ada, part)
    const answers = await Promise.all([remind(id), remind(id), remind(id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ acknowledged: true })
    const { remindedAt } = AdminOrder.parse((await owner.call('GET', `/api/order/${id}`)).body)
    expect(Date.now() - Date.parse(remindedAt ?? '')).toBeLessThan(60_000)
    const [mail, ...more] = await mailsTo(ada, 'payment-reminder')
    expect(more).toEqual([])
    expect(mail.text).toContain(`${shop.origin}/dashboard/payment/${id}`)
    expect(mail.text).toContain('$250')
    expect((await actionsOn(id)).map(({ action }) => action)).toEqual(['payment reminder sent'])
  })

  test('gets another reminder a day after the last', async () => {
    const id = await bookingOf(ada, part)
    await shop.pool.query(
      `insert into audit_log (actor_id, action, order_id, created_at)
       select _id, 'payment reminder sent', $1, now() - interval '25 hours' from users where email = $2`,
      [id, owner.email],
    )
    expect((await remind(id)).status).toBe(200)
    expect(await mailsTo(ada, 'payment-reminder')).toHaveLength(1)
  })

  test('is logged and mailed about when an admin deletes it, not when its customer does; both say when, and by whom', async () => {
    const [deletedByAdmin, own] = [await bookingOf(ada, part), await bookingOf(ada, part)]
    const readAdminOrder = async (id: string) =>
      AdminOrder.parse((await owner.call('GET', `/api/order/${id}`)).body)
    expect(await readAdminOrder(own)).toMatchObject({ deletedAt: null, deletedBy: null })
    await owner.call('DELETE', `/api/userProduct/${deletedByAdmin}`)
    await ada.call('DELETE', `/api/userProduct/${own}`)
    expect(await readAdminOrder(deletedByAdmin)).toMatchObject({ deletedBy: 'admin' })
    const { deletedAt, deletedBy } = await readAdminOrder(own)
    expect(deletedBy).toBe('customer')
    expect(Math.abs(Date.now() - Date.parse(String(deletedAt)))).toBeLessThan(60_000)
    expect((await actionsOn(deletedByAdmin)).map(({ action }) => action)).toEqual(['order deleted'])
    expect(await actionsOn(own)).toEqual([])
    const [mail, ...more] = await mailsTo(ada, 'order-deleted')
    expect(more).toEqual([])
    expect(mail.text).toContain((await readAdminOrder(deletedByAdmin)).number)
    expect(mail.text).toContain('You haven’t been charged')
    const list = `/api/allOrders?status=deleted&q=${ada.email}`
    const listed = AdminOrder.array().parse((await owner.call('GET', list)).body)
    expect(listed.map(({ _id }) => _id)).toEqual(expect.arrayContaining([deletedByAdmin, own]))
    expect((await remind(deletedByAdmin)).status).toBe(404)
    expect((await ship(deletedByAdmin)).status).toBe(404)
  })
})

describe('numbers', () => {
  const numberOf = async (id: string) =>
    Order.parse((await ada.call('GET', `/api/order/${id}`)).body).number
  const figure = (number: string) => Number(number.replace('F-', ''))

  test('orders are numbered as they are booked; a repeated booking, and one of an unknown part, takes no number', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const booking = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
    const first = await ada.call('POST', '/api/order', booking, key)
    expect((await ada.call('POST', '/api/order', booking, key)).body).toEqual(first.body)
    const unknown = { ...booking, partId: crypto.randomUUID() }
    expect((await ada.call('POST', '/api/order', unknown)).status).toBe(404)
    const [one, two] = [
      await numberOf(first.body.insertedId),
      await numberOf(await bookingOf(ada, part)),
    ]
    expect(one).toMatch(/^F-\d{4}$/)
    expect(figure(two)).toBe(figure(one) + 1)
  })

  test('concurrent bookings have different numbers', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => bookingOf(ada, part)))
    expect(new Set(await Promise.all(ids.map(numberOf))).size).toBe(4)
  })

  test('an order keeps its number for good', async () => {
    const id = await bookingOf(ada, part)
    const renumber = shop.pool.query(`update orders set number = 'F-1' where _id = $1`, [id])
    await expect(renumber).rejects.toThrow('append-only')
  })

  test('the owner finds an order by its number, in small letters and without the F too', async () => {
    const id = await bookingOf(ada, part)
    const number = await numberOf(id)
    for (const q of [number, number.toLowerCase(), number.slice(2)]) {
      const { body } = await owner.call('GET', `/api/allOrders?q=${q}`)
      expect(body.map(({ _id }: Order) => _id)).toContain(id)
    }
    const { body } = await owner.call('GET', `/api/allOrders?q=${number}`)
    expect(body).toHaveLength(1)
  })

  test('the audit log names an order by its number, and is searched by it', async () => {
    const id = await bookingOf(ada, part)
    const number = await numberOf(id)
    await owner.call('POST', `/api/order/${id}/reminder`)
    for (const key of [id, number, number.toLowerCase()]) {
      const { status, body } = await owner.call('GET', `/api/audit?about=order:${key}`)
      expect(status).toBe(200)
      const lines = body as AuditEntry[]
      expect(lines.map(({ about, name }) => ({ about, name }))).toEqual([
        { about: `order:${id}`, name: `${part.name}, ${number}` },
      ])
    }
    expect((await owner.call('GET', '/api/audit?about=order:F-x')).status).toBe(400)
  })

  test('what the owner sees first names orders by their numbers', async () => {
    const { body } = await owner.call('GET', '/api/overview')
    expect(body.holds.rows.length).toBeGreaterThan(0)
    for (const { number } of body.holds.rows) expect(number).toMatch(/^F-\d+$/)
  })
})
