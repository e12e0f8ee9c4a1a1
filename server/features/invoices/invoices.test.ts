import { parse } from 'csv-parse/sync'
import { extractText } from 'unpdf'
import { describe, expect, test } from 'vitest'
import type { Checkout } from '#contracts/checkouts.ts'
import { wordsOf } from '#contracts/invoice-words.ts'
import type { InvoiceDocument } from '#contracts/invoices.ts'
import { sumOfTotals } from '#contracts/money.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { atLength } from '#tests/support/length.ts'
import { payingShop } from '#tests/support/money.ts'
import { bookingOf, createUsers, intentFor, orderOf, type Person } from '#tests/support/people.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'

const { shop, owner, ada, confirm, control, paidOrder } = payingShop({ price: 100 })

const checkoutOf = async (id: string, person: Person = ada): Promise<Checkout> =>
  (await person.call('GET', `/api/checkout/${id}`)).body
const papersOf = async (orderId: string) => {
  const { checkoutId } = await orderOf(ada, orderId)
  return (await checkoutOf(checkoutId)).invoices
}
const documentOf = async (id: string): Promise<InvoiceDocument> =>
  (await ada.call('GET', `/api/invoice/${id}`)).body.document
const refund = (id: string, amount: number) =>
  owner.call(
    'POST',
    `/api/order/${id}/refund`,
    { amount, reason: 'A scratch', restock: 0 },
    { 'idempotency-key': crypto.randomUUID() },
  )
/** Saves settings of the shop; what is not named is the sample's. */
async function setUp(facts: object) {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const edit = { version, settings: { shop: { ...sampleFacts, ...facts } } }
  expect((await owner.call('PUT', '/api/settings', edit)).status).toBe(200)
}
const address = {
  name: 'Ζωή Müller',
  company: 'Кириллица GmbH',
  line1: 'Stephansplatz 1',
  line2: '',
  city: 'Wien',
  region: '',
  postcode: '1010',
  country: 'AT',
}

/** A paid checkout of parts of these prices, delivered for 9. */
async function delivered(prices: number[]): Promise<Checkout> {
  const method = {
    ...{ name: `Parcel ${crypto.randomUUID()}`, type: 'ship', price: 9, freeFrom: null },
    ...{ regions: ['AT'], daysFrom: 1, daysTo: 2 },
  }
  const { insertedId: methodId } = (await owner.call('POST', '/api/shipping-methods', method)).body
  const parts = await Promise.all(prices.map((price) => stockPart(shop.pool, { onHand: 9, price })))
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 1 }))
  const booking = { phone: '+1 555 0100', lines }
  const { insertedId: id, orderIds } = (await ada.call('POST', '/api/orders', booking)).body
  const choice = { methodId, address, taxNumber: 'ATU12345678' }
  expect((await ada.call('PUT', `/api/checkout/${id}/shipping`, choice)).status).toBe(200)
  const { due, orders } = await checkoutOf(id)
  const agreed = { totalPrice: sumOfTotals(orders), due, orderId: orderIds[0] }
  const { clientSecret } = (await ada.call('POST', '/api/create-payment-intent', agreed)).body
  const intentId = clientSecret.split('_secret_')[0]
  await confirm({ clientSecret, intentId })
  const claim = { transactionId: intentId }
  expect((await ada.call('PATCH', `/api/order/${orderIds[0]}`, claim)).status).toBe(200)
  return checkoutOf(id)
}

