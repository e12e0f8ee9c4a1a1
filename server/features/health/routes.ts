import { Hono } from 'hono'
import {
  type HealthCheckName,
  HealthReport,
  healthCheckTitles,
  healthEvents,
} from '#contracts/health.ts'
import type { Database } from '#server/database/client.ts'
import { readChecks } from '#server/database/health-checks.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { type Env, requireAdmin } from '#server/http/guards.ts'
import { version } from '#server/version.ts'
import type { ProviderDeps } from './try-providers.ts'

type HealthDeps = Pick<ProviderDeps, 'sender' | 'payments'> & {
  db: Database
  /** Hours after which a backup is old; 0 when something else backs up the database. */
  backupHours: number
}

/**
 * Returns the checks that are off because their subject is not set up, with a sentence for each: in
 * a demonstration or a new shop.
 */
async function readNotSetUp({
  db,
  sender,
  payments,
  backupHours,
}: HealthDeps): Promise<Partial<Record<HealthCheckName, string>>> {
  const { backup } = await readRuns(db)
  return {
    ...(!backup && backupHours > 0
      ? { backup: 'Before you open, have it backed up every night (npm run backup).' }
      : {}),
    ...(sender.type === 'files'
      ? { mail: 'Before you open, give the shop a mail server (SMTP_URL).' }
      : {}),
    ...(payments.browser.sandbox
      ? { payments: 'Before you open, connect the shop to Stripe (STRIPE_SECRET_KEY).' }
      : {}),
  }
}

async function readHealth(deps: HealthDeps): Promise<HealthReport> {
  const notSetUp = await readNotSetUp(deps)
  const checks = (await readChecks(deps.db)).map(({ event, since, checkedAt, ...check }) => {
    const advice = notSetUp[check.name] ?? null
    const well = { state: advice ? ('off' as const) : ('ok' as const), advice }
    const found = event ? healthEvents[event] : well
    return {
      ...check,
      title: healthCheckTitles[check.name],
      event,
      state: found.state,
      advice: found.advice,
      since: since.toISOString(),
      checkedAt: checkedAt.toISOString(),
    }
  })
  return { version, checks }
}

/** GET /health: the latest results of the health checks, for admins. */
export function healthCheckRoutes(deps: HealthDeps) {
  return new Hono<Env>().get(
    '/health',
    requireAdmin({
      summary: 'Tells whether the shop is well: backups, disk, jobs and providers.',
      answer: HealthReport,
    }),
    async (c) => c.json((await readHealth(deps)) satisfies HealthReport),
  )
}
