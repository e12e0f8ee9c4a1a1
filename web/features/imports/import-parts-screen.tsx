import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import { PartFilter } from '#contracts/lists.ts'
import { type ImportReport, importLimits } from '#contracts/parts-csv.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { DropZone } from '#web/components/drop-zone.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { batchesQuery, partsCsv } from '#web/features/catalogue/admin-queries.ts'
import { shortMoment } from '#web/lib/moments.ts'
import { titled } from '#web/lib/page-meta.ts'
import { UndoBatch } from './batch-parts.tsx'
import { ImportPlanForm } from './import-plan-form.tsx'
import { CsvReport, figuresIn, verdictOn } from './import-report.tsx'
import { type Import, useImport } from './use-import.ts'

export const meta = titled('Import products')

const listAddress = '/dashboard/manageProducts'
const megabytes = importLimits.bytes / 1024 / 1024
const maxLines = whole(importLimits.lines)

/** Explains the file format. */
function Manual() {
  return (
    <div className="xl:col-start-2 xl:row-start-1 xl:pt-8 [&_code]:wrap-anywhere [&_code]:font-mono [&_code]:text-[0.8125rem] [&_code]:text-ink">
      <h2 className="font-semibold">How the file works</h2>
      <ul className="mt-2 mb-4 grid gap-1.5 text-dim text-sm *:border-line *:border-s-2 *:ps-3.5">
        <li>
          Use a supplier’s CSV or XLSX as it is: tell us once what its columns mean, and we read the
          next file the same way.
        </li>
        <li>
          A line changes the product with its <code>_id</code>, SKU, EAN or manufacturer’s number;
          any other line adds a product.
        </li>
        <li>An empty cell leaves that value as it is. Nothing is deleted.</li>
        <li>
          Stock moves by the difference between <code>availableQuantity</code> and{' '}
          <code>availableBefore</code>, so sales in the meantime aren’t lost. <code>onHand</code> is
          everything on the shelf, including units that are paid but not shipped yet.
        </li>
        <li>
          <code>image</code> is the address of a picture already in this shop, as in the export. A
          new product without one shows its category’s drawing.
        </li>
        <li>
          <code>pictureAddress</code> is where the shop fetches pictures from. Separate several with{' '}
          <code>|</code>. To add picture files or ZIPs, go to{' '}
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
      <p className="mt-2 text-dim text-sm">Start from this file.</p>
    </div>
  )
}

/** The status below the file: the progress of the import, or an error. */
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
  const result = useRef<HTMLDivElement>(null)
  const checked = state.phase === 'checked' ? state.report : null
  // the result of the check is below the file, outside a phone's view
  useEffect(() => {
    if (checked) result.current?.scrollIntoView()
  }, [checked])
  return (
    <>
      <label htmlFor={id} className="field-label">
        CSV file or workbook
      </label>
      <p id={`${id}-hint`} className="field-hint">
        CSV in any encoding or XLSX, at most {megabytes} MB and {maxLines} lines. We check it first;
        nothing changes until you say so.
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
            {'chosen' in state ? 'Choose or drop another file' : 'or drop it here'}
          </span>
        </p>
      </DropZone>
      {/* always rendered, so that a message moves nothing */}
      <div ref={result} className="min-h-11 py-3">
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

/** The latest imports and bulk edits; each can be undone as a whole. */
function Batches() {
  const { data = [] } = useQuery(batchesQuery)
  if (data.length === 0) return null
  return (
    <section aria-labelledby="batches" className="mt-10">
      <h2 id="batches" className="mb-3 text-2xl font-semibold tracking-tight">
        Recent bulk changes
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
  const { data: batches = [] } = useQuery(batchesQuery)
  const isUndone = batches.some(({ _id, undoneAt }) => _id === report.batch && undoneAt !== null)
  return (
    <div className="state">
      <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold">
        {isUndone ? 'Undone' : 'Imported'}: {figuresIn(report)}
      </h2>
      <p className="mt-2 text-dim">
        {isUndone
          ? 'Products this file changed are back as they were, and those it added are deleted.'
          : 'Products in stock are on sale now, unless they were added as drafts. You can undo this below.'}
        {!isUndone &&
          report.pictures > 0 &&
          ` We’re fetching ${counted(report.pictures, 'picture')} in the background.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={listAddress}>See all products</ButtonLink>
        <ButtonLink to={`${listAddress}/pictures`} variant="quiet">
          {report.pictures > 0 ? 'Picture progress' : 'Add pictures'}
        </ButtonLink>
        <Button variant="quiet" onClick={onMore}>
          Import another file
        </Button>
      </div>
    </div>
  )
}

/** Imports products: the file is checked when it is chosen, and imported if it has no problems. */
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
        // on narrow screens the result comes before the explanation of the file format
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
                    {file.supplier
                      ? `Read as a file from ${file.supplier}`
                      : 'How this file is read'}
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
