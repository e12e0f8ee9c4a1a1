import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Kind } from '#contracts/kinds.ts'
import { type PartField, partFields } from '#contracts/parts.ts'
import {
  columnOf,
  countedColumn,
  type ImportFile,
  type ImportPlan,
  pictureAddress,
  specColumn,
} from '#contracts/parts-csv.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { kindsQuery } from '#web/features/catalogue/admin-queries.ts'
import { roundingNames } from './rounding-names.ts'

const { name, kind, brand, sku, mpn, gtin, description, price, cost } = partFields
const { minimumOrderQuantity, weightG } = partFields

/** Column → label, for the columns of one group. */
type Targets = Record<string, string>

/**
 * The columns to which a supplier's column can be mapped, in groups, without specification fields.
 */
const targets: Record<string, Targets> = {
  Basics: {
    ...{ name: name.label, kind: kind.label, brand: brand.label, description: description.label },
    [pictureAddress]: 'Picture address',
  },
  Numbers: { sku: sku.label, mpn: mpn.label, gtin: gtin.label, _id: 'Our ID' },
  'Price and stock': {
    ...{ cost: cost.label, price: price.label, [countedColumn]: 'Stock as counted' },
    minimumOrderQuantity: minimumOrderQuantity.label,
    weightG: `${weightG.label} (g)`,
  },
}

const withUnit = ({ label, unit }: Kind['fields'][number]) => (unit ? `${label} (${unit})` : label)

/**
 * The specification fields in groups: first the fields of several kinds, then those of each kind.
 * Of fields with the same label, the first represents all: each kind reads the column as its own
 * field.
 */
function specTargets(kinds: Kind[]): Record<string, Targets> {
  const groups: Record<string, Targets> = { 'Several categories': {} }
  const seen = new Set<string>()
  for (const { name: kindName, fields } of kinds) {
    for (const field of fields.filter(({ label }) => !seen.has(label))) {
      seen.add(field.label)
      const isShared =
        kinds.filter((each) => each.fields.some(({ label }) => label === field.label)).length > 1
      const group = isShared ? 'Several categories' : `Only ${kindName}`
      groups[group] = { ...groups[group], [specColumn(field.key)]: withUnit(field) }
    }
  }
  return groups
}

/**
 * The label of a shop column in its forms: 'EAN' for `gtin`. A specification field whose label is
 * ambiguous is shown with its kind.
 */
export function columnText(column: string, kinds: Kind[]): string {
  const named = Object.values({ ...targets, ...specTargets(kinds) }).find((each) => column in each)
  if (named) return named[column] ?? column
  if (column in partFields) return partFields[column as PartField].label
  const ofKind = kinds.find(({ fields }) => fields.some(({ key }) => specColumn(key) === column))
  const field = ofKind?.fields.find(({ key }) => specColumn(key) === column)
  return ofKind && field ? `${field.label}, ${ofKind.name}` : column
}

function Group({ label, columns }: { label: string; columns: Targets }) {
  return (
    <optgroup label={label}>
      {Object.entries(columns).map(([column, words]) => (
        <option key={column} value={column}>
          {words}
        </option>
      ))}
    </optgroup>
  )
}

type PlanProps = { plan: ImportPlan; onPlan: (plan: ImportPlan) => void }

/** The columns of the file, each with sample cells and the column to which it is mapped. */
function Columns({ file, kinds, plan, onPlan }: PlanProps & { file: ImportFile; kinds: Kind[] }) {
  const groups = { ...targets, ...specTargets(kinds) }
  const isOffered = (column: string) => Object.values(groups).some((each) => column in each)
  return (
    <ul className="grid gap-x-5 sm:grid-cols-2">
      {file.columns.map(({ name: column, samples }) => {
        const value = columnOf(plan.columns, column) ?? ''
        return (
          <li key={column} className="min-w-0 border-line border-t pt-3">
            <Select
              label={<span className="break-words">{column}</span>}
              value={value}
              choices={{ '': 'Ignore' }}
              onChange={(next) => onPlan({ ...plan, columns: { ...plan.columns, [column]: next } })}
            >
              {value !== '' && !isOffered(value) && (
                <option value={value}>{columnText(value, kinds)}</option>
              )}
              {Object.entries(groups).map(([label, columns]) => (
                <Group key={label} label={label} columns={columns} />
              ))}
            </Select>
            <p className="mt-1 mb-3 truncate text-dim text-xs">{samples.join(' · ') || 'Empty'}</p>
          </li>
        )
      })}
    </ul>
  )
}

/** Maps the supplier's names of kinds to the shop's kinds. */
function KindNames({ file, kinds, plan, onPlan }: PlanProps & { file: ImportFile; kinds: Kind[] }) {
  const unknown = [...new Set([...file.unknownKinds, ...Object.keys(plan.kinds)])]
  if (unknown.length === 0) return null
  const kindChoices = Object.fromEntries(kinds.map((each) => [each.name, each.name]))
  return (
    <fieldset className="mt-4 border-line border-t pt-4">
      <legend className="float-start w-full font-semibold">Categories</legend>
      <p className="clear-both mb-3 text-dim text-sm">
        This file has categories your shop doesn’t know. Match each to one of yours or make it a new
        category. Lines in categories you leave open are refused.
      </p>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {unknown.map((typed) => {
          const { [typed]: value = '', ...others } = plan.kinds
          const own = typed.slice(0, 40)
          return (
            <Select
              key={typed}
              label={<span className="break-words">{typed}</span>}
              value={value}
              choices={{
                '': 'Not chosen yet',
                ...(!kindChoices[own] && { [own]: `New category: ${own}` }),
                ...kindChoices,
              }}
              onChange={(next) =>
                onPlan({ ...plan, kinds: next ? { ...others, [typed]: next } : others })
              }
            />
          )
        })}
      </div>
    </fieldset>
  )
}

