/**
 * When the shop opens, it imports the events that no webhook delivered, before it serves a client.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { migratedDatabase, type TestDatabase } from '#tests/support/database.ts'
import {
  bookingOf,
  call,
  cardsOf,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  orderOf,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

const METRICS_TOKEN = 'figures for those who watch'
let shared: TestDatabase
let dataDir: string
beforeEach(async () => {
  shared = await migratedDatabase()
  dataDir = await dataFolder()
})
afterEach(async () => {
  await shared.drop()
  await removeDataFolder(dataDir)
})

async function figure(origin: string, name: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { body } = await call(origin, 'GET', '/metrics', { headers })
  return new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1]
}

const open = (JOB_SECONDS: string) =>
  openTestShop({ METRICS_TOKEN, DEMO: 'off', JOB_SECONDS }, { shared, dataDir })

/** A customer whose card is charged that many times. */
async function customerOf(shop: TestShop) {
  const part = await stockPart(shop.pool, { onHand: 90 })
  const ada = await register(shop.origin, 'Ada Unheard')
  return {
    email: ada.email,
    async charged(card = 'pm_card_visa') {
      const id = await bookingOf(ada, part)
      const payment = await intentFor(ada, id)
      expect((await confirmCard(cardsOf(shop), payment, card)).status).toBe(200)
      return { id, intentId: payment.intentId }
    },
    statusOf: async (id: string) => (await orderOf(ada, id)).status,
  }
}

test('lost webhooks that settle_payments passes over: paid and disputed is known once the shop is open', async () => {
  // settle_payments skips payments younger than two hours
  const before = await open('3600')
  const { email, charged, statusOf } = await customerOf(before)
  expect(await figure(before.origin, 'ferrite_reconciliation_issues')).toBe('0')
  const paidOrder = await charged()
  await expect.poll(() => statusOf(paidOrder.id)).toBe('paid')
  await controlSandbox(before.origin, 'webhooks', { mode: 'drop' })
  const unheard = await charged()
  const disputed = await charged('pm_card_createDispute')
  const canceledOrder = await charged()
  // a payment that the shop counts as ended, as if its hold had just expired: settle_payments never
  // checks it
  await shared.pool.query(`update payments set status = 'canceled' where intent_id = $1`, [
    canceledOrder.intentId,
  ])
  // the provider no longer sends its events either
  await shared.pool.query(
    `delete from sandbox_stripe.objects where kind = 'event' and body::text like '%' || $1 || '%'`,
    [canceledOrder.intentId],
  )
  // and one that contradicts the provider's record: nothing is written automatically
  await shared.pool.query(
    `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{status}', '"requires_payment_method"')::json where id = $1`,
    [paidOrder.intentId],
  )
  for (const { id } of [unheard, disputed, canceledOrder]) expect(await statusOf(id)).toBe('unpaid')
  await before.close()

  const settings = { METRICS_TOKEN, DATABASE_URL: shared.url, DEMO: 'off', JOB_SECONDS: '3600' }
  // it accepts the passwords that the shop in this process hashed
  const { href } = new URL('../support/quick-passwords.ts', import.meta.url)
  const shop = await startShop({ ...settings, NODE_OPTIONS: `--import ${href}` }, dataDir)
  const ada = await login(shop.origin, email, 'correct horse')
  // the shop opens after three seconds, however slow its first reconciliation is
  for (const { id } of [unheard, disputed, canceledOrder])
    await expect.poll(async () => (await orderOf(ada, id)).status).toBe('paid')
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const actionsOn = async (id: string) =>
    (await owner.call('GET', `/api/audit?about=order:${id}`)).body.map(
      ({ by, action }: { by: string | null; action: string }) => [by, action],
    )
  expect(await actionsOn(canceledOrder.id)).toEqual([['the reconciliation', 'repair made']])
  expect(await actionsOn(disputed.id)).toEqual([[null, 'payment disputed']])
  const issues = () => figure(shop.origin, 'ferrite_reconciliation_issues')
  await expect.poll(issues).toBe('1')
  expect((await orderOf(ada, paidOrder.id)).status).toBe('paid')
  expect(shop.output()).toContain(paidOrder.intentId)
  expect(shop.output()).toContain('reconciliation_issue')
  await shop.end('SIGTERM')
})

test('a shop whose provider is silent opens all the same, and compares when it answers', async () => {
  const before = await open('0.1')
  const { charged } = await customerOf(before)
  await controlSandbox(before.origin, 'fail-next', { status: 500, count: 1000, path: '/events' })
  await charged()
  await before.close()
  const shop = await open('0.1')
  const issues = () => figure(shop.origin, 'ferrite_reconciliation_issues')
  const failures = () =>
    figure(shop.origin, 'ferrite_job_runs_total{job="reconcile_payments",outcome="failed"}')
  await expect.poll(failures).toBe('1')
  expect(await issues()).toBe(undefined)
  await controlSandbox(shop.origin, 'fail-next', { status: 500, count: 0 })
  await expect.poll(issues).toBe('0')
  await shop.close()
})
