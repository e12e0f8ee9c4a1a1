/**
 * kill -9 at each step of booking, paying, settling, mailing, uploading and refunding, by SQL
 * statement.
 */
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CheckReport } from '#contracts/reconciliation.ts'
import { killerOf, openMarket, recover, type Stage } from '#tests/support/crashes/kill-rounds.ts'
import {
  act,
  fillShelves,
  type Market,
  manage,
  manyHolds,
  pay,
} from '#tests/support/crashes/workload.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DatabaseWay, databaseWay, type Passing } from '#tests/support/database-way.ts'
import { atLength } from '#tests/support/length.ts'
import { type MailReceiver, receiveMail } from '#tests/support/mails.ts'
import type { Person } from '#tests/support/people.ts'
import { startShop } from '#tests/support/shop-process.ts'

// each test kills and restarts a whole shop
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let database: TestDatabase
let way: DatabaseWay
let mails: MailReceiver
let stage: Stage
let market: Market
let ada: Person
let crashes = 0
let isUp = true
beforeAll(async () => {
  database = await migratedDatabase()
  way = await databaseWay(database.url)
  mails = await receiveMail()
  const settings = {
    ...manyHolds,
    DATABASE_URL: way.url,
    SMTP_URL: mails.url,
    MAIL_FROM: 'shop@example.com',
    DEMO: 'off',
    JOB_SECONDS: '0.3',
  }
  const shop = await startShop(settings)
  const restore = async () => way.restore()
  stage = { shop, pool: database.pool, arrived: async () => mails.arrived, restore }
  market = await openMarket(stage)
  ada = market.customers[0] as Person
})
// a failed test must not leave a dead shop to the next one
beforeEach(async () => {
  if (isUp) return
  await stage.restore()
  stage.shop = await stage.shop.restart()
  isUp = true
})
afterAll(async () => {
  way.restore()
  await stage.shop.remove()
  way.close()
  await mails.close()
  await database.drop()
})

/**
 * The first statement that matches, after responses to statements that match the `earlier` ones, in
 * order.
 */
function at(moment: Passing['moment'], like: RegExp, ...earlier: RegExp[]) {
  return (passing: Passing) => {
    const [next] = earlier
    if (!next) return passing.moment === moment && like.test(passing.text)
    if (passing.moment === 'answered' && next.test(passing.text)) earlier.shift()
    return false
  }
}

/**
 * Runs a user's action, kills the shop at that statement, and checks everything after the restart.
 */
async function dieAt(is: (passing: Passing) => boolean, does: () => Promise<void>) {
  const { killer, kill } = killerOf(stage.shop, '')
  way.watch((passing) => {
    if (!is(passing)) return false
    kill()
    return true
  })
  await Promise.all([
    killer.dead,
    does().catch((error) => {
      if (killer.isAlive()) throw error
    }),
  ])
  way.watch(null)
  crashes += 1
  isUp = false
  return {
    /** Starts the shop again. */
    async restart() {
      const broken = await recover(stage, market, crashes, () => {
        isUp = true
      })
      expect(broken).toEqual([])
    },
  }
}

const count = async (query: string, values: unknown[]): Promise<number> =>
  (await database.pool.query(query, values)).rows[0].count
const ordersOf = (key: string | undefined) =>
  count('select count(*)::int from orders where idempotency_key = $1', [key])
const book = () => act(market, ada, { what: 'book', which: 0 })
const payFor = (id: string) => pay(market, ada, id, 1)
const ordered = /insert into orders/
const settled = /update "orders" set "status" = /

/**
 * Makes an unpaid order of Ada's.
 * @returns its id
 */
async function booked(): Promise<string> {
  await fillShelves(market)
  const before = new Set(market.acknowledged.booked.keys())
  await book()
  const [id] = [...market.acknowledged.booked.keys()].filter((one) => !before.has(one))
  return id as string
}

/**
 * Pays Ada's last order.
 * @returns its id
 */
async function paid(): Promise<string> {
  const id = await booked()
  await pay(market, ada, id, 2)
  expect([...market.acknowledged.charged.values()]).toContain(id)
  return id
}

const ofOrder = (id: string) =>
  database.pool
    .query('select status, transaction_id from orders where _id = $1', [id])
    .then(({ rows }) => rows[0])

/**
 * The moments when an external system is ahead of the shop's records: the gate tests one per
 * operation, the full run all.
 */
const inGate = <T>(moments: T[]): T[] => (atLength ? moments : moments.slice(-1))

test.each(
  inGate([
    ['the order leaves for the database, its commit in the same write', at('asked', ordered), 0],
    ['all is committed, before the answer', at('answered', /^commit/, ordered), 1],
  ] as const),
)('booking, when %s: asked again it is one order', async (_, moment, there) => {
  await fillShelves(market)
  const crash = await dieAt(moment, book)
  const key = market.acknowledged.unanswered[0]?.key
  expect(await ordersOf(key)).toBe(there)
  await crash.restart()
  expect(await ordersOf(key)).toBe(1)
})

