import type { Issue } from '#contracts/reconciliation.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { AppError } from '#server/errors.ts'
import { importEvents } from '#server/features/payments/import-events.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { comparePayments } from './compare-payments.ts'
import { mailIssues } from './mail-issues.ts'
import { repairAll } from './repair.ts'
import type { RepairDeps } from './repairs.ts'

/** The card provider retries an event for so long. */
const days = 3

async function compared(deps: RepairDeps): Promise<Issue[]> {
  const money = await comparePayments(deps, days)
  if (money) return money.issues
  throw new AppError('PROVIDER_DOWN', 'The card provider does not answer.')
}

/**
 * Compares the payments of the last days with the card provider's, as the clockwork does once a day and before a shop
 * opens: what the provider knows better is taken in, what contradicts it is told to whoever watches.
 * @throws AppError PROVIDER_DOWN
 */
export async function compareDaily(deps: RepairDeps & { metrics: Metrics }): Promise<void> {
  await importEvents(deps, new Date(Date.now() - days * 86_400_000))
  let found = await compared(deps)
  if (found.some(({ repair }) => repair)) {
    await repairAll(deps, { name: 'the daily comparison' }, found, () => {})
    found = await compared(deps)
  }
  for (const { about, words, ours, provider } of found) {
    deps.log.error({ about, words, ours, provider }, 'the card provider has another record')
  }
  deps.metrics.disagreed(found.length)
  await mailIssues(deps, found)
  await noteRun(deps.db.$client, 'reconciliation', { issues: found.length })
}
