/**
 * PostgreSQL stops and starts, or crashes, while customers shop: 503 meanwhile, and the same
 * process continues.
 */
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { findViolations, waitUntilIdle } from '#tests/support/crashes/after-crash.ts'
import { filesArrived, openMarket, type Stage } from '#tests/support/crashes/kill-rounds.ts'
import { busyDay, type Plan } from '#tests/support/crashes/workload.ts'
import { atLength } from '#tests/support/length.ts'
import { call } from '#tests/support/people.ts'
import { type PostgresServer, startPostgres } from '#tests/support/servers/postgres-server.ts'
import { endDatabase, shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopEnvironment, type ShopProcess, startShop } from '#tests/support/shop-process.ts'

const settings = { JOB_SECONDS: '0.3', DEMO: 'off', LOG_LEVEL: 'info' }
const buying = ['book', 'pay', 'book', 'pay', 'delete', 'reset'] as const
const managing = ['upload', 'refund', 'ship'] as const
const all: Plan = {
  customers: [1, 2, 3].map((n) => buying.map((what, i) => ({ what, which: n * 7 + i }))),
  owner: managing.map((what, which) => ({ what, which })),
}

// each test starts a whole shop, kills and recovers it
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

let shop: ShopProcess | undefined
let postgres: PostgresServer | undefined
afterEach(async () => {
  await shop?.remove()
  await postgres?.remove()
  shop = undefined
  postgres = undefined
})

async function open(more: ShopEnvironment = {}): Promise<ShopProcess> {
  shop = await startShop({ ...settings, ...more })
  return shop
}

/**
 * Customers shop while `fault` happens; afterwards everything continues and every invariant holds.
 */
async function survive(stage: Stage, fault: (refused: () => number) => Promise<void>) {
  const market = await openMarket(stage)
  const { acknowledged, origin } = market
  let open = true
  const day = busyDay(market, all, () => open)
  await expect.poll(() => acknowledged.charged.size).toBeGreaterThan(1)
  await fault(() => acknowledged.faults.length)
  await expect.poll(async () => (await call(origin, 'GET', '/healthz')).status).toBe(200)
  const mendedAt = Date.now() / 1000
  const before = acknowledged.charged.size
  await expect.poll(() => acknowledged.charged.size).toBeGreaterThan(before + 1)
  open = false
  await day
  const faults = acknowledged.faults.splice(0)
  expect(faults.filter((answer) => !answer.startsWith('503'))).toEqual([])
  await waitUntilIdle(market, mendedAt)
  expect(await findViolations(market, stage.arrived, 1)).toEqual([])
}

describe.runIf(atLength)('a PostgreSQL of the owner’s', () => {
  test.each(['SIGINT', 'SIGKILL'] as const)(
    'ended by %s, and started a while later',
    async (signal) => {
      const server = await startPostgres()
      postgres = server
      const running = await open({ DATABASE_URL: server.url })
      const pool = new pg.Pool({ connectionString: server.url, max: 2 })
      pool.on('error', () => {})
      const stage = {
        shop: running,
        pool,
        arrived: filesArrived(running.dataDir),
        restore: async () => {},
      }
      await survive(stage, async (refused) => {
        await server.end(signal)
        const health = async () => (await call(running.origin, 'GET', '/healthz')).status
        await expect.poll(health).toBe(503)
        const before = refused()
        await expect.poll(refused).toBeGreaterThan(before + 5)
        await server.start()
      })
      await pool.end()
      expect(await running.end('SIGTERM')).toBe(0)
    },
  )
})

describe('the shop’s own PostgreSQL', () => {
  test.each(atLength ? (['SIGINT', 'SIGKILL'] as const) : (['SIGKILL'] as const))(
    'ended by %s: the shop starts it again',
    async (signal) => {
      const running = await open()
      const pool = await shopDatabase(running)
      const stage = {
        shop: running,
        pool,
        arrived: filesArrived(running.dataDir),
        restore: async () => {},
      }
      await survive(stage, async () => {
        await endDatabase(running, signal)
        await expect.poll(running.output).toContain('starting it again')
      })
      await pool.end()
      expect(await running.end('SIGTERM')).toBe(0)
    },
  )
})