test.runIf(atLength)(
  'paying, after the provider opened a payment and before it is recorded: the next try finds the same',
  async () => {
    const id = await booked()
    const crash = await dieAt(at('asked', /insert into "payments"/), () => payFor(id))
    const opened = `select count(*)::int from sandbox_stripe.objects
    where kind = 'payment_intent' and body->'metadata'->>'orderId' = $1`
    expect(await count(opened, [id])).toBe(1)
    expect(
      await count(
        'select count(*)::int from payments where checkout_id = (select checkout_id from orders where _id = $1)',
        [id],
      ),
    ).toBe(0)
    await crash.restart()
    await payFor(id)
    await expect.poll(async () => (await ofOrder(id)).status).toBe('paid')
    expect(await count(opened, [id])).toBe(1)
  },
)

test.each(
  inGate([
    ['inside, before its commit', at('answered', settled), 'unpaid'],
    [
      'after its commit, before the event is remembered',
      at('asked', /insert into "webhook_events"/, settled, /^commit/),
      'paid',
    ],
  ] as const),
)('settling, %s: the order is paid once', async (_, moment, before) => {
  const id = await booked()
  const crash = await dieAt(moment, () => payFor(id))
  expect((await ofOrder(id)).status).toBe(before)
  await crash.restart()
  expect((await ofOrder(id)).status).toBe('paid')
})

test.each(
  inGate([
    ['taken and not sent', at('answered', /update mail_queue set/, ordered, /^commit/), 0],
    ['sent and not written down', at('asked', /update "mail_queue" set .*"sent_at"/), 1],
  ] as const),
)('mailing, when a mail is %s: it arrives, under one id', async (_, moment, early) => {
  await fillShelves(market)
  const crash = await dieAt(moment, book)
  const last = `select _id::text from mail_queue where sent_at is null and attempts = 1`
  const [mail] = (await database.pool.query(last)).rows
  expect(mails.arrived.get(mail._id) ?? 0).toBe(early)
  await crash.restart()
  expect(mails.arrived.get(mail._id)).toBe(1 + early)
})

test.runIf(atLength)(
  'uploading, after the files are written and before the picture is recorded: the doctor removes them a day later',
  async () => {
    const crash = await dieAt(at('asked', /insert into "pictures"/), () =>
      manage(market, { what: 'upload', which: 0 }),
    )
    await crash.restart()
    const folder = join(stage.shop.dataDir, 'images')
    const { rows } = await database.pool.query<{ url: string }>('select url from pictures')
    // the folder also records its owner
    const expectedPrefixes = new Set([
      'shop',
      ...rows.map(({ url }) => url.slice('/images/'.length).split('-')[0]),
    ])
    const strays = async () =>
      (await readdir(folder)).filter((name) => !expectedPrefixes.has(name.split('-')[0] as string))
    const left = await strays()
    expect(left).toHaveLength(6)
    const longAgo = Date.now() / 1000 - 2 * 86_400
    for (const name of left) await utimes(join(folder, name), longAgo, longAgo)
    const look = async () => (await market.owner.call('GET', '/api/money')).body as CheckReport
    const { issues } = await look()
    expect(issues.map(({ repair }) => repair)).toEqual(['removeFile'])
    const input = { repair: 'removeFile', about: issues[0]?.about }
    expect((await market.owner.call('POST', '/api/money/repair', input)).body.done).toBe(true)
    expect(await strays()).toEqual([])
    expect((await look()).issues).toEqual([])
  },
)

test('refunding, after the provider did and before it is recorded: it is refunded once', async () => {
  const id = await paid()
  const input = { amount: 10, reason: 'A crash', restock: 0 }
  const crash = await dieAt(at('asked', /update "refunds" set/), async () => {
    await market.owner.call('POST', `/api/order/${id}/refund`, input, { 'idempotency-key': id })
  })
  await crash.restart()
  const refundsQuery = `select count(*)::int from refunds join refund_lines l on refund_id = _id where order_id = $1 and state = 'succeeded' and l.amount = 1000`
  expect(await count(refundsQuery, [id])).toBe(1)
})

test.runIf(atLength)(
  'deleting, after the payment was ended and before the order is: it can be deleted again',
  async () => {
    const id = await booked()
    const { body: order } = await ada.call('GET', `/api/order/${id}`)
    const input = { orderId: id, totalPrice: order.totalPrice }
    await ada.call('POST', '/api/create-payment-intent', input)
    const crash = await dieAt(at('asked', settled), async () => {
      await ada.call('DELETE', `/api/userProduct/${id}`)
    })
    await crash.restart()
    expect((await ofOrder(id)).status).toBe('unpaid')
    expect((await ada.call('DELETE', `/api/userProduct/${id}`)).status).toBe(200)
  },
)
