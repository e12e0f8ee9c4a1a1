import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { configuredEndpoint } from './events.ts'
import { find, type Hidden } from './store.ts'

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
type Claimed = { id: string; event: string; endpoint: string; attempts: number }

/** The header that proves an event's origin: HMAC-SHA256 over `t.payload` with the whole secret. */
export function signature(payload: string, secret: string, unixSeconds: number): string {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.${payload}`).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

/** Takes one due delivery; when this process dies, another takes it again after the lease. */
export async function claim(pool: Pool): Promise<Claimed | undefined> {
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

export async function deliver(options: DeliveryOptions, claimed: Claimed): Promise<void> {
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

export const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))
