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
  partRules,
} from '#contracts/parts.ts'

/** What the form of a part holds: text, as typed. */
export type PartForm = Record<PartField, string>

export const emptyPart: PartForm = forEachField(fieldNames, () => '')

/** A part as its form shows it. */
export const formOf = (part: PartValues): PartForm =>
  forEachField(fieldNames, (name) => String(part[name]))

/** Typed digits as a number. Nothing is undefined and other text is NaN: the contract has the words for both. */
function typedNumber(text: string): number {
  const typed = text.trim()
  if (typed === '') return undefined as unknown as number
  return /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN
}

/** Text for a whole number, judged by the contract's rule for it. */
export const typedAs = <T extends z.ZodType<number, number>>(rule: T) =>
  z.string().transform(typedNumber).pipe(rule)

type Rule = z.ZodType<string | number, string | number | undefined>

/** A field's rule, over typed text. Nothing typed is undefined, for which a rule may have a default. */
const typedField = (name: PartField, rule: Rule) =>
  z
    .string()
    .transform((text) => (isNumeric(name) ? typedNumber(text) : text.trim() || undefined))
    .pipe(rule)

type Typed<Name extends PartField> = { [N in Name]: z.ZodType<PartValues[N], string> }

/** A new part. */
export const AddForm = z.object(
  forEachField(fieldNames, (name) => typedField(name, NewPart.shape[name])) as Typed<PartField>,
)

/** A part that exists: its stock is only shown, and changes elsewhere, by a correction. */
export const EditForm = z
  .object({
    ...(forEachField(editableFields, (name) =>
      typedField(name, partRules[name]),
    ) as Typed<EditableField>),
    availableQuantity: z.string(),
  })
  .transform(detailsOf)
