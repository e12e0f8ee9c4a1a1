import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { addressLines } from '#contracts/shop.ts'
import { strayIntent } from '#tests/support/money.ts'
import {
  bookingOf,
  call,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'
import { withShop } from './shop-slots.ts'

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
  await name('Ada King-O’Neil Jr.')
  part = await stockPart(shop.pool, {
    onHand: 10,
    price: 250,
    name: `Fan <b>120</b> & ${ada.email}`,
  })
})
afterAll(() => shop.close())

/** Changes Ada's name. */
async function name(words: string) {
  ada.name = words
  await shop.pool.query('update users set name = $1 where email = $2', [words, ada.email])
}
async function paid(quantity = 2) {
  const id = await bookingOf(ada, part, { quantity })
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  const paymentReport = { transactionId: payment.intentId }
  // reported three times at once, as by browser, webhook and job
  await Promise.all([1, 2, 3].map(() => ada.call('PATCH', `/api/order/${id}`, paymentReport)))
  return { id, intentId: payment.intentId }
}

/** The page and the HTML document of the only mail of a template to Ada. */
async function readMail(template: string) {
  const { rows } = await shop.pool.query(
    'select _id, subject, text, html from mail_queue where recipient = $1 and template = $2',
    [ada.email, template],
  )
  expect(rows).toHaveLength(1)
  const path = `/sandbox/mail/${rows[0]._id}`
  const page = await call(shop.origin, 'GET', path)
  const message = await call(shop.origin, 'GET', `${path}/message`)
  const mail = withShop(rows[0], await shop.deps.facts())
  return { ...mail, page: page.body as string, message: message.body as string }
}

const unescaped = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

const numberOf = async (id: string) =>
  (await ada.call('GET', `/api/order/${id}`)).body.number as string

/** The table of a mail: label to value. */
const factsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<tr><th scope="row">([^<]*)<\/th><td>([^<]*)<\/td><\/tr>/g)].map(
      ([, label = '', value = '']) => [label, unescaped(value)],
    ),
  )

const linkIn = (html: string) => /<a class="action" href="([^"]+)"/.exec(html)?.[1]

