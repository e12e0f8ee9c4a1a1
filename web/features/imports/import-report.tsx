/** What a file would change, and its problems. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, whole } from '#contracts/counted.ts'
import {
  type ImportProblem,
  type ImportReport,
  importLimits,
  stockColumns,
} from '#contracts/parts-csv.ts'
import { Button } from '#web/components/button.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import { type ImportProgress, kindsQuery } from '#web/features/catalogue/admin-queries.ts'
import { ChangeRows, Figure, shownFirst } from './batch-parts.tsx'
import { columnText } from './import-plan-form.tsx'

/** The names of a problem's column in the shop's forms and in the file. */
function useColumnTexts(file: ImportReport['file'] | undefined) {
  const kinds = useQuery(kindsQuery).data ?? []
  const inFile = Object.entries(file?.plan.columns ?? {})
  return (column: string) => ({
    label: columnText(column, kinds),
    name: file ? inFile.find(([, each]) => each === column)?.[0] : column,
  })
}

type ProblemProps = { problem: ImportProblem; textOf: ReturnType<typeof useColumnTexts> }

function ProblemRow({ problem: { line, field, message }, textOf }: ProblemProps) {
  const { label, name } = textOf(field)
  return (
    <tr className="grid-cols-[4.5rem_1fr] [grid-template-areas:'line_column'_'what_what'] wide:*:h-11">
      <td data-label="Line" className="figure [grid-area:line] wide:w-16 wide:pe-6">
        {line}
      </td>
      <td data-label="Column" className="break-words [grid-area:column] wide:w-60">
        {field ? label : '—'}
        {name && name !== label && (
          <>
            {' '}
            <code className="font-mono text-dim text-xs">{name}</code>
          </>
        )}
      </td>
      <td className="[grid-area:what]">{message}</td>
    </tr>
  )
}

/** The problems of a file, each with line and column as in a spreadsheet. */
function ImportProblems({ problems, file }: Pick<ImportReport, 'problems' | 'file'>) {
  const textOf = useColumnTexts(file)
  const [all, setAll] = useState(false)
  const shownProblems = all ? problems : problems.slice(0, shownFirst)
  return (
    <div className="@container/list mt-6">
      <ListTable
        caption="Problems by line"
        head={
          <>
            <th scope="col" className="figure">
              Line
            </th>
            <th scope="col">Column</th>
            <th scope="col">Problem</th>
          </>
        }
      >
        {shownProblems.map((problem, i) => (
          <ProblemRow key={i} problem={problem} textOf={textOf} />
        ))}
      </ListTable>
      {shownProblems.length < problems.length && (
        <Button variant="quiet" className="mt-5" onClick={() => setAll(true)}>
          Show all {whole(problems.length)} problems
        </Button>
      )}
      {all && problems.length === importLimits.problems && (
        <p className="mt-5 text-dim text-sm">
          These are the first {whole(importLimits.problems)}. Fix them to see the rest.
        </p>
      )}
    </div>
  )
}

/** Summarises an import: "3 new products, 1 changed product". */
export function figuresIn({ added, updated }: Pick<ImportReport, 'added' | 'updated'>): string {
  const figures = [
    added > 0 && counted(added, 'new product'),
    updated > 0 && counted(updated, 'changed product'),
  ]
  return figures.filter(Boolean).join(', ')
}

/** The result of the check in one sentence, and what to do next. */
export function verdictOn(report: ImportReport, late: boolean): string {
  const { lines, added, updated, problems } = report
  if (report.file && !report.file.supplier)
    return 'This file didn’t come from this shop. Map its columns once; the next file will use the same mapping.'
  if (problems.length > 0) {
    const found = counted(problems.length, 'problem')
    if (!late && report.right > 0)
      return `${found}. Fix the file, or import the lines without problems.`
    if (late) return `The shop has changed since the check. Nothing was imported: ${found}.`
    const others = report.same === 1 ? 'line is' : `${whole(report.same)} lines are`
    return report.same > 0
      ? `${found}. The other ${others} already in the shop just like this. Fix the file, then choose it again.`
      : `${found}, so nothing can be imported. Fix the file, then choose it again.`
  }
  if (lines === 0) return 'This file has no products, only column names.'
  if (report.unmatched > 0 && added + updated === 0)
    return `Nothing would change; ${counted(report.unmatched, 'line')} match no product here.`
  if (added + updated === 0)
    return 'No changes: every product is already in the shop just like this.'
  return 'No problems. Nothing has been imported yet.'
}

