/** The job that reconciles our payments with the card provider. */
import { createHash } from 'node:crypto'
import { counted } from '#contracts/counted.ts'
import type { Issue } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { queueOwnerMail } from '#server/database/mail-queue.ts'
import { AppError } from '#server/errors.ts'
import { eventDays, importEvents, importRefunds } from '#server/features/payments/catch-up.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { mailTemplate } from '#server/mail/template.ts'
import { comparePayments } from './compare-payments.ts'
import { type RepairDeps, type Repairer, repairAll } from './repairs.ts'

async function findIssues(deps: RepairDeps): Promise<Issue[]> {
  const comparison = await comparePayments(deps, eventDays)
  if (comparison) return comparison.issues
  throw new AppError('PROVIDER_DOWN', 'The card provider does not answer.')
}

/** The most issues in the mail. The page shows the rest. */
const mailed = 20

/** Computes a key for a set of issues, whatever their order. */
function keyOf(issues: Issue[]): string {
  const all = issues.map(({ about, words }) => `${about} ${words}`).toSorted()
  return createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 32)
}

/**
 * Mails the owner the remaining issues in one mail. Sends no second mail until the issues change.
 */
async function mailIssues(
  { db, ownerMail, publicUrl }: { db: Database; ownerMail: string | null; publicUrl: string },
  issues: Issue[],
): Promise<void> {
  if (issues.length === 0) return
  const left = issues.length - mailed
  const count = counted(issues.length, 'payment')
  const mail = mailTemplate({
    subject: `${count}: the card provider has another record`,
    lines: [
      'The daily reconciliation found what the shop cannot settle by itself. Nothing was changed.',
      'Money in the dashboard shows both records and says what to do.',
    ],
    facts: [
      ...issues.slice(0, mailed).map(({ name, words }): [string, string] => [name, words]),
      ...(left > 0 ? ([['and', `${left} more`]] satisfies [string, string][]) : []),
    ],
    action: { label: 'Compare them', url: `${publicUrl}/dashboard/money` },
  })
  const dedupe = `owner issue ${keyOf(issues)}`
  await queueOwnerMail(db, ownerMail, { template: 'owner-issue', dedupe, ...mail })
}

/**
 * Reconciles the payments of the last days with the card provider: before a shop opens, once a day,
 * and when the doctor repairs. Imports events and refunds that no webhook delivered, repairs the
 * remaining differences, and reports the issues without a repair: in the log, as a metric, and by
 * mail to the owner. Between two runs, `settleUnsettled` follows up the payments that have not
 * ended.
 * @throws AppError PROVIDER_DOWN
 */
export async function reconcile(
  deps: RepairDeps & { metrics: Metrics },
  by: Repairer = { name: 'the reconciliation' },
): Promise<void> {
  await importEvents(deps)
  await importRefunds(deps)
  let issues = await findIssues(deps)
  if (issues.some(({ repair }) => repair)) {
    await repairAll(deps, by, issues, () => {})
    issues = await findIssues(deps)
  }
  for (const { about, words, ours, provider } of issues) {
    deps.log.error({ about, issue: words, ours, provider }, 'reconciliation_issue')
  }
  deps.metrics.setReconciliationIssues(issues.length)
  await mailIssues(deps, issues)
  await noteRun(deps.db.$client, 'reconciliation', { issues: issues.length })
}
