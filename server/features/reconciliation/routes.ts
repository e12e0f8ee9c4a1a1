import { Hono } from 'hono'
import { CheckReport, Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { type CheckDeps, runChecks } from './checks.ts'
import { type RepairDeps, repair } from './repairs.ts'

/**
 * Opening the page counts as a reconciliation, so that the metric no longer includes repaired
 * issues.
 */
async function noteReconciliation(db: Database, { provider, issues }: CheckReport): Promise<void> {
  if (provider === 'silent') return
  const payments = issues.filter(({ about }) => about.startsWith('intent:')).length
  await noteRun(db.$client, 'reconciliation', { issues: payments })
}

/**
 * GET /money compares our records, the provider's and the stock ledger. POST /money/repair repairs
 * one issue.
 */
export function reconciliationRoutes(deps: CheckDeps & RepairDeps) {
  return new Hono<Env>()
    .get(
      '/money',
      requireAdmin({
        summary: 'Compares orders with the card provider, the stock ledger, pictures and mails.',
        limit: perMinute(30),
        answer: CheckReport,
      }),
      async (c) => {
        const report = await runChecks(deps)
        await noteReconciliation(deps.db, report)
        return c.json(report satisfies CheckReport)
      },
    )
    .post(
      '/money/repair',
      requireAdmin({
        summary: 'Repairs one issue of that comparison.',
        answer: Repaired,
        errors: ['PROVIDER_DOWN'],
        description: 'Every repair checks everything again, so it is safe at any time and twice.',
      }),
      valid('json', RepairRequest),
      async (c) =>
        c.json((await repair(deps, c.var.caller, c.req.valid('json'))) satisfies Repaired),
    )
}
