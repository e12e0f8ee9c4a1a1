import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Pool } from 'pg'
import { isFromThisMachine } from '#sandbox/this-machine.ts'
import { transaction } from '#sandbox/transaction.ts'
import type { Cause } from './call.ts'
import { challengeOutcomes, endChallengeOf } from './challenge.ts'
import { disputeEnds, endDisputeOf } from './disputes.ts'
import type { WebhookMode } from './events.ts'
import { ApiFault } from './faults.ts'
import { emptySchema } from './schema.ts'
import { type Database, find } from './store.ts'

export type InjectedFault = { status: number | 'timeout'; path?: string; method?: string }

/** Takes the fault that waits for this call, if there is one. */
export async function nextFault(
  db: Database,
  { method, path }: { method: string; path: string },
): Promise<InjectedFault | undefined> {
  const { rows } = await db.query<{ value: InjectedFault }>(
    `update sandbox_stripe.controls set remaining = remaining - 1
      where name = 'fail-next' and remaining > 0
        and strpos($1, coalesce(value->>'path', '')) > 0 and coalesce(value->>'method', $2) = $2
      returning value`,
    [path, method],
  )
  return rows[0]?.value
}

async function setControl(db: Database, name: string, value: object, remaining: number) {
  await db.query(
    `insert into sandbox_stripe.controls (name, value, remaining) values ($1, $2, $3)
      on conflict (name) do update set value = excluded.value, remaining = excluded.remaining`,
    [name, JSON.stringify(value), remaining],
  )
}

type Body = Record<string, unknown>

const modes = ['normal', 'drop', 'duplicate', 'delay', 'reorder'] as const
const patience: Record<WebhookMode['mode'], number> = {
  normal: 0,
  drop: 0,
  duplicate: 0,
  delay: 1000,
  reorder: 1000,
}

/** Test-only calls under `/_sandbox`, answered to this machine alone. */
export function controlRoutes({ pool, wake }: { pool: Pool; wake: () => void }): Hono {
  const app = new Hono()
  app.use(async (c, next) => (isFromThisMachine(c) ? next() : c.notFound()))
  app.post('/reset', async (c) => {
    await emptySchema(pool)
    return c.json({ ok: true })
  })
  app.get('/deliveries', async (c) => c.json(await deliveries(pool)))
  app.post('/resend/:event', async (c) => {
    const found = await resend(pool, c.req.param('event'))
    wake()
    return found ? c.json({ ok: true }) : c.json({ ok: false }, 404)
  })
  app.post('/webhooks', async (c) => {
    const { mode: sent, delayMs } = await bodyOf(c)
    const mode = modes.find((name) => name === sent)
    if (!mode) return c.json({ error: `mode must be one of ${modes.join(', ')}` }, 400)
    const wait = typeof delayMs === 'number' && delayMs >= 0 ? delayMs : patience[mode]
    await setControl(pool, 'webhooks', { mode, delayMs: wait } satisfies WebhookMode, 0)
    return c.json({ mode, delayMs: wait })
  })
  app.post('/fail-next', async (c) => {
    const { status, count = 1, path, method } = await bodyOf(c)
    const known = status === 'timeout' || (Number.isInteger(status) && Number(status) >= 400)
    if (!known || Number(status) > 599 || typeof count !== 'number') {
      return c.json({ error: "status must be 400 to 599 or 'timeout', count a number" }, 400)
    }
    const value = {
      status,
      ...(typeof path === 'string' && { path }),
      ...(typeof method === 'string' && { method }),
    }
    await setControl(pool, 'fail-next', value, count)
    return c.json({ ...value, count })
  })
  const ending = endingRoute({ pool, wake })
  app.post('/3ds/:intent', ending(challengeOutcomes, endChallengeOf))
  app.post('/disputes/:intent', ending(disputeEnds, endDisputeOf))
  app.onError((error, c) => {
    const status = error instanceof ApiFault && error.status === 404 ? 404 : 500
    return c.json({ error: error.message }, status)
  })
  return app
}

/** Routes that end what is open of an intent with the `outcome` of their body. */
const endingRoute =
  ({ pool, wake }: { pool: Pool; wake: () => void }) =>
  <T extends string>(
    outcomes: readonly T[],
    end: (cause: Cause, intent: string, outcome: T) => Promise<boolean>,
  ) =>
  async (c: Context): Promise<Response> => {
    const { outcome: sent } = await bodyOf(c)
    const outcome = outcomes.find((name) => name === sent)
    if (!outcome) return c.json({ error: `outcome must be one of ${outcomes.join(', ')}` }, 400)
    const ended = await transaction(pool, (db) => {
      const request = { id: null, idempotency_key: null }
      return end({ db, request, controls: true }, c.req.param('intent') ?? '', outcome)
    })
    wake()
    return ended ? c.json({ ok: true }) : c.json({ error: 'nothing open' }, 409)
  }

async function bodyOf(c: Context): Promise<Body> {
  const body: unknown = await c.req.json().catch(() => ({}))
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

async function deliveries(pool: Pool) {
  const { rows } = await pool.query(
    `select d.id::int as id, d.event, o.body->>'type' as type, d.endpoint, d.state, d.attempts,
        d.response, d.problem
      from sandbox_stripe.deliveries d join sandbox_stripe.objects o on o.id = d.event
      order by d.id`,
  )
  return { data: rows }
}

/** Queues an event once more to every endpoint that was to get it, whatever the mode is. */
async function resend(pool: Pool, event: string): Promise<boolean> {
  await find(pool, 'event', event)
  const { rowCount } = await pool.query(
    `insert into sandbox_stripe.deliveries (event, endpoint, state, due)
      select distinct event, endpoint, 'waiting', clock_timestamp()
      from sandbox_stripe.deliveries where event = $1`,
    [event],
  )
  return rowCount !== 0
}
