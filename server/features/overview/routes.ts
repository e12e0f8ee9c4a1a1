import { Hono } from 'hono'
import { OverviewQuery } from '#contracts/overview.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { readOverview } from './read-overview.ts'

/** GET /overview, for admins. */
export function overviewRoutes({ db }: { db: Database }) {
  return new Hono<Env>().get('/overview', requireAdmin, valid('query', OverviewQuery), async (c) =>
    c.json(await readOverview(db, c.req.valid('query').timeZone)),
  )
}
