/** Kinds of parts, and the fields of their specifications. */

import { z } from 'zod'
import { line } from './line.ts'
import { plainLetters } from './plain-letters.ts'

/** One value of a choice, with its other spellings in `also`. */
export const SpecOption = z.strictObject({ value: z.string(), also: z.array(z.string()) })
export type SpecOption = z.infer<typeof SpecOption>

/**
 * A field of a kind's specification. By `type`, a part states `one` or `many` of the options, and
 * other values too if the field `isOpen`; a `number` in the field's unit from `min` to `max`; or
 * `yes` (true) or no.
 */
export const SpecField = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.enum(['one', 'many', 'number', 'yes']),
  unit: z.string(),
  min: z.number(),
  max: z.number(),
  options: z.array(SpecOption),
  isOpen: z.boolean(),
})
export type SpecField = z.infer<typeof SpecField>

export const Kind = z.strictObject({
  name: z.string(),
  slug: z.string(),
  fields: z.array(SpecField),
})
export type Kind = z.infer<typeof Kind>

export const keyPattern = /^[a-z][a-z0-9_]{0,39}$/

export const kindLimits = {
  /** Characters of the name of a kind. */
  name: 40,
  /** Per kind: other names, fields, fields on a card, filters above a list. */
  otherNames: 20,
  fields: 40,
  cards: 6,
  promoted: 6,
  /** Characters of a field's label or heading, of its unit, and of a value. */
  label: 60,
  unit: 12,
  characters: 60,
  /** Per choice: values, other spellings of a value, and values that one part states. */
  values: 100,
  spellings: 20,
  stated: 50,
  /** The largest number: addresses of lists allow nine digits. */
  number: 999_999_999,
} as const

export const specValue = line('A value', kindLimits.characters).min(1, 'A value cannot be empty')

const SpecValue = z.union(
  [specValue, z.array(specValue).min(1).max(kindLimits.stated), z.number(), z.boolean()],
  'A value is a text, a list of texts, a number, true or false',
)
/** A value of a choice, several values, a number, or yes or no. */
export type SpecValue = z.infer<typeof SpecValue>

/** A part's specification, by the keys of its kind's fields. Unknown values are left out. */
export const Specs = z.record(z.string().regex(keyPattern, 'is not the key of a field'), SpecValue)
export type Specs = z.infer<typeof Specs>

/** Separates several values in one text, in forms and CSV files. */
export const valueSeparator = ' | '

export const splitValues = (text: string): string[] => [
  ...new Set(
    text
      .split('|')
      .map((each) => each.trim())
      .filter(Boolean),
  ),
]

/** Formats a value for forms and CSV files. */
export function specText(stated: SpecValue | undefined): string {
  if (stated === undefined) return ''
  if (typeof stated === 'boolean') return stated ? 'yes' : 'no'
  return Array.isArray(stated) ? stated.join(valueSeparator) : String(stated)
}

/** Formats a value with its unit, for display. */
export const specWords = (stated: SpecValue, unit = ''): string =>
  [specText(stated), unit].filter(Boolean).join(' ')

/** Reduces a text to letters, digits and dots, to compare spellings. */
export const comparable = (text: string): string =>
  plainLetters(text).replaceAll(/[^\p{L}\p{N}.]+/gu, '')

type Read = { value: SpecValue } | { problem: string }

const rangeOf = ({ min, max, unit }: SpecField) =>
  ['between', min, 'and', max, unit].filter((word) => word !== '').join(' ')

/**
 * Caches the values of each field by their comparable spellings, because an import needs them for
 * each line.
 */
const spellings = new WeakMap<SpecField, Map<string, string>>()

function spellingsOf(field: SpecField): Map<string, string> {
  const known = spellings.get(field)
  if (known) return known
  // the first option wins where two share a spelling
  const all = field.options
    .toReversed()
    .flatMap(({ value, also }) =>
      [value, ...also].map((spelling) => [comparable(spelling), value] as const),
    )
  const byText = new Map(all)
  spellings.set(field, byText)
  return byText
}

/**
 * Finds the value that a text means, in its canonical spelling; undefined when the field has no
 * such value.
 */
