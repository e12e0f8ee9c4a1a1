import { apiVersion, type Cause } from './call.ts'
import { type Database, insert, newId, nowSeconds } from './store.ts'

type EventBody = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: object; previous_attributes?: object }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

export type WebhookMode = {
  mode: 'normal' | 'drop' | 'duplicate' | 'delay' | 'reorder'
  delayMs: number
}

/** The endpoint that the settings name; others are made through the API. */
export const configuredEndpoint = 'configured'

/** Writes an event and its deliveries in the open transaction. */
export async function emit(cause: Cause, type: string, object: object, previous?: object) {
  const endpoints = await endpointsFor(cause.db, type)
  const event: EventBody = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowSeconds(),
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: cause.request,
    type,
  }
  await insert(cause.db, event)
  const mode = cause.controls ? await webhookMode(cause.db) : normal
  for (const endpoint of endpoints) await queue(cause.db, event.id, endpoint, mode)
}

const normal: WebhookMode = { mode: 'normal', delayMs: 0 }

async function webhookMode(db: Database): Promise<WebhookMode> {
  const { rows } = await db.query<{ value: WebhookMode }>(
    "select value from sandbox_stripe.controls where name = 'webhooks'",
  )
  return rows[0]?.value ?? normal
}

async function endpointsFor(db: Database, type: string): Promise<string[]> {
  const { rows } = await db.query<{ body: { id: string; enabled_events: string[] } }>(
    "select body from sandbox_stripe.objects where kind = 'webhook_endpoint'",
  )
  const wanting = rows.filter(({ body }) =>
    body.enabled_events.some((name) => name === '*' || name === type),
  )
  return [configuredEndpoint, ...wanting.map(({ body }) => body.id)]
}

/** Queues one delivery as the test-only mode says. */
async function queue(
  db: Database,
  event: string,
  endpoint: string,
  { mode, delayMs }: WebhookMode,
) {
  if (mode === 'reorder') {
    // What already waits steps behind the newcomer, so the newest goes out first.
    await db.query(
      `update sandbox_stripe.deliveries
        set due = greatest(due, clock_timestamp() + $1 * interval '1 ms') + interval '200 ms'
        where state = 'waiting' and attempts = 0`,
      [delayMs],
    )
  }
  for (let copies = mode === 'duplicate' ? 2 : 1; copies > 0; copies--) {
    await db.query(
      `insert into sandbox_stripe.deliveries (event, endpoint, state, due)
        values ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')`,
      [event, endpoint, mode === 'drop' ? 'dropped' : 'waiting', delayMs],
    )
  }
}

/** Events with the number of endpoints that have not acknowledged them yet. */
export async function withPending(db: Database, events: unknown[]): Promise<unknown[]> {
  const { rows } = await db.query<{ event: string; waiting: number }>(
    `select event, count(*)::int as waiting from sandbox_stripe.deliveries
      where state = 'waiting' group by event`,
  )
  const waiting = new Map(rows.map((row) => [row.event, row.waiting]))
  return (events as EventBody[]).map((event) => ({
    ...event,
    pending_webhooks: waiting.get(event.id) ?? 0,
  }))
}
