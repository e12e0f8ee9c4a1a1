/**
 * Reports the results of health checks: in the log, in the database (for the page and the metrics),
 * and by mail to the owner.
 */
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
  /** OWNER_MAIL; null to mail the first admin. */
  ownerMail: string | null
  publicUrl: string
  /** The name of this machine. Each machine has its own disk and settings. */
  machine: string
}

/** Mails each event at most once a day (UTC). The first process sends the mail. */
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
    end: 'This mail comes once a day until the check passes.',
  })
  const dedupe = `owner health ${event} ${new Date().toISOString().slice(0, 10)}`
  await queueOwnerMail(db, ownerMail, { template: 'owner-health', dedupe, ...mail })
}

/**
 * @returns a function that reports a result. It logs an event once, and `health_restored` when the
 *   check passes again
 */
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