const isFactor = (text: string) => {
  const factor = Number(text.replace(',', '.'))
  return factor >= 0.01 && factor <= 100
}

function Rules({ plan, onPlan, kinds }: PlanProps & { kinds: Kind[] }) {
  const [factor, setFactor] = useState(String(plan.price.factor))
  const kindChoices = Object.fromEntries(kinds.map((each) => [each.name, each.name]))
  const rule = (change: Partial<ImportPlan['price']>) =>
    onPlan({ ...plan, price: { ...plan.price, ...change } })
  return (
    <div className="mt-4 grid items-start gap-x-5 gap-y-4 border-line border-t pt-4 sm:grid-cols-2 lg:grid-cols-3">
      <Select
        label="The price comes from"
        value={plan.price.from}
        choices={{ price: 'the price column', cost: 'the cost column' }}
        onChange={(from) => rule({ from: from as ImportPlan['price']['from'] })}
      />
      <Field
        label="times"
        inputMode="decimal"
        value={factor}
        {...(!isFactor(factor) && { error: 'From 0.01 to 100' })}
        onChange={(event) => {
          setFactor(event.target.value)
          if (isFactor(event.target.value))
            rule({ factor: Number(event.target.value.replace(',', '.')) })
        }}
      />
      <Select
        label="rounded"
        value={plan.price.round}
        choices={roundingNames}
        onChange={(round) => rule({ round: round as ImportPlan['price']['round'] })}
      />
      <Select
        label="New products"
        value={plan.newParts}
        choices={{
          'on sale': 'go on sale at once',
          draft: 'start as drafts',
          skip: 'are left out',
        }}
        onChange={(next) => onPlan({ ...plan, newParts: next as ImportPlan['newParts'] })}
      />
      <Select
        label="Existing products"
        value={plan.known}
        choices={{
          everything: 'follow the file',
          'price and stock': 'change price, cost and stock only',
        }}
        onChange={(next) => onPlan({ ...plan, known: next as ImportPlan['known'] })}
      />
      <Select
        label="Unreadable values"
        value={plan.unreadable}
        choices={{ 'leave out': 'are left out', refuse: 'refuse the line' }}
        onChange={(next) => onPlan({ ...plan, unreadable: next as ImportPlan['unreadable'] })}
      />
      <Select
        label="Decimal sign"
        value={plan.decimals}
        choices={{ auto: 'detect for each number', point: '1,299.00', comma: '1.299,00' }}
        onChange={(next) => onPlan({ ...plan, decimals: next as ImportPlan['decimals'] })}
      />
      <Select
        label="Category for lines without one"
        value={plan.kind}
        choices={{ '': kind.whenMissing, ...kindChoices }}
        onChange={(next) => onPlan({ ...plan, kind: next })}
      />
    </div>
  )
}

type Props = {
  file: ImportFile
  /** The supplier suggested by the file name. */
  suggested: string
  busy: boolean
  onCheck: (supplier: string, plan: ImportPlan) => void
}

/**
 * How to read a supplier's file: columns, prices and kinds. Remembered for the supplier's next
 * file.
 */
export function ImportPlanForm({ file, suggested, busy, onCheck }: Props) {
  const kinds = useQuery(kindsQuery).data ?? []
  const [supplier, setSupplier] = useState(file.supplier ?? suggested)
  const [plan, setPlan] = useState(file.plan)
  const mapped = new Set(Object.values(plan.columns))
  const missing = [
    !mapped.has('name') && 'the name',
    !mapped.has(plan.price.from) && (plan.price.from === 'cost' ? 'the cost' : 'the price'),
  ].filter((each) => each !== false)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (supplier.trim()) onCheck(supplier.trim(), plan)
  }
  return (
    <Form onSubmit={submit} className="card p-5 sm:p-8">
      <Field
        label="Supplier"
        hint="We’ll read its next file the same way."
        value={supplier}
        maxLength={60}
        required
        autoComplete="off"
        onChange={(event) => setSupplier(event.target.value)}
      />
      <p className="mb-3 text-dim text-sm">What each column means:</p>
      <Columns file={file} kinds={kinds} plan={plan} onPlan={setPlan} />
      <KindNames file={file} kinds={kinds} plan={plan} onPlan={setPlan} />
      <Rules plan={plan} onPlan={setPlan} kinds={kinds} />
      {missing.length > 0 && (
        <p role="status" className="pb-3 font-semibold text-sm">
          No column has {missing.join(' and ')}, so new products can’t be added.
        </p>
      )}
      <Button type="submit" className="mt-6" loading={busy} loadingText="Checking…">
        Check the file
      </Button>
    </Form>
  )
}