/** Stock values in the file that are invalid, and how they are treated. */
function StockNotes({ notes }: Pick<ImportReport, 'notes'>) {
  const ofStock = notes.filter(({ field }) => stockColumns.includes(field))
  if (ofStock.length === 0) return null
  return (
    <div role="status" className="mt-6">
      <p className="font-semibold">
        {counted(ofStock.length, 'line')} {ofStock.length === 1 ? 'has' : 'have'} an impossible
        stock figure: new products start at 0, others keep theirs.
      </p>
      <ul className="mt-2 grid gap-1 text-sm">
        {ofStock.slice(0, 5).map(({ line, message }) => (
          <li key={line} className="break-words">
            Line {line}: {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What was left out or shortened so that the rest could be read. */
function Notes({ notes, file }: Pick<ImportReport, 'notes' | 'file'>) {
  const textOf = useColumnTexts(file)
  if (notes.length === 0) return null
  return (
    <details className="mt-6">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {counted(notes.length, 'value')} left out or shortened
      </summary>
      <ul className="mt-2 grid gap-1 text-sm">
        {notes.slice(0, 100).map((note, i) => (
          <li key={i} className="break-words">
            Line {note.line}, {textOf(note.field).label}: {note.message}
          </li>
        ))}
      </ul>
    </details>
  )
}

type ReportProps = {
  report: ImportReport
  busy: boolean
  progress: ImportProgress | undefined
  onImport: (accept: 'all' | 'right') => void
}

/** The progress of an import. Nothing is visible in the shop until the last line is written. */
function Importing({ progress }: { progress: ImportProgress | undefined }) {
  const { done = 0, total = 0 } = progress ?? {}
  return (
    <div className="mt-4">
      <progress
        className="upload-progress"
        aria-label="Import"
        value={total > 0 ? done : undefined}
        max={total || 1}
      />
      <p role="status" className="mt-2 text-dim text-sm tabular-nums">
        {total > 0 && `${whole(done)} of ${counted(total, 'product')}`}
      </p>
    </div>
  )
}

/** What a file would change, or its problems. Lines without problems can be imported. */
export function CsvReport({ report, busy, progress, onImport }: ReportProps) {
  const { lines, added, updated, same, unmatched, problems, right, pictures, toShip } = report
  const isClean = problems.length === 0
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Lines" value={lines} />
        <Figure name="New" value={added} />
        <Figure name="Changed" value={updated} />
        {unmatched > 0 && <Figure name="Unmatched" value={unmatched} />}
        {isClean && <Figure name="Unchanged" value={same} />}
        {!isClean && <Figure name="Problems" value={problems.length} />}
        {pictures > 0 && <Figure name="Pictures to fetch" value={pictures} />}
      </dl>
      {toShip > 0 && (
        <p role="status" className="mt-6 font-semibold">
          {counted(toShip, 'unit')} of the counted products {toShip === 1 ? 'is' : 'are'} paid but
          not shipped yet. They’re still on the shelf, so include them in the count.
        </p>
      )}
      <StockNotes notes={report.notes} />
      {isClean && added + updated > 0 && (
        <Button
          className="mt-6"
          loading={busy}
          loadingText="Importing…"
          onClick={() => onImport('all')}
        >
          Import
        </Button>
      )}
      {!isClean && right > 0 && (
        <Button
          className="mt-6"
          loading={busy}
          loadingText="Importing…"
          onClick={() => onImport('right')}
        >
          Import the {counted(right, 'line')} without problems
        </Button>
      )}
      {busy && <Importing progress={progress} />}
      {!isClean && <ImportProblems problems={problems} file={report.file} />}
      <Notes notes={report.notes} file={report.file} />
      <ChangeRows
        rows={report.rows}
        end={
          report.rows.length < lines &&
          `This list shows ${whole(report.rows.length)} of the file’s ${counted(lines, 'line')}: up to ${importLimits.shown} per outcome, without unchanged ones.`
        }
      />
    </>
  )
}
