/** `npm run doctor [-- --repair]`: finds issues of a shop, whether it runs or not, and exits with 1 when there are any. */
import type { CheckReport } from '#contracts/reconciliation.ts'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { runChecks } from '#server/features/reconciliation/checks.ts'
import { reconcile } from '#server/features/reconciliation/reconcile.ts'
import { repairAll } from '#server/features/reconciliation/repairs.ts'
import type { Deps } from '#server/wiring.ts'
import { describeRepair, describeReport } from './print-issues.ts'
import { visitShop } from './with-adapters.ts'

const words = process.argv.slice(2)
const mending = words.includes('--repair')
const by = { name: 'npm run doctor' }

/** Imports what no check can see: disputes and refunds that no webhook brought. */
async function reconcileMoney(deps: Deps, { provider }: CheckReport): Promise<void> {
  if (provider === 'silent') return
  await reconcile(deps, by)
}

/** @returns whether all is well */
async function visit(deps: Deps): Promise<boolean> {
  let found = await runChecks(deps)
  console.log(describeReport(found))
  if (mending && found.issues.some((issue) => issue.repair)) {
    console.log('\nRepairing:')
    const done = { yes: 0, no: 0 }
    await repairAll(deps, by, found.issues, (issue, made) => {
      done[made.done ? 'yes' : 'no'] += 1
      console.log(describeRepair(issue, made))
    })
    await reconcileMoney(deps, found)
    found = await runChecks(deps)
    const left = done.no > 0 ? `, ${done.no} not` : ''
    console.log(`\nRepaired: ${done.yes}${left}. Then:\n${describeReport(found)}`)
  } else if (mending) await reconcileMoney(deps, found)
  return found.issues.length === 0 && found.provider === 'answered'
}

async function run(): Promise<boolean> {
  const unknown = words.find((word) => word !== '--repair')
  if (unknown) throw new StartError(`${unknown} is unknown: npm run doctor [-- --repair]`)
  return visitShop(processSettings(), 'npm run doctor', visit)
}

run().then(
  (well) => process.exit(well ? 0 : 1),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
