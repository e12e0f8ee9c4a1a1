import { Hono } from 'hono'
import { FitDesk } from '#contracts/fit-desk.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin } from '#server/http/guards.ts'
import { readFitDesk } from './fit-desk.ts'

/** GET /fit, for admins. */
export function fitRoutes({ db }: { db: Database }) {
  return new Hono<Env>().get(
    '/fit',
    requireAdmin({
      summary: 'Lists the rules of what fits together, and the parts that lack what they read.',
      scope: 'parts:read',
      answer: FitDesk,
    }),
    async (c) => c.json((await readFitDesk(db)) satisfies FitDesk),
  )
}
