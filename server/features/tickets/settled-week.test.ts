/**
 * A week of checkouts that are shipped, canceled, sent back and repaired: journal, overview, money,
 * stock and shelf agree to the cent and unit.
 */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Checkout } from '#contracts/checkouts.ts'
import { cents, fromCents, sumOf, sumOfTotals } from '#contracts/money.ts'
import type { Order } from '#contracts/orders.ts'
import type { Overview } from '#contracts/overview.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { atLength, seed } from '#tests/support/length.ts'
import { payingShop } from '#tests/support/money.ts'
import { createUsers, type Person } from '#tests/support/people.ts'
import { havePaid, stockOf, stockPart } from '#tests/support/stock.ts'

const { shop, owner, confirm } = payingShop({ webhooks: 'normal' })

const seattle = {
  ...{ name: 'Ada Example', company: '', line1: '400 Broad St', line2: '' },
  ...{ city: 'Seattle', region: 'US-WA', postcode: '98109', country: 'US' },
}
const newKey = () => ({ 'idempotency-key': crypto.randomUUID() })
const onHand = 2000

/** The fates of a paid checkout. */
const fates = [
  ...['waits', 'shipped', 'canceled', 'a line canceled, the rest shipped'],
  ...['a line sent back', 'all sent back', 'repaired', 'came back undelivered'],
] as const
const cases = fc.record({
  lines: fc.uniqueArray(fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    maxLength: 4,
    selector: ([part]) => part,
  }),
  canBeSoldAgain: fc.boolean(),
})

type Bought = { person: Person; id: string; orders: Order[] }

async function bought(person: Person, lines: object[], methodId: string): Promise<Bought> {
  const { body } = await person.call('POST', '/api/orders', { phone: '+1 555 0100', lines })
  const { insertedId: id, orderIds } = body
  const choice = { methodId, address: seattle }
  expect((await person.call('PUT', `/api/checkout/${id}/shipping`, choice)).status).toBe(200)
  const read = async (): Promise<Checkout> => (await person.call('GET', `/api/checkout/${id}`)).body
  const { orders, due } = await read()
  const agreed = { totalPrice: sumOfTotals(orders), due, orderId: orderIds[0] }
  const { clientSecret } = (await person.call('POST', '/api/create-payment-intent', agreed)).body
  const transactionId = clientSecret.split('_secret_')[0] as string
  await confirm({ clientSecret, intentId: transactionId })
  const claim = await person.call('PATCH', `/api/order/${orderIds[0]}`, { transactionId })
  expect(claim.status).toBe(200)
  return { person, id, orders: (await read()).orders }
}

async function done(answer: Promise<{ status: number; body: { error?: unknown } }>) {
  const { status, body } = await answer
  expect([status, body.error]).toEqual([200, undefined])
  return body as { insertedId: string }
}

const ship = ({ id }: Bought) => done(owner.call('PUT', `/api/checkout/${id}/shipped`, {}))
const cancel = ({ person, id }: Bought, orderIds: string[]) =>
  done(person.call('POST', `/api/checkout/${id}/cancel`, { orderIds }, newKey()))

/** Opens a ticket for whole orders, receives them, and refunds them with what else goes back. */
async function sendBack(
  { person, id }: Bought,
  back: Order[],
  { type, restocks, shipping }: { type: string; restocks: boolean; shipping: number | undefined },
) {
  const lines = back.map(({ _id: orderId, quantity }) => ({ orderId, quantity }))
  const by = type === 'undelivered' ? owner : person
  const opening = { type, lines, text: 'It is not for me.' }
  const opened = done(by.call('POST', `/api/checkout/${id}/tickets`, opening, newKey()))
  const { insertedId: ticketId } = await opened
  const received = lines.map(({ orderId, quantity }) => ({
    ...{ orderId, received: quantity },
    restock: restocks ? quantity : 0,
  }))
  const edit = { version: 1, state: 'received', received }
  await done(owner.call('PUT', `/api/ticket/${ticketId}`, edit))
  const refund = {
    lines: back.map(({ _id: orderId, totalPrice, taxTotal, quantity }) => ({
      ...{ orderId, amount: sumOf([totalPrice, taxTotal]) },
      restock: restocks ? quantity : 0,
    })),
    ...{ shipping, reason: type, ticketId },
  }
  await done(owner.call('POST', `/api/checkout/${id}/refund`, refund, newKey()))
}

async function repair({ person, id, orders: [first] }: Bought) {
  const lines = [{ orderId: first?._id, quantity: 1 }]
  const opening = { type: 'warranty', lines, text: 'It hums.' }
  const opened = done(person.call('POST', `/api/checkout/${id}/tickets`, opening, newKey()))
  const { insertedId } = await opened
  const edit = { version: 1, state: 'settled', text: 'We sent another one.' }
  await done(owner.call('PUT', `/api/ticket/${insertedId}`, edit))
}

