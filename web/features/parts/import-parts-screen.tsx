import { FileUp } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Link } from 'react-router'
import { PartFilter } from '#contracts/lists.ts'
import { type ImportReport, importLimits } from '#contracts/parts-csv.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ExportButton } from '#web/components/export-button.tsx'
import { partsCsv } from './admin-queries.ts'
import { DropZone } from './drop-zone.tsx'
import { CsvReport, figuresIn, verdictOn } from './import-report.tsx'
import { type Import, useImport } from './use-import.ts'

const listAddress = '/dashboard/manageProducts'
const megabytes = importLimits.bytes / 1024 / 1024
const mostLines = importLimits.lines.toLocaleString('en-US')

/** How such a file is written. */
function Manual() {
  return (
    <div className="import-manual">
      <h2 className="font-semibold">How the file works</h2>
      <ul className="mt-2 mb-4 grid gap-1.5 text-dim text-sm">
        <li>
          A line with an <code>_id</code> changes that product; a line without one adds a product.
        </li>
        <li>An empty cell leaves what the product has. Nothing is deleted.</li>
        <li>
          Stock moves by the difference between <code>availableQuantity</code> and{' '}
          <code>availableBefore</code>: what is sold meanwhile is not lost.
        </li>
        <li>
          <code>image</code> is the address of a picture that this shop has, as in the export. For a
          new one, upload it under{' '}
          <Link to="/dashboard/addProduct" className="link">
            Add a product
          </Link>{' '}
          and copy the address shown there; import the file on the same day.
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

function wordsOf(state: Import): { told: string; problem: string } {
  if (state.phase === 'refused' || state.phase === 'failed')
    return { told: '', problem: state.message }
  if (state.phase === 'checking') return { told: 'Checking the file…', problem: '' }
  if (state.phase === 'importing') return { told: 'Importing…', problem: '' }
  if (state.phase !== 'checked') return { told: '', problem: '' }
  const verdict = verdictOn(state.report, state.late)
  const isBad = state.report.problems.length > 0
  return isBad ? { told: '', problem: verdict } : { told: verdict, problem: '' }
}

function ChooseSheet({ state, onFiles }: { state: Import; onFiles: (files: File[]) => void }) {
  const id = useId()
  const { told, problem } = wordsOf(state)
  return (
    <>
      <label htmlFor={id} className="field-label">
        CSV file
      </label>
      <p id={`${id}-hint`} className="field-hint">
        In UTF-8, at most {megabytes} MB and {mostLines} lines. It is checked first; nothing changes
        before you say so.
      </p>
      <DropZone
        id={id}
        zone="drop-band"
        accept=".csv,text/csv"
        disabled={state.phase === 'importing'}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error ${id}-status`}
        onFiles={onFiles}
      >
        <p className="drop-words">
          <FileUp aria-hidden="true" className="size-8 text-copper" />
          <span className="font-semibold [overflow-wrap:anywhere]">
            {'chosen' in state ? state.chosen.name : 'Choose a file'}
          </span>
          <span className="text-dim text-sm">
            {'chosen' in state ? 'Choose or drop another one' : 'or drop it here'}
          </span>
        </p>
      </DropZone>
      <div className="import-told">
        <p id={`${id}-status`} role="status" className="empty:hidden">
          {told}
        </p>
        <p id={`${id}-error`} role="alert" className="text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </>
  )
}

function Done({ report, onMore }: { report: ImportReport; onMore: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="state">
      <h2 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold">
        Imported: {figuresIn(report)}
      </h2>
      <p className="mt-2 text-dim">What can be booked is on sale now.</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <ButtonLink to={listAddress}>See all products</ButtonLink>
        <Button variant="quiet" onClick={onMore}>
          Import another file
        </Button>
      </div>
    </div>
  )
}

/** Products from a sheet: chosen, checked at once, and imported when it is clean. */
export function ImportPartsScreen() {
  const { state, leaving, choose, run, again, checkAgain } = useImport()
  const report = 'report' in state ? state.report : undefined
  return (
    <section aria-labelledby="import">
      <p className="label">
        <Link to={listAddress} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all products
        </Link>
      </p>
      <h1 id="import" tabIndex={-1} className="list-heading">
        Import products
      </h1>
      {state.phase === 'done' ? (
        <Done report={state.report} onMore={again} />
      ) : (
        <div className="import-page">
          <div className="card import-choice">
            <ChooseSheet state={state} onFiles={(files) => void choose(files)} />
            {state.phase === 'failed' && !leaving && (
              <Button variant="quiet" onClick={checkAgain}>
                Check again
              </Button>
            )}
          </div>
          {report && (
            <section aria-label="What the file would do" className="import-report">
              <CsvReport
                report={report}
                busy={state.phase === 'importing'}
                onImport={() => void run()}
              />
            </section>
          )}
          <Manual />
        </div>
      )}
    </section>
  )
}
