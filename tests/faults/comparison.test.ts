/** What no webhook told and no sweep saw is known again when the shop opens, before anybody is served. */
import type { Pool } from 'pg'
import { afterEach, expect, test } from 'vitest'
import {
  bookingOf,
  call,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  orderOf,
  register,
} from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

const METRICS_TOKEN = 'figures for those who watch'
/** Two starts of a shop, on a machine that does other things too. */
const slow = { timeout: 120_000 }
let shop: ShopProcess
let pool: Pool
afterEach(async () => {
  await pool.end()
  await shop.remove()
})

const control = (path: string, body: object) => controlSandbox(shop.origin, path, body)

async function figure(name: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { body } = await call(shop.origin, 'GET', '/metrics', { headers })
  return new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1]
}

async function open(settings: Record<string, string>) {
  shop = await startShop({ METRICS_TOKEN, DEMO: 'off', ...settings })
  pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 90 })
  const ada = await register(shop.origin, 'Ada Unheard')
  const html = await (await fetch(`${shop.origin}/`)).text()
  const publishableKey = /pk_test_\w+/.exec(html)?.[0] ?? ''
  return {
    email: ada.email,
    async charged(card = 'pm_card_visa') {
      const id = await bookingOf(ada, part)
      const payment = await intentFor(ada, id)
      const answer = await confirmCard({ origin: shop.origin, publishableKey }, payment, card)
      expect(answer.status).toBe(200)
      return { id, intentId: payment.intentId }
    },
    heard: async (id: string) => (await orderOf(ada, id)).status,
  }
}
const closeIt = async () => {
  await pool.end()
  expect(await shop.end('SIGTERM')).toBe(0)
}
const openAgain = async () => {
  shop = await shop.restart()
  pool = await shopDatabase(shop)
}

test(
  'lost webhooks that the sweep passes over: paid and disputed is known at the first request',
  slow,
  async () => {
    // the sweep leaves alone what is younger than two hours
    const { email, charged, heard } = await open({ JOB_SECONDS: '3600' })
    expect(await figure('ferrite_reconciliation_issues')).toBe('0')
    const kept = await charged()
    await expect.poll(() => heard(kept.id)).toBe('paid')
    await control('webhooks', { mode: 'drop' })
    const unheard = await charged()
    const disputed = await charged('pm_card_createDispute')
    const given = await charged()
    // one that the shop counts as ended, as when its hold lapsed just then: no sweep ever asks about it
    await pool.query(`update payments set status = 'canceled' where intent_id = $1`, [
      given.intentId,
    ])
    // nor does the provider tell of it any more
    await pool.query(
      `delete from sandbox_stripe.objects where kind = 'event' and body::text like '%' || $1 || '%'`,
      [given.intentId],
    )
    // and one that contradicts the provider's record: nothing is written by itself
    await pool.query(
      `update sandbox_stripe.objects set body = jsonb_set(body::jsonb, '{status}', '"requires_payment_method"')::json where id = $1`,
      [kept.intentId],
    )
    for (const { id } of [unheard, disputed, given]) expect(await heard(id)).toBe('unpaid')
    await closeIt()

    await openAgain()
    const ada = await login(shop.origin, email, 'correct horse')
    for (const { id } of [unheard, disputed, given])
      expect((await orderOf(ada, id)).status).toBe('paid')
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const actionsOn = async (id: string) =>
      (await owner.call('GET', `/api/audit?about=order:${id}`)).body.map(
        ({ by, action }: { by: string | null; action: string }) => [by, action],
      )
    expect(await actionsOn(given.id)).toEqual([['the reconciliation', 'repair made']])
    expect(await actionsOn(disputed.id)).toEqual([[null, 'payment disputed']])
    await expect.poll(() => figure('ferrite_reconciliation_issues'), { timeout: 30_000 }).toBe('1')
    expect((await orderOf(ada, kept.id)).status).toBe('paid')
    expect(shop.output()).toContain(kept.intentId)
    expect(shop.output()).toContain('reconciliation_issue')
  },
)

test(
  'a shop whose provider is silent opens all the same, and compares when it answers',
  slow,
  async () => {
    const { charged } = await open({ JOB_SECONDS: '1' })
    await control('fail-next', { status: 500, count: 1000, path: '/events' })
    await charged()
    await closeIt()
    await openAgain()
    const failures = () =>
      figure('ferrite_job_runs_total{job="reconcile_payments",outcome="failed"}')
    await expect.poll(failures, { timeout: 20_000 }).toBe('1')
    expect(await figure('ferrite_reconciliation_issues')).toBe(undefined)
    await control('fail-next', { status: 500, count: 0 })
    await expect.poll(() => figure('ferrite_reconciliation_issues'), { timeout: 30_000 }).toBe('0')
  },
)
