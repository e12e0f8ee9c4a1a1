import type { Examination, Finding, Repaired } from '#contracts/findings.ts'

const records = ['ours', 'provider', 'ledger'] as const

/** One finding in two lines: what is wrong, then what each record says. */
function lines(finding: Finding): string[] {
  const { kind, about, name, words, repair } = finding
  const said = records.flatMap((record) => (finding[record] ? `${record}: ${finding[record]}` : []))
  return [
    `  ${kind.padEnd(8)} ${words}  ${name === about ? '' : `${name}, `}${about}`,
    `           ${[...said, `repair: ${repair ?? 'by hand'}`].join(' | ')}`,
  ]
}

/** What `npm run doctor` prints of an examination. */
export function describeExamination({ compared, provider, findings }: Examination): string {
  const { payments, orders, parts, pictures, mails } = compared
  const counts = `${orders} orders, ${parts} parts, ${pictures} pictures, ${mails} mails`
  const silent = 'The card provider does not answer: payments were not compared with it.'
  const money = provider === 'silent' ? [silent] : []
  const said = findings.length === 1 ? '1 finding.' : `${findings.length} findings.`
  return [
    `Compared: ${payments} payments of the last 30 days with the card provider, ${counts}.`,
    ...money,
    ...findings.flatMap(lines),
    findings.length === 0 && provider === 'answered' ? 'Everything agrees.' : said,
  ].join('\n')
}

/** What a repair came to. */
export const describeRepair = (
  finding: Finding,
  { done, outcome }: Pick<Repaired, 'done' | 'outcome'>,
): string => `  ${finding.repair} ${finding.about}: ${outcome}${done ? '' : ' (not mended)'}`
