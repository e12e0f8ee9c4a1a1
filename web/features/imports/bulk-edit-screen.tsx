import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import { type Kind, specText } from '#contracts/kinds.ts'
import { PartFilter } from '#contracts/lists.ts'
import { partFields } from '#contracts/parts.ts'
import { type BulkChange, type BulkReport, bulkLimit, type Rounding } from '#contracts/parts-csv.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import {
  adminPartsCountQuery,
  kindsQuery,
  partFilters,
  useBulkEdit,
} from '#web/features/catalogue/admin-queries.ts'
import { ApiError } from '#web/lib/api.ts'
import { filterOf, useListAddress } from '#web/lib/lists/use-list-address.ts'
import { titled } from '#web/lib/page-meta.ts'
import { useSignedOutUnlessAdmin } from '#web/lib/session/use-signed-out.ts'
import { ChangeRows, UndoBatch } from './batch-parts.tsx'
import { roundingNames } from './rounding-names.ts'

export const meta = titled('Change many products')

type What = BulkChange['what']
const whats: Record<What, string> = {
  price: 'Price',
  stock: 'Stock',
  state: 'On sale or draft',
  kind: 'Category',
  weight: partFields.weightG.label,
  specification: 'Specification',
}

/** The server's message about the typed field, without the API's field name. */
const messageOf = (error: Error | null) =>
  (error instanceof ApiError && Object.values(error.fields ?? {})[0]) || error?.message

/** The typed values, by the property that they change. */
const nothing = {
  percent: '',
  round: 'cent',
  units: '',
  state: 'draft',
  kind: '',
  weight: '',
  key: '',
  value: '',
}
type Typed = typeof nothing

/** The typed change. The server refuses invalid numbers with a message. */
function changeOf(what: What, typed: Typed): BulkChange {
  if (what === 'price') {
    const round = typed.round as Rounding
    return { what, percent: Number(typed.percent || '0'), round }
  }
  if (what === 'stock') return { what, units: Number(typed.units) }
  if (what === 'state') return { what, state: typed.state as 'on sale' | 'draft' }
  if (what === 'kind') return { what, kind: typed.kind }
  // without a number, it is not one: 0 would take the weights away
  if (what === 'weight') return { what, weightG: Number(typed.weight.trim() || Number.NaN) }
  return { what, key: typed.key, value: typed.value }
}

type InputProps = {
  kinds: Kind[]
  /** The kind of the list, if it shows only one. */
  ofKind: Kind | undefined
  typed: Typed
  onType: (typed: Typed) => void
}

const byName = (kinds: Kind[]) => Object.fromEntries(kinds.map(({ name }) => [name, name]))

/** Each field of any kind once, by key. */
const fieldsOf = (kinds: Kind[]) =>
  Object.fromEntries(
    kinds
      .flatMap(({ name, fields }) =>
        fields.map(({ key, label, unit }) => [key, `${label}${unit && ` (${unit})`}, ${name}`]),
      )
      .toReversed(),
  )

function Inputs({ what, kinds, ofKind, typed, onType }: InputProps & { what: What }) {
  const set = (name: keyof Typed) => (value: string) => onType({ ...typed, [name]: value })
  const text = (name: keyof Typed, label: string, hint?: string) => (
    <Field
      label={label}
      hint={hint}
      value={typed[name]}
      autoComplete="off"
      onChange={(event) => set(name)(event.target.value)}
    />
  )
  const { round, state, kind, key } = typed
  if (what === 'stock') return text('units', 'Units to add', 'A negative number removes units')
  if (what === 'weight') return text('weight', partFields.weightG.label, partFields.weightG.hint)
  if (what === 'state') {
    const choices = { draft: 'Draft', 'on sale': 'On sale' }
    return <Select label="State" value={state} choices={choices} onChange={set('state')} />
  }
  if (what === 'kind') {
    const choices = { '': 'Choose', ...byName(kinds) }
    return <Select label="Kind" value={kind} choices={choices} onChange={set('kind')} />
  }
  if (what === 'price') {
    return (
      <>
        {text('percent', 'Percent', '5 raises prices, -5 lowers them, 0 only rounds')}
        <Select label="Rounded" value={round} choices={roundingNames} onChange={set('round')} />
      </>
    )
  }
  const choices = { '': 'Choose', ...fieldsOf(ofKind ? [ofKind] : kinds) }
  return (
    <>
      <Select label="Field" value={key} choices={choices} onChange={set('key')} />
      {text('value', 'Value', 'Include the unit; leave empty to remove it')}
    </>
  )
}