describe('an invoice', () => {
  test('is issued with the payment, and read by its customer and admins alone', async () => {
    const { id, intentId } = await paidOrder(2)
    const [paper, ...more] = await papersOf(id)
    expect(more).toEqual([])
    expect(paper).toMatchObject({ type: 'invoice', total: 200, tax: 0 })
    expect(paper?.number).toMatch(/^\d{4}-I-\d{5}$/)
    const document = await documentOf(paper?._id ?? '')
    const { number } = await orderOf(ada, id)
    expect(document).toMatchObject({
      number: paper?.number,
      corrects: null,
      seller: { lines: ['Ferrite', '12 Coil Lane', 'Portland, OR 97209', 'United States'] },
      buyer: { lines: [ada.name], taxNumber: '' },
      lines: [{ orderNumber: number, quantity: 2, price: 100, total: 200, tax: 0 }],
      taxMode: 'none',
      total: 200,
      transactionId: intentId,
    })
    const [eve] = await createUsers(shop, 1)
    for (const path of [`/api/invoice/${paper?._id}`, `/api/invoice/${paper?._id}/pdf`]) {
      expect((await eve?.call('GET', path))?.status).toBe(404)
      expect((await owner.call('GET', path)).status).toBe(200)
    }
  })

  test('has the address, the tax and every line, and so has its PDF', async () => {
    await setUp({ taxMode: 'added', taxName: 'Sales tax', taxRates: '10.1', taxNumber: 'US 42' })
    await havePaid(shop.pool, [ada.email])
    const { invoices, due } = await delivered([99.99, 4.95, 20])
    const document = await documentOf(invoices[0]?._id ?? '')
    expect(document).toMatchObject({
      goods: 133.94,
      tax: 13.53,
      total: due,
      taxName: 'Sales tax',
      taxRate: 10_100,
      seller: { taxNumber: 'US 42' },
      buyer: { taxNumber: 'ATU12345678' },
    })
    expect(document.lines.map(({ total, tax }) => [total, tax])).toEqual([
      [99.99, 10.1],
      [4.95, 0.5],
      [20, 2.02],
      [9, 0.91],
    ])
    const pdf = await fetch(`${shop.origin}/api/invoice/${invoices[0]?._id}/pdf`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(pdf.headers.get('content-disposition')).toBe(
      `attachment; filename="${document.number}.pdf"`,
    )
    const { text, totalPages } = await extractText(new Uint8Array(await pdf.arrayBuffer()), {
      mergePages: true,
    })
    expect(totalPages).toBe(1)
    const words = wordsOf(document)
    const said = [
      ...[words.title, ...words.facts.flat(), ...words.seller, ...words.buyer],
      ...[...words.rows.flat(), ...words.sums.flat()],
    ]
    const plain = (all: string) => all.replaceAll(/\s+/g, '')
    expect(said.filter((each) => !plain(text).includes(plain(each)))).toEqual([])
    expect(words.buyer).toContain('Ζωή Müller')
    await setUp({})
  })

  test('with tax included shows how much of it is tax, once over all', async () => {
    await setUp({ taxMode: 'included', taxName: 'VAT', taxRates: '19' })
    await havePaid(shop.pool, [ada.email])
    const { invoices } = await delivered([119, 0.5])
    expect(await documentOf(invoices[0]?._id ?? '')).toMatchObject({
      goods: 128.5,
      tax: 20.52,
      total: 128.5,
    })
    await setUp({})
  })

  test('of twenty lines is one page', async () => {
    await havePaid(shop.pool, [ada.email])
    const { invoices } = await delivered(Array.from({ length: 20 }, (_, i) => 10 + i))
    const { headers } = { headers: { authorization: `Bearer ${ada.token}` } }
    const pdf = await fetch(`${shop.origin}/api/invoice/${invoices[0]?._id}/pdf`, { headers })
    const { totalPages } = await extractText(new Uint8Array(await pdf.arrayBuffer()))
    expect(totalPages).toBe(1)
  })

  test('never changes, even by raw SQL, and its number follows the last one', async () => {
    const { id } = await paidOrder(1)
    const [paper] = await papersOf(id)
    for (const change of [
      `update invoices set total_cents = 1 where _id = '${paper?._id}'`,
      `update invoices set document = '{}' where _id = '${paper?._id}'`,
      `delete from invoices where _id = '${paper?._id}'`,
      'truncate invoices cascade',
    ])
      await expect(shop.pool.query(change)).rejects.toThrow('invoices is append-only')
    await expect(
      shop.pool.query(
        `insert into invoices (series, year, number, checkout_id, total_cents, tax_cents, document)
         select series, year, number + 5, checkout_id, 1, 0, document from invoices where _id = $1`,
        [paper?._id],
      ),
    ).rejects.toMatchObject({ constraint: 'invoices_without_gap' })
  })
})

describe('a credit note', () => {
  test('is issued with each refund that the provider made, at its share of the tax', async () => {
    await setUp({ taxMode: 'added', taxName: 'Sales tax', taxRates: '10' })
    await havePaid(shop.pool, [ada.email])
    const checkout = await delivered([100, 50])
    const { _id } = checkout.orders[0] as { _id: string }
    expect((await refund(_id, 11)).body.state).toBe('succeeded')
    const [invoice, note, ...more] = (await checkoutOf(checkout._id)).invoices
    expect(more).toEqual([])
    expect(note).toMatchObject({ type: 'credit note', total: 11, tax: 1 })
    expect(await documentOf(note?._id ?? '')).toMatchObject({
      corrects: invoice?.number,
      lines: [{ quantity: null, total: 10, tax: 1 }],
    })
    await setUp({})
  })

  test.each(['added', 'included'])(
    'in parts, with tax %s, add up to their invoice',
    async (taxMode) => {
      await setUp({ taxMode, taxName: 'Tax', taxRates: '19' })
      const checkout = await delivered([9.99])
      const { _id, totalPrice, taxTotal } = checkout.orders[0] as Checkout['orders'][number]
      const cents = Math.round((totalPrice + taxTotal) * 100)
      for (const amount of [1, 2, 3, cents - 6]) await refund(_id, amount / 100)
      const ofDelivery = { shipping: checkout.shipping.paid, reason: 'All goes back' }
      await owner.call('POST', `/api/checkout/${checkout._id}/refund`, ofDelivery, {
        'idempotency-key': crypto.randomUUID(),
      })
      const { rows } = await shop.pool.query(
        `select series, sum(tax_cents)::int as tax from invoices where checkout_id = $1 group by series order by series`,
        [checkout._id],
      )
      const [notes, invoice] = rows
      expect([notes.series, invoice.series, notes.tax]).toEqual(['C', 'I', invoice.tax])
      await setUp({})
    },
  )

  test('is undone by an invoice when the bank returns the money', async () => {
    await control('webhooks', { mode: 'normal' })
    const { id } = await paidOrder(1, 'pm_card_refundFail')
    await refund(id, 40)
    await expect.poll(async () => (await papersOf(id)).length).toBe(3)
    const [, note, undone] = await papersOf(id)
    expect([note?.type, undone?.type, undone?.total]).toEqual(['credit note', 'invoice', 40])
    expect((await documentOf(undone?._id ?? '')).corrects).toBe(note?.number)
  })

  test('of money that no order could take there is none', async () => {
    const { rows } = await shop.pool.query(
      `select from invoices i join refunds r on r._id = i.refund_id where r.cause = 'unmatched_payment'`,
    )
    expect(rows).toEqual([])
  })
})

test('many payments at once, some of which fail, leave no gap, and the journal agrees with the money', async () => {
  const crowd = await createUsers(shop, atLength ? 200 : 20)
  await havePaid(
    shop.pool,
    crowd.map(({ email }) => email),
  )
  const part = await stockPart(shop.pool, { onHand: crowd.length, price: 10 })
  const orders = await Promise.all(
    crowd.map(async (person) => ({ person, id: await bookingOf(person, part) })),
  )
  const payments = await Promise.all(
    orders.map(async ({ person, id }) => ({ person, id, ...(await intentFor(person, id)) })),
  )
  await Promise.all(
    payments.map(async ({ person, id, ...payment }, i) => {
      await confirm(payment, i % 10 === 0 ? 'pm_card_visa_chargeDeclined' : 'pm_card_visa')
      await person.call('PATCH', `/api/order/${id}`, { transactionId: payment.intentId })
    }),
  )
  const { rows: gaps } = await shop.pool.query(
    `select series, year from invoices group by 1, 2 having max(number) <> count(*)`,
  )
  expect(gaps).toEqual([])
  const { rows: last } = await shop.pool.query(
    `select from invoice_counters c where last <> (select max(number) from invoices i
     where (i.series, i.year) = (c.series, c.year))`,
  )
  expect(last).toEqual([])
  const { body } = await owner.call('GET', '/api/invoices.csv')
  const journal: Record<string, string>[] = parse(body, { columns: true, bom: true })
  const cents = (column: string) =>
    journal.reduce((sum, line) => sum + Math.round(Number(line[column]) * 100), 0)
  const { rows: money } = await shop.pool.query(
    `select (select sum(amount) from payments where status = 'succeeded' and checkout_id in (select checkout_id from invoices))
      - (select sum(amount) from refunds r where state in ('pending', 'succeeded')
         and exists (select from invoices i where i.refund_id = r._id)) as net`,
  )
  expect(cents('Gross')).toBe(Number(money[0].net))
  expect(cents('Net') + cents('Tax amount')).toBe(cents('Gross'))
})