describe('each mail of an order', () => {
  const whole = async (template: string) => {
    const mail = await readMail(template)
    expect(mail.message).toContain('<html lang="en">')
    expect(mail.message).toContain(`<title>${mail.subject}</title>`)
    expect(mail.message).toContain('name="viewport"')
    expect(mail.message).toContain('name="color-scheme" content="light dark"')
    expect(mail.message).toContain('<base target="_top">')
    expect(mail.message).not.toMatch(
      /<b>|<script|<img|style="|https?:\/\/(?!127\.0\.0\.1|www\.dhl\.com)/,
    )
    expect(mail.page).toContain(`<h1>${mail.subject}</h1>`)
    // text and HTML have the same facts
    const facts = factsIn(mail.message)
    for (const [label, value] of Object.entries(facts)) {
      expect(mail.text).toContain(`${label}: ${value}\n`)
    }
    expect(mail.text).toContain(linkIn(mail.message))
    expect(mail.text.split('\n')[0]).toBe(`Hello ${ada.name},`)
    expect(facts.Product).toBe(part.name)
    expect(facts.Order).toMatch(/^F-\d+$/)
    return { ...mail, facts, link: linkIn(mail.message)?.replace(shop.origin, '') }
  }

  test('booked: what, how much, how long it is kept, and where to pay', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    const { facts, link, text } = await whole('order-booked')
    expect(facts).toEqual({
      Product: part.name,
      Quantity: '2',
      'Price each': '$250',
      'Total price': '$500',
      Order: await numberOf(id),
    })
    // before payment, the mail does not repeat input that may be a stranger's
    expect(text).not.toContain('555 0100')
    expect(text).toContain(sampleFacts.phone)
    const { holdMinutes, holdMaxMinutes } = shop.deps
    expect(text).toContain(
      `We’ll hold your parts for ${holdMinutes} minutes. Each time you open the payment page, the clock starts again, up to ${holdMaxMinutes} minutes in total. After that`,
    )
    expect(link).toBe(`/dashboard/payment/${id}`)
  })

  test('paid: one receipt, however often the payment is reported', async () => {
    const { id, intentId } = await paid()
    const { facts, link, subject, text } = await whole('order-paid')
    const number = await numberOf(id)
    expect(subject).toBe(`Receipt for your order ${number}`)
    expect(text).toContain('We’ll call +1 555 0100 to agree where and when to deliver.')
    expect(text).toContain(
      `You can cancel it on its page until it’s shipped. Questions? Email ${sampleFacts.email} and mention order ${number}.`,
    )
    expect(facts).toMatchObject({
      Quantity: '2',
      'Price each': '$250',
      'Total price': '$500',
      'Transaction id': intentId,
      Order: await numberOf(id),
      Seller: addressLines(sampleFacts).join(', '),
      'Paid on': expect.stringMatching(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/),
    })
    expect(link).toBe(`/dashboard/order/${id}`)
  })

  test('shipped: who carries it', async () => {
    const { id } = await paid(1)
    await owner.call('PUT', `/api/order/${id}/shipped`, { carrier: 'DHL', trackingNumber: 'JD01' })
    const { facts, link, text, message } = await whole('order-shipped')
    const track = 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=JD01'
    expect(text).toContain(`Track the parcel: ${track}\n`)
    expect(message).toContain(`<a href="${track}">Track the parcel</a>`)
    expect(facts).toMatchObject({ Carrier: 'DHL', 'Tracking number': 'JD01' })
    expect(facts['Price each']).toBeUndefined()
    expect(link).toBe(`/dashboard/order/${id}`)
  })

  test('refunded: how much, to which card, how long it takes, and never why', async () => {
    const { id, intentId } = await paid()
    const input = { amount: 120, reason: 'a difficult customer' }
    await owner.call('POST', `/api/order/${id}/refund`, input, { 'idempotency-key': id })
    const { facts, text, message } = await whole('order-refunded')
    expect(facts).toEqual({
      Order: await numberOf(id),
      Product: part.name,
      'Refunded now': '$120',
      Paid: '$500',
      'Transaction id': intentId,
    })
    expect(text).toContain('We’ve refunded $120 of the $500 you paid.')
    expect(text).toContain('It usually takes 5 to 10 days to show up.')
    expect(text + message).not.toContain('difficult')
  })

  test('reminder: what waits', async () => {
    const id = await bookingOf(ada, part, { quantity: 1 })
    await owner.call('POST', `/api/order/${id}/reminder`)
    const { facts, link } = await whole('payment-reminder')
    expect(facts['Total price']).toBe('$250')
    expect(link).toBe(`/dashboard/payment/${id}`)
  })

  test('money that came too late: all of it is refunded, with one mail', async () => {
    const id = await bookingOf(ada, part, { quantity: 2 })
    const payment = await strayIntent(shop, id)
    await ada.call('DELETE', `/api/userProduct/${id}`)
    const { publishableKey } = shop.deps.payments.browser
    await confirmCard({ origin: shop.origin, publishableKey }, payment)
    await expect
      .poll(async () => {
        await ada.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
        const { rowCount } = await shop.pool.query(
          `select 1 from mail_queue where recipient = $1 and template = 'payment-returned'`,
          [ada.email],
        )
        return rowCount
      })
      .toBe(1)
    const { facts } = await whole('payment-returned')
    expect(facts).toMatchObject({ Refunded: '$500', 'Transaction id': payment.intentId })
  })
})

test('a booking repeated with its key is mailed once', async () => {
  const booking = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  const key = { 'idempotency-key': crypto.randomUUID() }
  const book = () => ada.call('POST', '/api/order', booking, key)
  const ids = (await Promise.all([book(), book(), book()])).map(({ body }) => body.insertedId)
  expect(new Set(ids).size).toBe(1)
  await readMail('order-booked')
})

test.each([
  'You won $500 at evil.example',
  'https://evil.example',
  'Call +1 555 0100 now',
  'x'.repeat(41),
  'Ada\u00a0@evil',
])('a user called “%s” is greeted without a name: the address may be another’s', async (words) => {
  await name(words)
  await bookingOf(ada, part, { quantity: 1 })
  const { text, html } = await readMail('order-booked')
  expect(text.split('\n')[0]).toBe('Hello,')
  expect(text + html).not.toContain(words)
})
