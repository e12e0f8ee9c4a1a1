/**
 * Parts: the fields of a part as one table, and the calls that read and write parts.
 *
 * The table is the only list of a part's fields. The form, the CSV import and export, the audit
 * log, the view of edit conflicts, the columns that the server selects and updates, and the schemas
 * below derive from it. CONTRIBUTING.md describes how to add a field.
 */

import { z } from 'zod'
import { Amount, amountRule } from './amount.ts'
import { Id, Modified, placeBeside, Version } from './api.ts'
import { pictureAddress, quantityLimit, stockLimit } from './catalogue.ts'
import { Specs } from './kinds.ts'
import { line } from './line.ts'
import { maxAmount } from './money.ts'
import {
  MorePictures,
  type PartPicture,
  Picture,
  pictureLimits,
  pictureRule,
  picturesText,
  readPictures,
} from './pictures.ts'

type Field = {
  /** The field's name on screens, in the audit log and in messages. */
  label: string
  /** Shown next to the input. */
  hint?: string
  /** The default of the field. If it is '', the field may be empty. */
  whenMissing?: string | number | Specs | readonly PartPicture[]
  /**
   * Shown only to admins, or on the part's own page. `GET /part` and `GET /part/{id}` leave it out.
   */
  isUnlisted?: true
  /** The example in the API document; by default `whenMissing`. */
  example?: string | number
  /** Only the form of a new part has the field. Later, stock corrections change it. */
  isFirstStock?: true
} & (
  | { format: 'line' | 'text'; max: number }
  | { format: 'picture' }
  /** All pictures after the first. */
  | { format: 'pictures' }
  | { format: 'choice'; choices: readonly [string, ...string[]] }
  /** The number under a bar code, with its check digit. */
  | { format: 'gtin' }
  /** The part's values for the fields of its kind. */
  | { format: 'specs' }
  | { format: 'count'; min: number; max: number }
  /** An amount in the shop's currency, with at most two decimals. */
  | { format: 'amount'; min: number; max: number }
)

/** The fields that admins edit, in the order of the form and of the CSV file. */
export const partFields = {
  name: { label: 'Name', format: 'line', max: 120, example: 'Updraft 140' },
  kind: {
    label: 'Category',
    hint: 'Such as monitor or fan',
    format: 'line',
    max: 40,
    whenMissing: 'computer part',
  },
  brand: { label: 'Brand', format: 'line', max: 60, whenMissing: '', isUnlisted: true },
  sku: {
    label: 'SKU',
    hint: 'Your own number for this product',
    format: 'line',
    max: 60,
    whenMissing: '',
    isUnlisted: true,
  },
  mpn: {
    label: 'Manufacturer’s number',
    hint: 'As printed by the manufacturer',
    format: 'line',
    max: 60,
    whenMissing: '',
    isUnlisted: true,
  },
  gtin: {
    label: 'EAN',
    hint: 'The number under the barcode',
    format: 'gtin',
    whenMissing: '',
    isUnlisted: true,
  },
  specs: { label: 'Specification', format: 'specs', whenMissing: {}, isUnlisted: true },
  description: {
    label: 'Description',
    format: 'text',
    max: 2000,
    example: 'A quiet fan of 140 mm.',
  },
  image: { label: 'Image', format: 'picture', example: pictureAddress('0f1e2d3c4b5a69788796a5b4') },
  imageAlt: {
    label: 'Alternative text',
    format: 'line',
    max: pictureLimits.alt,
    whenMissing: '',
    isUnlisted: true,
  },
  morePictures: { label: 'More pictures', format: 'pictures', whenMissing: [], isUnlisted: true },
  price: {
    label: 'Price',
    hint: 'Per unit',
    format: 'amount',
    min: 0.01,
    max: maxAmount,
    example: 29,
  },
  cost: {
    label: 'Cost',
    hint: 'What you pay; 0 if unknown',
    format: 'amount',
    min: 0,
    max: maxAmount,
    whenMissing: 0,
    isUnlisted: true,
  },
  minimumOrderQuantity: {
    label: 'Minimum order quantity',
    hint: 'The fewest units in one order',
    format: 'count',
    min: 1,
    max: quantityLimit,
    example: 1,
  },
  availableQuantity: {
    label: 'Available quantity',
    hint: 'In stock now',
    format: 'count',
    min: 0,
    max: stockLimit,
    example: 40,
    isFirstStock: true,
  },
  weightG: {
    label: 'Shipping weight',
    hint: 'Grams per unit, boxed; 0 if unknown',
    format: 'count',
    min: 0,
    max: 100_000,
    whenMissing: 0,
  },
  state: {
    label: 'State',
    hint: 'Customers only see and book what’s on sale',
    format: 'choice',
    choices: ['on sale', 'draft'],
    whenMissing: 'on sale',
    isUnlisted: true,
  },
} as const satisfies Record<string, Field>

