import { describe, expect, test } from 'vitest'
import type { CustomerPage, Note, OrderMail } from '#contracts/desk.ts'
import type { Order } from '#contracts/orders.ts'
import { payingShop } from '#tests/support/money.ts'

const paying = payingShop({ price: 100, webhooks: 'normal' })
const { shop, owner, ada, checkoutOf } = paying

/** A paid order of 2 units, $200, with its checkout. */
async function paidOrder() {
  const { id } = await paying.paidOrder(2)
  const { checkoutId, number } = (await ada.call('GET', `/api/order/${id}`)).body
  return { id, checkoutId, number }
}
const meOf = async () => (await owner.call('GET', `/api/user?q=${ada.email}`)).body[0]._id
const mailTexts = async (template: string) => {
  const { rows } = await shop.pool.query(
    'select text from mail_queue where recipient = $1 and template = $2',
    [ada.email, template],
  )
  return rows.map(({ text }) => text)
}

describe('notes', () => {
  test('of an order are for admins, or for its customer, who gets a mail', async () => {
    const { checkoutId } = await paidOrder()
    const note = (text: string, isForCustomer: boolean) =>
      owner.call('POST', `/api/checkout/${checkoutId}/notes`, { text, isForCustomer })
    expect((await note('Calls back on Monday.', false)).status).toBe(200)
    const { body } = await note('We add a cable for free.', true)
    const seen = async (by = ada): Promise<Note[]> =>
      (await by.call('GET', `/api/checkout/${checkoutId}`)).body.notes
    expect(await seen()).toMatchObject([{ text: 'We add a cable for free.', by: null }])
    expect(await seen(owner)).toMatchObject([
      { text: 'Calls back on Monday.', isForCustomer: false, by: owner.email },
      { text: 'We add a cable for free.', isForCustomer: true },
    ])
    const [mail, ...more] = await mailTexts('order-note')
    expect(more).toEqual([])
    expect(mail).toContain('We add a cable for free.')
    const remove = () => owner.call('DELETE', `/api/note/${body.insertedId}`)
    expect((await remove()).body.deletedCount).toBe(1)
    expect((await remove()).body.deletedCount).toBe(0)
    expect(await seen()).toEqual([])
    const long = await note('x'.repeat(2001), false)
    expect(long.body.error.fields).toEqual({ text: 'Note must be 2000 characters or shorter' })
    const nowhere = `/api/checkout/${crypto.randomUUID()}/notes`
    expect((await owner.call('POST', nowhere, { text: 'x', isForCustomer: true })).status).toBe(404)
  })

  test('of a customer stand on the customer’s page and leave with the account', async () => {
    const { checkoutId } = await paidOrder()
    const id = await meOf()
    const note = { text: 'Builds PCs for a school.' }
    expect((await owner.call('POST', `/api/customer/${id}/notes`, note)).status).toBe(200)
    const onOrder = { text: 'Nice person.', isForCustomer: false }
    await owner.call('POST', `/api/checkout/${checkoutId}/notes`, onOrder)
    const page: CustomerPage = (await owner.call('GET', `/api/customer/${id}`)).body
    expect(page).toMatchObject({
      user: { email: ada.email },
      ...{ orders: 1, paidOrders: 1, turnover: 200 },
      notes: [note],
      tickets: [],
    })
    await owner.call('PUT', `/api/checkout/${checkoutId}/shipped`, {})
    expect((await ada.call('DELETE', '/api/me', { email: ada.email })).status).toBe(200)
    const { rows } = await shop.pool.query(
      'select from notes where user_id = $1 or checkout_id = $2',
      [id, checkoutId],
    )
    expect(rows).toEqual([])
  })
})

