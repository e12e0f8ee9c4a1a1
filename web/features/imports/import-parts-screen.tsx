import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import { PartFilter } from '#contracts/lists.ts'
import {
  csvMessages,
  type ImportPlan,
  type ImportProblem,
  type ImportReport,
  importLimits,
} from '#contracts/parts-csv.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { DropZone } from '#web/components/drop-zone.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { ListTable } from '#web/components/list-frame.tsx'
import {
  batchesQuery,
  type ImportProgress,
  kindsQuery,
  partsCsv,
  saveSupplier,
  useImportParts,
} from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { useNewestWork } from '#web/lib/use-newest-work.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/use-signed-out.ts'
import { ChangeRows, Figure, shownFirst, UndoBatch } from './batch-parts.tsx'
import { columnText, ImportPlanForm } from './import-plan-form.tsx'

export const meta = () => pageMeta('Import products')

/**
 * Reads the chosen file once, so that the import writes what was checked even if the file changes meanwhile.
 * @throws Error with a sentence for the admin
 */
async function readFile(files: File[]): Promise<Blob> {
  const [file, ...more] = files
  if (!file || more.length > 0) throw new Error('One file at a time. Choose one.')
  if (file.size > importLimits.bytes) throw new Error(csvMessages.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error('The file can not be read. Choose it again.')
  })
  if (bytes.byteLength === 0) throw new Error('The file is empty. Choose another file.')
  return new Blob([bytes])
}

/** `supplier` is whose file it is; undefined for the shop's own, and until that is known. */
type Chosen = { name: string; file: Blob; supplier?: string | undefined }

/**
 * Where the import is. `refused`: the file can not be one. `failed`: no answer, so that it is unknown whether it was
 * imported; checking again tells. `late`: it was clean when it was checked, and is not any more.
 */
type Import =
  | { phase: 'none' }
  | { phase: 'refused'; message: string }
  | { phase: 'checking'; chosen: Chosen; report?: ImportReport }
  | { phase: 'importing'; chosen: Chosen; report: ImportReport; progress?: ImportProgress }
  | { phase: 'failed'; chosen: Chosen; message: string; report?: ImportReport }
  | { phase: 'checked'; chosen: Chosen; report: ImportReport; late: boolean }
  | { phase: 'done'; report: ImportReport }

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** What is refused for what it is will be refused again; anything else is worth another try. */
function failureOf(error: unknown, chosen: Chosen, report?: ImportReport): Import {
  const message = messageOf(error)
  const isRefused = error instanceof ApiError && ['TOO_LARGE', 'UNSUPPORTED'].includes(error.code)
  if (isRefused) return { phase: 'refused', message }
  return { phase: 'failed', chosen, message, ...(report && { report }) }
}

