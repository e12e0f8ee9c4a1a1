/**
 * What the owner says of the shop: one list of fields. The form, the calls, the audit log and every
 * page and mail that names the shop follow from it.
 */
import { z } from 'zod'
import { line } from './line.ts'
import type { ShopFacts } from './shop.ts'
import { Email } from './users.ts'

type SettingsField = {
  /** The field's name in the form, in the audit log and in messages. */
  label: string
  hint?: string
  rule: z.ZodType<string, string>
  /** A field of several lines, with so many characters at most. */
  isText?: true
  max?: number
  /** Of a shop that never saved: the sample's. */
  sample: string
}

/** A text of several lines. @param lines the most lines @param max characters in all */
const lines = (label: string, limits: { lines: number; max: number; min?: number }) =>
  z
    .string(`${label} is required`)
    .max(limits.max, `${label} must be ${limits.max} characters or shorter`)
    .transform((text) =>
      text
        .split(/\r\n|\r|\n/)
        .map((each) => each.trim())
        .filter(Boolean)
        .join('\n'),
    )
    .refine((text) => text.length >= (limits.min ?? 0), `${label} is required`)
    .refine(
      (text) => text.split('\n').length <= limits.lines,
      `${label} can have ${limits.lines} lines at most`,
    )
    .refine((text) => !/(?!\n)\p{Cc}/u.test(text), `${label} cannot hold control characters`)

/** The fields of the form, in its order. */
export const settingsFields = {
  name: { label: 'Name of the shop', rule: line('Name of the shop', 40, 1), sample: 'Ferrite' },
  owner: {
    label: 'Owner',
    hint: 'Who answers for the shop and its texts, in the imprint and the terms',
    rule: line('Owner', 80, 1),
    sample: 'Robin Ferrer',
  },
  address: {
    label: 'Address',
    hint: 'Without the name of the shop, up to 5 lines',
    isText: true,
    max: 300,
    rule: lines('Address', { lines: 5, max: 300, min: 1 }),
    sample: '12 Coil Lane\nPortland, OR 97209\nUnited States',
  },
  phone: { label: 'Phone', rule: line('Phone', 40, 1), sample: '+1 503 555 0142' },
  email: {
    label: 'E-mail',
    hint: 'For customers; it stands on pages and in mails',
    rule: Email,
    sample: 'hello@ferrite.example',
  },
  taxNumber: {
    label: 'Tax number (optional)',
    hint: 'In the imprint',
    rule: line('Tax number', 40),
    sample: '',
  },
  openingHours: {
    label: 'Opening hours (optional)',
    hint: 'Beside the phone number on the contact page',
    isText: true,
    max: 300,
    rule: lines('Opening hours', { lines: 7, max: 300 }),
    sample: '',
  },
} as const satisfies Record<keyof ShopFacts, SettingsField>

export type SettingsName = keyof ShopFacts
export const settingsNames = Object.keys(settingsFields) as SettingsName[]

/** A field's name where it is not typed. */
export const settingsLabel = (name: SettingsName): string =>
  settingsFields[name].label.replace(' (optional)', '')

const pick = <T>(pickOf: (name: SettingsName) => T) =>
  Object.fromEntries(settingsNames.map((name) => [name, pickOf(name)])) as Record<SettingsName, T>

/** Those of the sample: of a shop whose owner has saved nothing yet. */
export const sampleFacts: ShopFacts = pick((name) => settingsFields[name].sample)

const Facts = z.strictObject(
  pick((name) => settingsFields[name].rule) as Record<SettingsName, z.ZodType<string, string>>,
)

/** PUT /settings: all of them, and the `version` that the change is based on. */
export const SettingsEdit = z
  .strictObject({
    version: z.int().min(0),
    settings: z.strictObject({ shop: Facts }),
  })
  .meta({ example: { version: 0, settings: { shop: { ...sampleFacts, name: 'Kiln & Co' } } } })
export type SettingsEdit = z.infer<typeof SettingsEdit>

export const Settings = z
  .strictObject({
    version: z.int().min(0),
    settings: z.strictObject({
      shop: z.strictObject(pick(() => z.string())),
    }),
  })
  .describe(
    'What the owner says of the shop. `version` rises with every save; 0: nothing was saved, and these are the words of the sample.',
  )
export type Settings = z.infer<typeof Settings>
