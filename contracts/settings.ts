/**
 * What the owner says of the shop: one list of fields. The form, the calls, the audit log and every
 * page and mail that names the shop follow from it.
 */
import { z } from 'zod'
import { Version } from './api.ts'
import { countryCodes } from './countries.ts'
import { line } from './line.ts'
import { logoFileNames } from './logo.ts'
import { type ShopFacts, sampleName, sampleOwner } from './shop.ts'
import { TimeZone } from './shop-days.ts'
import { Email } from './users.ts'

type SettingsField = {
  /** The field's name in the form, in the audit log and in messages. */
  label: string
  hint?: string
  /** The most characters. */
  max: number
  /** The most lines; one line without it. */
  lines?: number
  isOptional?: true
  format?: 'email' | 'timeZone' | 'country' | 'date' | 'logo'
  /** What can be chosen: value → text. */
  choices?: Record<string, string>
  /** The words of the sample, which a shop has until its owner saves. */
  sample: string
}

const shown = {
  hint: 'It is the sample’s: it leaves as soon as the owner above is yours',
  max: 6,
  choices: { sample: 'Shown with the sample’s owner', shown: 'Shown', hidden: 'Hidden' },
  sample: 'sample',
}

/** The fields of the form, in its order. */
export const settingsFields: Record<keyof ShopFacts, SettingsField> = {
  name: { label: 'Name of the shop', max: 40, sample: sampleName },
  logo: {
    label: 'Logo',
    hint: 'In the header, in tabs and on phones; best a square of at least 512 pixels. Without one, the sample’s ring stays.',
    max: 64,
    isOptional: true,
    format: 'logo',
    sample: '',
  },
  slogan: {
    label: 'In one or two sentences',
    hint: 'In the footer, and in search engines',
    max: 120,
    isOptional: true,
    sample: 'Computer parts, booked before they are paid. What we say is in stock is in stock.',
  },
  owner: {
    label: 'Owner',
    hint: 'Who answers for the shop and its texts, in the imprint and the terms',
    max: 80,
    sample: sampleOwner,
  },
  address: {
    label: 'Address',
    hint: 'Without the name of the shop and the country, up to 5 lines',
    max: 300,
    lines: 5,
    sample: '12 Coil Lane\nPortland, OR 97209\nUnited States',
  },
  country: {
    label: 'Country',
    hint: 'The last line of the address on pages and in mails',
    max: 2,
    isOptional: true,
    format: 'country',
    sample: '',
  },
  phone: { label: 'Phone', max: 40, sample: '+1 503 555 0142' },
  email: {
    label: 'E-mail',
    hint: 'For customers; it stands on pages and in mails',
    max: 254,
    format: 'email',
    sample: 'hello@ferrite.example',
  },
  taxNumber: {
    label: 'Tax number',
    hint: 'In the imprint',
    max: 40,
    isOptional: true,
    sample: '',
  },
  openingHours: {
    label: 'Opening hours',
    hint: 'Beside the phone number on the contact page',
    max: 300,
    lines: 7,
    isOptional: true,
    sample: '',
  },
  timeZone: {
    label: 'Time zone',
    hint: 'Days of reports, exports and mails begin at midnight there',
    max: 64,
    format: 'timeZone',
    sample: 'UTC',
  },
  vacationFrom: {
    label: 'Vacation from',
    hint: 'During these days every page says that you are away; customers can still book and pay',
    max: 10,
    isOptional: true,
    format: 'date',
    sample: '',
  },
  vacationTo: {
    label: 'Vacation to',
    hint: 'The last day, after which you ship again',
    max: 10,
    isOptional: true,
    format: 'date',
    sample: '',
  },
  figures: {
    label: 'Figures of the home page',
    hint: 'Up to 3 lines, like “15+ Countries”. Without them the home page shows no figures.',
    max: 120,
    lines: 3,
    isOptional: true,
    sample: '',
  },
  mailSignature: {
    label: 'End of each mail',
    hint: 'Before the name, phone number and e-mail address of the shop',
    max: 300,
    lines: 5,
    isOptional: true,
    sample: '',
  },
  blogs: { label: 'Page ‘Blogs’', ...shown },
  portfolio: { label: 'Page ‘My portfolio’', ...shown },
}

