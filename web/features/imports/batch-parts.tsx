/** Shared by import and bulk edit: the list of changes, and undo. */

import { useId, useState } from 'react'
import { counted, whole } from '#contracts/counted.ts'
import { type ImportRow, type Outcome, outcomes } from '#contracts/parts-csv.ts'
import { ListTable } from '#web/components/list-frame.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { useUndoBatch } from '#web/features/catalogue/admin-queries.ts'

/** The number of lines shown at first. */
export const shownFirst = 50

export function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="border-edge border-t pt-2.5">
      <dt className="label">{name}</dt>
      <dd className="font-bold font-display text-3xl/[1.2] tabular-nums">{whole(value)}</dd>
    </div>
  )
}

const outcomeNames: Record<Outcome, string> = {
  new: 'New',
  changed: 'Changed',
  same: 'Unchanged',
  unmatched: 'Unmatched',
  refused: 'Refused',
}

type RowsProps = {
  rows: ImportRow[]
  /** A sentence about what the list omits. */
  end?: string | false
}

/** The changes line by line: the first ones of each outcome. */
export function ChangeRows({ rows, end }: RowsProps) {
  const [outcome, setOutcome] = useState<Outcome | ''>('')
  const [max, setMax] = useState(shownFirst)
  const id = useId()
  const present = outcomes.filter((each) => rows.some((row) => row.outcome === each))
  const shownRows = rows.filter((row) => outcome === '' || row.outcome === outcome)
  if (rows.length === 0) return null
  return (
    <div className="mt-8">
      {present.length > 1 && (
        <div className="mb-3 flex items-center gap-3">
          <label htmlFor={id} className="font-semibold text-sm">
            Show
          </label>
          <select
            id={id}
            className="input w-auto"
            value={outcome}
            onChange={(event) => {
              setOutcome(event.target.value as Outcome | '')
              setMax(shownFirst)
            }}
          >
            <option value="">All outcomes</option>
            {present.map((each) => (
              <option key={each} value={each}>
                {outcomeNames[each]}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="@container/list">
        <ListTable
          caption="Line by line"
          head={
            <>
              <th scope="col" className="figure">
                Line
              </th>
              <th scope="col">Outcome</th>
              <th scope="col">Product</th>
              <th scope="col">What changes</th>
            </>
          }
        >
          {shownRows.slice(0, max).map((row) => (
            <tr
              key={`${row.line} ${row.outcome}`}
              className="grid-cols-[4.5rem_1fr] [grid-template-areas:'line_outcome'_'name_name'_'what_what'] wide:*:h-11"
            >
              <td data-label="Line" className="figure [grid-area:line] wide:w-16 wide:pe-6">
                {row.line}
              </td>
              <td data-label="Outcome" className="[grid-area:outcome]">
                {outcomeNames[row.outcome]}
              </td>
              <td className="break-words [grid-area:name]">{row.name || '—'}</td>
              <td className="break-words text-sm [grid-area:what]">{row.changes}</td>
            </tr>
          ))}
        </ListTable>
      </div>
      {shownRows.length > max && (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-dim text-sm">
          {whole(max)} of the {whole(shownRows.length)} lines are shown.
          <RowButton onClick={() => setMax(max + shownFirst)}>Show more lines</RowButton>
        </p>
      )}
      {end && <p className="mt-3 text-dim text-sm">{end}</p>}
    </div>
  )
}

type UndoProps = { id: string; name: string; isUndone?: boolean }

/** Undoes an import or a bulk edit, and lists the parts that could not be restored. */
export function UndoBatch({ id, name, isUndone }: UndoProps) {
  const undo = useUndoBatch()
  const { undone = 0, refused = [] } = undo.data ?? {}
  return (
    <>
      {isUndone && !undo.data && <p className="text-dim text-sm">Undone</p>}
      {!isUndone && !undo.data && (
        <RowButton
          busy={undo.isPending}
          aria-label={`Undo ${name}`}
          onClick={() => undo.mutate(id)}
        >
          Undo
        </RowButton>
      )}
      <p role="status" className="text-sm empty:hidden">
        {undo.data && `Undone for ${counted(undone, 'product')}.`}
        {refused.length > 0 && ` ${counted(refused.length, 'product')} stayed as they are:`}
      </p>
      {refused.length > 0 && (
        <ul className="text-dim text-sm">
          {refused.slice(0, 20).map(({ partId, name: part, message }) => (
            <li key={partId}>
              {part}: {message}
            </li>
          ))}
        </ul>
      )}
      <p role="alert" className="text-danger text-sm empty:hidden">
        {undo.error?.message}
      </p>
    </>
  )
}
