/**
 * `npm run doctor [-- --repair]`: finds issues of a shop, whether it runs or not, and exits with 1
 * when there are any.
 */
import { counted } from '#contracts/counted.ts'
import type { CheckReport, Issue, Repaired } from '#contracts/reconciliation.ts'
import { processSettings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { runChecks } from '#server/features/reconciliation/checks.ts'
import { reconcile } from '#server/features/reconciliation/reconcile.ts'
import { repairAll } from '#server/features/reconciliation/repairs.ts'
import type { Deps } from '#server/wiring.ts'
import { visitShop } from './with-adapters.ts'

const records = ['ours', 'provider', 'ledger'] as const

/**
 * The lines about one issue: the problem, what it concerns, the value in each record, and the
 * advice.
 */
function lines(issue: Issue): string[] {
  const { type, about, name, words, repair, advice } = issue
  const details = records.flatMap((record) => (issue[record] ? `${record}: ${issue[record]}` : []))
  return [
    '',
    `  ${type.padEnd(8)} ${words}`,
    ...[about.endsWith(name) ? about : `${name}, ${about}`, details.join(' | ')],
    repair ? `repair: ${repair}` : `by hand: ${advice}`,
  ].map((line, i) => (i < 2 ? line : `           ${line}`))
}

/** Counts the issues and suggests the next step. */
function sum(issues: Issue[]): string {
  const total = counted(issues.length, 'issue')
  const safe = issues.filter(({ repair }) => repair).length
  return safe > 0 ? `${total}, ${safe} with a safe repair: npm run doctor -- --repair` : `${total}.`
}

/** The output of `npm run doctor` for a report. */
function describeReport({ compared, provider, issues }: CheckReport): string {
  const { payments, orders, parts, pictures, mails } = compared
  const silent = provider === 'silent'
  const money = silent
    ? 'The card provider does not answer, or refuses the key of the shop: payments were not compared with it.\nCompared: '
    : `Compared: ${payments} payments of the last 30 days with the card provider, `
  const counted = `${money}${orders} orders, ${parts} parts, ${pictures} pictures, ${mails} mails.`
  const well = silent ? 'Everything else agrees.' : 'Everything agrees.'
  const issueLines = issues.flatMap(lines)
  return [counted, ...issueLines, ...(issues.length > 0 ? ['', sum(issues)] : [well])].join('\n')
}

/** Describes the result of a repair. */
const describeRepair = (
  issue: Issue,
  { done, outcome }: Pick<Repaired, 'done' | 'outcome'>,
): string => `  ${issue.repair} ${issue.about}: ${outcome}${done ? '' : ' (not repaired)'}`

const words = process.argv.slice(2)
const isRepair = words.includes('--repair')
const by = { name: 'npm run doctor' }

/** Imports events that no check can find: disputes and refunds whose webhooks were missed. */
async function reconcileMoney(deps: Deps, { provider }: CheckReport): Promise<void> {
  if (provider === 'silent') return
  await reconcile(deps, by)
}

/** @returns whether no issues remain */
async function visit(deps: Deps): Promise<boolean> {
  const check = () => runChecks(deps, { index: true })
  let report = await check()
  console.log(describeReport(report))
  if (isRepair && report.issues.some((issue) => issue.repair)) {
    console.log('\nRepairing:')
    const repairCounts = { yes: 0, no: 0 }
    await repairAll(deps, by, report.issues, (issue, repaired) => {
      repairCounts[repaired.done ? 'yes' : 'no'] += 1
      console.log(describeRepair(issue, repaired))
    })
    await reconcileMoney(deps, report)
    report = await check()
    const left = repairCounts.no > 0 ? `, ${repairCounts.no} not` : ''
    console.log(`\nRepaired: ${repairCounts.yes}${left}. Then:\n${describeReport(report)}`)
  } else if (isRepair) await reconcileMoney(deps, report)
  return report.issues.length === 0 && report.provider === 'answered'
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
