/**
 * Tests that a checkout costs the same everywhere, to the cent: page, payment, receipt, invoice,
 * payments.csv, the journal, and the months that an accountant adds up.
 */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Address } from '#contracts/addresses.ts'
import type { Checkout } from '#contracts/checkouts.ts'
import { money, sumOfTotals } from '#contracts/money.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { payingShop } from '#tests/support/money.ts'
import { createUsers, type Person } from '#tests/support/people.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'

const { shop, owner, confirm } = payingShop()

const seattle: Address = {
  name: 'Ada Example',
  company: '',
  line1: '400 Broad St',
  line2: '',
  city: 'Seattle',
  region: 'US-WA',
  postcode: '98109',
  country: 'US',
}
const portland: Address = { ...seattle, city: 'Portland', region: 'US-OR', postcode: '97209' }

/** Saves settings of the shop; what is not named is the sample's. */
async function setUp(facts: object) {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const edit = { version, settings: { shop: { ...sampleFacts, ...facts } } }
  const { status, body } = await owner.call('PUT', '/api/settings', edit)
  expect([status, body.error?.fields]).toEqual([200, undefined])
}
const inWashington = { country: 'US', taxRegion: 'US-WA' }
const salesTax = {
  ...inWashington,
  taxMode: 'added',
  taxName: 'Sales tax',
  taxRates: 'US-WA 10.1\nUS-OR 0',
}
const vat = { country: 'DE', taxMode: 'included', taxName: 'VAT', taxRates: '19' }
afterEach(() => setUp({}))

async function addMethod(fields: object): Promise<string> {
  const parcel = { type: 'ship', price: 9, freeFrom: 500, regions: ['US'], daysFrom: 2, daysTo: 4 }
  const method = { ...parcel, name: `Method ${crypto.randomUUID()}`, ...fields }
  const { status, body } = await owner.call('POST', '/api/shipping-methods', method)
  expect([status, body.error?.fields]).toEqual([200, undefined])
  return body.insertedId
}

type Line = { partId: string; quantity: number }

/** Books and pays a checkout. */
async function bought(person: Person, lines: Line[], choice: { methodId: string }) {
  const { body } = await person.call('POST', '/api/orders', { phone: '+1 555 0100', lines })
  const { insertedId: id, orderIds } = body
  const chosen = await person.call('PUT', `/api/checkout/${id}/shipping`, choice)
  expect([chosen.status, chosen.body.error]).toEqual([200, undefined])
  const before: Checkout = (await person.call('GET', `/api/checkout/${id}`)).body
  const agreed = { totalPrice: sumOfTotals(before.orders), due: before.due, orderId: orderIds[0] }
  const { clientSecret } = (await person.call('POST', '/api/create-payment-intent', agreed)).body
  const transactionId = clientSecret.split('_secret_')[0] as string
  await confirm({ clientSecret, intentId: transactionId })
  const claim = await person.call('PATCH', `/api/order/${orderIds[0]}`, { transactionId })
  expect(claim.status).toBe(200)
  const checkout: Checkout = (await person.call('GET', `/api/checkout/${id}`)).body
  return { id: id as string, orderIds: orderIds as string[], transactionId, checkout }
}

type Row = Record<string, string>
const exported = async (path: string): Promise<Row[]> =>
  parse((await owner.call('GET', path)).body, { columns: true, bom: true })
const inCents = (amount: number | string | undefined) => Math.round(Number(amount) * 100)
const sumOf = (rows: Row[], column: string) =>
  rows.reduce((sum, row) => sum + inCents(row[column]), 0)

/** The lines of all months of a type, without the month. */
async function months(type: string): Promise<Row[]> {
  const rows = (await exported('/api/months.csv')).filter(({ Type }) => Type === type)
  for (const { Month } of rows) expect(Month).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/)
  return rows
}