/** Imports a file of products: checks it when it is chosen, writes it on demand. */
function useImport() {
  const check = useImportParts(true)
  const write = useImportParts(false)
  const [state, setState] = useState<Import>({ phase: 'none' })
  // a check ends the one before it, whose answer is then too late
  const { begin } = useNewestWork()
  const leaving = useSignedOutUnlessAdmin(check.error ?? write.error)

  async function checkFile(
    chosen: Chosen,
    signal: AbortSignal,
    before?: ImportReport,
  ): Promise<void> {
    setState({ phase: 'checking', chosen, ...(before && { report: before }) })
    const next = await check.mutateAsync(chosen).then(
      (report): Import => {
        const supplier = report.file?.supplier ?? undefined
        return { phase: 'checked', chosen: { ...chosen, supplier }, report, late: false }
      },
      (error): Import => failureOf(error, chosen),
    )
    if (!signal.aborted) setState(next)
  }

  /** Remembers how the supplier's files are read, and checks this one so. */
  async function checkAs(supplier: string, plan: ImportPlan): Promise<void> {
    if (state.phase !== 'checked') return
    const signal = begin()
    const { chosen, report } = state
    setState({ phase: 'checking', chosen, report })
    try {
      await saveSupplier({ name: supplier, plan })
      if (!signal.aborted) await checkFile({ ...chosen, supplier }, signal, report)
    } catch (error) {
      if (!signal.aborted) setState(failureOf(error, chosen, report))
    }
  }

  async function choose(files: File[]): Promise<void> {
    if (files.length === 0 || state.phase === 'importing') return
    const signal = begin()
    try {
      const file = await readFile(files)
      const name = (files[0]?.name ?? '').slice(0, 200)
      if (!signal.aborted) await checkFile({ name, file }, signal)
    } catch (error) {
      if (!signal.aborted) setState({ phase: 'refused', message: messageOf(error) })
    }
  }

  async function run(accept: 'all' | 'right'): Promise<void> {
    if (state.phase !== 'checked') return
    const { chosen, report } = state
    setState({ phase: 'importing', chosen, report })
    try {
      const onProgress = (progress: ImportProgress) =>
        setState({ phase: 'importing', chosen, report, progress })
      const written = await write.mutateAsync({ ...chosen, accept, onProgress })
      if (written.problems.length > 0 && !written.batch)
        setState({ phase: 'checked', chosen, report: written, late: true })
      else setState({ phase: 'done', report: written })
    } catch (error) {
      setState(failureOf(error, chosen))
    }
  }

  return {
    state,
    leaving,
    choose,
    checkAs,
    run,
    again: () => setState({ phase: 'none' }),
    checkAgain: () => {
      if (state.phase === 'failed') void checkFile(state.chosen, begin())
    },
  }
}

/** What a problem's column is called in the shop's forms, and in the file. */
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

/** The problems of a file, each with its line and column as a spreadsheet shows them. */
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
            <th scope="col">What is wrong</th>
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
          These are the first {whole(importLimits.problems)}. Correct them, and the next are listed.
        </p>
      )}
    </div>
  )
}

/** What an import did: "3 new products, 1 changed product". */
function figuresIn({ added, updated }: Pick<ImportReport, 'added' | 'updated'>): string {
  const figures = [
    added > 0 && counted(added, 'new product'),
    updated > 0 && counted(updated, 'changed product'),
  ]
  return figures.filter(Boolean).join(', ')
}

/** What the check found, in one sentence, and what to do next. */
function verdictOn(report: ImportReport, late: boolean): string {
  const { lines, added, updated, problems } = report
  if (report.file && !report.file.supplier)
    return 'This is not a file of this shop. Say how it is read; it is remembered for the next one.'
  if (problems.length > 0) {
    const found = counted(problems.length, 'problem')
    if (!late && report.right > 0)
      return `${found}. Correct the file, or import the lines that are right.`
    return late
      ? `The shop has changed since the check. Nothing was imported: ${found}.`
      : `${found}, so nothing can be imported. Correct the file, then choose it again.`
  }
  if (lines === 0) return 'There is no product in this file, only the names of the columns.'
  if (report.unmatched > 0 && added + updated === 0)
    return `No line changes anything; ${counted(report.unmatched, 'line')} match no product here.`
  if (added + updated === 0)
    return 'Every product is in the shop just like this. Nothing to import.'
  return 'No problems. Nothing is imported yet.'
}

/** What was left out or shortened, so that the rest could be read. */
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

/** How far an import is. Until its last line is written, nothing of it is in the shop. */
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

/** What a file would change, or what is wrong with it. Lines without problems can be imported. */
function CsvReport({ report, busy, progress, onImport }: ReportProps) {
  const { lines, added, updated, unmatched, problems, right, pictures, toShip } = report
  const isClean = problems.length === 0
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Lines" value={lines} />
        <Figure name="New" value={added} />
        <Figure name="Changed" value={updated} />
        {unmatched > 0 && <Figure name="Unmatched" value={unmatched} />}
        {isClean && <Figure name="As they are" value={lines - added - updated - unmatched} />}
        {!isClean && <Figure name="Problems" value={problems.length} />}
        {pictures > 0 && <Figure name="Pictures to fetch" value={pictures} />}
      </dl>
      {toShip > 0 && (
        <p role="status" className="mt-6 font-semibold">
          {counted(toShip, 'unit')} of the counted products {toShip === 1 ? 'is' : 'are'} paid and
          not shipped yet. They must not be in the count, or the shop sells them twice.
        </p>
      )}
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
          `This list has ${whole(report.rows.length)} of the file’s ${counted(lines, 'line')}: at most ${importLimits.shown} of each outcome, and none that changes nothing.`
        }
      />
    </>
  )
}

