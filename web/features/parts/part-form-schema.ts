import { z } from 'zod'
import { type AdminPart, NewPart, PartEdit } from '#contracts/admin-parts.ts'

/** What the form of a part holds: text, as typed. */
export type PartFields = {
  name: string
  kind: string
  price: string
  description: string
  image: string
  availableQuantity: string
  minimumOrderQuantity: string
}

export const emptyPart: PartFields = {
  name: '',
  kind: '',
  price: '',
  description: '',
  image: '',
  availableQuantity: '',
  minimumOrderQuantity: '',
}

/** How a part stands in the form. */
export const fieldsOf = (part: AdminPart): PartFields => ({
  name: part.name,
  kind: part.kind,
  price: String(part.price),
  description: part.description,
  image: part.image,
  availableQuantity: String(part.availableQuantity),
  minimumOrderQuantity: String(part.minimumOrderQuantity),
})

/** Typed digits as a number. Nothing is undefined and other text is NaN: the contract has the words for both. */
function typedNumber(text: string): number {
  const typed = text.trim()
  if (typed === '') return undefined as unknown as number
  return /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN
}

/** Text for a whole number, judged by the contract's rule for it. */
export const typedAs = <T extends z.ZodType<number, number>>(rule: T) =>
  z.string().transform(typedNumber).pipe(rule)

const details = {
  name: NewPart.shape.name,
  price: typedAs(NewPart.shape.price),
  description: NewPart.shape.description,
  image: z.string().min(1, 'Image is required').pipe(NewPart.shape.image),
  minimumOrderQuantity: typedAs(NewPart.shape.minimumOrderQuantity),
}

/** A new part. Without a kind it gets the contract's plain one. */
export const AddForm = z.object({
  ...details,
  kind: z
    .string()
    .transform((kind) => kind.trim() || undefined)
    .pipe(NewPart.shape.kind),
  availableQuantity: typedAs(NewPart.shape.availableQuantity),
})

/** A part that exists: its stock is only shown, and changes elsewhere, by a correction. */
export const EditForm = z.object({
  ...details,
  kind: PartEdit.shape.kind,
  availableQuantity: z.string(),
})