test('a customer’s page counts what was paid less what was refunded', async () => {
  const { id } = await paidOrder()
  const refund = { amount: 50, reason: 'a scratch', restock: 0 }
  const key = { 'idempotency-key': crypto.randomUUID() }
  expect((await owner.call('POST', `/api/order/${id}/refund`, refund, key)).status).toBe(200)
  const { checkoutId } = (await ada.call('GET', `/api/order/${id}`)).body
  expect((await checkoutOf(checkoutId)).refunds).toMatchObject([
    { amount: 50, state: 'succeeded', givenAt: expect.any(String), sentBackAt: null },
  ])
  const { body } = await owner.call('GET', `/api/customer/${await meOf()}`)
  expect(body).toMatchObject({ orders: 1, turnover: 150 })
})

test('the shop writes to a customer, who answers in the thread', async () => {
  const id = await meOf()
  const message = { text: 'Your parcel is at the post office.' }
  const { status, body } = await owner.call('POST', `/api/customer/${id}/tickets`, message)
  expect(status).toBe(200)
  const [mail] = await mailTexts('ticket-answered')
  expect(mail).toContain('Your parcel is at the post office.')
  const path = `/api/ticket/${body.insertedId}`
  expect((await ada.call('GET', path)).body).toMatchObject({
    waitingSince: null,
    messages: [{ author: 'shop', text: message.text }],
  })
  await ada.call('POST', `${path}/messages`, { text: 'Thank you.' })
  expect((await ada.call('GET', path)).body.waitingSince).not.toBeNull()
})

test('each mail of an order is listed, and sent again to the address of now', async () => {
  const { id } = await paidOrder()
  const listed = async (): Promise<OrderMail[]> =>
    (await owner.call('GET', `/api/order/${id}/mails`)).body
  await expect.poll(async () => (await listed()).every(({ sentAt }) => sentAt)).toBe(true)
  const before = await listed()
  expect(before.map(({ template }) => template).toSorted()).toEqual(['order-booked', 'order-paid'])
  const receipt = before.find(({ template }) => template === 'order-paid')
  const { body } = await owner.call('POST', `/api/mail/${receipt?._id}/again`)
  expect(body).toMatchObject({ done: true, outcome: `The mail is sent to ${ada.email}.` })
  expect(await listed()).toHaveLength(3)
  expect(await mailTexts('order-paid')).toHaveLength(2)
  const { body: log } = await owner.call('GET', `/api/audit?about=order:${id}`)
  expect(log[0]).toMatchObject({ action: 'mail sent again' })
  const { rows } = await shop.pool.query(
    `select _id from mail_queue where template = 'owner-paid' and order_id = $1`,
    [id],
  )
  // a mail of the owner's is not the customer's
  expect((await owner.call('POST', `/api/mail/${rows[0]._id}/again`)).status).toBe(404)
})

test('serial numbers are noted when it is packed, and found by the search', async () => {
  const { id } = await paidOrder()
  const serial = `SN-${crypto.randomUUID().slice(0, 8)}`
  const note = (serialNumbers: string[], order = id) =>
    owner.call('PUT', `/api/order/${order}/serials`, { serialNumbers })
  expect((await note([serial, `${serial}-B`])).body.modifiedCount).toBe(1)
  expect((await note([serial, `${serial}-B`])).body.modifiedCount).toBe(0)
  const { body } = await owner.call('GET', `/api/allOrders?q=${serial}`)
  expect(body.map(({ _id }: Order) => _id)).toEqual([id])
  const tooMany = await note(['1', '2', '3'])
  expect(tooMany.body.error.fields).toEqual({
    serialNumbers: 'This order has 2 units at the most',
  })
  expect((await note(['1', '1'])).body.error.fields).toEqual({
    serialNumbers: 'name each number once',
  })
  await expect(
    shop.pool.query(`update orders set serial_numbers = E'1\\n2\\n3' where _id = $1`, [id]),
  ).rejects.toMatchObject({ constraint: 'orders_serial_numbers' })
  expect((await ada.call('GET', `/api/order/${id}`)).body.serialNumbers).toContain(serial)
})
