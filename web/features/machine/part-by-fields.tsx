/** The form of a part of the machine that the shop does not sell. */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { kindWords } from '#contracts/fit-fields.ts'
import {
  readSpec,
  type SpecField,
  type Specs,
  specText,
  splitValues,
  valueSeparator,
} from '#contracts/kinds.ts'
import type { MachineKind, MachinePart } from '#contracts/machine.ts'
import { capital } from '#contracts/plural.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { useAddPart, useChangePart } from './queries.ts'

type InputProps = {
  field: SpecField
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Several values of a choice, as boxes. */
function Boxes({ field, value, error, onChange }: InputProps) {
  const id = useId()
  const chosen = splitValues(value)
  return (
    <fieldset className="sm:col-span-2" aria-describedby={error && id}>
      <legend className="field-label">{field.label}</legend>
      <div className="flex flex-wrap gap-x-5">
        {field.options.map(({ value: option }) => (
          <label key={option} className="flex min-h-11 items-center gap-2">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={chosen.includes(option)}
              onChange={({ currentTarget }) =>
                onChange(
                  (currentTarget.checked
                    ? [...chosen, option]
                    : chosen.filter((each) => each !== option)
                  ).join(valueSeparator),
                )
              }
            />
            {option}
          </label>
        ))}
      </div>
      <p id={id} className="field-error">
        {error}
      </p>
    </fieldset>
  )
}

/** One field of a part; empty is not known. */
function SpecInput(props: InputProps) {
  const { field, value, error, onChange } = props
  const { label, type, unit, options, isOpen } = field
  if (type === 'many' && !isOpen) return <Boxes {...props} />
  if (type === 'yes' || (type === 'one' && !isOpen)) {
    const values = type === 'yes' ? ['yes', 'no'] : options.map((option) => option.value)
    return (
      <div className="mb-6">
        <Select label={label} value={value} onChange={onChange} choices={{}} error={error}>
          <option value="">not known</option>
          {values.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
      </div>
    )
  }
  return (
    <Field
      label={unit ? `${label} (${unit})` : label}
      inputMode={type === 'number' ? 'decimal' : undefined}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Reads what was typed of each field; what is empty is not known. */
function readTyped(fields: SpecField[], typed: Record<string, string>) {
  const specs: Specs = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const text = typed[field.key]?.trim()
    if (!text) continue
    const read = readSpec(field, text)
    if ('problem' in read) problems[field.key] = read.problem
    else specs[field.key] = read.value
  }
  return { specs, problems }
}

type ByFieldsProps = {
  kinds: MachineKind[]
  /** The part to change; a new one without it. */
  part?: MachinePart
  onSaved: () => void
}

const typedOf = (part: MachinePart | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(part?.fit?.specs ?? {}).map(([key, value]) => [key, specText(value)]),
  )

/** A part that the shop does not sell, by its kind, name and what is known of it. */
export function PartByFields({ kinds, part, onSaved }: ByFieldsProps) {
  const [kind, setKind] = useState(part?.fit?.kind ?? kinds[0]?.kind ?? '')
  const [name, setName] = useState(part?.name ?? '')
  const [typed, setTyped] = useState(typedOf(part))
  const [problems, setProblems] = useState<Record<string, string>>({})
  const inputs = useRef<HTMLDivElement>(null)
  const add = useAddPart()
  const change = useChangePart()
  const { error, isPending } = part ? change : add
  const fields = kinds.find((each) => each.kind === kind)?.fields ?? []
  const refused = error instanceof ApiError ? (error.fields ?? {}) : {}
  useEffect(() => {
    if (Object.keys(problems).length > 0 || error)
      inputs.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems, error])
  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readTyped(fields, typed)
    const all = { ...(name.trim() ? {} : { name: 'Name is required' }), ...read.problems }
    setProblems(all)
    if (Object.keys(all).length > 0) return
    const entered = { name: name.trim(), specs: read.specs }
    if (part) change.mutate({ _id: part._id, ...entered }, { onSuccess: onSaved })
    else add.mutate({ kind, ...entered }, { onSuccess: onSaved })
  }
  return (
    <Form onSubmit={submit}>
      <div ref={inputs} className="grid gap-x-6 sm:grid-cols-2">
        {!part && (
          <div className="mb-6">
            <Select
              label="Category"
              value={kind}
              onChange={(next) => {
                setKind(next)
                setTyped({})
                setProblems({})
              }}
              choices={Object.fromEntries(
                kinds.map((each) => [each.kind, capital(kindWords(each.kind))]),
              )}
            />
          </div>
        )}
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          error={problems.name ?? refused.name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p className="mb-4 text-dim text-sm sm:col-span-2">
          Fill in what you know. Where something is missing, we’ll say ‘not enough data’.
        </p>
        {fields.map((field) => (
          <SpecInput
            key={`${kind} ${field.key}`}
            field={field}
            value={typed[field.key] ?? ''}
            error={problems[field.key] ?? refused[`specs.${field.key}`]}
            onChange={(value) => setTyped((before) => ({ ...before, [field.key]: value }))}
          />
        ))}
      </div>
      <Button type="submit" variant="quiet" loading={isPending}>
        {part ? 'Save' : 'Add part'}
      </Button>
      <FormProblem said={error?.message} className="pt-2 empty:pt-0" />
    </Form>
  )
}
