/** `npm run doctor [-- --repair]`: looks for what is wrong with a shop that runs or is stopped; ends with 1 when something is. */
import '#server/loader-hook.ts'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/start-error.ts'
import type { Deps } from '#server/wiring.ts'
import { describeExamination, describeRepair } from './print-issues.ts'

const words = process.argv.slice(2)
const mending = words.includes('--repair')

/** @returns whether all is well */
async function visit(deps: Deps): Promise<boolean> {
  const { examine } = await import('#server/features/reconciliation/checks.ts')
  let found = await examine(deps)
  console.log(describeExamination(found))
  if (mending && found.findings.some((finding) => finding.repair)) {
    const { repairAll } = await import('#server/features/reconciliation/repair.ts')
    console.log('\nRepairing:')
    const done = { yes: 0, no: 0 }
    await repairAll(deps, { name: 'npm run doctor' }, found.findings, (finding, made) => {
      done[made.done ? 'yes' : 'no'] += 1
      console.log(describeRepair(finding, made))
    })
    found = await examine(deps)
    const left = done.no > 0 ? `, ${done.no} not` : ''
    console.log(`\nRepaired: ${done.yes}${left}. Then:\n${describeExamination(found)}`)
  }
  return found.findings.length === 0 && found.provider === 'answered'
}

async function run(): Promise<boolean> {
  const unknown = words.find((word) => word !== '--repair')
  if (unknown) throw new StartError(`${unknown} is unknown: npm run doctor [-- --repair]`)
  // imported here, after quick-imports.ts has its say
  const { visitShop } = await import('./with-adapters.ts')
  return visitShop(processSettings(), 'npm run doctor', visit)
}

run().then(
  (well) => process.exit(well ? 0 : 1),
  (error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  },
)
