import { type BaseSyntheticEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import type { Kind } from '#contracts/kinds.ts'
import {
  type Currency,
  currencies,
  fewestUnits,
  fromCents,
  isAmount,
  money,
  readAmount,
  typedAmount,
} from '#contracts/money.ts'
import {
  editableFields,
  fieldNames,
  forEachField,
  isNumeric,
  NewPart,
  type PartDetails,
  type PartField,
  type PartValues,
  partField,
  partRules,
} from '#contracts/parts.ts'
import type { PartPicture } from '#contracts/pictures.ts'
import { Field, TextArea } from '#web/components/field.tsx'
import type { Upload, useUploadQueue } from '#web/features/pictures/picture-input.tsx'
import { useCurrency } from '#web/lib/use-money.ts'
import {
  Choice,
  findKind,
  isSpecName,
  keyOf,
  readSpecForm,
  SpecFields,
  type SpecForm,
  specForm,
} from './spec-fields.tsx'

type TextField = Exclude<PartField, 'specs'>
const textFields = fieldNames.filter((name): name is TextField => name !== 'specs')

/** The values of a part's form, as typed text. */
export type PartForm = Record<TextField, string> & SpecForm
export type FormField = keyof PartForm

/** The input's name in the server's field errors. */
export const refusedName = (name: FormField): string =>
  isSpecName(name) ? `specs.${keyOf(name)}` : name

/** Serialises pictures as form value. */
export const picturesJson = (pictures: PartPicture[]): string =>
  JSON.stringify(pictures.map(({ image, alt }) => ({ image, alt })))

export const emptyPart = (kinds: Kind[]): PartForm => ({
  ...forEachField(textFields, (name) => {
    const field = partField(name)
    return field.format === 'choice' ? String(field.whenMissing) : ''
  }),
  morePictures: picturesJson([]),
  ...specForm(kinds),
})

/** Converts a part to form values. */
export const formOf = (part: PartValues, kinds: Kind[]): PartForm => ({
  ...forEachField(textFields, (name) =>
    partField(name).format === 'amount' ? typedAmount(Number(part[name])) : String(part[name]),
  ),
  morePictures: picturesJson(part.morePictures),
  ...specForm(kinds, part.specs),
})

/**
 * Parses a typed number. Empty text gives undefined and other invalid text NaN: the contract has a
 * message for each.
 */
function typedNumber(text: string, isAmount = false): number {
  const typed = text.trim()
  if (typed === '') return undefined as unknown as number
  if (isAmount) return readAmount(typed)
  return /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN
}

/** Applies the contract's schema for a whole number to typed text. */
export const typedAs = <T extends z.ZodType<number, number>>(rule: T) =>
  z
    .string()
    .transform((text) => typedNumber(text))
    .pipe(rule)

/**
 * The value of an input. An empty input gives undefined, so that the default applies, unless the
 * field may be empty.
 */
function typedValue(name: TextField, text: string) {
  const { whenMissing, format } = partField(name)
  if (isNumeric(name)) return typedNumber(text, format === 'amount')
  if (name === 'morePictures') return JSON.parse(text)
  return text.trim() || (whenMissing === '' ? '' : undefined)
}

/** Applies the schema of the fields to the form's text. */
const typedForm = <Values,>(kinds: Kind[], names: readonly PartField[], rule: z.ZodType<Values>) =>
  z.custom<PartForm>().transform((form, context): Values => {
    const { specs, problems } = readSpecForm(form, findKind(kinds, form.kind))
    const values = forEachField(names, (name) =>
      name === 'specs' ? specs : typedValue(name, form[name]),
    )
    const parsed = rule.safeParse(values)
    for (const [name, message] of problems)
      context.addIssue({ code: 'custom', path: [name], message })
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message })
    return parsed.data ?? z.NEVER
  })

/** The schema of a new part. */
export const addSchema = (kinds: Kind[]) => typedForm<NewPart>(kinds, fieldNames, NewPart)

const Details = z.object(forEachField(editableFields, (name) => partRules[name]))

/** The schema of an existing part: its stock changes only through a correction. */
export const editSchema = (kinds: Kind[]) =>
  typedForm(kinds, editableFields, Details as unknown as z.ZodType<PartDetails>)

/** Whether the chosen picture is still being read or uploaded. */
export const isUploading = ({ phase }: Upload): boolean =>
  phase === 'reading' || phase === 'sending'

const failed = 'This picture was not uploaded. Retry, choose another, or cancel it.'

type Form = Pick<UseFormReturn<PartForm>, 'getValues' | 'setError' | 'trigger'>

type OnTheirWay = {
  uploading: { upload: Upload }
  queue: Pick<ReturnType<typeof useUploadQueue>, 'isBusy' | 'hasFailed'>
}

/**
 * Submits a part's form. If pictures are still uploading, it waits for them; the wait ends when one
 * fails or the first is cancelled. Errors of other fields show at once.
 * @param send validates and sends the form
 */
