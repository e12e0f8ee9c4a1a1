import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lowBookings } from '#contracts/catalogue.ts'
import { firstStepNames } from '#contracts/first-steps.ts'
import { Overview, overviewRows } from '#contracts/overview.ts'
import type { Part } from '#contracts/parts.ts'
import { refundsOf, strayIntent } from '#tests/support/money.ts'
import {
  bookingOf,
  cardsOf,
  confirmCard,
  createUsers,
  intentFor,
  login,
  type Person,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, emptyShop, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person
let ada: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  ;[ada] = (await createUsers(shop, 1)) as [Person]
  await inZone(noon)
})
afterEach(async () => {
  expect(await brokenInvariants(shop.pool)).toEqual([])
  await emptyShop(shop.pool)
})
afterAll(() => shop.close())

/** Returns a time zone in which it is this hour now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${ahead}`
}
/** At noon, no day ends during a test. */
const noon = zoneAt(12)

const inZone = (timeZone: string) =>
  shop.pool.query(
    `insert into shop_settings (settings) values (jsonb_build_object('shop', jsonb_build_object('timeZone', $1::text)))
     on conflict (only_row) do update set settings = excluded.settings`,
    [timeZone],
  )
const readOverview = async () => Overview.parse((await owner.call('GET', '/api/overview')).body)

const disks = () => stockPart(shop.pool, { onHand: 500, price: 250 })
const fans = () => stockPart(shop.pool, { onHand: 500, price: 20 })