type Fields = typeof partFields
export type PartField = keyof Fields
type ValueOf<F> = F extends { format: 'count' | 'amount' }
  ? number
  : F extends { format: 'specs' }
    ? Specs
    : F extends { format: 'pictures' }
      ? PartPicture[]
      : F extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string
/** A value for each field, as the API sends it. */
export type PartValues = { [Name in PartField]: ValueOf<Fields[Name]> }

/** The fields that an edit may change. */
export type EditableField = {
  [Name in PartField]: Fields[Name] extends { isFirstStock: true } ? never : Name
}[PartField]
export type PartDetails = Pick<PartValues, EditableField>
type UnlistedField = {
  [Name in PartField]: Fields[Name] extends { isUnlisted: true } ? Name : never
}[PartField]
/** The public fields. */
export type ListedField = Exclude<PartField, UnlistedField>

export const fieldNames = Object.keys(partFields) as PartField[]
export const editableFields = fieldNames.filter(
  (name): name is EditableField => !('isFirstStock' in partFields[name]),
)

const unlistedFields = fieldNames.filter(
  (name) => 'isUnlisted' in partFields[name],
) as UnlistedField[]
export const listedFields = fieldNames.filter(
  (name): name is ListedField => !('isUnlisted' in partFields[name]),
)

/** Formats a value for forms and CSV files. */
export const fieldText = (value: string | number | readonly PartPicture[]): string =>
  typeof value === 'object' ? picturesText(value) : String(value)

/** Parses a cell or an input of a text or picture field. */
export const readText = (name: string, text: string): string | PartPicture[] =>
  name === 'morePictures' ? readPictures(text) : text

/** Fields that are unique among parts that are not deleted, ignoring case. */
export const uniqueFields = ['name', 'sku', 'gtin'] as const satisfies PartField[]

/** The table's entry for a field, with the general type. */
export const partField = (name: PartField): Field => partFields[name]
export const isNumeric = (name: PartField): boolean => 'min' in partFields[name]

/** Builds a record with one value per field. */
export const forEachField = <Name extends PartField, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
) => Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>

/** Picks the fields of a part that an edit may change. */
export const detailsOf = <Part extends Record<EditableField, unknown>>(part: Part) =>
  forEachField(editableFields, (name) => part[name]) as Pick<Part, EditableField>

