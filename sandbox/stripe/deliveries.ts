import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { configuredEndpoint } from './events.ts'
import { failRefund } from './refunds.ts'
import { find, type Hidden } from './store.ts'
import { transaction } from './transaction.ts'

export type DeliveryOptions = {
  pool: Pool
  webhookSecret: string
  webhookUrl: () => string
  controls: boolean
  log: (line: string) => void
}

const second = 1000
const minute = 60 * second
/** Milliseconds to wait after each failed attempt; after the last one the delivery is given up. */
const backoff = [
  second,
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  120 * minute,
  600 * minute,
]
const patience = 10 * second
const atOnce = 4
const longestNap = 30 * second

type Claimed = { id: string; event: string; endpoint: string; attempts: number }

/** The header that proves an event's origin: HMAC-SHA256 over `t.payload` with the whole secret. */
export function signature(payload: string, secret: string, unixSeconds: number): string {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.${payload}`).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

/** Sends queued events until stopped; `wake` starts a round now, other rounds follow the queue. */
export function deliverer(options: DeliveryOptions) {
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
    let nap = second
    try {
      await Promise.all(Array.from({ length: atOnce }, () => worker(options, () => stopped)))
      while (!stopped && (await runLater(options)));
      nap = await untilNext(options.pool)
    } catch (error) {
      options.log(`stripe sandbox: webhooks wait, ${reason(error)}`)
    }
    if (!stopped) timer = setTimeout(wake, nap).unref()
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

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function worker(options: DeliveryOptions, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const claimed = await claim(options.pool)
    if (!claimed) return
    await deliver(options, claimed)
  }
}

/** Takes one due delivery; when this process dies, another takes it again after the lease. */
async function claim(pool: Pool): Promise<Claimed | undefined> {
  const { rows } = await pool.query<Claimed>(
    `update sandbox_stripe.deliveries
      set attempts = attempts + 1, due = clock_timestamp() + interval '15 seconds'
      where id = (
        select id from sandbox_stripe.deliveries
        where state = 'waiting' and due <= clock_timestamp()
        order by due, id limit 1 for update skip locked)
      returning id, event, endpoint, attempts`,
  )
  return rows[0]
}

async function deliver(options: DeliveryOptions, claimed: Claimed): Promise<void> {
  let response: number | null = null
  let problem: string | null = null
  try {
    response = await post(options, claimed)
    if (response < 200 || response > 299) problem = `answered ${response}`
  } catch (error) {
    problem = reason(error)
  }
  const wait = backoff[claimed.attempts - 1]
  const state = problem === null ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
  if (problem) options.log(`stripe sandbox: webhook ${claimed.event} ${state}, ${problem}`)
  await options.pool.query(
    `update sandbox_stripe.deliveries set state = $2, response = $3, problem = $4,
      due = clock_timestamp() + $5 * interval '1 ms' where id = $1`,
    [claimed.id, state, response, problem, wait ?? 0],
  )
}

async function post(options: DeliveryOptions, claimed: Claimed): Promise<number> {
  const { url, secret } = await receiver(options, claimed.endpoint)
  const event = await find<object>(options.pool, 'event', claimed.event)
  const payload = JSON.stringify(event.body, null, 2)
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature(payload, secret, Math.floor(Date.now() / 1000)),
    },
    body: payload,
  })
  await answer.body?.cancel()
  return answer.status
}

async function receiver(options: DeliveryOptions, endpoint: string) {
  if (endpoint === configuredEndpoint) {
    return { url: options.webhookUrl(), secret: options.webhookSecret }
  }
  const { rows } = await options.pool.query<{ body: { url: string }; hidden: Hidden }>(
    'select body, hidden from sandbox_stripe.objects where id = $1',
    [endpoint],
  )
  const row = rows[0]
  if (!row) throw new Error('the endpoint was deleted')
  return { url: row.body.url, secret: row.hidden.secret ?? '' }
}

/** Does one thing that was due later; false when nothing is. */
async function runLater({ pool, controls }: DeliveryOptions): Promise<boolean> {
  return transaction(pool, async (db) => {
    const { rows } = await db.query<{ refund: string }>(
      `delete from sandbox_stripe.later where id = (
        select id from sandbox_stripe.later where due <= clock_timestamp()
        order by id limit 1 for update skip locked) returning refund`,
    )
    const refund = rows[0]?.refund
    const request = { id: null, idempotency_key: null }
    if (refund !== undefined) await failRefund({ db, request, controls }, refund)
    return refund !== undefined
  })
}

/** Milliseconds until the queue needs attention again. */
async function untilNext(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from min(due) - clock_timestamp()) * 1000)::float8 as ms from (
      select due from sandbox_stripe.deliveries where state = 'waiting'
      union all select due from sandbox_stripe.later) waiting`,
  )
  return Math.min(Math.max(rows[0]?.ms ?? longestNap, 5), longestNap)
}
