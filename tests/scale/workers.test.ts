/** A worker that hangs, and one that dies again and again: tests that take minutes. */
import { afterEach, expect, test, vi } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { call } from '#tests/support/people.ts'
import { childrenOf, type ShopProcess, startShop } from '#tests/support/shop-process.ts'

vi.setConfig({ testTimeout: 300_000 })

const long = { timeout: 150_000, interval: 200 }
let database: TestDatabase
let shop: ShopProcess
async function open(): Promise<void> {
  database = await migratedDatabase()
  shop = await startShop({ DATABASE_URL: database.url, WORKERS: '2', DEMO: 'off' })
  await expect.poll(() => childrenOf(shop.pid), long).toHaveLength(2)
}
afterEach(async () => {
  await shop.remove()
  await database.drop()
})

type Ended = { pid: number; signal: string; pauseMs: number }
const ended = (): Ended[] =>
  shop
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"worker_ended"'))
    .map((line) => JSON.parse(line))

test('a worker whose event loop is blocked is replaced, and no client waits for it meanwhile', async () => {
  await open()
  const [stuck = 0] = await childrenOf(shop.pid)
  process.kill(stuck, 'SIGSTOP')
  await expect
    .poll(async () => {
      // each on a separate connection, so any worker may take it
      const headers = { connection: 'close' }
      expect((await call(shop.origin, 'GET', '/healthz', { headers })).status).toBe(200)
      return ended()
    }, long)
    .toMatchObject([{ pid: stuck, signal: 'SIGKILL' }])
  await expect.poll(() => childrenOf(shop.pid), long).toHaveLength(2)
})

test('one that dies again and again is started again after a pause that grows', async () => {
  await open()
  const [other = 0, victim = 0] = await childrenOf(shop.pid)
  let next = victim
  for (let times = 1; times <= 3; times += 1) {
    process.kill(next, 'SIGKILL')
    await expect.poll(ended, long).toHaveLength(times)
    const replacement = async () => (await childrenOf(shop.pid)).find((pid) => pid !== other)
    await expect.poll(replacement, long).toBeGreaterThan(0)
    next = (await replacement()) ?? 0
  }
  expect(ended().map(({ pauseMs }) => pauseMs)).toEqual([500, 1000, 2000])
})
