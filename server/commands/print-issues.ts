import type { CheckReport, Issue, Repaired } from '#contracts/reconciliation.ts'

const records = ['ours', 'provider', 'ledger'] as const

/** One finding: what is wrong, with what, what each record says of it, and what to do. */
function lines(issue: Issue): string[] {
  const { type, about, name, words, repair, advice } = issue
  const said = records.flatMap((record) => (issue[record] ? `${record}: ${issue[record]}` : []))
  return [
    '',
    `  ${type.padEnd(8)} ${words}`,
    ...[about.endsWith(name) ? about : `${name}, ${about}`, said.join(' | ')],
    repair ? `repair: ${repair}` : `by hand: ${advice}`,
  ].map((line, i) => (i < 2 ? line : `           ${line}`))
}

/** Counts the issues and says how to go on. */
function sum(issues: Issue[]): string {
  const said = issues.length === 1 ? '1 finding' : `${issues.length} findings`
  const safe = issues.filter(({ repair }) => repair).length
  return safe > 0 ? `${said}, ${safe} with a safe repair: npm run doctor -- --repair` : `${said}.`
}

/** What `npm run doctor` prints of an examination. */
export function describeReport({ compared, provider, issues }: CheckReport): string {
  const { payments, orders, parts, pictures, mails } = compared
  const silent = provider === 'silent'
  const money = silent
    ? 'The card provider does not answer, or refuses the key of the shop: payments were not compared with it.\nCompared: '
    : `Compared: ${payments} payments of the last 30 days with the card provider, `
  const counted = `${money}${orders} orders, ${parts} parts, ${pictures} pictures, ${mails} mails.`
  const well = silent ? 'Everything else agrees.' : 'Everything agrees.'
  const found = issues.flatMap(lines)
  return [counted, ...found, ...(issues.length > 0 ? ['', sum(issues)] : [well])].join('\n')
}

/** Describes the result of a repair. */
export const describeRepair = (
  issue: Issue,
  { done, outcome }: Pick<Repaired, 'done' | 'outcome'>,
): string => `  ${issue.repair} ${issue.about}: ${outcome}${done ? '' : ' (not mended)'}`
