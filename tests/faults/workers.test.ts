/** WORKERS=2: two processes are one shop on one port, whichever of them dies. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { call, type Person, register } from '#tests/support/people.ts'
import { childrenOf, type ShopProcess, spawnShop, startShop } from '#tests/support/shop-process.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

const METRICS_TOKEN = 'a token of sixteen'
let database: TestDatabase
let shop: ShopProcess
let again: ShopProcess | undefined
let ada: Person
beforeAll(async () => {
  database = await migratedDatabase()
  const settings = { WORKERS: '2', METRICS_TOKEN, DEMO: 'off', OPEN_HOLDS: '10000' }
  shop = await startShop({ DATABASE_URL: database.url, ...settings })
  ada = await register(shop.origin, 'Ada')
})
afterAll(async () => {
  await shop.remove()
  await database.drop()
})

/** A request on a separate connection, so that either worker may get it. */
const newConnection = { connection: 'close' }
const metrics = async () => {
  const headers = { ...newConnection, authorization: `Bearer ${METRICS_TOKEN}` }
  return String((await call(shop.origin, 'GET', '/metrics', { headers })).body)
}
const served = async (worker: number) =>
  Number(
    new RegExp(
      `^http_requests_total{.*route="/api/\\*",status="200",worker="${worker}"} (\\d+)`,
      'm',
    )
      .exec(await metrics())
      ?.slice(1) ?? 0,
  )

test('a sign-in at one counts at both, and a scraper reads both at either', async () => {
  const path = `/api/orders?email=${encodeURIComponent(ada.email)}`
  await expect
    .poll(async () => {
      const requests = Array.from({ length: 20 }, () =>
        ada.call('GET', path, undefined, newConnection),
      )
      const statuses = new Set((await Promise.all(requests)).map(({ status }) => status))
      expect([...statuses]).toEqual([200])
      return [(await served(1)) > 0, (await served(2)) > 0]
    })
    .toEqual([true, true])
  const text = await metrics()
  const lines = (name: string) => text.match(new RegExp(`^${name}.*$`, 'gm'))
  expect(lines('# TYPE http_requests_total')).toHaveLength(1)
  expect(lines('process_start_time_seconds')).toHaveLength(2)
  expect(lines('ferrite_holds')).toEqual(['ferrite_holds 0'])
})

test('a used port is reported once, and ends the start', async () => {
  const { port } = new URL(shop.origin)
  const settings = { DATABASE_URL: database.url, DATA_DIR: shop.dataDir, DEMO: 'off' }
  const { child, output } = await spawnShop({ ...settings, WORKERS: '2', PORT: port })
  expect([output().match(/Port \d+ is in use/g)?.length, child.exitCode]).toEqual([1, 1])
})

test('a worker that dies loses no acknowledged order, and another takes its place', async () => {
  const part = await stockPart(database.pool, { onHand: 5_000 })
  const bookedIds: string[] = []
  let isBooking = true
  const keepBooking = async () => {
    while (isBooking) {
      const input = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
      const answer = await ada.call('POST', '/api/order', input, newConnection).catch(() => null)
      if (answer?.status === 200) bookedIds.push(answer.body.insertedId)
    }
  }
  const crowd = Promise.all(Array.from({ length: 4 }, keepBooking))
  await expect.poll(() => bookedIds.length).toBeGreaterThan(10)
  const [first = 0, second = 0] = await childrenOf(shop.pid)
  process.kill(first, 'SIGKILL')
  const before = bookedIds.length
  await expect.poll(() => bookedIds.length).toBeGreaterThan(before + 10)
  const bothServe = async () => (await metrics()).match(/^process_start_time_seconds/gm)?.length
  await expect.poll(bothServe).toBe(2)
  isBooking = false
  await crowd
  const now = await childrenOf(shop.pid)
  expect([now.length, now.includes(first), now.includes(second)]).toEqual([2, false, true])
  expect(shop.output().match(/worker_ended/g)).toHaveLength(1)
  const { rows } = await database.pool.query<{ _id: string }>('select _id from orders')
  const storedIds = new Set(rows.map(({ _id }) => _id))
  expect(bookedIds.filter((id) => !storedIds.has(id))).toEqual([])
  expect(await brokenInvariants(database.pool)).toEqual([])
})

test('a supervisor that dies takes its workers along, and leaves the port', async () => {
  const workers = await childrenOf(shop.pid)
  await shop.end('SIGKILL')
  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(() => workers.filter(alive)).toEqual([])
  again = await shop.restart()
  expect(again.origin).toBe(shop.origin)
})

test('SIGTERM lets all workers answer what they have begun, and ends with 0', async () => {
  const save = () =>
    ada.call('PUT', `/api/profile/${ada.email}`, {
      education: 'Yale',
      location: 'Leeds',
      phone: '+1 555 0177',
      linkedIn: 'https://www.linkedin.com/in/ada',
    })
  await save()
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select from profiles for update')
  const inFlight = Array.from({ length: 6 }, save)
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows[0].count
  }
  await expect.poll(waiting).toBe(6)
  const ended = again?.end('SIGTERM')
  const isOpen = () =>
    call(shop.origin, 'GET', '/healthz').then(
      () => true,
      () => false,
    )
  await expect.poll(isOpen).toBe(false)
  await client.query('rollback')
  client.release()
  const answers = await Promise.all(inFlight)
  expect(answers.map(({ status }) => status)).toEqual(inFlight.map(() => 200))
  expect(await ended).toBe(0)
})