const listAddress = '/dashboard/manageProducts'
const megabytes = importLimits.bytes / 1024 / 1024
const maxLines = whole(importLimits.lines)

/** How such a file is written. */
function Manual() {
  return (
    <div className="xl:col-start-2 xl:row-start-1 xl:pt-8 [&_code]:wrap-anywhere [&_code]:font-mono [&_code]:text-[0.8125rem] [&_code]:text-ink">
      <h2 className="font-semibold">How the file works</h2>
      <ul className="mt-2 mb-4 grid gap-1.5 text-dim text-sm *:border-line *:border-s-2 *:ps-3.5">
        <li>
          A supplier’s CSV or XLSX comes as it is: say once what its columns are, and its next file
          is read the same way.
        </li>
        <li>
          A line changes the product with its <code>_id</code>, SKU, EAN or manufacturer’s number;
          any other adds one.
        </li>
        <li>An empty cell leaves what the product has. Nothing is deleted.</li>
        <li>
          Stock moves by the difference between <code>availableQuantity</code> and{' '}
          <code>availableBefore</code>: what is sold meanwhile is not lost. <code>onHand</code> is
          the stock as counted, without units that are paid and not shipped yet.
        </li>
        <li>
          <code>image</code> is the address of a picture that this shop has, as in the export. A new
          product without one shows a drawing of its kind.
        </li>
        <li>
          <code>pictureAddress</code> is where the shop fetches pictures from, several parted by{' '}
          <code>|</code>. Files and ZIPs of pictures come in under{' '}
          <Link to={`${listAddress}/pictures`} className="link">
            Pictures
          </Link>
          .
        </li>
      </ul>
      <ExportButton
        name="products"
        words="Download all products"
        onExport={() => partsCsv(PartFilter.parse({}))}
      />
      <p className="mt-2 text-dim text-sm">The file to begin with.</p>
    </div>
  )
}

/** What stands under the file: how far the import is, or what is wrong. */
function statusOf(state: Import): { status: string; problem: string } {
  if (state.phase === 'refused' || state.phase === 'failed')
    return { status: '', problem: state.message }
  if (state.phase === 'checking') return { status: 'Checking the file…', problem: '' }
  if (state.phase === 'importing') return { status: 'Importing…', problem: '' }
  if (state.phase !== 'checked') return { status: '', problem: '' }
  const verdict = verdictOn(state.report, state.late)
  const { file, problems } = state.report
  const isBad = problems.length > 0 && !(file && !file.supplier)
  return isBad ? { status: '', problem: verdict } : { status: verdict, problem: '' }
}

