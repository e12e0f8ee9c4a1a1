import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { counted } from '#contracts/counted.ts'
import { splitValues } from '#contracts/kinds.ts'
import { Field } from '#web/components/field.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { type DraftField, type DraftValue, moved, newValue } from './kind-draft.ts'

type MoveProps = {
  id: string
  name: string
  by: -1 | 1
  isEnd: boolean
  onMove: (by: -1 | 1) => void
}

/**
 * Moves a row. The browser drops the focus of a moved element, so the button focuses itself again.
 */
export function MoveButton({ id, name, by, isEnd, onMove }: MoveProps) {
  const Arrow = by < 0 ? ArrowUp : ArrowDown
  const own = `${id}${by < 0 ? '-up' : '-down'}`
  return (
    <button
      type="button"
      id={own}
      aria-label={`Move ${name} ${by < 0 ? 'up' : 'down'}`}
      aria-disabled={isEnd || undefined}
      className="icon-button aria-disabled:opacity-30"
      onClick={() => {
        if (isEnd) return
        flushSync(() => onMove(by))
        document.getElementById(own)?.focus()
      }}
    >
      <Arrow aria-hidden="true" className="size-5" />
    </button>
  )
}

type Props = {
  field: DraftField
  problem: (name: string) => string
  set: (changes: Partial<DraftField>) => void
}

type RowProps = {
  value: DraftValue
  /** How many products have the value. */
  parts: number
  /** Whether another value has the same name, so that the two are merged. */
  isTwin: boolean
  problem: string
  isFirst: boolean
  isLast: boolean
  set: (changes: Partial<DraftValue>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** Describes what saving does to the value. */
function fateOf({ value: { was, value }, parts, isTwin }: RowProps): string {
  if (isTwin) return 'Will be merged with the value of the same name.'
  if (was !== null && was !== value.trim() && parts > 0)
    return `${counted(parts, 'product')} with ${was} will show this instead.`
  return parts > 0 ? counted(parts, 'product') : ''
}

function ValueRow(props: RowProps) {
  const { value, problem, set } = props
  const name = value.value.trim() || 'the value'
  const id = `value-${value.id}`
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 border-line border-b pt-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <Field
        label="Value"
        autoComplete="off"
        value={value.value}
        onChange={(event) => set({ value: event.target.value })}
        {...(problem && { error: problem })}
        doubt={fateOf(props)}
      />
      <Field
        className="max-sm:col-span-full max-sm:row-start-2"
        label="Other spellings"
        placeholder="separated by |"
        autoComplete="off"
        value={value.also}
        onChange={(event) => set({ also: event.target.value })}
      />
      <span className="flex pt-7">
        <MoveButton id={id} name={name} by={-1} isEnd={props.isFirst} onMove={props.onMove} />
        <MoveButton id={id} name={name} by={1} isEnd={props.isLast} onMove={props.onMove} />
        <button
          type="button"
          aria-label={`Remove ${name}`}
          className="icon-button text-danger hover:bg-danger/10 hover:text-danger"
          onClick={props.onRemove}
        >
          <Trash2 aria-hidden="true" className="size-5" />
        </button>
      </span>
    </li>
  )
}

function AddValues({ onAdd }: { onAdd: (values: string[]) => void }) {
  const [typed, setTyped] = useState('')
  function add() {
    const values = splitValues(typed)
    if (values.length === 0) return
    onAdd(values)
    setTyped('')
  }
  return (
    <div className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3">
      <Field
        label="Add values"
        placeholder="Separate several with |"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <span className="pt-8">
        <RowButton onClick={add}>Add</RowButton>
      </span>
    </div>
  )
}

/** The maximum number of unlisted values to show. */
const maxUnlisted = 12

/**
 * Edits the values of a select field: names, spellings and order. Values with the same name are
 * merged.
 */
export function ValueRows({ field, problem, set }: Props) {
  const { options, stored, isOpen } = field
  const setOptions = (next: DraftValue[]) => set({ options: next })
  const partsOf = new Map(stored?.values.map(({ value, parts }) => [value, parts]))
  const listed = new Set(stored?.options.map(({ value }) => value))
  const named = new Set(options.flatMap(({ was, value }) => [was, value]))
  const unlisted = stored?.values.filter(({ value }) => !listed.has(value) && !named.has(value))
  const isTwin = ({ id, value }: DraftValue) =>
    value.trim() !== '' &&
    options.some((other) => other.id !== id && other.value.trim() === value.trim())
  return (
    <fieldset>
      <legend className="field-label">Values</legend>
      <ol aria-label={`Values of ${field.label || 'the new field'}`}>
        {options.map((value, at) => (
          <ValueRow
            key={value.id}
            value={value}
            parts={partsOf.get(value.was ?? '') ?? 0}
            isTwin={isTwin(value)}
            problem={problem(value.id)}
            isFirst={at === 0}
            isLast={at === options.length - 1}
            set={(changes) => setOptions(options.with(at, { ...value, ...changes }))}
            onMove={(by) => setOptions(moved(options, at, by))}
            onRemove={() => setOptions(options.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <p className="field-error" aria-live="polite">
        {problem('options')}
      </p>
      {unlisted && unlisted.length > 0 && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
          <span className="text-dim">Also used:</span>
          {unlisted.slice(0, maxUnlisted).map(({ value, parts }) => (
            <RowButton
              key={value}
              aria-label={`List ${value}`}
              onClick={() => setOptions([...options, { ...newValue(value), was: value }])}
            >
              {value} ({parts})
            </RowButton>
          ))}
        </p>
      )}
      <AddValues onAdd={(values) => setOptions([...options, ...values.map(newValue)])} />
      <label className="flex min-h-11 cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          className="size-5 shrink-0 cursor-pointer accent-copper"
          checked={isOpen}
          onChange={(event) => set({ isOpen: event.target.checked })}
        />
        Products can use other values too
      </label>
    </fieldset>
  )
}
