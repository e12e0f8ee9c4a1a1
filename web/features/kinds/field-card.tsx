/** A field in the editor of a kind: one line, or all of its inputs when opened. */
import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { counted, whole } from '#contracts/counted.ts'
import {
  type FieldRef,
  fieldWords,
  fitFields,
  isFieldRef,
  kindOf,
  kindWords,
  mayStandFor,
} from '#contracts/fit-fields.ts'
import { kindLimits } from '#contracts/kinds.ts'
import { Field, Select } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import type { DraftField } from './kind-draft.ts'
import { MoveButton, ValueRows } from './kind-values.tsx'

const types: Record<DraftField['type'], string> = {
  one: 'One of several values',
  many: 'Several values',
  number: 'A number',
  yes: 'Yes or no',
}

type SetField = (changes: Partial<DraftField>) => void
type FieldProps = {
  field: DraftField
  problem: (name: string) => string
  set: SetField
  groups: string[]
}

type CheckProps = { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void }

function Check({ label, hint, isOn, onChange }: CheckProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5">
      <input
        type="checkbox"
        className="size-5 shrink-0 cursor-pointer accent-copper"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {label} {hint && <span className="text-dim text-sm">{hint}</span>}
      </span>
    </label>
  )
}

/** Inputs for number fields only. */
function NumberInputs({ field, problem, set }: Omit<FieldProps, 'groups'>) {
  const text = (name: 'unit' | 'min' | 'max', label: string) => (
    <Field
      label={label}
      autoComplete="off"
      inputMode={name === 'unit' ? undefined : 'decimal'}
      readOnly={name === 'unit' && field.stored?.isBuiltin}
      value={field[name]}
      onChange={(event) => set({ [name]: event.target.value })}
      error={problem(name)}
    />
  )
  return (
    <>
      {text('unit', 'Unit')}
      {text('min', 'Minimum')}
      {text('max', 'Maximum')}
      <div className="pb-5">
        <Select
          label="Better when comparing"
          value={field.better}
          choices={{ '': 'Neither', more: 'Larger', less: 'Smaller' }}
          onChange={(better) => set({ better: better as DraftField['better'] })}
        />
      </div>
    </>
  )
}

/** Settings for where customers see the field. */
function WhereShown({ field, problem, set }: Omit<FieldProps, 'groups'>) {
  const isWrong = problem('isCard') || problem('promoted')
  return (
    <fieldset>
      <legend className="field-label">Where customers see it</legend>
      <div className="grid gap-x-5 sm:grid-cols-2">
        <Check label="Filter" isOn={field.isFacet} onChange={(isFacet) => set({ isFacet })} />
        {field.isFacet && (
          <Check
            label="Also above the list"
            isOn={field.promoted}
            onChange={(promoted) => set({ promoted })}
          />
        )}
        <Check label="On the card" isOn={field.isCard} onChange={(isCard) => set({ isCard })} />
        <Check
          label="In search"
          hint="not for what a product fits"
          isOn={field.isSearched}
          onChange={(isSearched) => set({ isSearched })}
        />
      </div>
      <p className="field-error" aria-live="polite">
        {isWrong}
      </p>
    </fieldset>
  )
}

const fieldRefs = Object.keys(fitFields) as FieldRef[]

/**
 * Which field of the rules of fit it stands for: of those of its type and unit, by kind. One that no
 * longer suits stays in the list, so that it is seen and can be taken away.
 */