function ChooseFile({ state, onFiles }: { state: Import; onFiles: (files: File[]) => void }) {
  const id = useId()
  const { status, problem } = statusOf(state)
  return (
    <>
      <label htmlFor={id} className="field-label">
        CSV file or workbook
      </label>
      <p id={`${id}-hint`} className="field-hint">
        CSV in any encoding or XLSX, at most {megabytes} MB and {maxLines} lines. It is checked
        first; nothing changes before you say so.
      </p>
      <DropZone
        id={id}
        zone="min-h-38"
        accept=".csv,.txt,.tsv,.xlsx,text/csv"
        disabled={state.phase === 'importing'}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error ${id}-status`}
        onFiles={onFiles}
      >
        <p className="grid justify-items-center gap-1.5 p-6 text-center">
          <FileUp aria-hidden="true" className="size-8 text-copper" />
          <span className="font-semibold [overflow-wrap:anywhere]">
            {'chosen' in state ? state.chosen.name : 'Choose a file'}
          </span>
          <span className="text-dim text-sm">
            {'chosen' in state ? 'Choose or drop another one' : 'or drop it here'}
          </span>
        </p>
      </DropZone>
      {/* always there, so that a message moves nothing */}
      <div className="min-h-11 py-3">
        <p id={`${id}-status`} role="status" className="empty:hidden">
          {status}
        </p>
        <p id={`${id}-error`} role="alert" className="text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </>
  )
}

/** The last imports and bulk edits, each to be undone as one action. */
function Batches() {
  const { data = [] } = useQuery(batchesQuery)
  if (data.length === 0) return null
  return (
    <section aria-labelledby="batches" className="mt-10">
      <h2 id="batches" className="mb-3 text-2xl font-semibold tracking-tight">
        Last changes of many products
      </h2>
      <ul className="grid gap-3">
        {data.map((batch) => (
          <li
            key={batch._id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-3"
          >
            <p className="min-w-0">
              <span className="break-words font-semibold">{batch.name}</span>
              <span className="block text-dim text-sm">
                {shortMoment(batch.at)}, {batch.by}: {figuresIn(batch)}
              </span>
            </p>
            <div>
              <UndoBatch id={batch._id} name={batch.name} isUndone={batch.undoneAt !== null} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ImportDone({ report, onMore }: { report: ImportReport; onMore: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="state">
      <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold">
        Imported: {figuresIn(report)}
      </h2>
      <p className="mt-2 text-dim">
        What can be booked is on sale now, unless it began as a draft. Below, you can undo it.
        {report.pictures > 0 &&
          ` ${counted(report.pictures, 'picture')} of its addresses come in the background.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={listAddress}>See all products</ButtonLink>
        <ButtonLink to={`${listAddress}/pictures`} variant="quiet">
          {report.pictures > 0 ? 'How far the pictures are' : 'Add pictures'}
        </ButtonLink>
        <Button variant="quiet" onClick={onMore}>
          Import another file
        </Button>
      </div>
    </div>
  )
}

/** Import products: the file is checked when it is chosen, and imported when it has no problems. */
export default function ImportPartsScreen() {
  const { state, leaving, choose, checkAs, run, again, checkAgain } = useImport()
  const report = 'report' in state ? state.report : undefined
  const file = report?.file
  const isNew = file && !file.supplier
  return (
    <section aria-labelledby="import">
      <p className="label">
        <Link to={listAddress} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all products
        </Link>
      </p>
      <h1 id="import" tabIndex={-1} className="mb-5 text-4xl/[1.15] font-bold tracking-tight">
        Import products
      </h1>
      {state.phase === 'done' ? (
        <ImportDone report={state.report} onMore={again} />
      ) : (
        // where there is little room, what the file would do comes before how files work
        <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] xl:items-start">
          <div className="card p-5 sm:p-8 xl:col-start-1 xl:row-start-1">
            <ChooseFile state={state} onFiles={(files) => void choose(files)} />
            {state.phase === 'failed' && !leaving && (
              <Button variant="quiet" onClick={checkAgain}>
                Check again
              </Button>
            )}
          </div>
          {report && (
            <section aria-label="What the file would do" className="xl:col-span-2 xl:row-start-2">
              {file && (
                <details open={isNew || undefined} className={isNew ? '' : 'mb-6'}>
                  <summary className="min-h-11 cursor-pointer content-center font-semibold">
                    {file.supplier ? `Read as a file of ${file.supplier}` : 'How this file is read'}
                  </summary>
                  <ImportPlanForm
                    key={'chosen' in state ? state.chosen.name : ''}
                    file={file}
                    suggested={('chosen' in state ? state.chosen.name : '')
                      .replace(/\.\w+$/, '')
                      .slice(0, 60)}
                    busy={state.phase === 'checking'}
                    onCheck={(supplier, plan) => void checkAs(supplier, plan)}
                  />
                </details>
              )}
              {!isNew && (
                <CsvReport
                  report={report}
                  busy={state.phase === 'importing'}
                  progress={state.phase === 'importing' ? state.progress : undefined}
                  onImport={(accept) => void run(accept)}
                />
              )}
            </section>
          )}
          <Manual />
        </div>
      )}
      <Batches />
    </section>
  )
}
