import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderSorts, shownStatuses } from '#contracts/lists.ts'
import type { Order } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import {
  bookingOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person
let part: Part

const columns = [
  'Order number',
  'Order',
  'Booked (UTC)',
  'Paid (UTC)',
  'Shipped (UTC)',
  'Arrived (UTC)',
  'Status',
  'Product',
  'Product id',
  'Quantity',
  'Currency',
  'Unit price',
  'Total',
  'Tax',
  'Delivery',
  'Address',
  'Refunded',
  'Dispute',
  'Customer',
  'E-mail',
  'Phone',
  'Transaction id',
  'Carrier',
  'Serial numbers',
  'Tracking number',
] as const
type Line = Record<(typeof columns)[number], string>

async function exported(query = ''): Promise<Line[]> {
  const { status, body } = await owner.call('GET', `/api/allOrders.csv${query}`)
  expect(status).toBe(200)
  return parse(body, { columns: true, bom: true })
}
async function paidOrder(quantity: number): Promise<string> {
  const id = await bookingOf(ada, part, { quantity })
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  const paymentReport = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(200)
  return id
}
/** Inserts orders of the same customer, with texts of maximum length. */
const bookMany = (many: number) =>
  shop.pool.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
     select u._id, $1, repeat('p', 120), '/i', repeat('c', 100), u.email, '12345', 1, 100, 100
     from users u, generate_series(1, $3::int) where u.email = $2`,
    [part._id, ada.email, many],
  )

let shipped: string
let refunded: string
beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  part = await stockPart(shop.pool, { onHand: 1000, price: 250, name: '=cmd|"/c calc"!A1' })
  for (const quantity of [1, 3]) await bookingOf(ada, part, { quantity })
  shipped = await paidOrder(2)
  refunded = await paidOrder(4)
  const shipment = { carrier: '@DHL', trackingNumber: '=1+1' }
  await owner.call('PUT', `/api/order/${shipped}/shipped`, shipment)
  const refund = { amount: 1000, reason: 'broken', restock: 0 }
  const key = { 'idempotency-key': 'refund-1' }
  const { status } = await owner.call('POST', `/api/order/${refunded}/refund`, refund, key)
  expect(status).toBe(200)
  await paidOrder(1)
  await shop.pool.query(`update orders set created_at = now() - interval '3 days' where _id = $1`, [
    shipped,
  ])
})
afterAll(() => shop.close())

describe('allOrders.csv', () => {
  test('holds the orders of the list, for every filter, in every order', async () => {
    const { body } = await owner.call('GET', '/api/allOrders')
    expect(body).toHaveLength(5)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const filters: Record<string, string>[] = [
      {},
      ...shownStatuses.map((status) => ({ status })),
      { q: 'cmd' },
      { q: shipped.slice(0, 8) },
      { from: yesterday },
      { to: yesterday.slice(0, 10) },
    ]
    for (const filter of filters) {
      for (const sort of orderSorts) {
        const query = `?${new URLSearchParams({ ...filter, sort })}`
        const list = (await owner.call('GET', `/api/allOrders${query}`)).body
        const ids = list.map(({ _id }: Order) => _id)
        expect((await exported(query)).map(({ Order }) => Order)).toEqual(ids)
      }
    }
    expect((await owner.call('GET', '/api/allOrders.csv?status=lost')).status).toBe(400)
  })

  test('says what bookkeeping asks, in words of the owner', async () => {
    const lines = await exported()
    expect(Object.keys(lines[0] as Line)).toEqual([...columns])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(lines.find(({ Order }) => Order === shipped)).toEqual({
      'Order number': expect.stringMatching(/^F-\d+$/),
      Order: shipped,
      'Booked (UTC)': time,
      'Paid (UTC)': time,
      'Shipped (UTC)': time,
      'Arrived (UTC)': '',
      Status: 'shipped',
      Product: '\'=cmd|"/c calc"!A1',
      'Product id': part._id,
      Quantity: '2',
      Currency: 'USD',
      'Unit price': '250.00',
      Total: '500.00',
      Tax: '0.00',
      Delivery: '',
      Address: '',
      Refunded: '0.00',
      Dispute: '',
      Customer: ada.name,
      'E-mail': ada.email,
      Phone: 'tel:+1-555-0100',
      'Transaction id': expect.stringMatching(/^pi_/),
      Carrier: "'@DHL",
      'Serial numbers': '',
      'Tracking number': "'=1+1",
    })
    const { Refunded, Status } = lines.find(({ Order }) => Order === refunded) as Line
    expect({ Refunded, Status }).toEqual({ Refunded: '1000.00', Status: 'refunded' })
    expect(lines.map((line) => line.Status).sort()).toEqual([
      'paid',
      'refunded',
      'shipped',
      'unpaid',
      'unpaid',
    ])
    const { headers } = await owner.call('GET', '/api/allOrders.csv')
    expect(headers.get('content-disposition')).toMatch(/"orders-\d{4}-\d\d-\d\d\.csv"$/)
  })
})

test('the file begins with the mark by which spreadsheets know UTF-8, and opens in German ones too', async () => {
  const headers = { authorization: `Bearer ${owner.token}` }
  for (const list of ['allOrders', 'payments', 'audit', 'products']) {
    const answer = await fetch(`${shop.origin}/api/${list}.csv`, { headers })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([list, ...bytes.slice(0, 3)]).toEqual([list, 0xef, 0xbb, 0xbf])
  }
  const { body } = await owner.call('GET', '/api/allOrders.csv?decimals=comma')
  const [line] = parse(body, { columns: true, bom: true, delimiter: ';' }) as Line[]
  expect(Object.keys(line as Line)).toEqual([...columns])
  expect(line?.['Unit price']).toBe('250,00')
  expect((await owner.call('GET', '/api/allOrders.csv?decimals=roman')).status).toBe(400)
})

describe('a client', () => {
  /** Requests the file and stops reading after its beginning. */
  async function stalled(): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${owner.token}` }
    const request = get(`${shop.origin}/api/allOrders.csv`, { headers, agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(200)
    await once(answer, 'readable')
    return answer
  }

  test('that stops reading, or disconnects, keeps no database connection', async () => {
    await bookMany(15_000)
    const { $client: pool } = shop.deps.db
    const atWork = () => pool.totalCount - pool.idleCount + pool.waitingCount
    const answers = await Promise.all([stalled(), stalled()])
    await expect.poll(atWork).toBe(0)
    expect(answers.filter(({ complete }) => complete)).toEqual([])
    expect((await owner.call('GET', '/api/allOrders?limit=1')).status).toBe(200)
    for (const answer of answers) answer.destroy()
    await expect.poll(atWork).toBe(0)
  })
})