function optionOf(field: SpecField, text: string): string | undefined {
  const { options, isOpen } = field
  if (options.some(({ value }) => value === text)) return text
  const value = spellingsOf(field).get(comparable(text))
  if (value !== undefined) return value
  return isOpen && specValue.safeParse(text).success ? text.trim() : undefined
}

function checkChoice(field: SpecField, stated: string | string[]): Read {
  const texts = [stated].flat()
  const values = texts.map((text) => optionOf(field, text))
  const invalidText = texts.find((_, i) => values[i] === undefined)
  const choices = field.options.map((option) => option.value).join(', ')
  if (invalidText !== undefined) {
    const problem = field.isOpen
      ? `${field.label} must be ${kindLimits.characters} characters or shorter`
      : `${field.label} cannot be “${invalidText.slice(0, kindLimits.characters)}”. Choose from: ${choices}`
    return { problem }
  }
  const distinct = [...new Set(values as string[])]
  if (field.type === 'many') return { value: distinct }
  const [only] = distinct
  if (only === undefined || distinct.length > 1)
    return { problem: `${field.label} has one value. Choose from: ${choices}` }
  return { value: only }
}

/**
 * Validates a value of a field, and replaces other spellings of a choice with the canonical one.
 */
export function checkSpec(field: SpecField, stated: SpecValue): Read {
  const { label, type, min, max, unit } = field
  if (type === 'yes')
    return typeof stated === 'boolean'
      ? { value: stated }
      : { problem: `${label} must be yes or no` }
  if (type === 'number') {
    if (typeof stated !== 'number')
      return { problem: `${label} must be a number${unit && ` of ${unit}`}` }
    if (stated < min || stated > max) return { problem: `${label} must be ${rangeOf(field)}` }
    return { value: stated }
  }
  return typeof stated === 'string' || Array.isArray(stated)
    ? checkChoice(field, stated)
    : { problem: `${label} must be a text` }
}

/** Units of the same quantity, as multiples of the smallest. */
const measures: Record<string, number>[] = [
  { mb: 1, gb: 1000, tb: 1_000_000 },
  { mm: 1, cm: 10, m: 1000, in: 25.4 },
  { w: 1, kw: 1000 },
  { hz: 1, khz: 1000, mhz: 1_000_000, ghz: 1_000_000_000 },
  { g: 1, kg: 1000 },
]

const unitOf = (text: string) => {
  const plain = text.toLowerCase().replaceAll(/[^\p{L}\p{N}/"″]+/gu, '')
  return /^("|″|inch|inches)$/.test(plain) ? 'in' : plain
}

/** Whether a text is a unit that numbers can be given in, such as `kg`. */
export const isUnit = (text: string): boolean => measures.some((each) => unitOf(text) in each)

/** Converts a number between units of the same quantity; undefined between others. */
export function converted(number: number, typed: string, wanted: string): number | undefined {
  const [from, to] = [unitOf(typed), unitOf(wanted)]
  if (from === to) return number
  const measure = measures.find((each) => from in each && to in each)
  if (!measure) return undefined
  return Number(((number * (measure[from] ?? 0)) / (measure[to] ?? 1)).toPrecision(12))
}

/**
 * Parses a number as people write it and converts its unit, such as `2 TB` for a field in GB;
 * undefined for anything else.
 */
function numberOf(text: string, unit: string): number | undefined {
  const [, digits = '', typed = ''] =
    /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,15})?)\s*(.*)$/.exec(text) ?? []
  if (!digits) return undefined
  return converted(Number(digits.replaceAll(',', '')), unitOf(typed) || unit, unit)
}

const spoken: Record<string, boolean> = {
  yes: true,
  y: true,
  true: true,
  no: false,
  n: false,
  false: false,
}

/** Reads a value as people type it into a form or a CSV file. */
export function readSpec(field: SpecField, text: string): Read {
  const typed = text.trim()
  if (field.type === 'number') return checkSpec(field, numberOf(typed, field.unit) ?? typed)
  if (field.type === 'yes') return checkSpec(field, spoken[typed.toLowerCase()] ?? typed)
  return checkSpec(field, field.type === 'many' ? splitValues(typed) : typed)
}