function Preview({
  report,
  busy,
  onRun,
}: {
  report: BulkReport
  busy: boolean
  onRun: () => void
}) {
  const { shown, changed, refused } = report
  const refusal =
    refused > 0
      ? ` ${counted(refused, 'product')} can’t be changed this way and would stay as they are.`
      : ''
  return (
    <section aria-label="What would change" className="mt-8">
      <p role="status" className="font-semibold">
        {changed === 0
          ? `Nothing would change for the ${counted(shown, 'product')} in this list.`
          : `${counted(changed, 'product')} of ${whole(shown)} would change. Nothing has changed yet.`}
        {refusal}
      </p>
      {changed > 0 && (
        <Button className="mt-4" loading={busy} loadingText="Changing…" onClick={onRun}>
          Change {counted(changed, 'product')}
        </Button>
      )}
      <ChangeRows
        rows={report.rows}
        end={
          report.rows.length < changed + refused &&
          `This list shows the first ${whole(report.rows.length)} of ${counted(changed + refused, 'product')}.`
        }
      />
    </section>
  )
}

/** Describes the filter, and counts its products. */
function FilterText({ filter, kind }: { filter: PartFilter; kind: string | undefined }) {
  const { data: count } = useQuery(adminPartsCountQuery(filter))
  return (
    <p className="mb-5 max-w-[60ch] text-dim">
      {count && counted(count.count, 'product')} in the list
      {filter.q && ` matching ${specText(filter.q)}`}
      {filter.state && `, ${filter.state}`}
      {filter.kind && `, ${kind ?? filter.kind}`}
      {filter.misses && ', with that field still empty'}. At most {whole(bulkLimit)} at once.
    </p>
  )
}

/**
 * Changes every product that matches a filter of Manage all products: first a preview, then all at
 * once, with undo.
 */
export default function BulkEditScreen() {
  const address = useListAddress(partFilters)
  const filter = filterOf(PartFilter, address)
  const kinds = useQuery(kindsQuery).data ?? []
  const kindNamed = kinds.find(({ slug }) => slug === filter.kind)
  const edit = useBulkEdit()
  const leaving = useSignedOutUnlessAdmin(edit.error)
  const missed = filter.misses === 'weightG' ? 'weight' : filter.misses && 'specification'
  const [what, setWhat] = useState<What>(missed || 'price')
  const [typed, setTyped] = useState<Typed>({
    ...nothing,
    key: missed === 'specification' ? (filter.misses ?? '') : '',
  })
  const { data: report } = edit
  const change = changeOf(what, typed)
  function preview(event: FormEvent) {
    event.preventDefault()
    edit.mutate({ filter, change })
  }
  const list = `/dashboard/manageProducts?${new URLSearchParams(
    partFilters.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])),
  )}`
  return (
    <section aria-labelledby="bulk">
      <p className="label">
        <Link to={list} className="inline-block min-h-6 hover:text-copper hover:underline">
          Manage all products
        </Link>
      </p>
      <h1 id="bulk" tabIndex={-1} className="mb-2 text-4xl/[1.15] font-bold tracking-tight">
        Change many products
      </h1>
      <FilterText filter={filter} kind={kindNamed?.name} />
      <Form onSubmit={preview} className="card p-5 sm:p-8">
        <div className="mb-5 grid items-start gap-x-5 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          <Select
            label="What changes"
            value={what}
            choices={whats}
            onChange={(next) => {
              setWhat(next as What)
              edit.reset()
            }}
          />
          <Inputs
            what={what}
            kinds={kinds}
            ofKind={kindNamed}
            typed={typed}
            onType={(next) => {
              setTyped(next)
              edit.reset()
            }}
          />
        </div>
        <p role="alert" className="pb-3 text-danger empty:pb-0">
          {!leaving && messageOf(edit.error)}
        </p>
        <Button type="submit" variant="quiet" loading={edit.isPending && !report}>
          Preview
        </Button>
      </Form>
      {report && !report.batch && (
        <Preview
          report={report}
          busy={edit.isPending}
          onRun={() => edit.mutate({ filter, change, shown: report.shown })}
        />
      )}
      {report?.batch && (
        <div className="mt-8 flex flex-wrap items-center gap-4">
          <p role="status" className="font-semibold">
            {counted(report.changed, 'product')} changed.
          </p>
          <UndoBatch id={report.batch} name="this change" />
        </div>
      )}
    </section>
  )
}
