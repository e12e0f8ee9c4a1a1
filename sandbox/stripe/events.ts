import { list } from './form.ts'
import {
  apiVersion,
  type Call,
  type Cause,
  type Database,
  insert,
  newId,
  nowSeconds,
  page,
} from './store.ts'

export const modes = ['normal', 'drop', 'duplicate', 'reorder'] as const
type Mode = (typeof modes)[number]

/** How a test wants events to be delivered. */
async function webhookMode(db: Database): Promise<Mode> {
  const { rows } = await db.query<{ value: Mode }>(
    "select value from sandbox_stripe.controls where name = 'webhooks'",
  )
  return rows[0]?.value ?? 'normal'
}

/** Inserts an event and its delivery in the open transaction. */
export async function emit(cause: Cause, type: string, object: object): Promise<void> {
  const { db } = cause
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: cause.request,
    type,
  }
  await insert(db, event)
  const mode = cause.controls ? await webhookMode(db) : 'normal'
  const copies = { normal: 1, reorder: 1, duplicate: 2, drop: 0 }[mode]
  const wait = mode === 'reorder' ? reorderMs : 0
  if (mode === 'reorder') {
    // Delays the deliveries that already wait, so that the newest goes out first.
    await db.query(
      `update sandbox_stripe.deliveries
        set due = greatest(due, clock_timestamp()) + 2 * $1 * interval '1 ms'
        where state = 'waiting' and attempts = 0`,
      [wait],
    )
  }
  await db.query(
    `insert into sandbox_stripe.deliveries (event, state, due)
      select $1, 'waiting', clock_timestamp() + $2 * interval '1 ms' from generate_series(1, $3)`,
    [event.id, wait, copies],
  )
}

const reorderMs = 200

/** GET /v1/events by `types[]`: for recovering events that were never delivered. */
export async function listEvents({ db, fields, path }: Call): Promise<object> {
  const types = list(fields, 'types')
  const found = await page(db, 'event', fields, { type: types.length > 0 ? types : undefined })
  return { object: 'list', url: path, ...found }
}
