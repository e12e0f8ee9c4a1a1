/**
 * The process is killed or stopped in the middle of work. Everything that it had acknowledged
 * exists afterwards.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { atLength } from '#tests/support/length.ts'
import {
  bookingOf,
  call,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import {
  type ShopEnvironment,
  type ShopProcess,
  spawnShop,
  startShop,
} from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

/** One shop for all tests: each leaves it running, as restarted. */
let shop: ShopProcess
let part: Part
beforeAll(async () => {
  shop = await startShop({ OPEN_HOLDS: '10000', DEMO: 'off' })
  const pool = await shopDatabase(shop)
  part = await stockPart(pool, { onHand: 5_000 })
  await pool.end()
})
afterAll(() => shop.remove())

async function leftOf({ origin }: ShopProcess): Promise<number | undefined> {
  const parts: Part[] = (await call(origin, 'GET', '/api/part')).body
  return parts.find(({ _id }) => _id === part._id)?.availableQuantity
}

/**
 * Books repeatedly until the connection breaks.
 * @returns the acknowledged ids
 */
async function bookUntilBroken(person: Person, part: Part, onFirst: () => void): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const id = await bookingOf(person, part).catch(() => null)
    if (!id) return ids
    ids.push(id)
    if (ids.length === 1) onFirst()
  }
}

describe('kill -9', () => {
  test.runIf(atLength)(
    'while bookings come in: every acknowledged order is there, and the database is taken over',
    async () => {
      const ada = await register(shop.origin, 'Ada Crash')
      const before = await leftOf(shop)
      let first = () => {}
      const started = new Promise<void>((resolve) => {
        first = resolve
      })
      const booking = bookUntilBroken(ada, part, first)
      await started
      expect(await shop.end('SIGKILL')).toBe(null)
      const acknowledged = await booking
      expect(acknowledged.length).toBeGreaterThan(0)

      shop = await shop.restart()
      const again = await login(shop.origin, ada.email, 'correct horse')
      const { body } = await again.call('GET', `/api/orders?email=${encodeURIComponent(ada.email)}`)
      const orderIds = body.map((order: { _id: string }) => order._id)
      expect(orderIds).toEqual(expect.arrayContaining(acknowledged))
      expect(await leftOf(shop)).toBe(Number(before) - orderIds.length)
    },
  )

  test.runIf(atLength)(
    'after the charge and before its webhook: the order is paid after the restart',
    async () => {
      const ada = await register(shop.origin, 'Ada Charged')
      const id = await bookingOf(ada, part)
      const payment = await intentFor(ada, id)
      const html = await (await fetch(`${shop.origin}/`)).text()
      const publishableKey = /pk_test_\w+/.exec(html)?.[0] ?? ''
      await controlSandbox(shop.origin, 'webhooks', { mode: 'drop' })
      expect((await confirmCard({ origin: shop.origin, publishableKey }, payment)).status).toBe(200)
      await shop.end('SIGKILL')
      shop = await shop.restart()
      const again = await login(shop.origin, ada.email, 'correct horse')
      await expect.poll(async () => (await orderOf(again, id)).status).toBe('paid')
      expect((await orderOf(again, id)).transactionId).toBe(payment.intentId)
    },
  )
})

describe('a stop', () => {
  test('finishes the requests in flight and ends with 0, also when Ctrl-C arrives twice', async () => {
    const ada = await register(shop.origin, 'Ada Stop')
    const inFlight = Array.from({ length: 8 }, () =>
      bookingOf(ada, part).then(
        (id) => id,
        (error: Error) => error,
      ),
    )
    await inFlight[0]
    expect(await shop.end('SIGINT', 2)).toBe(0)
    // PostgreSQL removes this file last
    expect(existsSync(join(shop.dataDir, 'postgresql/postmaster.pid'))).toBe(false)
    expect(existsSync(join(shop.dataDir, 'postgresql/PG_VERSION'))).toBe(true)
    const answers = await Promise.all(inFlight)
    shop = await shop.restart()
    const again = await login(shop.origin, ada.email, 'correct horse')
    const { body } = await again.call('GET', `/api/orders?email=${encodeURIComponent(ada.email)}`)
    const acknowledged = answers.filter((answer) => typeof answer === 'string')
    expect(body.map((order: { _id: string }) => order._id)).toEqual(
      expect.arrayContaining(acknowledged),
    )
  })
})

test('kill -9 of what started it, as npm start does, ends shop and database and frees the port', async () => {
  const place = { folder: join(import.meta.dirname, '../..'), main: 'scripts/start.js' }
  const started = await startShop({ DEMO: 'off' }, undefined, place)
  const isOpen = () =>
    fetch(`${started.origin}/readyz`).then(
      () => true,
      () => false,
    )
  expect(await isOpen()).toBe(true)
  await started.end('SIGKILL')
  await expect.poll(isOpen).toBe(false)
  const postmaster = join(started.dataDir, 'postgresql/postmaster.pid')
  await expect.poll(() => existsSync(postmaster)).toBe(false)
  await started.remove()
})

describe('a second start', () => {
  test('on the same data folder says who holds it; on the same port says so; both end with 1', async () => {
    const sameData = await spawnShop({ DATA_DIR: shop.dataDir, PORT: '0' })
    expect(sameData.isReady).toBe(false)
    expect(sameData.output()).toContain(shop.dataDir)
    expect(sameData.output()).toMatch(/\b\d{2,}\b/)
    const samePort = await spawnShop({
      DATA_DIR: `${shop.dataDir}-other`,
      PORT: new URL(shop.origin).port,
    })
    expect(samePort.isReady).toBe(false)
    expect(samePort.output()).toContain(`Port ${new URL(shop.origin).port} is in use`)
    for (const { child } of [sameData, samePort]) {
      if (child.exitCode === null) await once(child, 'exit')
      expect(child.exitCode).toBe(1)
    }
  })
})

test('a wrong setting is one sentence and exit code 1', async () => {
  const misconfiguredShop = await spawnShop({
    PORT: '0',
    DATA_DIR: '/tmp/never-made',
    HOLD_MINUTES: 'soon',
  })
  expect(misconfiguredShop.isReady).toBe(false)
  expect(misconfiguredShop.output()).toContain('HOLD_MINUTES')
  expect(misconfiguredShop.output()).not.toContain('    at ')
})

test('sandbox payments on an address that others reach must be asked for by name', async () => {
  const addresses: ShopEnvironment[] = [
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://shop.example' },
    { TRUST_PROXY: 'on' },
  ]
  for (const open of addresses) {
    await expect(openTestShop({ ...open, ALLOW_SANDBOX: 'off' })).rejects.toThrow(
      'ALLOW_SANDBOX=on',
    )
    await expect(openTestShop({ ...open, SANDBOX_CONTROLS: 'on' })).rejects.toThrow(
      'SANDBOX_CONTROLS=on is for a shop that only this machine reaches',
    )
  }
  // before there is a database
  const folder = join(tmpdir(), `refused-${process.pid}`)
  const refused = await spawnShop({ PORT: '0', DATA_DIR: folder, TRUST_PROXY: 'on' })
  expect(refused.output()).toContain('ALLOW_SANDBOX=on')
  expect(existsSync(folder)).toBe(false)
})