export type SettingsName = keyof ShopFacts
export const settingsNames = Object.keys(settingsFields) as SettingsName[]

const ofEach = <T>(make: (field: SettingsField) => T) =>
  Object.fromEntries(settingsNames.map((name) => [name, make(settingsFields[name])])) as Record<
    SettingsName,
    T
  >

/** A text of several lines, without empty ones. */
const textOf = ({ label, max, lines, isOptional }: SettingsField & { lines: number }) =>
  z
    .string(`${label} is required`)
    .max(max, `${label} must be ${max} characters or shorter`)
    .transform((text) =>
      text
        .split(/\r\n|\r|\n/)
        .map((each) => each.trim())
        .filter(Boolean)
        .join('\n'),
    )
    .refine((text) => isOptional || text !== '', `${label} is required`)
    .refine((text) => text.split('\n').length <= lines, `${label} can have ${lines} lines at most`)
    .refine((text) => !/(?!\n)\p{Cc}/u.test(text), `${label} cannot hold control characters`)

/** The hash of an uploaded logo. */
const LogoName = z.string().regex(/^[0-9a-f]{64}$/, 'must be the name of an uploaded logo')

const dateOf = ({ label }: SettingsField) =>
  z.iso.date(`${label} must be a date, like 2026-12-24`).or(z.literal(''))

function ruleOf(field: SettingsField): z.ZodType<string, string> {
  if (field.format === 'email') return Email
  if (field.format === 'timeZone') return TimeZone
  if (field.format === 'country') {
    return z.enum(['', ...countryCodes], 'Country must be a code of ISO 3166, like AT')
  }
  if (field.format === 'date') return dateOf(field)
  if (field.format === 'logo') return LogoName.or(z.literal(''))
  if (field.choices) return z.enum(Object.keys(field.choices))
  const { label, max, lines, isOptional } = field
  return lines ? textOf({ ...field, lines }) : line(label, max, isOptional ? 0 : 1)
}

/** The facts of a shop whose owner has saved nothing yet. */
export const sampleFacts: ShopFacts = ofEach(({ sample }) => sample)

const Facts = z
  .strictObject(ofEach(ruleOf))
  .refine(({ vacationFrom, vacationTo }) => !vacationFrom === !vacationTo, {
    path: ['vacationTo'],
    message: 'A vacation needs both days',
  })
  .refine(({ vacationFrom, vacationTo }) => vacationFrom <= vacationTo, {
    path: ['vacationTo'],
    message: 'A vacation cannot end before it begins',
  })

/** POST /logo: name it in the settings, and it is shown. */
export const LogoUploaded = z.strictObject({
  acknowledged: z.literal(true),
  logo: LogoName,
})
export type LogoUploaded = z.infer<typeof LogoUploaded>

/** GET /logo/{logo}/{file}.png */
export const LogoFileParams = z.strictObject({ logo: LogoName, file: z.enum(logoFileNames) })

/** PUT /settings: all of them, and the `version` that the change is based on. */
export const SettingsEdit = z
  .strictObject({
    version: Version,
    settings: z.strictObject({ shop: Facts }),
  })
  .meta({ examples: [{ version: 0, settings: { shop: { ...sampleFacts, name: 'Kiln & Co' } } }] })
export type SettingsEdit = z.infer<typeof SettingsEdit>

export const Settings = z
  .strictObject({
    version: Version,
    settings: z.strictObject({
      shop: z.strictObject(ofEach(() => z.string())),
    }),
  })
  .describe(
    'What the owner says of the shop. `version` rises with every save; 0: nothing was saved, and these are the words of the sample.',
  )
export type Settings = z.infer<typeof Settings>