test('a month adds up its tax by place and rate, its money and its card fees', async () => {
  await setUp({ ...salesTax, taxRates: 'US-WA 10.1 goods\nUS-OR 0' })
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const flat = await addMethod({})
  const pickUp = await addMethod({ type: 'pick up', regions: [], price: 0, freeFrom: null })
  const { _id: partId } = await stockPart(shop.pool, { onHand: 9, price: 100 })
  const lines = [{ partId, quantity: 1 }]
  const there = { methodId: flat, address: seattle }
  const first = await bought(ada, lines, there)
  await bought(ada, lines, { methodId: flat, address: portland } as typeof there)
  await bought(ada, lines, { methodId: pickUp })
  const refund = { lines: [{ orderId: first.orderIds[0], amount: 11.01 }], reason: 'A scratch' }
  const { status } = await owner.call('POST', `/api/checkout/${first.id}/refund`, refund, {
    'idempotency-key': crypto.randomUUID(),
  })
  expect(status).toBe(200)
  const sales = (await months('sales')).map(({ Month: _, Type: __, ...row }) => Object.values(row))
  expect(sales).toEqual([
    ['US', 'US-OR', 'Sales tax 0 %', 'USD', '109.00', '0.00', '109.00', ''],
    // the shipping
    ['US', 'US-WA', 'Sales tax 0 %', 'USD', '9.00', '0.00', '9.00', ''],
    // of the parcel and the pick-up, less the refund
    ['US', 'US-WA', 'Sales tax 10.1 %', 'USD', '190.00', '19.19', '209.19', ''],
  ])
  const { net, fees } = (await owner.call('GET', '/api/payments/sums')).body
  expect(sumOf(await months('money'), 'Gross')).toBe(inCents(net))
  expect(sumOf(await months('sales'), 'Gross')).toBe(inCents(net))
  expect(await months('card fees')).toMatchObject([{ Currency: 'USD', 'Card fees': '10.70' }])
  expect(fees).toEqual([{ currency: 'USD', amount: 10.7 }])
  const journal = await exported('/api/invoices.csv')
  expect(journal.map(({ Type, Country, Region }) => [Type, Country, Region])).toEqual([
    ['invoice', 'US', 'US-WA'],
    ['invoice', 'US', 'US-OR'],
    ['invoice', 'US', 'US-WA'],
    ['credit note', 'US', 'US-WA'],
  ])
})

/** How a tax is set up, and what it makes of amounts in cents. */
type Taxing = {
  facts: object
  rateIn: (region: string) => number
  isAdded: boolean
}
const taxings: Taxing[] = [
  { facts: salesTax, rateIn: (region) => (region === 'US-WA' ? 101 : 0), isAdded: true },
  { facts: vat, rateIn: () => 190, isAdded: false },
  { facts: inWashington, rateIn: () => 0, isAdded: false },
]
const half = (numerator: number, denominator: number) => Math.round(numerator / denominator)

