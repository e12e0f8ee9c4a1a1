import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import {
  type Kind,
  readSpec,
  type SpecField,
  type Specs,
  specText,
  splitValues,
  valueSeparator,
} from '#contracts/kinds.ts'
import { plainLetters } from '#contracts/plain-letters.ts'
import { Field } from '#web/components/field.tsx'

/** The name of a specification field's input, made from the field's key. */
export type SpecName = `spec:${string}`
/** The specification as form values, one text per input; '' for a missing value. */
export type SpecForm = Record<SpecName, string>

export const specName = (key: string): SpecName => `spec:${key}`
export const isSpecName = (name: string): name is SpecName => name.startsWith('spec:')
export const keyOf = (name: SpecName): string => name.slice('spec:'.length)

const plain = (kind: string) =>
  plainLetters(kind)
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('-')

/** Finds the kind that an admin typed; undefined if the shop does not have it yet. */
export const findKind = (kinds: Kind[], typed: string): Kind | undefined =>
  kinds.find(({ name, slug }) => plain(name) === plain(typed) || slug === plain(typed))

/** One input for each field of every kind, so that typed values survive a change of kind. */
export const specForm = (kinds: Kind[], specs: Specs = {}): SpecForm =>
  Object.fromEntries(
    kinds.flatMap(({ fields }) => fields.map(({ key }) => [specName(key), specText(specs[key])])),
  )

/** Reads the specification from the inputs of this kind, and lists its problems. */
export function readSpecForm(form: SpecForm, kind: Kind | undefined) {
  const specs: Specs = {}
  const problems: [SpecName, string][] = []
  for (const field of kind?.fields ?? []) {
    const name = specName(field.key)
    const text = form[name]?.trim()
    if (!text) continue
    const read = readSpec(field, text)
    if ('problem' in read) problems.push([name, read.problem])
    else specs[field.key] = read.value
  }
  return { specs, problems }
}

/** A field's label, with its unit for numbers. */
export const specLabel = ({ label, unit }: SpecField): string =>
  unit ? `${label} (${unit})` : label

type Input = UseFormRegisterReturn & { error?: string }
type InputProps = { spec: SpecField; input: Input; typed: string }

const notStated = 'Not stated'

type ChoiceProps = {
  label: string
  hint?: string | undefined
  /** The text of each option. */
  choices: Record<string, string>
  input: Input
}

/** A select with one value. */
export function Choice({ label, hint, choices, input: { error, ...input } }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <select
        {...input}
        id={id}
        className="input"
        aria-invalid={error ? true : undefined}
        aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      >
        {Object.entries(choices).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {error}
      </p>
    </div>
  )
}

/** A select with several values, stored in the form as one text. */
function Several({ spec, input, typed }: InputProps) {
  const chosen = splitValues(typed)
  const choices = spec.options.map(({ value }) => value)
  const { name, onChange, onBlur, error } = input
  const id = useId()
  function toggle(choice: string, isOn: boolean) {
    const value = choices.filter((each) => (each === choice ? isOn : chosen.includes(each)))
    void onChange({ type: 'change', target: { name, value: value.join(valueSeparator) } })
  }
  return (
    <fieldset className="col-span-full" aria-describedby={error && `${id}-error`}>
      <legend className="field-label">{specLabel(spec)}</legend>
      <div className="mt-1 flex flex-wrap gap-x-5">
        {choices.map((choice) => (
          <label key={choice} className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              type="checkbox"
              name={name}
              value={choice}
              className="size-5 cursor-pointer accent-copper"
              checked={chosen.includes(choice)}
              onChange={(event) => toggle(choice, event.target.checked)}
              // the checkbox's own change event would set the field to the checkbox's value
              onBlur={() => onBlur({ type: 'blur', target: { name, value: typed } })}
            />
            {choice}
          </label>
        ))}
      </div>
      <p id={`${id}-error`} className="field-error" aria-live="polite">
        {error}
      </p>
    </fieldset>
  )
}

const choicesOf = ({ type, options }: SpecField): Record<string, string> => ({
  '': notStated,
  ...(type === 'yes'
    ? { yes: 'Yes', no: 'No' }
    : Object.fromEntries(options.map(({ value }) => [value, value]))),
})

function SpecInput(props: InputProps) {
  const { spec, input } = props
  const list = useId()
  if (spec.type === 'many' && !spec.isOpen) return <Several {...props} />
  if (spec.type === 'yes' || (spec.type === 'one' && !spec.isOpen))
    return <Choice label={specLabel(spec)} choices={choicesOf(spec)} input={input} />
  return (
    <div>
      <Field
        {...input}
        label={specLabel(spec)}
        hint={spec.type === 'many' ? 'A | valueSeparator several' : undefined}
        autoComplete="off"
        inputMode={spec.type === 'number' ? 'decimal' : undefined}
        list={spec.options.length > 0 ? list : undefined}
      />
      <datalist id={list}>
        {spec.options.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </div>
  )
}

type Props = {
  kind: Kind | undefined
  field: (name: SpecName) => UseFormRegisterReturn & { error?: string }
  typed: SpecForm
}

/** The fields of the kind; all are optional. */
export function SpecFields({ kind, field, typed }: Props) {
  if (!kind || kind.fields.length === 0) return null
  return (
    <fieldset className="mt-2 border-line border-t pt-5">
      <legend className="float-start mb-1 w-full font-semibold text-lg">Specification</legend>
      <p className="clear-both mb-4 text-dim text-sm">
        What this {kind.name} is, as its maker says. Leave out what you do not know.
      </p>
      <div className="grid grid-cols-2 items-start gap-x-5 gap-y-1 lg:grid-cols-3">
        {kind.fields.map((spec) => {
          const name = specName(spec.key)
          return (
            <SpecInput key={spec.key} spec={spec} input={field(name)} typed={typed[name] ?? ''} />
          )
        })}
      </div>
    </fieldset>
  )
}
