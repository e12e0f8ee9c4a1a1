import { useQuery } from '@tanstack/react-query'
import { type BaseSyntheticEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import {
  detailsOf,
  type EditableField,
  editableFields,
  fieldNames,
  forEachField,
  isNumeric,
  NewPart,
  type PartField,
  type PartValues,
  partField,
  partRules,
} from '#contracts/parts.ts'
import { Field, TextArea } from '#web/components/field.tsx'
import type { Upload } from './picture-input.tsx'
import { partsQuery } from './queries.ts'

/** What the form of a part holds: text, as typed. */
export type PartForm = Record<PartField, string>

export const emptyPart: PartForm = forEachField(fieldNames, () => '')

/** A part as its form shows it. */
export const formOf = (part: PartValues): PartForm =>
  forEachField(fieldNames, (name) => String(part[name]))

/** Typed digits as a number. An empty text is undefined and any other NaN: the contract has a message for both. */
function typedNumber(text: string): number {
  const typed = text.trim()
  if (typed === '') return undefined as unknown as number
  return /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN
}

/** Text for a whole number, judged by the contract's rule for it. */
export const typedAs = <T extends z.ZodType<number, number>>(rule: T) =>
  z.string().transform(typedNumber).pipe(rule)

type Rule = z.ZodType<string | number, string | number | undefined>

/** A field's rule, over typed text. An empty field is undefined, so that a rule's default applies. */
const typedField = (name: PartField, rule: Rule) =>
  z
    .string()
    .transform((text) => (isNumeric(name) ? typedNumber(text) : text.trim() || undefined))
    .pipe(rule)

type Typed<Name extends PartField> = { [N in Name]: z.ZodType<PartValues[N], string> }

/** A new part. */
export const AddSchema = z.object(
  forEachField(fieldNames, (name) => typedField(name, NewPart.shape[name])) as Typed<PartField>,
)

/** A part that exists: its stock changes only by a correction. */
export const EditSchema = z
  .object({
    ...(forEachField(editableFields, (name) =>
      typedField(name, partRules[name]),
    ) as Typed<EditableField>),
    availableQuantity: z.string(),
  })
  .transform(detailsOf)

/** Is the chosen picture still being read or sent? */
export const isUploading = ({ phase }: Upload): boolean =>
  phase === 'reading' || phase === 'sending'

const failed = 'This picture was not uploaded. Retry, choose another, or cancel it.'

type Form = Pick<UseFormReturn<PartForm>, 'getValues' | 'setError' | 'trigger'>

/**
 * Submits the form of a part. Pressed while its picture uploads, it waits for the picture; a picture that fails or is
 * cancelled ends the wait. Errors of other fields show at once.
 * @param send validates and sends
 */
export function useSendAfterPicture(form: Form, upload: Upload, send: () => Promise<void>) {
  const [waiting, setWaiting] = useState(false)
  const sendNow = useEffectEvent(send)

  useEffect(() => {
    if (!waiting || isUploading(upload)) return
    setWaiting(false)
    if (upload.phase === 'done') void sendNow()
  }, [waiting, upload])

  async function submit(event: BaseSyntheticEvent) {
    event.preventDefault()
    if (!isUploading(upload) && upload.phase !== 'failed') return send()
    const fields = Object.keys(form.getValues()) as PartField[]
    const typed = fields.filter((name) => name !== 'image')
    const isValid = await form.trigger(typed, { shouldFocus: true })
    if (upload.phase === 'failed')
      form.setError('image', { message: failed }, { shouldFocus: isValid })
    else if (isValid) setWaiting(true)
  }

  return { waiting, submit }
}

type Props = {
  field: (name: PartField) => UseFormRegisterReturn & { error?: string }
  /** What the form holds, as typed. */
  typed: PartForm
  /** A new part has a first stock, and may do without some fields. */
  isNew: boolean
}

/** Picture and fields, side by side where there is room. */
export const formGrid = 'grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]'

/** Offers the kinds that the shop has, so that a kind has one spelling. */
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

/** A warning while fewer are available than the smallest order. The shop allows it. */
function unbookable({ availableQuantity, minimumOrderQuantity }: PartForm): string {
  const isTyped = /^\s*\d+\s*$/
  if (!isTyped.test(availableQuantity) || !isTyped.test(minimumOrderQuantity)) return ''
  const [available, minimum] = [Number(availableQuantity), Number(minimumOrderQuantity)]
  if (available >= minimum) return ''
  return `With ${available} available and a smallest order of ${minimum} it can not be booked: the shop shows it as out of stock.`
}

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
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
        {inputs(['dollars', 'count'])}
      </div>
      <p role="status" className="pb-3 font-medium text-sm empty:pb-0">
        {unbookable(typed)}
      </p>
    </>
  )
}
