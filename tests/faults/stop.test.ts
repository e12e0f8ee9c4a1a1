/**
 * SIGTERM while customers shop: requests in flight are completed, everything acknowledged exists,
 * and the process ends in time.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { bookingOf, call, type Person, register } from '#tests/support/people.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** How long a container host waits before it kills, in milliseconds. */
const timeoutMs = 10_000
let database: TestDatabase
let shop: ShopProcess
let ada: Person
beforeEach(async () => {
  database = await migratedDatabase()
})
async function open(settings: Record<string, string> = {}): Promise<void> {
  const usual = { DATABASE_URL: database.url, DEMO: 'off', OPEN_HOLDS: '10000' }
  shop = await startShop({ ...usual, ...settings })
  ada = await register(shop.origin, 'Ada Stop')
}
afterEach(async () => {
  await letGo()
  await shop.remove()
  await database.drop()
})

let letGo = async () => {}

/** Blocks all bookings of this part until `letGo`. */
async function holdPart(id: string): Promise<void> {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select 1 from parts where _id = $1 for update', [id])
  letGo = async () => {
    letGo = async () => {}
    await client.query('rollback')
    client.release()
  }
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows[0].count
}

const isOpen = () =>
  call(shop.origin, 'GET', '/healthz').then(
    () => true,
    () => false,
  )

test('calls in flight are completed, new ones are refused, and it ends with 0 within ten seconds', async () => {
  await open()
  const bob = await register(shop.origin, 'Bob Stop')
  const part = await stockPart(database.pool, { onHand: 50 })
  const orders = await Promise.all(Array.from({ length: 4 }, () => bookingOf(ada, part)))
  await holdPart(part._id)
  const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  // as many of each as their line lets into the database
  const inFlight = orders.flatMap((id) => [
    ada.call('DELETE', `/api/userProduct/${id}`),
    bob.call('POST', '/api/order', input),
  ])
  await expect.poll(waitingForLocks).toBe(8)
  const began = performance.now()
  const ended = shop.end('SIGTERM')
  await expect.poll(isOpen).toBe(false)
  await letGo()
  const answers = await Promise.all(inFlight)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(timeoutMs)
  const left = `select from orders where status <> 'deleted'`
  expect((await database.pool.query(left)).rowCount).toBe(4)
  expect(await brokenInvariants(database.pool)).toEqual([])
})

test('what cannot be finished is cut off in time and leaves nothing, also when it waits in the database', async () => {
  await open(atLength ? {} : { STOP_SECONDS: '0.5' })
  const part = await stockPart(database.pool, { onHand: 50 })
  await holdPart(part._id)
  const inFlight = Array.from({ length: 3 }, () => bookingOf(ada, part).catch(() => 'cut off'))
  await expect.poll(waitingForLocks).toBe(3)
  const began = performance.now()
  expect(await shop.end('SIGTERM')).toBe(0)
  expect(performance.now() - began).toBeLessThan(timeoutMs)
  expect(await Promise.all(inFlight)).toEqual(['cut off', 'cut off', 'cut off'])
  await letGo()
  await expect.poll(waitingForLocks).toBe(0)
  expect((await database.pool.query('select from orders')).rowCount).toBe(0)
  expect(await brokenInvariants(database.pool)).toEqual([])
})

test.runIf(atLength)(
  'under load, every acknowledged order exists and no booking gets a fault',
  async () => {
    await open()
    const part = await stockPart(database.pool, { onHand: 5_000 })
    const bookedIds: string[] = []
    const refused: number[] = []
    let isBooking = true
    const keepBooking = async () => {
      while (isBooking) {
        const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
        const answer = await ada.call('POST', '/api/order', input).catch(() => null)
        if (!answer) return
        if (answer.status === 200) bookedIds.push(answer.body.insertedId)
        else refused.push(answer.status)
      }
    }
    const crowd = Promise.all(Array.from({ length: 16 }, keepBooking))
    await expect.poll(() => bookedIds.length).toBeGreaterThan(40)
    const began = performance.now()
    expect(await shop.end('SIGTERM')).toBe(0)
    expect(performance.now() - began).toBeLessThan(timeoutMs)
    isBooking = false
    await crowd
    expect(refused).toEqual([])
    const { rows } = await database.pool.query<{ _id: string }>('select _id from orders')
    // no connection was cut either: every order was acknowledged
    expect(rows.map(({ _id }) => _id).sort()).toEqual(bookedIds.sort())
  },
)