export function useSendAfterPictures(
  form: Form,
  { uploading: { upload }, queue }: OnTheirWay,
  send: () => Promise<void>,
) {
  const [waiting, setWaiting] = useState<'' | 'first' | 'others'>('')
  const sendNow = useEffectEvent(send)
  const isBusy = isUploading(upload) || queue.isBusy
  const { hasFailed } = queue

  useEffect(() => {
    if (!waiting || isBusy) return
    setWaiting('')
    const isThere = upload.phase === (waiting === 'first' ? 'done' : upload.phase)
    if (isThere && upload.phase !== 'failed' && !hasFailed) void sendNow()
  }, [waiting, isBusy, hasFailed, upload])

  async function submit(event: BaseSyntheticEvent) {
    event.preventDefault()
    if (!isBusy && upload.phase !== 'failed' && !hasFailed) return send()
    const fields = Object.keys(form.getValues()) as FormField[]
    const typed = fields.filter((name) => name !== 'image' && name !== 'morePictures')
    const isValid = await form.trigger(typed, { shouldFocus: true })
    if (upload.phase === 'failed')
      form.setError('image', { message: failed }, { shouldFocus: isValid })
    else if (hasFailed) form.setError('morePictures', { message: failed })
    else if (isValid) setWaiting(isUploading(upload) ? 'first' : 'others')
  }

  return { waiting: waiting !== '', submit }
}

type Props = {
  kinds: Kind[]
  field: (name: FormField) => UseFormRegisterReturn & { error?: string }
  /** The values of the form, as typed. */
  typed: PartForm
  /** A new part has an initial stock, and may omit some fields. */
  isNew: boolean
}

/** Picture and fields, side by side on wide screens. */
export const formGrid = 'grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]'

/**
 * A note when an order needs more than the minimum quantity to reach the card provider's minimum.
 */
function payableFrom({ price: typed, minimumOrderQuantity }: PartForm, currency: Currency): string {
  const price = readAmount(typed)
  const minimum = Number(minimumOrderQuantity || 1)
  if (!(price > 0 && isAmount(price) && minimum > 0)) return ''
  const fewest = fewestUnits({ price, minimumOrderQuantity: minimum }, currency)
  if (fewest === minimum) return ''
  return `At ${money(price, currency)} it is sold from ${fewest} units on: a card cannot pay less than ${money(fromCents(currencies[currency].least), currency)}.`
}

/** A warning when the stock is below the minimum order. The shop allows it. */
function unbookable({ availableQuantity, minimumOrderQuantity }: PartForm): string {
  const isTyped = /^\s*\d+\s*$/
  if (!isTyped.test(availableQuantity) || !isTyped.test(minimumOrderQuantity)) return ''
  const [available, minimum] = [Number(availableQuantity), Number(minimumOrderQuantity)]
  if (available >= minimum) return ''
  return `With ${available} available and a minimum order of ${minimum} it cannot be booked: the shop shows it as out of stock.`
}

function hintOf(name: PartField, isNew: boolean): string | undefined {
  const { hint, whenMissing } = partField(name)
  if (typeof whenMissing !== 'string' || whenMissing === '') return hint
  return isNew
    ? [hint, `Without one it is “${whenMissing}”.`].filter(Boolean).join('. ')
    : undefined
}

/** The input of one field, by its format. Pictures and their texts have separate inputs. */
function Input({ name, field, typed, isNew, list }: Props & { name: TextField; list: string }) {
  const currency = useCurrency()
  const { label, whenMissing, ...rules } = partField(name)
  const isOptional = isNew
    ? whenMissing !== undefined
    : typeof whenMissing === 'object' || whenMissing === ''
  const marked = isOptional ? `${label} (optional)` : label
  const input = { label: marked, required: !isOptional, ...field(name) }
  if (rules.format === 'text') {
    return <TextArea {...input} rows={4} typed={typed[name].trim().length} limit={rules.max} />
  }
  if (rules.format === 'choice') {
    const choices = Object.fromEntries(
      rules.choices.map((choice) => [choice, `${choice[0]?.toUpperCase()}${choice.slice(1)}`]),
    )
    return <Choice label={label} hint={rules.hint} choices={choices} input={field(name)} />
  }
  return (
    <Field
      {...input}
      hint={rules.format === 'amount' ? `${currency}. ${rules.hint}` : hintOf(name, isNew)}
      autoComplete="off"
      inputMode={rules.format === 'amount' ? 'decimal' : isNumeric(name) ? 'numeric' : undefined}
      list={name === 'kind' ? list : undefined}
    />
  )
}

/**
 * Every field of a part except pictures: lines, texts, numbers, then the specification, each in the
 * order of `partFields`.
 */
export function PartFields(props: Props) {
  const { kinds, field, typed, isNew } = props
  const currency = useCurrency()
  const list = useId()
  const inputs = (formats: string[]) =>
    textFields
      .filter((name) => name !== 'imageAlt')
      .filter((name) => isNew || (editableFields as PartField[]).includes(name))
      .filter((name) => formats.includes(partField(name).format))
      .map((name) => <Input key={name} name={name} list={list} {...props} />)
  return (
    <>
      <div className="grid items-end gap-x-5 gap-y-1 sm:grid-cols-2">
        {inputs(['line', 'gtin'])}
      </div>
      <datalist id={list}>
        {kinds.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {inputs(['text'])}
      <div className="grid items-end gap-x-4 gap-y-1 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
        {inputs(['amount', 'count', 'choice'])}
      </div>
      {!isNew && (
        <p className="pb-3 text-dim text-sm">
          Its stock is changed below, under{' '}
          <a href="#stock" className="link">
            Stock
          </a>
          .
        </p>
      )}
      <p role="status" className="pb-3 font-semibold text-sm empty:pb-0">
        {unbookable(typed) || payableFrom(typed, currency)}
      </p>
      <SpecFields kind={findKind(kinds, typed.kind)} field={field} typed={typed} />
    </>
  )
}
