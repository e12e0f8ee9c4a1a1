/** Adds parts to the machine: of the catalogue, or by what rules of fit read of them. */

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { kindWords } from '#contracts/fit-fields.ts'
import {
  readSpec,
  type SpecField,
  type Specs,
  splitValues,
  valueSeparator,
} from '#contracts/kinds.ts'
import type { MachineKind, MachinePart } from '#contracts/machine.ts'
import { capital } from '#contracts/plural.ts'
import { Button } from '#web/components/button.tsx'
import { Field, Select } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormProblem } from '#web/components/form-problem.tsx'
import { RowButton } from '#web/components/row-button.tsx'
import { Skeleton } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { foundPartsQuery, machineFieldsQuery, useAddPart } from './queries.ts'

/** Finds a part of the catalogue by name or number, and adds it. */
function FromCatalogue({ machine }: { machine: MachinePart[] }) {
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const { data: found, error, isFetching } = useQuery(foundPartsQuery(words))
  const add = useAddPart()
  function search(event: FormEvent) {
    event.preventDefault()
    setWords(typed.trim())
  }
  return (
    <>
      <Form onSubmit={search} className="flex flex-wrap items-end gap-x-3">
        <Field
          label="Name or number of a part"
          className="grow basis-60"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="quiet" loading={isFetching} className="mb-8">
          Find it
        </Button>
      </Form>
      <FormProblem said={error?.message ?? add.error?.message} className="empty:pt-0" />
      <div role="status">
        {found?.length === 0 && <p>Nothing in the catalogue is called that.</p>}
      </div>
      {found && found.length > 0 && (
        <ul>
          {found.map(({ number, name, kind }) => {
            const isIn = machine.some((part) => part.number === number)
            return (
              <li
                key={number}
                className="flex items-center justify-between gap-x-4 border-line border-t py-2"
              >
                <p className="min-w-0 break-words">
                  {name} <span className="text-dim text-sm">{kind}</span>
                </p>
                {isIn ? (
                  <p className="flex min-h-11 shrink-0 items-center text-dim text-sm">
                    In your machine
                  </p>
                ) : (
                  <RowButton
                    busy={add.isPending && add.variables.number === number}
                    aria-label={`Add ${name}`}
                    onClick={() => add.mutate({ number })}
                  >
                    Add
                  </RowButton>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

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

type ByFieldsProps = { kinds: MachineKind[]; onAdded: () => void }

/** A part that the shop does not sell, by its kind, name and what is known of it. */
function ByFields({ kinds, onAdded }: ByFieldsProps) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '')
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const add = useAddPart()
  const fields = kinds.find((each) => each.kind === kind)?.fields ?? []
  const refused = add.error instanceof ApiError ? (add.error.fields ?? {}) : {}
  function submit(event: FormEvent) {
    event.preventDefault()
    const read = readTyped(fields, typed)
    const all = { ...(name.trim() ? {} : { name: 'Name is required' }), ...read.problems }
    setProblems(all)
    if (Object.keys(all).length > 0) return
    add.mutate({ kind, name: name.trim(), specs: read.specs }, { onSuccess: onAdded })
  }
  return (
    <Form onSubmit={submit}>
      <div className="grid gap-x-6 sm:grid-cols-2">
        <div className="mb-6">
          <Select
            label="Kind"
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
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          error={problems.name ?? refused.name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p className="mb-4 text-dim text-sm sm:col-span-2">
          Fill in what you know. What is missing, verdicts call ‘not enough data’.
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
      <Button type="submit" variant="quiet" loading={add.isPending}>
        Add it
      </Button>
      <FormProblem said={add.error?.message} className="pt-2 empty:pt-0" />
    </Form>
  )
}

function Elsewhere() {
  const [count, setCount] = useState(0)
  const { data: kinds } = useQuery(machineFieldsQuery())
  if (!kinds) return <Skeleton className="h-64" />
  // an empty form for the next part
  return <ByFields key={count} kinds={kinds} onAdded={() => setCount(count + 1)} />
}

export function AddPart({ machine }: { machine: MachinePart[] }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-3 text-xl font-semibold">
        Add a part
      </h2>
      <FromCatalogue machine={machine} />
      <details
        className="mt-3"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="cursor-pointer py-2.5">It is not in the catalogue</summary>
        <div className="pt-3">{isOpen && <Elsewhere />}</div>
      </details>
    </section>
  )
}
