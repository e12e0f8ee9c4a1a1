import { Hono } from 'hono'
import { type Examination, type Repaired, RepairRequest } from '#contracts/reconciliation.ts'
import type { Database } from '#server/database/client.ts'
import { noteRun } from '#server/database/last-runs.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { type ExamineDeps, examine } from './checks.ts'
import { repair } from './repair.ts'
import type { MendDeps } from './repairs.ts'

/** An admin's look is a comparison too: what was mended since the last one is not told of any more. */
async function noteComparison(db: Database, { provider, findings }: Examination): Promise<void> {
  if (provider === 'silent') return
  const issues = findings.filter(({ about }) => about.startsWith('intent:')).length
  await noteRun(db.$client, 'reconciliation', { issues })
}

/** GET /money: where our record, the provider's and the stock ledger disagree. POST /money/repair: mends one of it. */
export function moneyRoutes(deps: ExamineDeps & MendDeps) {
  return new Hono<Env>()
    .get('/money', requireAdmin, async (c) => {
      const examination = await examine(deps)
      await noteComparison(deps.db, examination)
      return c.json(examination satisfies Examination)
    })
    .post('/money/repair', requireAdmin, valid('json', RepairRequest), async (c) =>
      c.json((await repair(deps, c.var.caller, c.req.valid('json'))) satisfies Repaired),
    )
}