function FitInput({ field, problem, set }: Omit<FieldProps, 'groups'>) {
  const { type, fitField } = field
  if (field.stored?.isBuiltin) return null
  const unit = type === 'number' ? field.unit.trim() : ''
  const refs = fieldRefs.filter((ref) => ref === fitField || mayStandFor({ type, unit }, ref))
  if (refs.length === 0) return null
  const isChoice = type === 'one' || type === 'many'
  return (
    <div className="max-w-xl">
      <Select
        label="In fit checks, this is"
        hint={isChoice && fitField ? 'Its values must be spelled as in that field.' : undefined}
        value={fitField ?? ''}
        choices={{ '': 'Not used' }}
        onChange={(ref) => set({ fitField: ref || null })}
        error={problem('fitField')}
      >
        {[...Map.groupBy(refs, kindOf)].map(([kind, ofKind]) => (
          <optgroup key={kind} label={kindWords(kind)}>
            {ofKind.map((ref) => (
              <option key={ref} value={ref}>
                {fieldWords(ref)}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </div>
  )
}

function FieldInputs({ field, problem, set, groups }: FieldProps) {
  const isChoice = field.type === 'one' || field.type === 'many'
  return (
    <div className="mt-3 grid gap-y-3 border-line border-t pt-4">
      <div className="grid items-start gap-x-5 sm:grid-cols-2">
        <Field
          label="Label"
          autoComplete="off"
          required
          maxLength={kindLimits.label}
          value={field.label}
          onChange={(event) => set({ label: event.target.value })}
          error={problem('label') || problem('key')}
        />
        {field.stored ? (
          <p className="pb-5">
            <span className="field-label">Type</span>
            <span className="flex min-h-11 items-center">{types[field.type]}</span>
          </p>
        ) : (
          <div className="pb-5">
            <Select
              label="Type"
              value={field.type}
              choices={types}
              onChange={(type) => set({ type: type as DraftField['type'] })}
            />
          </div>
        )}
        {field.type === 'number' && <NumberInputs field={field} problem={problem} set={set} />}
        <Field
          label="Heading"
          placeholder="None: shown first"
          autoComplete="off"
          list="headings"
          maxLength={kindLimits.label}
          value={field.group}
          onChange={(event) => set({ group: event.target.value })}
          error={problem('group')}
        />
      </div>
      <datalist id="headings">
        {groups.map((group) => (
          <option key={group} value={group} />
        ))}
      </datalist>
      {isChoice && <ValueRows field={field} problem={problem} set={set} />}
      <FitInput field={field} problem={problem} set={set} />
      <WhereShown field={field} problem={problem} set={set} />
      {field.stored && (
        <p className="text-dim text-sm">
          Column name in files:{' '}
          <code className="wrap-anywhere font-mono text-ink">spec:{field.stored.key}</code>.
        </p>
      )}
    </div>
  )
}

/** A field summarised in one line. */
const summaryOf = ({ type, isFacet, promoted, isCard, options, isOpen, fitField }: DraftField) =>
  [
    type === 'one' || type === 'many'
      ? `${types[type]}${isOpen ? ', or another' : ''} (${options.length})`
      : types[type],
    ...(isFacet ? [promoted ? 'filter above the list' : 'filter'] : []),
    ...(isCard ? ['on the card'] : []),
    ...(fitField && isFieldRef(fitField) ? [`${fieldWords(fitField)} in fit checks`] : []),
  ].join(' · ')

function Stated({ field, slug, parts }: { field: DraftField; slug: string; parts: number }) {
  if (!field.stored || parts === 0) return null
  const missing = parts - field.stated
  const query = new URLSearchParams({ kind: slug, misses: field.stored.key })
  return (
    <p className="text-sm">
      {whole(field.stated)} of {counted(parts, 'product', 'products')} filled in
      {missing > 0 && (
        <>
          {' · '}
          <Link to={`/dashboard/manageProducts?${query}`} className="link inline-block min-h-6">
            {whole(missing)} missing<span className="sr-only"> {field.label}</span>
          </Link>
        </>
      )}
    </p>
  )
}

type CardProps = FieldProps & {
  slug: string
  parts: number
  isFirst: boolean
  isLast: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

export function FieldCard({ field, slug, parts, isOpen, onOpen, ...rest }: CardProps) {
  const name = field.label.trim() || 'the new field'
  const id = `field-${field.id}`
  return (
    <li className="card px-4 py-3 sm:px-5">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
          className="group flex min-h-11 min-w-0 grow cursor-pointer items-center gap-3 text-start"
        >
          <ChevronDown
            aria-hidden="true"
            className="size-5 shrink-0 text-dim transition-transform group-aria-expanded:rotate-180"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-semibold">
              {field.label.trim() || 'New field'}
              {field.type === 'number' && field.unit && ` (${field.unit})`}
            </span>
            <span className="block text-dim text-sm">{summaryOf(field)}</span>
          </span>
        </button>
        {([-1, 1] as const).map((by) => (
          <MoveButton
            key={by}
            id={id}
            name={name}
            by={by}
            isEnd={by < 0 ? rest.isFirst : rest.isLast}
            onMove={rest.onMove}
          />
        ))}
      </div>
      <Stated field={field} slug={slug} parts={parts} />
      {isOpen && (
        <>
          <FieldInputs field={field} problem={rest.problem} set={rest.set} groups={rest.groups} />
          <p className="mt-3 mb-1 text-dim text-sm">
            {field.stored?.isBuiltin ? (
              'This is a built-in field, so it stays.'
            ) : (
              <RowButton aria-label={`Remove ${name}`} onClick={rest.onRemove}>
                Remove field
              </RowButton>
            )}
          </p>
        </>
      )}
    </li>
  )
}