test('journal, overview, money, stock and shelf agree to the cent and unit', {
  timeout: 600_000,
}, async () => {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const tax = { taxMode: 'added', taxName: 'Sales tax', taxRates: 'US-WA 10.1' }
  const settings = { shop: { ...sampleFacts, ...tax, country: 'US', taxRegion: 'US-WA' } }
  await done(owner.call('PUT', '/api/settings', { version, settings }))
  const days = { daysFrom: 2, daysTo: 4, freeFrom: null }
  const parcel = { name: 'Parcel', type: 'ship', price: 9, regions: ['US'], ...days }
  const { insertedId: methodId } = await done(owner.call('POST', '/api/shipping-methods', parcel))
  const parts = await Promise.all(
    [4.99, 19.95, 129, 349.5, 0.99, 77.77].map((price) => stockPart(shop.pool, { onHand, price })),
  )
  const paidCents = ({ totalPrice, taxTotal }: Order) => cents(totalPrice) + cents(taxTotal)
  const shippingCents = 900 + Math.round(900 * 0.101)
  let net = 0
  const shelf = parts.map(() => ({ onHand, reserved: 0 }))
  const stockFor = ({ partId }: Order) => {
    const stock = shelf[parts.findIndex(({ _id }) => _id === partId)]
    if (!stock) throw new Error(`no part ${partId}`)
    return stock
  }
  const gone = (orders: Order[]) => {
    for (const order of orders) stockFor(order).onHand -= order.quantity
  }
  const back = (orders: Order[], isSold: boolean) => {
    for (const order of orders) {
      net -= paidCents(order)
      if (isSold) stockFor(order).onHand += order.quantity
    }
  }

  const sample = fc.sample(cases, { numRuns: atLength ? 300 : fates.length, seed })
  const people = await createUsers(shop, sample.length)
  await havePaid(
    shop.pool,
    people.map(({ email }) => email),
  )
  const paidBefore = cents((await owner.call('GET', '/api/payments/sums')).body.net)
  for (const [i, { lines, canBeSoldAgain }] of sample.entries()) {
    const fate = fates[i % fates.length]
    const bag = lines.map(([part, quantity]) => ({ partId: parts[part]?._id, quantity }))
    const one = await bought(people[i] as Person, bag, methodId)
    const { orders } = one
    const [first, ...rest] = orders as [Order, ...Order[]]
    net += shippingCents + orders.reduce((sum, order) => sum + paidCents(order), 0)
    const all = { type: 'withdrawal', restocks: canBeSoldAgain, shipping: fromCents(shippingCents) }
    if (fate === 'waits') {
      for (const order of orders) stockFor(order).reserved += order.quantity
    } else if (fate === 'canceled' || (fate === 'a line canceled, the rest shipped' && !rest[0])) {
      await cancel(
        one,
        orders.map(({ _id }) => _id),
      )
      net -= shippingCents
      back(orders, false)
    } else if (fate === 'a line canceled, the rest shipped') {
      await cancel(one, [first._id])
      back([first], false)
      await ship(one)
      gone(rest)
    } else {
      await ship(one)
      gone(orders)
      if (fate === 'repaired') await repair(one)
      if (fate === 'a line sent back') {
        await sendBack(one, [first], { ...all, shipping: undefined })
        back([first], canBeSoldAgain)
      }
      if (fate === 'all sent back' || fate === 'came back undelivered') {
        const type = fate === 'all sent back' ? 'withdrawal' : 'undelivered'
        await sendBack(one, orders, { ...all, type })
        back(orders, canBeSoldAgain)
        net -= shippingCents
      }
    }
  }

  const sums = (await owner.call('GET', '/api/payments/sums')).body
  expect(cents(sums.net) - paidBefore).toBe(net)
  const read = async (path: string): Promise<Record<string, string>[]> =>
    parse((await owner.call('GET', path)).body, { columns: true, bom: true })
  const total = (rows: Record<string, string>[], column: string) =>
    rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)
  const journal = await read('/api/invoices.csv')
  expect(total(journal, 'Gross')).toBe(net)
  expect(total(await read('/api/payments.csv'), 'Amount') - paidBefore).toBe(net)
  const { periods }: Overview = (await owner.call('GET', '/api/overview')).body
  const week = periods.find(({ days: span }) => span === 7)
  expect(cents(week?.now.revenue ?? 0)).toBe(net + paidBefore)
  for (const [i, { _id }] of parts.entries())
    expect([i, await stockOf(shop.pool, _id)]).toEqual([i, shelf[i]])
})
