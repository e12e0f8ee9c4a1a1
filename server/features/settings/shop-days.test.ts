/** Days begin at midnight in the shop's time zone, also where its clock changes. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { Settings, sampleFacts } from '#contracts/settings.ts'
import { bookingOf, createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let part: Part

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  part = await stockPart(shop.pool, { onHand: 50, price: 20 })
}, 60_000)
afterAll(() => shop.close())

async function saveZone(timeZone: string) {
  const { version } = Settings.parse((await owner.call('GET', '/api/settings')).body)
  const settings = { shop: { ...sampleFacts, timeZone } }
  return owner.call('PUT', '/api/settings', { version, settings })
}

async function booked(): Promise<string> {
  const [customer] = (await createUsers(shop, 1)) as [Person]
  return bookingOf(customer, part)
}
/** Books an order as if at this moment. */
async function bookedAt(moment: string): Promise<string> {
  const id = await booked()
  await shop.pool.query('update orders set created_at = $2 where _id = $1', [id, moment])
  return id
}
const idsOf = async (query: string) =>
  (await owner.call('GET', `/api/allOrders?${query}`)).body
    .map(({ _id }: { _id: string }) => _id)
    .toReversed()
const linesOf = async (query: string): Promise<Record<string, string>[]> => {
  const { body } = await owner.call('GET', `/api/allOrders.csv?${query}`)
  return parse(String(body), { columns: true, bom: true })
}

test('what is no time zone is refused by name', async () => {
  for (const zone of [
    'Mars/Olympus',
    "UTC'; drop table orders; --",
    '+05:00',
    'CET',
    'x'.repeat(99),
  ]) {
    const { status, body } = await saveZone(zone)
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ['settings.shop.timeZone']])
  }
  expect((await owner.call('GET', '/api/overview')).body.timeZone).toBe('UTC')
  const { rows } = await shop.pool.query<{ name: string }>('select name from pg_timezone_names')
  const known = new Set(rows.map(({ name }) => name))
  expect(Intl.supportedValuesOf('timeZone').filter((name) => !known.has(name))).toEqual([])
})

test.each([
  ['of 23 hours', '2026-03-29', ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'], '00:00:00'],
  ['of 25 hours', '2026-10-25', ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'], '00:00:00'],
  ['of 24 hours', '2026-07-01', ['2026-06-30T22:00:00Z', '2026-07-01T21:59:59Z'], '00:00:00'],
])(
  'a day %s begins and ends at midnight there, in lists and exports',
  async (_, day, ends, first) => {
    expect((await saveZone('Europe/Vienna')).status).toBe(200)
    const [begin = '', end = ''] = ends
    const before = new Date(Date.parse(begin) - 1000).toISOString()
    const after = new Date(Date.parse(end) + 1000).toISOString()
    const [, one, two] = [
      await bookedAt(before),
      await bookedAt(begin),
      await bookedAt(end),
      await bookedAt(after),
    ]
    const query = `from=${day}&to=${day}`
    expect(await idsOf(query)).toEqual([one, two])
    expect((await owner.call('GET', `/api/allOrders/count?${query}`)).body.count).toBe(2)
    const lines = await linesOf(`${query}&sort=oldest`)
    expect(lines.map((line) => line['Booked (Europe/Vienna)'])).toEqual([
      `${day} ${first}`,
      `${day} 23:59:59`,
    ])
  },
)

test('money is summed and exported by the same days', async () => {
  expect((await saveZone('Pacific/Kiritimati')).status).toBe(200)
  const id = await bookedAt('2020-01-05T09:00:00Z')
  await shop.pool.query(
    `with late as (
       insert into payments (intent_id, checkout_id, amount, status, received_at)
       select 'pi_days', checkout_id, 2000, 'unmatched', timestamptz '2020-01-05T10:30:00Z' from orders where _id = $1
       returning *)
     insert into refunds (intent_id, cause, amount, state, reason)
     select intent_id, 'unmatched_payment', amount, 'failed', 'too late' from late`,
    [id],
  )
  const sums = async (day: string) =>
    (await owner.call('GET', `/api/payments/sums?from=${day}&to=${day}`)).body.payments.amount
  expect([await sums('2020-01-05'), await sums('2020-01-06')]).toEqual([0, 20])
  const { body } = await owner.call('GET', '/api/payments.csv?from=2020-01-06&to=2020-01-06')
  expect(String(body)).toContain('Date (Pacific/Kiritimati)')
  expect(String(body)).toContain('2020-01-06 00:30:00')
})

test('mails name the day there, in files too', async () => {
  expect((await saveZone('Pacific/Kiritimati')).status).toBe(200)
  const [ada] = (await createUsers(shop, 1)) as [Person]
  const id = await bookingOf(ada, part)
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '1 second', created_at = now() - interval '6.1 days' where _id = $1`,
    [id],
  )
  const mails = async () => JSON.stringify((await ada.call('GET', '/api/me/data')).body.mails)
  await expect.poll(mails, { timeout: 5000 }).toContain('It expires on')
  const { end_announced_at: announced } = (
    await shop.pool.query('select end_announced_at from orders where _id = $1', [id])
  ).rows[0]
  const ends = new Date(announced.getTime() + 86_400_000)
  // from ten o'clock on, UTC has another day
  const day = ends.toLocaleDateString('en-US', {
    dateStyle: 'long',
    timeZone: 'Pacific/Kiritimati',
  })
  expect(await mails()).toContain(`It expires on ${day} unless you pay before then.`)
  const { headers } = await owner.call('GET', '/api/audit.csv')
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Pacific/Kiritimati' })
  expect(headers.get('content-disposition')).toContain(`"audit-log-${today}.csv"`)
})