async function paid(part: Part, quantity = 1): Promise<string> {
  const id = await bookingOf(ada, part, { quantity })
  const payment = await intentFor(ada, id)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  const paymentReport = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${id}`, paymentReport)).status).toBe(200)
  return id
}

/** Moves the times of an order into the past. */
async function happened(id: string, ago: string): Promise<string> {
  await shop.pool.query(
    `with moved as (update orders set created_at = created_at - $2::interval, paid_at = paid_at - $2::interval
       where _id = $1 returning checkout_id)
     update payments set received_at = received_at - $2::interval where checkout_id in (select checkout_id from moved)`,
    [id, ago],
  )
  return id
}

describe('orders, revenue and paid share', () => {
  test('are sums of today, 7 and 30 days, each against the days before up to the same time', async () => {
    const [disk, fan] = [await disks(), await fans()]
    await paid(disk, 2)
    await bookingOf(ada, fan)
    // yesterday, one hour before and one hour after the current time of day
    await happened(await paid(disk), '25 hours')
    await happened(await paid(fan), '23 hours')
    await happened(await bookingOf(ada, fan), '7 days 1 hour')
    await happened(await paid(fan, 3), '29 days 11 hours')
    await happened(await paid(fan, 5), '30 days 1 hour')
    // in no period: later than the time of day at which the earlier 30 days end
    await happened(await paid(fan, 7), '29 days 23 hours')
    await happened(await paid(fan, 11), '60 days 13 hours')
    const { periods } = await readOverview()
    expect(periods).toEqual([
      {
        days: 1,
        now: { orders: 2, paid: 1, revenue: 500 },
        before: { orders: 1, paid: 1, revenue: 250 },
      },
      {
        days: 7,
        now: { orders: 4, paid: 3, revenue: 770 },
        before: { orders: 1, paid: 0, revenue: 0 },
      },
      {
        days: 30,
        now: { orders: 6, paid: 4, revenue: 830 },
        before: { orders: 1, paid: 1, revenue: 100 },
      },
    ])
  })

  test('come day by day, days without an order too, and money on the day it was paid', async () => {
    const disk = await disks()
    const late = await paid(disk)
    await happened(late, '3 days')
    await shop.pool.query(
      `update orders set created_at = created_at - interval '2 days' where _id = $1`,
      [late],
    )
    await paid(disk, 2)
    const deleted = await bookingOf(ada, disk)
    await ada.call('DELETE', `/api/userProduct/${deleted}`)
    const { days, timeZone } = await readOverview()
    expect(timeZone).toBe(noon)
    expect(days).toHaveLength(30)
    for (const [i, { date }] of days.entries()) {
      const next = days[i + 1]?.date
      if (next) expect(Date.parse(next) - Date.parse(date)).toBe(86_400_000)
    }
    const { rows } = await shop.pool.query(
      `select to_char(now() at time zone $1, 'YYYY-MM-DD') as today`,
      [noon],
    )
    expect(days.at(-1)).toEqual({ date: rows[0].today, orders: 1, paid: 1, revenue: 500 })
    expect(days.at(-4)).toMatchObject({ orders: 0, paid: 0, revenue: 250 })
    expect(days.at(-6)).toMatchObject({ orders: 1, paid: 1, revenue: 0 })
    const total = days.reduce((sum, { orders, revenue }) => sum + orders + revenue, 0)
    expect(total).toBe(2 + 750)
  })

  test('fall by refunds of paid orders, and not by refunds of money that no order could take', async () => {
    const disk = await disks()
    const id = await paid(disk, 2)
    const refund = { amount: 100, reason: 'scratched', restock: 0 }
    const key = { 'idempotency-key': crypto.randomUUID() }
    expect((await owner.call('POST', `/api/order/${id}/refund`, refund, key)).status).toBe(200)
    const late = await bookingOf(ada, disk)
    const payment = await strayIntent(shop, late)
    await ada.call('DELETE', `/api/userProduct/${late}`)
    await confirmCard(cardsOf(shop), payment)
    const paymentReport = { transactionId: payment.intentId }
    expect((await ada.call('PATCH', `/api/order/${late}`, paymentReport)).status).toBe(409)
    // the webhook may also refund it
    await expect
      .poll(() => refundsOf(shop.pool, payment.intentId))
      .toMatchObject([{ state: 'succeeded' }])
    expect((await readOverview()).periods[0]?.now).toEqual({ orders: 1, paid: 1, revenue: 400 })
  })

  test('follow the shop’s clock: the same order is of today here and of yesterday there', async () => {
    await happened(await paid(await disks()), '3 hours')
    expect((await readOverview()).periods[0]?.now.orders).toBe(1)
    await inZone(zoneAt(1))
    const there = await readOverview()
    await inZone(noon)
    expect(there.periods[0]?.now.orders).toBe(0)
    expect(there.days.at(-2)?.orders).toBe(1)
  })
})

test('a shop without anything says so', async () => {
  expect(await readOverview()).toMatchObject({
    hasOrders: false,
    hasParts: false,
    bestSellers: [],
    lowStock: { low: 0, soldOut: 0, rows: [] },
    holds: { total: 0, rows: [] },
    toShip: { total: 0, rows: [] },
  })
  await bookingOf(ada, await disks())
  expect(await readOverview()).toMatchObject({ hasOrders: true, hasParts: true })
})

test('first steps are ticked by what is so', async () => {
  const steps = async () => {
    const { firstSteps } = await readOverview()
    return firstStepNames.filter((name) => firstSteps[name])
  }
  expect(await steps()).toEqual([])
  const { version, settings } = (await owner.call('GET', '/api/settings')).body
  const facts = {
    ...settings.shop,
    owner: 'Kim Kiln',
    address: '1 Oven Road',
    phone: '+44 113 496 0000',
    email: 'hello@kiln.example',
  }
  await owner.call('PUT', '/api/settings', { version, settings: { shop: facts } })
  expect(await steps()).toEqual(['contact'])
  const named = { shop: { ...facts, name: 'Kiln & Co' } }
  await owner.call('PUT', '/api/settings', { version: version + 1, settings: named })
  expect(await steps()).toEqual(['name', 'contact'])
  const taxed = { ...named.shop, taxMode: 'included', taxName: 'VAT', taxRates: '20' }
  const saved = { version: version + 2, settings: { shop: taxed } }
  await owner.call('PUT', '/api/settings', saved)
  expect(await steps()).toEqual(['name', 'contact', 'tax'])
  const method = { name: 'Parcel', type: 'ship', price: 9, freeFrom: null, regions: ['GB'] }
  await owner.call('POST', '/api/shipping-methods', { ...method, daysFrom: 1, daysTo: 2 })
  expect(await steps()).toEqual(['name', 'contact', 'delivery', 'tax'])
  const terms = { version: 0, lead: '', text: 'Ours.' }
  expect((await owner.call('PUT', '/api/texts/terms', terms)).status).toBe(200)
  await owner.call('PUT', `/api/user/admin/${ada.email}`)
  await disks()
  await shop.pool.query(`insert into last_runs (job, detail) values ('backup', '{}')`)
  expect(await steps()).toEqual([
    ...['admin', 'name', 'contact', 'texts', 'delivery', 'tax', 'parts', 'backup'],
  ])
  // what was the demonstration's owner gives way to an own one
  await shop.pool.query(`update users set email = 'kim@kiln.example' where email = $1`, [
    owner.email,
  ])
  expect(await steps()).toContain('live')
  await shop.pool.query(`update users set email = $1 where email = 'kim@kiln.example'`, [
    owner.email,
  ])
})

test('failed mails and reconciliation issues are shown until they are resolved', async () => {
  expect((await readOverview()).attention).toEqual({
    mailsGivenUp: 0,
    issues: 0,
    disputes: 0,
    failingChecks: 0,
    late: 0,
    tickets: 0,
    ticketsSince: null,
  })
  await shop.pool.query(
    `insert into mail_queue (template, recipient, subject, text, html, given_up_at, dismissed_at)
     values ('x', 'a@example.com', 's', 't', 'h', now(), null), ('x', 'a@example.com', 's', 't', 'h', now(), now())`,
  )
  await shop.pool.query(
    `insert into last_runs (job, detail) values ('reconciliation', '{"issues": 2}')
     on conflict (job) do update set detail = excluded.detail`,
  )
  expect((await readOverview()).attention).toEqual({
    mailsGivenUp: 1,
    issues: 2,
    disputes: 0,
    failingChecks: 0,
    late: 0,
    tickets: 0,
    ticketsSince: null,
  })
})

test('best sellers are counted in units over the 30 days, under the name of now', async () => {
  const [disk, fan, old] = [await disks(), await fans(), await fans()]
  await paid(disk, 2)
  await paid(disk)
  await happened(await paid(fan, 4), '20 days')
  await happened(await paid(old, 9), '31 days')
  await bookingOf(ada, old)
  await shop.pool.query(`update parts set name = 'Renamed' where _id = $1`, [fan._id])
  expect((await readOverview()).bestSellers).toEqual([
    { _id: fan._id, name: 'Renamed', units: 4, revenue: 80 },
    { _id: disk._id, name: disk.name, units: 3, revenue: 750 },
  ])
})

test('low stock is what can be booked a few more times or not at all, without deleted parts', async () => {
  const gone = await stockPart(shop.pool, { onHand: 0, name: 'Gone' })
  const few = await stockPart(shop.pool, { onHand: lowBookings + 1, name: 'Few' })
  await stockPart(shop.pool, { onHand: lowBookings + 1, name: 'Enough' })
  await stockPart(shop.pool, { onHand: 20, minimum: 21, name: 'Too few for a booking' })
  await stockPart(shop.pool, { onHand: 2 * lowBookings, minimum: 2, name: 'Five times' })
  const deleted = await stockPart(shop.pool, { onHand: 0, name: 'Deleted' })
  await owner.call('DELETE', `/api/adminProduct/${deleted._id}`)
  const before = (await readOverview()).lowStock
  expect(before).toMatchObject({ low: 1, soldOut: 2 })
  expect(before.rows.map(({ name }) => name)).toEqual([
    'Gone',
    'Five times',
    'Too few for a booking',
  ])
  await bookingOf(ada, few)
  const { low, soldOut, rows } = (await readOverview()).lowStock
  expect({ low, soldOut }).toEqual({ low: 2, soldOut: 2 })
  expect(rows.slice(0, 2)).toEqual([
    { _id: gone._id, name: 'Gone', availableQuantity: 0, minimumOrderQuantity: 1 },
    { _id: few._id, name: 'Few', availableQuantity: lowBookings, minimumOrderQuantity: 1 },
  ])
  for (const [state, count] of [
    ['low', low],
    ['sold-out', soldOut],
  ])
    expect((await owner.call('GET', `/api/products?state=${state}`)).body).toHaveLength(
      Number(count),
    )
})

test('holds come by when they end, paid orders by how long they wait; shipped and ended ones are gone', async () => {
  const disk = await disks()
  const ids: string[] = []
  for (let i = 0; i <= overviewRows; i += 1) ids.push(await happened(await paid(disk), `${i} days`))
  const [first, second] = [await bookingOf(ada, disk), await bookingOf(ada, disk)]
  await shop.pool.query(
    `update orders set hold_expires_at = now() + interval '4 minutes' where _id = $1`,
    [second],
  )
  const { holds, toShip } = await readOverview()
  expect(toShip.total).toBe(ids.length)
  expect(toShip.rows.map(({ _id }) => _id)).toEqual(ids.toReversed().slice(0, overviewRows))
  expect(toShip.rows[0]).toMatchObject({ product: disk.name, customer: ada.name, totalPrice: 250 })
  expect(holds.rows.map(({ _id }) => _id)).toEqual([second, first])
  const left = Date.parse(holds.rows[0]?.holdExpiresAt ?? '') - Date.now()
  expect(Math.ceil(left / 60_000)).toBe(4)
  await owner.call('PUT', `/api/order/${ids.at(-1)}/shipped`, {})
  await shop.pool.query(
    `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
    [second],
  )
  const after = await readOverview()
  expect(after.toShip.rows[0]?._id).toBe(ids.at(-2))
  expect(after.holds.rows.map(({ _id }) => _id)).toEqual([first])
})
