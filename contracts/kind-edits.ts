/** How an admin edits kinds and their fields: GET, POST /kinds, GET, PUT, DELETE /kinds/{slug}. */

import { z } from 'zod'
import { placeBeside, Version } from './api.ts'
import { isDrawing, noPicture } from './drawings.ts'
import {
  type FieldRef,
  fieldWords,
  fitFields,
  kindOf,
  kindWords,
  mayStandFor,
} from './fit-fields.ts'
import { comparable, Kind, keyPattern, kindLimits, SpecField, specValue } from './kinds.ts'
import { line } from './line.ts'
import { plainLetters } from './plain-letters.ts'

/**
 * Keys that a field must not have, because they have another meaning in the address of a list or
 * are tracking parameters. The database refuses them too.
 */
export const reservedKeys =
  /^(kind|q|as|brand|stock|sort|after|limit|price|parts|fits|only|constructor|fbclid|gclid|gbraid|wbraid|dclid|msclkid|yclid|twclid|ttclid|igshid|srsltid|(utm|mc|hsa|pk)_.*)$/

const ListedKind = Kind.extend({
  otherNames: z.array(z.string()).describe('What people also call it; files and searches know it.'),
  drawing: z.string().describe('What its parts show that have no picture of their own.'),
  parts: z.int().describe('How many parts it has that are not deleted.'),
})

/** GET /kinds */
export const KindRow = ListedKind.extend({
  stated: z.int().describe('How many of their facts they state: of all, fields times parts.'),
})
export type KindRow = z.infer<typeof KindRow>

const displaySettings = {
  isFacet: z.boolean().describe('Whether customers narrow a list by it.'),
  isSearched: z.boolean().describe('Whether a search finds parts by its values.'),
  isCard: z.boolean().describe('Whether cards show it.'),
  promoted: z.boolean().describe('Whether its filter also stands above the list.'),
  better: z.enum(['more', 'less']).nullable().describe('What a comparison calls better.'),
}

const KindField = SpecField.extend({
  ...displaySettings,
  group: z.string().describe('The heading under which the page of a part has it.'),
  fitField: z
    .string()
    .nullable()
    .describe(
      'The field of the rules of fit that it stands for; one of the shop’s own is its own.',
    ),
  isBuiltin: z.boolean().describe('Whether it is one of the shop’s own, which stay.'),
  stated: z.int().describe('How many parts of the kind state it.'),
  values: z
    .array(z.strictObject({ value: z.string(), parts: z.int() }))
    .describe('Of a choice: the values that parts state, most stated first.'),
})

export type KindField = z.infer<typeof KindField>

/** GET /kinds/{slug} */
export const KindPage = ListedKind.extend({
  version: Version,
  fields: z.array(KindField),
}).describe('A kind with all that an edit of it sends, and how many parts state what.')
export type KindPage = z.infer<typeof KindPage>

export const BySlug = z.object({ slug: z.string().min(1).max(80) })

const kindName = line('Name', kindLimits.name)
  .min(1, 'Name is required')
  .regex(/[\p{L}\p{N}]/u, 'Name must have a letter or digit')
const drawing = z.string().refine(isDrawing, 'is no drawing of the shop').default(noPicture)
const otherNames = z
  .array(line('Another name', kindLimits.name).min(1, 'Another name cannot be empty'))
  .max(kindLimits.otherNames, `A category can have at most ${kindLimits.otherNames} other names`)
  .default([])

/** POST /kinds */
export const NewKind = z
  .strictObject({ name: kindName, otherNames, drawing })
  .meta({ examples: [{ name: 'riser cable' }] })
export type NewKind = z.infer<typeof NewKind>
export const KindAdded = z.strictObject({ acknowledged: z.literal(true), slug: z.string() })
export type KindAdded = z.infer<typeof KindAdded>

const listed = specValue
  .regex(/[\p{L}\p{N}]/u, 'A value must have a letter or digit')
  .regex(/^[^|]*$/, 'A value cannot contain |')

const OptionEdit = z.strictObject({
  value: listed,
  also: z
    .array(listed)
    .max(kindLimits.spellings, `A value can have at most ${kindLimits.spellings} other spellings`)
    .default([]),
  was: z
    .array(z.string())
    .max(kindLimits.values)
    .default([])
    .describe('Values that become this one, in all parts that state them.'),
})

const limit = z
  .number('must be a number')
  .min(0, 'must be 0 or more')
  .max(kindLimits.number, `must be ${kindLimits.number} or less`)

const reserved = 'This name already means something else in addresses. Choose another label.'

/** Checks what depends on the type of a field, and finds duplicate values. */
function checkField(
  { type, unit, min, max, options, isOpen, better, isFacet, promoted }: FieldEdit,
  refuse: (path: PropertyKey[], message: string) => void,
) {
  const isChoice = type === 'one' || type === 'many'
  if (unit && type !== 'number') refuse(['unit'], 'Only numbers have a unit')
  if (better && type !== 'number') refuse(['better'], 'Only numbers can be better or worse')
  if (min > max) refuse(['max'], 'The maximum must not be less than the minimum')
  if (promoted && !isFacet) refuse(['promoted'], 'Only a filter can be above the list')
  if (!isChoice && (options.length > 0 || isOpen)) refuse(['options'], 'Only choices have values')
  if (isChoice && options.length === 0 && !isOpen)
    refuse(['options'], 'A choice needs at least one value, or must accept any')
  const placeOfSpelling = new Map<string, number>()
  for (const [i, option] of options.entries())
    for (const spelling of [option.value, ...option.also].map(comparable)) {
      const other = placeOfSpelling.get(spelling) ?? i
      if (other !== i)
        refuse(['options', i, 'value'], `This is the same as “${options[other]?.value}”`)
      placeOfSpelling.set(spelling, i)
    }
}

