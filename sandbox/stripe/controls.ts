import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Pool } from 'pg'
import { isFromThisMachine } from '#sandbox/this-machine.ts'
import { disputeEnds, endDispute } from './charges.ts'
import { modes } from './events.ts'
import { type Database, transaction } from './store.ts'

type NextFailure = { status: number | 'timeout'; path?: string; method?: string }

/** Takes the failure that a test has requested for this call, if any. */
export async function nextFailure(
  db: Database,
  { method, path }: { method: string; path: string },
): Promise<NextFailure | undefined> {
  const { rows } = await db.query<{ value: NextFailure }>(
    `update sandbox_stripe.controls set remaining = remaining - 1
      where name = 'fail-next' and remaining > 0
        and strpos($1, coalesce(value->>'path', '')) > 0 and coalesce(value->>'method', $2) = $2
      returning value`,
    [path, method],
  )
  return rows[0]?.value
}

async function setControl(db: Database, name: string, value: unknown, remaining = 0) {
  await db.query(
    `insert into sandbox_stripe.controls (name, value, remaining) values ($1, $2, $3)
      on conflict (name) do update set value = excluded.value, remaining = excluded.remaining`,
    [name, JSON.stringify(value), remaining],
  )
}

/** Test controls under `/_sandbox`, only for this machine. */
export function controlRoutes(pool: Pool, wake: () => void): Hono {
  const app = new Hono()
  app.use(async (c, next) => (isFromThisMachine(c) ? next() : c.notFound()))
  app.get('/deliveries', async (c) => {
    const { rows } = await pool.query(
      `select d.event, o.body->>'type' as type, d.state, d.attempts
        from sandbox_stripe.deliveries d join sandbox_stripe.objects o on o.id = d.event
        order by d.id`,
    )
    return c.json({ data: rows })
  })
  app.post('/webhooks', async (c) => {
    const { mode: requestedMode } = await bodyOf(c)
    const mode = modes.find((name) => name === requestedMode)
    if (!mode) return c.json({ error: `mode must be one of ${modes.join(', ')}` }, 400)
    await setControl(pool, 'webhooks', mode)
    return c.json({ mode })
  })
  app.post('/account', async (c) => {
    const { currency, isLate = false } = await bodyOf(c)
    const isCurrency = currency === undefined || /^[a-z]{3}$/.test(String(currency))
    if (!isCurrency || typeof isLate !== 'boolean')
      return c.json({ error: "currency must be like 'eur', isLate true or false" }, 400)
    await setControl(pool, 'account', { currency, isLate })
    return c.json({ currency, isLate })
  })
  app.post('/fail-next', async (c) => {
    const { status, count = 1, path, method } = await bodyOf(c)
    const isFailure = status === 'timeout' || (Number(status) >= 400 && Number(status) <= 599)
    if (!isFailure || typeof count !== 'number') {
      return c.json({ error: "status must be 400 to 599 or 'timeout', count a number" }, 400)
    }
    await setControl(pool, 'fail-next', { status, path, method }, count)
    return c.json({ status, count })
  })
  app.post('/disputes/:intent', async (c) => {
    const { outcome: requestedOutcome } = await bodyOf(c)
    const outcome = disputeEnds.find((name) => name === requestedOutcome)
    if (!outcome) return c.json({ error: `outcome must be one of ${disputeEnds.join(', ')}` }, 400)
    const request = { id: null, idempotency_key: null }
    const ended = await transaction(pool, (db) =>
      endDispute({ db, request, controls: true }, c.req.param('intent'), outcome),
    )
    wake()
    return ended ? c.json({ ok: true }) : c.json({ error: 'no open dispute' }, 409)
  })
  return app
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => ({}))
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
