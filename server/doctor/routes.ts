import { Hono } from 'hono'
import { type Examination, type Repaired, RepairRequest } from '#contracts/findings.ts'
import { type Env, requireAdmin, valid } from '#server/http.ts'
import { type ExamineDeps, examine } from './examine.ts'
import type { MendDeps } from './mend.ts'
import { repair } from './repair.ts'

/** GET /money: where our record, the provider's and the stock ledger disagree. POST /money/repair: mends one of it. */
export function moneyRoutes(deps: ExamineDeps & MendDeps) {
  return new Hono<Env>()
    .get('/money', requireAdmin, async (c) => c.json((await examine(deps)) satisfies Examination))
    .post('/money/repair', requireAdmin, valid('json', RepairRequest), async (c) =>
      c.json((await repair(deps, c.var.caller, c.req.valid('json'))) satisfies Repaired),
    )
}
