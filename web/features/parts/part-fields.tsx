import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import {
  editableFields,
  fieldNames,
  isNumeric,
  type PartField,
  partField,
} from '#contracts/parts.ts'
import { Field } from '#web/components/field.tsx'
import { TextArea } from '#web/components/text-area.tsx'
import type { PartForm } from './part-form-schema.ts'
import { partsQuery } from './queries.ts'

type Props = {
  field: (name: PartField) => UseFormRegisterReturn & { error?: string }
  /** What the form holds, as typed. */
  typed: PartForm
  /** A new part has a first stock, and may do without some fields. */
  isNew: boolean
}

/** The kinds the shop has: typing them alike keeps like with like. */
function Kinds({ id }: { id: string }) {
  const { data = [] } = useQuery(partsQuery)
  const kinds = [...new Set(data.map(({ kind }) => kind))].sort()
  return (
    <datalist id={id}>
      {kinds.map((kind) => (
        <option key={kind} value={kind} />
      ))}
    </datalist>
  )
}

/** A sentence while fewer are available than the smallest order, which is allowed. */
function unbookable({ availableQuantity, minimumOrderQuantity }: PartForm): string {
  const isTyped = /^\s*\d+\s*$/
  if (!isTyped.test(availableQuantity) || !isTyped.test(minimumOrderQuantity)) return ''
  const [available, minimum] = [Number(availableQuantity), Number(minimumOrderQuantity)]
  if (available >= minimum) return ''
  return `With ${available} available and a smallest order of ${minimum} nobody can book it: the shop shows it as out of stock.`
}

/** What to know about a field beforehand. */
function hintOf(name: PartField, isNew: boolean): string | undefined {
  const { hint, whenMissing } = partField(name)
  if (whenMissing === undefined) return hint
  return isNew
    ? [hint, `Without one it is “${whenMissing}”.`].filter(Boolean).join('. ')
    : undefined
}

/** The input of one field, by its format. A picture has an input of its own. */
function Input({ name, field, typed, isNew, list }: Props & { name: PartField; list: string }) {
  const { label, whenMissing, ...rules } = partField(name)
  const input = { label, required: !isNew || whenMissing === undefined, ...field(name) }
  if (rules.format === 'text') {
    return <TextArea {...input} rows={4} typed={typed[name].trim().length} limit={rules.max} />
  }
  return (
    <Field
      {...input}
      hint={hintOf(name, isNew)}
      autoComplete="off"
      inputMode={isNumeric(name) ? 'numeric' : undefined}
      list={name === 'kind' ? list : undefined}
    />
  )
}

/** Every field of a part but its picture, in the order of the table: lines, then texts, then numbers. */
export function PartFields(props: Props) {
  const { typed, isNew } = props
  const kinds = useId()
  const names = isNew ? fieldNames : editableFields
  const inputs = (formats: string[]) =>
    names
      .filter((name) => formats.includes(partField(name).format))
      .map((name) => <Input key={name} name={name} list={kinds} {...props} />)
  return (
    <>
      <div className="grid items-end gap-x-5 gap-y-1 sm:grid-cols-2">{inputs(['line'])}</div>
      <Kinds id={kinds} />
      {inputs(['text'])}
      <div className="part-numbers">{inputs(['dollars', 'count'])}</div>
      <p role="status" className="pb-3 font-medium text-sm empty:pb-0">
        {unbookable(typed)}
      </p>
    </>
  )
}
