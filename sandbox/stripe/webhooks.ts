import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { reportDueCharge } from './charges.ts'
import { endDueRefund } from './refunds.ts'
import { find, nowSeconds, transaction } from './store.ts'

/** The header that proves an event's origin: HMAC-SHA256 over `t.payload` with the whole secret. */
function signature(payload: string, secret: string, unixSeconds: number): string {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.${payload}`).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

type DeliveryOptions = {
  pool: Pool
  webhookSecret: string
  webhookUrl: () => string
  controls: boolean
  log: (line: string) => void
}

/** Seconds to wait after each failed attempt; the delivery is given up after the last one. */
const backoff = [1, 5, 30, 300, 1800, 7200, 36_000]
const timeoutMs = 10_000
const atOnce = 4
const longestPauseMs = 30_000
const pauseAfterErrorMs = 1000

type DueDelivery = { id: string; event: string; attempts: number }

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Takes one due delivery; if this process dies, another takes it again after the lease. */
async function takeDueDelivery(pool: Pool): Promise<DueDelivery | undefined> {
  const { rows } = await pool.query<DueDelivery>(
    `update sandbox_stripe.deliveries
      set attempts = attempts + 1, due = clock_timestamp() + interval '15 seconds'
      where id = (
        select id from sandbox_stripe.deliveries
        where state = 'waiting' and due <= clock_timestamp()
        order by due, id limit 1 for update skip locked)
      returning id, event, attempts`,
  )
  return rows[0]
}

async function deliver(
  options: DeliveryOptions,
  { id, event, attempts }: DueDelivery,
): Promise<void> {
  const problem = await post(options, event).catch(reason)
  const wait = backoff[attempts - 1]
  const state = problem === null ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
  if (problem) options.log(`webhook ${event} ${state}, ${problem}`)
  await options.pool.query(
    `update sandbox_stripe.deliveries
      set state = $2, due = clock_timestamp() + $3 * interval '1 second' where id = $1`,
    [id, state, wait ?? 0],
  )
}

/** @returns the problem with the response; null when it acknowledges the event */
async function post(options: DeliveryOptions, id: string): Promise<string | null> {
  const event = await find<object>(options.pool, 'event', id)
  const payload = JSON.stringify(event.body, null, 2)
  const { status, ok, body } = await fetch(options.webhookUrl(), {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature(payload, options.webhookSecret, nowSeconds()),
    },
    body: payload,
  })
  await body?.cancel()
  return ok ? null : `answered ${status}`
}

/** Milliseconds until a delivery, the end of a refund or the fee of a charge is due. */
async function untilNext(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (min(due) - extract(epoch from clock_timestamp()) * 1000)::float8 as ms from (
      select extract(epoch from due) * 1000 as due from sandbox_stripe.deliveries
        where state = 'waiting'
      union all select (hidden->>'endsAt')::bigint from sandbox_stripe.objects
        where hidden->>'endsAt' is not null) waiting`,
  )
  return Math.min(Math.max(rows[0]?.ms ?? longestPauseMs, 5), longestPauseMs)
}

/**
 * Delivers queued events until stopped. `wake` starts a round now; other rounds follow the queue.
 */
export function deliverer(options: DeliveryOptions) {
  const { pool, controls, log } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = true

  function wake(): void {
    if (stopped) return
    clearTimeout(timer)
    again = running !== undefined
    running ??= round().finally(() => {
      running = undefined
      if (again) wake()
    })
  }

  async function round(): Promise<void> {
    let pause = pauseAfterErrorMs
    try {
      const request = { id: null, idempotency_key: null }
      const endOne = () =>
        transaction(pool, async (db) => {
          const cause = { db, request, controls }
          return (await endDueRefund(cause)) || (await reportDueCharge(cause))
        })
      while (!stopped && (await endOne()));
      await Promise.all(Array.from({ length: atOnce }, worker))
      pause = await untilNext(pool)
    } catch (error) {
      log(`webhooks wait, ${reason(error)}`)
    }
    if (!stopped) timer = setTimeout(wake, pause).unref()
  }

  async function worker(): Promise<void> {
    while (!stopped) {
      const delivery = await takeDueDelivery(pool)
      if (!delivery) return
      await deliver(options, delivery)
    }
  }

  return {
    wake,
    start() {
      stopped = false
      wake()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