type Case = { bag: [number, number][]; way: 'Seattle' | 'Portland' | 'pick up' }
const cases = fc.record<Case>({
  bag: fc.uniqueArray(fc.tuple(fc.nat({ max: 11 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    maxLength: 6,
    selector: ([part]) => part,
  }),
  way: fc.constantFrom('Seattle', 'Portland', 'pick up'),
})

const many = atLength ? 1000 : 24

test(`${many} random checkouts agree to the cent everywhere`, {
  timeout: atLength ? 1_200_000 : 120_000,
}, async () => {
  const people = await createUsers(shop, 4)
  await havePaid(
    shop.pool,
    people.map(({ email }) => email),
  )
  const flat = await addMethod({})
  const pickUp = await addMethod({ type: 'pick up', regions: [], price: 0, freeFrom: null })
  const prices = fc.sample(fc.integer({ min: 50, max: 30_000 }), { seed, numRuns: 12 })
  const parts = await Promise.all(
    prices.map((price) => stockPart(shop.pool, { onHand: 3 * many, price: price / 100 })),
  )
  const before = (await owner.call('GET', '/api/payments/sums')).body
  const earlier = { sales: await months('sales'), fees: await months('card fees') }
  const expected = new Map<string, { due: number; tax: number; place: string }>()

  /** Buys one of them, and compares what its customer sees. */
  async function compare(person: Person, { bag, way }: Case, { rateIn, isAdded, facts }: Taxing) {
    const lines = bag.map(([i, quantity]) => ({ partId: parts[i]?._id ?? '', quantity }))
    const isPickUp = way === 'pick up'
    const address = way === 'Portland' ? portland : seattle
    const choice = isPickUp ? { methodId: pickUp } : { methodId: flat, address }
    const { transactionId, checkout, orderIds } = await bought(person, lines, choice)
    const goods = bag.map(([i, quantity]) => (prices[i] ?? 0) * quantity)
    const sum = goods.reduce((one, other) => one + other, 0)
    const shipping = isPickUp || sum >= 50_000 ? 0 : 900
    const rate = rateIn(isPickUp ? 'US-WA' : address.region)
    const added = [...goods, shipping].map((each) => (isAdded ? half(each * rate, 1000) : 0))
    const gross = [sum, shipping, ...added].reduce((one, other) => one + other, 0)
    const tax = isAdded ? gross - sum - shipping : half(gross * rate, 1000 + rate)
    const shopsOwn = facts === vat ? 'DE' : 'US US-WA'
    const place = isPickUp ? shopsOwn : `US ${address.region}`
    expected.set(transactionId, { due: gross, tax, place })
    expect([checkout.due, checkout.shipping.price, checkout.shipping.tax].map(inCents)).toEqual([
      ...[gross, shipping, tax],
    ])
    expect((await shop.deps.payments.retrieveIntent(transactionId))?.amountReceived).toBe(gross)
    const { rows } = await shop.pool.query(
      `select text from mail_queue where template = 'order-paid' and order_id = any ($1)`,
      [orderIds],
    )
    expect(rows).toHaveLength(1)
    const said = rows[0].text as string
    expect(said).toContain(`Total price: ${money(gross / 100, 'USD')}\n`)
    if (tax > 0) expect(said).toContain(`%: ${money(tax / 100, 'USD')}\n`)
    const [paper] = checkout.invoices
    expect([paper?.total, paper?.tax].map(inCents)).toEqual([gross, tax])
    const { document } = (await person.call('GET', `/api/invoice/${paper?._id}`)).body
    const documentLines: { total: number; tax: number }[] = document.lines
    const printed = documentLines.flatMap((line) => [line.total, line.tax]).map(inCents)
    expect(printed.reduce((one, other) => one + other, 0)).toBe(gross)
  }

  const drawn = fc.sample(cases, { seed, numRuns: many })
  for (const [nth, taxing] of taxings.entries()) {
    await setUp(taxing.facts)
    const own = drawn.filter((_, i) => i % taxings.length === nth)
    await Promise.all(
      people.map(async (person, lane) => {
        for (const each of own.filter((_, i) => i % people.length === lane))
          await compare(person, each, taxing)
      }),
    )
  }

  expect(expected.size).toBe(many)
  const ofThem = ({ due, tax }: { due: number; tax: number }) => [due - tax, tax, due]
  const journal = (await exported('/api/invoices.csv')).filter((row) =>
    expected.has(row['Transaction id'] ?? ''),
  )
  expect(journal).toHaveLength(many)
  for (const row of journal) {
    const one = expected.get(row['Transaction id'] ?? '')
    expect(['Net', 'Tax amount', 'Gross'].map((column) => inCents(row[column]))).toEqual(
      one && ofThem(one),
    )
    expect(`${row.Country} ${row.Region}`.trim()).toBe(one?.place)
  }
  const moved = (await exported('/api/payments.csv')).filter((row) =>
    expected.has(row['Of payment'] ?? ''),
  )
  expect(moved).toHaveLength(many)
  for (const row of moved)
    expect(inCents(row.Amount)).toBe(expected.get(row['Of payment'] ?? '')?.due)

  const all = [...expected.values()]
  const due = all.reduce((sum, each) => sum + each.due, 0)
  const tax = all.reduce((sum, each) => sum + each.tax, 0)
  const fee = all.reduce((sum, each) => sum + half(each.due * 29, 1000) + 30, 0)
  const after = (await owner.call('GET', '/api/payments/sums')).body
  expect(inCents(after.net) - inCents(before.net)).toBe(due)
  const sales = await months('sales')
  const growth = (column: string) => sumOf(sales, column) - sumOf(earlier.sales, column)
  expect([growth('Gross'), growth('Tax amount'), growth('Net')]).toEqual([due, tax, due - tax])
  const fees = await months('card fees')
  expect(sumOf(fees, 'Card fees') - sumOf(earlier.fees, 'Card fees')).toBe(fee)
  expect(sumOf(moved, 'Card fee')).toBe(fee)
  expect(inCents(after.fees[0].amount)).toBe(sumOf(fees, 'Card fees'))
})