const text = (label: string, max: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(max, `${label} must be ${max} characters or shorter`)
    // PostgreSQL cannot store NUL
    .regex(/^[^\0]*$/, `${label} contains a character that cannot be stored`)

const whole = (label: string, min: number, max: number) =>
  z
    .int({
      error: ({ input }) =>
        input === undefined ? `${label} is required` : `${label} must be a whole number`,
    })
    .min(min, `${label} must be ${min} or more`)
    .max(max, `${label} must be ${max} or less`)

/**
 * Verifies the check digit of a GTIN: its fourteen padded digits are weighted 3 and 1 alternately,
 * and their sum must be a multiple of ten.
 */
const hasCheckDigit = (digits: string) =>
  [...digits.padStart(14, '0')].reduce(
    (sum, digit, i) => sum + Number(digit) * (i % 2 ? 1 : 3),
    0,
  ) %
    10 ===
  0

/**
 * Normalizes an EAN, UPC or GTIN to the 8, 13 or 14 digits that the shop stores. Restores leading
 * zeros that a spreadsheet dropped, and removes spaces and hyphens.
 */
export function gtinOf(typed: string): string {
  const digits = typed.replaceAll(/[\s-]/g, '').replace(/^0+(?=\d{13}$)/, '')
  return /^\d{9,12}$/.test(digits) ? digits.padStart(13, '0') : digits
}

const gtin = (label: string) =>
  z
    .string(`${label} is required`)
    .transform(gtinOf)
    .refine(
      (digits) => digits === '' || (/^(\d{8}|\d{13,14})$/.test(digits) && hasCheckDigit(digits)),
      `${label} must be the 8 to 14 digits of a barcode; the last digit doesn’t match the others`,
    )

/** The rule for a field in requests. */
function ruleOf(field: Field) {
  const { label } = field
  if (field.format === 'picture') return pictureRule(label)
  if (field.format === 'pictures') return MorePictures
  if (field.format === 'specs') return Specs
  if (field.format === 'gtin') return gtin(label)
  if (field.format === 'choice')
    return z.enum(field.choices, `${label} must be ${field.choices.join(' or ')}`)
  if (field.format === 'amount') return amountRule(label, field.min, field.max)
  if ('min' in field) return whole(label, field.min, field.max)
  const min = field.whenMissing === '' ? 0 : 1
  return field.format === 'line' ? line(label, field.max, min) : text(label, field.max)
}

type Rules = { [Name in PartField]: z.ZodType<PartValues[Name], PartValues[Name]> }
export const partRules = forEachField(fieldNames, (name) => ruleOf(partFields[name])) as Rules

/** The types of the fields in responses. */
const storedAs = forEachField(fieldNames, (name) => {
  const { format, whenMissing } = partField(name)
  if (format === 'choice' || format === 'pictures') return partRules[name]
  if (format === 'amount') return Amount
  if (format === 'count') return z.int().min(0)
  if (format === 'specs') return Specs
  return whenMissing === '' ? z.string() : z.string().min(1)
}) as Rules

export const Part = z
  .strictObject({
    _id: Id,
    ...(forEachField(listedFields, (name) => storedAs[name]) as Pick<Rules, ListedField>),
    picture: Picture.nullable().describe(
      'What the shop knows of `image`; null for the shop’s own drawings, which are WebP of 480 and 960 pixels.',
    ),
  })
  .describe('A part as visitors see it. `availableQuantity` is on hand less reserved.')
export type Part = z.infer<typeof Part>

export const AdminPart = Part.extend({
  ...(forEachField(unlistedFields, (name) => storedAs[name]) as Pick<Rules, UnlistedField>),
  number: z.int().min(1),
  onHand: z.int().min(0),
  reserved: z.int().min(0),
  toShip: z.int().min(0),
  version: Version,
  deletedAt: z.iso.datetime().nullable(),
  waiting: z.int().min(0).describe('Customers in the queue who are offered nothing yet.'),
  waitingUnits: z.int().min(0).describe('The units that they wait for.'),
}).describe(
  'A part as admins see it. `number` is in the address of its page; `version` rises with every edit; times are ISO 8601. Of the units `onHand`, which lie on the shelf, `reserved` are held, offered, or paid and not shipped yet; `toShip` are those that are paid.',
)
export type AdminPart = z.infer<typeof AdminPart>

/** GET /bestSeller: null in a shop without parts. */
export const BestSellingPart = z.strictObject({ _id: Id.nullable() })
export type BestSellingPart = z.infer<typeof BestSellingPart>

/** Values for the examples of the API document. */
const examplesOf = (names: readonly PartField[]) =>
  forEachField(names, (name) => partField(name).example ?? partField(name).whenMissing)

type NewRules = {
  [Name in PartField]: Fields[Name] extends { whenMissing: unknown }
    ? z.ZodDefault<Rules[Name]>
    : Rules[Name]
}

/** POST /product. `availableQuantity` is the first stock. */
export const NewPart = z
  .object(
    forEachField(fieldNames, (name) => {
      const { whenMissing } = partField(name)
      const rule: z.ZodType = partRules[name]
      return whenMissing === undefined ? rule : rule.default(whenMissing)
    }) as NewRules,
  )
  .meta({ examples: [{ ...examplesOf(fieldNames) }] })
export type NewPart = z.infer<typeof NewPart>

/** Units to add or, below zero, to remove. */
export const StockChange = whole('Correction', -stockLimit, stockLimit)
  .refine((change) => change !== 0, 'Correction cannot be 0')
  .describe('Units to add or, below zero, to remove.')

export const StockCount = whole('Count', 0, stockLimit).describe(
  'Units on the shelf as they were counted, with what is held or paid and not shipped yet.',
)

export const StockCorrection = z
  .object({
    change: StockChange.optional(),
    counted: StockCount.optional(),
    reason: line('Reason', 200, 1),
  })
  .refine(({ change, counted }) => (change === undefined) !== (counted === undefined), {
    message: 'Enter either a change or a count',
    path: ['change'],
  })
  .describe('A correction of the stock after counting or a loss; the ledger keeps the reason.')
export type StockCorrection = z.infer<typeof StockCorrection>

/**
 * PUT /product/{id}: the whole part, and the `version` that the edit is based on. The stock changes
 * only by a correction with a reason: an `availableQuantity` that differs from the stored one is
 * refused.
 */
export const PartEdit = z
  .object({
    ...(forEachField(editableFields, (name) => partRules[name]) as Pick<Rules, EditableField>),
    version: Version,
    stock: StockCorrection.optional(),
    availableQuantity: partRules.availableQuantity
      .optional()
      .describe('Left out, or as it is stored: the stock changes by `stock` alone.'),
  })
  .meta({
    examples: [
      {
        ...examplesOf(editableFields),
        version: 1,
        stock: { change: -2, reason: 'Two arrived broken' },
      },
    ],
  })
export type PartEdit = z.infer<typeof PartEdit>

/** PUT /product/{id}/position */
export const PartMove = placeBeside(Id)
  .describe(
    'The part shall stand before the part `before`, first of all when that is null; or after the part `after`, last of all when that is null.',
  )
  .meta({ examples: [{ before: null }] })
export type PartMove = z.infer<typeof PartMove>
export const PartMoved = Modified.extend({
  back: placeBeside(Id).describe('The move that undoes this one.'),
})
export type PartMoved = z.infer<typeof PartMoved>

/** The types of lines in the stock ledger. */
export const movementTypes = [
  'receive',
  'adjust',
  'hold',
  'release',
  'sell',
  'ship',
  'restock',
  'write off',
  'shelve',
  'offer',
  'withdraw',
] as const

export const StockLine = z
  .strictObject({
    _id: z.int(),
    type: z.enum(movementTypes),
    onHandDelta: z.int(),
    reservedDelta: z.int(),
    onHand: z.int(),
    reserved: z.int(),
    reason: z.string().nullable(),
    orderId: Id.nullable(),
    orderNumber: z.string().nullable().describe('The number of that order, as people read it.'),
    delivery: z
      .strictObject({ _id: Id, supplier: z.string(), reference: z.string() })
      .nullable()
      .describe('Whose goods a receipt is.'),
    createdAt: z.iso.datetime(),
  })
  .describe(
    'One line of a part’s stock ledger. `_id` grows with time; `onHand` and `reserved` are the counters after it.',
  )
export type StockLine = z.infer<typeof StockLine>

/** A page of the ledger, newest first; `after` is the `_id` of the last line of the page before. */
export const LedgerPage = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z.coerce.number().int().min(1).optional(),
})
