import type { ImportReport } from '#contracts/parts-csv.ts'
import { Button } from '#web/components/button.tsx'
import { ImportProblems } from './import-problems.tsx'

const counted = (count: number) => count.toLocaleString('en-US')

/** A number of things, in figures and words. */
const several = (count: number, one: string) => `${counted(count)} ${one}${count === 1 ? '' : 's'}`

/** What was done: "3 new products, 1 changed product". */
export function figuresIn({ added, updated }: ImportReport): string {
  const figures = [
    added > 0 && several(added, 'new product'),
    updated > 0 && several(updated, 'changed product'),
  ]
  return figures.filter(Boolean).join(', ')
}

/** What the check found, in one sentence, and what to do next. */
export function verdictOn(report: ImportReport, late: boolean): string {
  const { lines, added, updated, problems } = report
  if (problems.length > 0) {
    const found = several(problems.length, 'problem')
    return late
      ? `The shop has changed since the check. Nothing was imported: ${found}.`
      : `${found}, so nothing can be imported. Mend the file, then choose it again.`
  }
  if (lines === 0) return 'There is no product in this file, only the names of the columns.'
  if (added + updated === 0)
    return 'Every product is in the shop just like this. Nothing to import.'
  return 'No problems. Nothing is imported yet.'
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{counted(value)}</dd>
    </div>
  )
}

type Props = {
  report: ImportReport
  busy: boolean
  onImport: () => void
}

/** What a sheet would do, or what is wrong with it. It can be imported only when nothing is. */
export function CsvReport({ report, busy, onImport }: Props) {
  const { lines, added, updated, problems } = report
  const isClean = problems.length === 0
  return (
    <>
      <dl className="import-figures">
        <Figure name="Lines" value={lines} />
        <Figure name="New" value={added} />
        <Figure name="Changed" value={updated} />
        {isClean && <Figure name="As they are" value={lines - added - updated} />}
        {!isClean && <Figure name="Problems" value={problems.length} />}
      </dl>
      {isClean && added + updated > 0 && (
        <Button className="mt-6" loading={busy} loadingText="Importing…" onClick={onImport}>
          Import
        </Button>
      )}
      {!isClean && <ImportProblems problems={problems} />}
    </>
  )
}
