import { Hono } from 'hono'
import { type CheckReport, type Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { type CheckDeps, runChecks } from './checks.ts'
import { repair } from './repair.ts'
import type { RepairDeps } from './repairs.ts'

/** Notes an admin's check as a reconciliation, so that repaired issues are not reported any more. */
async function noteComparison(db: Database, { provider, issues }: CheckReport): Promise<void> {
  if (provider === 'silent') return
  const payments = issues.filter(({ about }) => about.startsWith('intent:')).length
  await noteRun(db.$client, 'reconciliation', { issues: payments })
}

/** GET /money: where our record, the provider's and the stock ledger disagree. POST /money/repair: mends one of it. */
export function reconciliationRoutes(deps: CheckDeps & RepairDeps) {
  return new Hono<Env>()
    .get('/money', requireAdmin, async (c) => {
      const examination = await runChecks(deps)
      await noteComparison(deps.db, examination)
      return c.json(examination satisfies CheckReport)
    })
    .post('/money/repair', requireAdmin, valid('json', RepairRequest), async (c) =>
      c.json((await repair(deps, c.var.caller, c.req.valid('json'))) satisfies Repaired),
    )
}
