/** Reports what the health checks find: in the log, in the database for page and metrics, and by mail to the owner. */
import type { Logger } from 'pino'
import {
  type HealthCheckName,
  type HealthEvent,
  healthCheckTitles,
  healthEvents,
} from '#contracts/health.ts'
import type { Database } from '#server/database/client.ts'
import { type CheckResult, noteCheck } from '#server/database/health-checks.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import { mailTemplate } from '#server/mail/template.ts'

export type ReportDeps = {
  db: Database
  log: Logger
  /** OWNER_MAIL; null for the first admin. */
  ownerMail: string | null
  publicUrl: string
  /** The name of this machine: each has a disk and settings of its own. */
  machine: string
}

/** Each event at most once a day (UTC), by whichever process is first. */
async function mailEvent(
  { db, ownerMail, publicUrl }: ReportDeps,
  event: HealthEvent,
  sentence: string,
): Promise<void> {
  const { check, headline, advice } = healthEvents[event]
  const mail = mailTemplate({
    subject: headline,
    lines: [sentence, advice],
    facts: [['Check', healthCheckTitles[check]]],
    action: { label: 'Is my shop well?', url: `${publicUrl}/dashboard/health` },
    end: 'This mail comes once a day until it is well again.',
  })
  const dedupe = `owner health ${event} ${new Date().toISOString().slice(0, 10)}`
  await queueOwnerMail(db, ownerMail, { template: 'owner-health', dedupe, ...mail })
}

/** @returns reports a result; the log gets an event once, and `health_restored` when it is over */
export function healthReporter(deps: ReportDeps) {
  const events = new Map<HealthCheckName, HealthEvent | null>()
  return async (result: CheckResult): Promise<void> => {
    const { name, event, sentence } = result
    const isFirst = !events.has(name)
    const before = events.get(name) ?? null
    events.set(name, event)
    if (event && event !== before) {
      const isFailing = healthEvents[event].state === 'failing'
      deps.log[isFailing ? 'error' : 'warn']({ check: name, reason: sentence }, event)
    }
    if (before && !event) deps.log.info({ check: name }, 'health_restored')
    const counts = await noteCheck(deps.db.$client, result, {
      machine: deps.machine,
      isFirst,
    })
    if (counts && event) await mailEvent(deps, event, sentence)
  }
}
export type ReportHealth = ReturnType<typeof healthReporter>
