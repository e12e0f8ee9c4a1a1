/** The owner gets one mail about each important event, however often the shop receives it. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lowBookings } from '#contracts/catalogue.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { mailLowStock } from '#server/features/overview/mail-low-stock.ts'
import { reconcile } from '#server/features/reconciliation/reconcile.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  controlSandbox,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { withFacts } from './shop-slots.ts'

let shop: TestShop
let owner: Person
let ada: Person

beforeAll(async () => {
  // the jobs do not run by themselves; tests run them
  shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '3600', OWNER_MAIL: 'Boss@Shop.Example' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
})
beforeEach(() => shop.pool.query('delete from mail_queue'))
afterAll(() => shop.close())

const mails = async (template: string, recipient = 'boss@shop.example') =>
  (
    await shop.pool.query<{ subject: string; text: string }>(
      'select subject, text from mail_queue where recipient = $1 and template = $2 order by created_at',
      [recipient, template],
    )
  ).rows

async function paidOrder(card?: string) {
  const part = await stockPart(shop.pool, { onHand: 100, price: 100 })
  const id = await bookingOf(ada, part, { quantity: 3 })
  const payment = await intentFor(ada, id)
  await confirmCard(cardsOf(shop), payment, card)
  const paymentReport = { transactionId: payment.intentId }
  const answers = await Promise.all(
    [1, 2, 3].map(() => ada.call('PATCH', `/api/order/${id}`, paymentReport)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  return { id, intentId: payment.intentId }
}

test('a paid order, once, although browser and webhook report it', async () => {
  const { id } = await paidOrder()
  const [mail, ...more] = await mails('owner-paid')
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^New paid order F-\d+: \$300$/)
  for (const words of [ada.name, ada.email, '+1 555 0100', `/dashboard/order/${id}`])
    expect(mail?.text).toContain(words)
})

test('a dispute, once, although its webhook comes twice', async () => {
  await controlSandbox(shop.origin, 'webhooks', { mode: 'duplicate' })
  const { id } = await paidOrder('pm_card_createDispute')
  await expect.poll(() => mails('owner-dispute')).toHaveLength(1)
  await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
  await shop.pool.query('delete from mail_queue')
  // the reconciliation imports the event again
  await reconcile(shop.deps)
  expect(await mails('owner-dispute')).toEqual([])
  const refund = { amount: 100, reason: 'broken', restock: 0 }
  const key = { 'idempotency-key': crypto.randomUUID() }
  expect((await owner.call('POST', `/api/order/${id}/refund`, refund, key)).status).toBe(409)
  const [mail, ...more] = await mails('owner-refund-failed')
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^Failed refund of F-\d+: \$100$/)
})

test.each([
  ['won', 'won', /decided in your favor/],
  ['lost', 'lost', /decided in the customer’s favor/],
  // the provider's status for an inquiry that the bank drops
  ['warning_closed', 'closed', /without taking any money/],
])('the end of a dispute (%s) is told and written down, once', async (outcome, state, words) => {
  await controlSandbox(shop.origin, 'webhooks', { mode: 'duplicate' })
  const { id, intentId } = await paidOrder('pm_card_createDispute')
  await expect.poll(() => mails('owner-dispute')).toHaveLength(1)
  const ended = await controlSandbox(shop.origin, `disputes/${intentId}`, { outcome })
  expect(ended.status).toBe(200)
  await expect.poll(() => mails('owner-dispute')).toHaveLength(2)
  await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
  await reconcile(shop.deps)
  const [first, end, ...more] = await mails('owner-dispute')
  expect(more).toEqual([])
  expect(withFacts(first?.text ?? '', sampleFacts)).toMatch(
    /\(fraudulent\)\. Respond through your card provider before \w+ \d+, \d{4}/,
  )
  expect(end?.subject).toMatch(new RegExp(`^Dispute of F-\\d+ ${state}: \\$300$`))
  expect(end?.text).toMatch(words)
  const { body } = await owner.call('GET', `/api/audit?about=order:${id}`)
  expect(body).toMatchObject([
    { action: `dispute ${state}`, by: null, note: '$300, fraudulent' },
    {
      action: 'payment disputed',
      by: null,
      note: expect.stringMatching(/^\$300, fraudulent, answer by \d{4}-\d\d-\d\d$/),
    },
  ])
})

test('an issue, once, however often the reconciliation finds it, and again when there is another', async () => {
  const [one, two] = [await paidOrder(), await paidOrder()]
  const turn = (intentId: string, status: string) =>
    shop.pool.query(
      `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{status}', to_jsonb($2::text))::json where id = $1`,
      [intentId, status],
    )
  await turn(one.intentId, 'requires_payment_method')
  for (let i = 0; i < 3; i += 1) await reconcile(shop.deps)
  const [mail, ...more] = await mails('owner-issue')
  expect(more).toEqual([])
  expect(mail?.subject).toBe('1 payment: the card provider has another record')
  expect(mail?.text).toContain('Paid here, but not at the card provider.')
  await turn(two.intentId, 'requires_payment_method')
  await reconcile(shop.deps)
  expect((await mails('owner-issue')).map(({ subject }) => subject)).toEqual([
    '1 payment: the card provider has another record',
    '2 payments: the card provider has another record',
  ])
  for (const { intentId } of [one, two]) await turn(intentId, 'succeeded')
})

test('parts with low stock, once a day, if there are any', async () => {
  await mailLowStock(shop.deps)
  expect(await mails('owner-low-stock')).toEqual([])
  const part = await stockPart(shop.pool, { onHand: lowBookings, name: 'Nearly gone' })
  await stockPart(shop.pool, { onHand: 0, name: 'Gone' })
  await Promise.all([1, 2, 3].map(() => mailLowStock(shop.deps)))
  const [mail, ...more] = await mails('owner-low-stock')
  expect(more).toEqual([])
  expect(mail?.subject).toBe('Low in stock: 2 parts')
  expect(mail?.text).toContain(`Nearly gone: ${lowBookings} left`)
  expect(mail?.text).toContain('Gone: sold out')
  // a mail sent yesterday does not replace today's
  await shop.pool.query(
    `update mail_queue set dedupe = 'owner low stock ' || to_char(now() at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD')`,
  )
  await mailLowStock(shop.deps)
  expect(await mails('owner-low-stock')).toHaveLength(2)
  await owner.call('DELETE', `/api/adminProduct/${part._id}`)
})

test('without OWNER_MAIL the first admin gets mail; a new demo mails nothing about its stock', async () => {
  const demo = await openTestShop({ JOB_SECONDS: '3600' })
  try {
    await mailLowStock(demo.deps)
    const count = 'select count(*)::int from mail_queue'
    expect((await demo.pool.query(count)).rows[0].count).toBe(0)
    const [bob, eve] = (await createUsers(demo, 2)) as [Person, Person]
    await demo.pool.query(
      `update users set role = 'admin', email_verified = true where email = $1`,
      [eve.email],
    )
    await bookingOf(bob, await stockPart(demo.pool, { onHand: 1 }))
    await mailLowStock(demo.deps)
    const { rows } = await demo.pool.query(
      `select recipient from mail_queue where template = 'owner-low-stock'`,
    )
    expect(rows).toEqual([{ recipient: 'owner@ferrite.example' }])
  } finally {
    await demo.close()
  }
})