const typeWords: Record<SpecField['type'], string> = {
  one: 'one of several values',
  many: 'several values',
  number: 'a number',
  yes: 'yes or no',
}
const measure = ({ type, unit }: { type: SpecField['type']; unit?: string }) =>
  `${typeWords[type]}${unit ? ` in ${unit}` : ''}`

/**
 * Finds fields that cannot stand for those of the rules of fit: of another type or unit, two for the
 * same, or for those of two kinds.
 */
function checkFitFields(
  fields: FieldEdit[],
  refuse: (path: PropertyKey[], message: string) => void,
): void {
  const standing = fields.flatMap((field, i) =>
    field.fitField ? [{ ...field, ref: field.fitField, i }] : [],
  )
  const [first] = standing
  const taken = new Map<FieldRef, string>()
  for (const { ref, label, type, unit, i } of standing) {
    const other = taken.get(ref)
    const says = (message: string) => refuse(['fields', i, 'fitField'], message)
    if (!mayStandFor({ type, unit }, ref))
      says(
        `“${label}” is ${measure({ type, unit })}, “${fieldWords(ref)}” is ${measure(fitFields[ref])}`,
      )
    else if (other !== undefined)
      says(`“${other}” already counts as “${fieldWords(ref)}”, so “${label}” can’t`)
    else if (first && kindOf(first.ref) !== kindOf(ref))
      says(
        `“${first.label}” makes this category a ${kindWords(kindOf(first.ref))}, so “${label}” can’t count as a field of a ${kindWords(kindOf(ref))}`,
      )
    taken.set(ref, other ?? label)
  }
}

const FieldEdit = z.strictObject({
  key: z
    .string()
    .regex(keyPattern, 'Label must have a letter or digit')
    .refine((key) => !reservedKeys.test(key), reserved)
    .describe('Of a field that is there, or of a new one: the name of its column and filter.'),
  label: line('Label', kindLimits.label, 1),
  type: SpecField.shape.type,
  unit: line('Unit', kindLimits.unit).default(''),
  min: limit.default(0),
  max: limit.default(1_000_000),
  options: z
    .array(OptionEdit)
    .max(kindLimits.values, `A choice can have at most ${kindLimits.values} values`)
    .default([]),
  isOpen: z.boolean().default(false).describe('Whether a choice takes further values.'),
  isFacet: displaySettings.isFacet.default(true),
  isSearched: displaySettings.isSearched.default(true),
  isCard: displaySettings.isCard.default(false),
  promoted: displaySettings.promoted.default(false),
  better: displaySettings.better.default(null),
  group: line('Heading', kindLimits.label).default(''),
  fitField: z
    .enum(Object.keys(fitFields) as FieldRef[], 'The fit rules have no such field')
    .nullable()
    .default(null)
    .describe('The field of the rules of fit that it stands for, of the same type and unit.'),
})
export type FieldEdit = z.infer<typeof FieldEdit>

/**
 * PUT /kinds/{slug}: the complete new state of the kind. Fields and values that are left out are
 * removed.
 */
export const KindEdit = z
  .strictObject({
    version: Version,
    name: kindName,
    otherNames,
    drawing,
    fields: z
      .array(FieldEdit)
      .max(kindLimits.fields, `A category can have at most ${kindLimits.fields} fields`)
      .describe('In the order in which forms, filters and pages have them.'),
    losing: z
      .boolean()
      .default(false)
      .describe(
        'Whether parts lose what they state of a removed field or value, and rules of fit the field or value that they read.',
      ),
  })
  .superRefine(({ fields }, context) => {
    const keys = new Map<string, number>()
    const labels = new Map<string, number>()
    for (const [i, field] of fields.entries()) {
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path: ['fields', i, ...path], message })
      checkField(field, refuse)
      const label = comparable(`${field.label} ${field.unit}`)
      if (labels.has(label) || keys.has(field.key))
        refuse(['label'], `Another field is already called “${field.label}”`)
      labels.set(label, i)
      keys.set(field.key, i)
    }
    checkFitFields(fields, (path, message) => context.addIssue({ code: 'custom', path, message }))
    for (const [name, max, where] of [
      ['isCard', kindLimits.cards, 'A card can show'],
      ['promoted', kindLimits.promoted, 'A list can show above it'],
    ] as const) {
      const chosen = fields.flatMap((field, i) => (field[name] ? [i] : []))
      const message = `${where} at most ${max} of a category’s fields`
      if (chosen.length > max)
        context.addIssue({ code: 'custom', path: ['fields', chosen[max] ?? 0, name], message })
    }
  })
  .meta({
    examples: [
      {
        version: 1,
        name: 'riser cable',
        otherNames: ['gpu riser'],
        fields: [
          { key: 'length_mm', label: 'Length', type: 'number', unit: 'mm', max: 1000 },
          { key: 'pcie', label: 'PCIe', type: 'one', options: [{ value: '4.0', also: ['gen 4'] }] },
        ],
      },
    ],
  })
export type KindEdit = z.infer<typeof KindEdit>

/** PUT /kinds/{slug}/position */
export const KindMove = placeBeside(BySlug.shape.slug)
  .describe(
    'The kind shall stand before the kind `before`, first of all when that is null; or after the kind `after`, last of all when that is null.',
  )
  .meta({ examples: [{ before: null }] })
export type KindMove = z.infer<typeof KindMove>

/** Derives the key of a new field from its label and unit, for use in addresses and files. */
export const keyFor = (label: string, unit: string): string =>
  plainLetters(`${label} ${unit}`)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)
