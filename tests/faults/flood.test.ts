/**
 * One network floods one URL over hundreds of connections: all other clients are served as usual.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atLength } from '#tests/support/length.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockDemo } from '#tests/support/stock.ts'
import { beginFlood } from './flood.ts'

const connections = 400
const calls = atLength ? 200 : 60
/**
 * Milliseconds, strict only in the full run: a busy machine is slower, and that is not a defect.
 */
const slowest = atLength ? 2_000 : 60_000

let database: TestDatabase
let shop: ShopProcess
let owner: Person
let picture: string
let endFlood: () => Promise<number>

async function openShop(settings: Record<string, string>): Promise<void> {
  database = await migratedDatabase()
  await stockDemo(database.pool)
  shop = await startShop({
    DATABASE_URL: database.url,
    DEMO: 'off',
    RATE_LIMIT: 'on',
    LOG_LEVEL: 'silent',
    ...settings,
  })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  picture = (await upload(shop, owner, await photo())).body.data.url
}
async function closeShop(): Promise<void> {
  await shop.remove()
  await database.drop()
}

/** The requests of other clients meanwhile, one after the other, four at a time. */
async function othersAreServed(headers: Record<string, string> = {}): Promise<void> {
  const paths = ['/', '/api/part', '/healthz', '/api/products', '/reviews', picture, '/login']
  const times: number[] = []
  let good = 0
  let next = 0
  const one = async () => {
    while (next < calls) {
      const path = paths[next % paths.length] ?? '/'
      next += 1
      const since = performance.now()
      const response = call(shop.origin, 'GET', path, { token: owner.token, headers })
      // a reused connection that the shop is closing counts as no response
      const { status } = await response.catch(() => ({ status: 0 }))
      times.push(performance.now() - since)
      if (status >= 200 && status < 300) good += 1
    }
  }
  await Promise.all([one(), one(), one(), one()])
  expect(good).toBeGreaterThanOrEqual(calls * 0.95)
  expect(Math.max(...times)).toBeLessThan(slowest)
}

// the second target looks like a path that no limit counts, and is a page rendered at each request
const mainTargets = ['/identity/get-session', '/healthz%41']
const forgedDelivery = 'forged deliveries'
const all = [
  ...mainTargets,
  '/purchase/made-up',
  '/sandbox/made%41up',
  '/readyz.data',
  '/parts?q=made-up-{n}',
  '/parts/motherboard?socket=made-up-{n}',
  forgedDelivery,
  '/healthz',
  '/',
  '/api/part?x=1',
  '/no/such/page',
  '/favicon.svg',
  'a picture',
]

// in the full run also behind a proxy: rate-limits.test.ts proves that networks are distinguished
// there
const places = [
  ['from an address of its own', {}, {}],
  [
    'behind a trusted proxy',
    { TRUST_PROXY: 'on', ALLOW_SANDBOX: 'on', SANDBOX_CONTROLS: 'off' },
    { 'x-forwarded-for': '203.0.113.7' },
  ],
] as const

describe.each(atLength ? places : places.slice(0, 1))('a flood %s', (_, settings, headers) => {
  beforeAll(() => openShop(settings), 90_000)
  afterAll(closeShop)
  afterEach(() => endFlood())

  test.each(atLength ? all : mainTargets)(
    'of %s blocks no other client',
    async (path) => {
      const delivery = {
        path: '/api/stripe/webhook',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': 't=1,v1=00',
          ...headers,
        },
        body: '{}',
      }
      endFlood = await beginFlood({
        origin: shop.origin,
        path: path === 'a picture' ? picture : path,
        connections,
        headers,
        ...(path === forgedDelivery && delivery),
        ...(!('x-forwarded-for' in headers) && { localAddress: '127.0.0.2' }),
      })
      await othersAreServed(
        'x-forwarded-for' in headers ? { 'x-forwarded-for': '198.51.100.9' } : {},
      )
    },
    240_000,
  )
})
