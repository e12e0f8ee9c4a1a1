import { Hono } from 'hono'
import { HealthReport, healthCheckTitles, healthEvents } from '#contracts/health.ts'
import type { Database } from '#server/database/client.ts'
import { readChecks } from '#server/database/health-checks.ts'
import { type Env, requireAdmin } from '#server/http/guards.ts'
import { version } from '#server/version.ts'

async function readHealth(db: Database): Promise<HealthReport> {
  const checks = (await readChecks(db)).map(({ event, since, checkedAt, ...check }) => {
    const { state, advice } = event ? healthEvents[event] : { state: 'ok' as const, advice: null }
    return {
      ...check,
      title: healthCheckTitles[check.name],
      event,
      state,
      advice,
      since: since.toISOString(),
      checkedAt: checkedAt.toISOString(),
    }
  })
  return { version, checks }
}

/** GET /health: what the health checks last found, for admins. */
export function healthCheckRoutes({ db }: { db: Database }) {
  return new Hono<Env>().get(
    '/health',
    requireAdmin({
      summary: 'Tells whether the shop is well: backups, disk, jobs and providers.',
      answer: HealthReport,
    }),
    async (c) => c.json((await readHealth(db)) satisfies HealthReport),
  )
}
