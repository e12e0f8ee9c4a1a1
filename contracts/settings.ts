/**
 * What the owner says of the shop: one list of fields. The form, the calls, the audit log and every
 * page and mail that names the shop follow from it.
 */
import { z } from 'zod'
import { Version } from './api.ts'
import { countryCodes } from './countries.ts'
import { line } from './line.ts'
import { logoFileNames } from './logo.ts'
import { Phone } from './orders.ts'
import { type ShopFacts, sampleName, sampleOwner } from './shop.ts'
import { TimeZone } from './shop-days.ts'
import { ratesProblem, readRates } from './tax.ts'
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
  format?:
    | 'email'
    | 'phone'
    | 'timeZone'
    | 'country'
    | 'date'
    | 'time'
    | 'weekdays'
    | 'rates'
    | 'region'
    | 'logo'
  /** A whole number from and to these. */
  range?: readonly [min: number, max: number]
  /** What can be chosen: value → text. */
  choices?: Record<string, string>
  /** The words of the sample, which a shop has until its owner saves. */
  sample: string
}

const shown = {
  hint: 'This is the sample’s: it goes away once you enter your own name as owner above',
  max: 6,
  choices: { sample: 'Shown with the sample’s owner', shown: 'Shown', hidden: 'Hidden' },
  sample: 'sample',
}

/** The fields of the form, in its order. */
export const settingsFields: Record<keyof ShopFacts, SettingsField> = {
  name: { label: 'Name of the shop', max: 40, sample: sampleName },
  logo: {
    label: 'Logo',
    hint: 'In the header, in tabs and on phones; ideally a square of at least 512 pixels. Without one, the sample’s ring stays.',
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
    hint: 'Who is responsible for the shop and its texts, in the imprint and the terms',
    max: 80,
    sample: sampleOwner,
  },
  address: {
    label: 'Address',
    hint: 'Without the shop’s name, up to 5 lines; the country comes from the choice below',
    max: 300,
    lines: 5,
    sample: '12 Coil Lane\nPortland, OR 97209\nUnited States',
  },
  country: {
    label: 'Country',
    hint: 'The last line of the address on pages and in emails. In the EU, the pay button says that the order carries an obligation to pay.',
    max: 2,
    isOptional: true,
    format: 'country',
    sample: '',
  },
  phone: { label: 'Phone', max: 40, format: 'phone', sample: '+1 503 555 0142' },
  email: {
    label: 'Email',
    hint: 'For customers; shown on pages and in emails',
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
  dispatchDays: {
    label: 'Working days',
    hint: 'The days you ship parcels. Delivery dates like “By Friday 27 November” count these days.',
    max: 7,
    format: 'weekdays',
    sample: '12345',
  },
  dispatchUntil: {
    label: 'Same-day cutoff',
    hint: 'Orders paid before this time ship the same day, like 15:00',
    max: 5,
    isOptional: true,
    format: 'time',
    sample: '',
  },
  shipsWithin: {
    label: 'Ships within',
    hint: 'Working days until a parcel ships; 0 means the day of payment',
    max: 2,
    range: [0, 60],
    sample: '0',
  },
  unknownWeight: {
    label: 'Default weight',
    hint: 'Grams, for products without a weight, when delivery is priced by weight',
    max: 6,
    range: [1, 100_000],
    sample: '1000',
  },
  taxMode: {
    label: 'Tax',
    hint: 'Included: prices stay the same, and invoices show the tax in them. Added: we add it at payment, based on where the goods go.',
    max: 8,
    choices: { none: 'None', included: 'Included in prices', added: 'Added by region' },
    sample: 'none',
  },
  taxName: {
    label: 'Tax name',
    hint: 'As customers know it, like VAT or Sales tax',
    max: 20,
    isOptional: true,
    sample: '',
  },
  taxRates: {
    label: 'Tax rates',
    hint: 'One rate per line, in percent: “US-WA 10.1” for a region or country, “19” for everywhere else, “US-CA 7.25 goods” where shipping isn’t taxed. In a country with regional rates, customers must enter their region; in the USA and Canada only, it must match the postcode.',
    max: 4000,
    lines: 200,
    isOptional: true,
    format: 'rates',
    sample: '',
  },
  taxRegion: {
    label: 'Shop’s region',
    hint: 'Its rate applies to pick-ups and orders without an address, like US-OR; if empty, the country’s rate does',
    max: 6,
    isOptional: true,
    format: 'region',
    sample: '',
  },
  returnDays: {
    label: 'Return period',
    hint: 'Days after delivery during which customers can send something back; at least 14',
    max: 3,
    range: [14, 365],
    sample: '14',
  },
  returnsPaidBy: {
    label: 'Return shipping paid by',
    hint: 'You always pay for returns of faulty or wrong items',
    max: 8,
    choices: { customer: 'The customer', shop: 'The shop' },
    sample: 'customer',
  },
  mailPapers: {
    label: 'Invoices in emails',
    hint: 'Attaches the invoice to the receipt, and the credit note to the refund email. The order’s page has them either way.',
    max: 3,
    choices: { off: 'Not attached', on: 'Attached as PDF' },
    sample: 'off',
  },
  openingHours: {
    label: 'Opening hours',
    hint: 'Next to the phone number on the contact page',
    max: 300,
    lines: 7,
    isOptional: true,
    sample: '',
  },
  timeZone: {
    label: 'Time zone',
    hint: 'Days in reports, exports and emails start at midnight there',
    max: 64,
    format: 'timeZone',
    sample: 'UTC',
  },
  vacationFrom: {
    label: 'Vacation from',
    hint: 'During these days, every page says you’re away; customers can still book and pay',
    max: 10,
    isOptional: true,
    format: 'date',
    sample: '',
  },
  vacationTo: {
    label: 'Vacation to',
    hint: 'Your last day away',
    max: 10,
    isOptional: true,
    format: 'date',
    sample: '',
  },
  figures: {
    label: 'Home page figures',
    hint: 'Up to 3 lines, like “15+ Countries”. If empty, the home page shows no figures.',
    max: 120,
    lines: 3,
    isOptional: true,
    sample: '',
  },
  mailSignature: {
    label: 'Email signature',
    hint: 'Goes before the shop’s name, phone number and email address',
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
    .refine((text) => text.split('\n').length <= lines, `${label} can have at most ${lines} lines`)
    .refine((text) => !/(?!\n)\p{Cc}/u.test(text), `${label} cannot contain control characters`)

/** The hash of an uploaded logo. */
const LogoName = z.string().regex(/^[0-9a-f]{64}$/, 'must be the name of an uploaded logo')

/** A whole number, as typed. */
const countOf = ({ label }: SettingsField, [min, max]: readonly [number, number]) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, `${label} must be a whole number`)
    .refine(
      (typed) => Number(typed) >= min && Number(typed) <= max,
      `${label} must be from ${min} to ${max}`,
    )
    // such as 007
    .transform((typed) => String(Number(typed)))

const dateOf = ({ label }: SettingsField) =>
  z.iso.date(`${label} must be a date, like 2026-12-24`).or(z.literal(''))

function ruleOf(field: SettingsField): z.ZodType<string, string> {
  if (field.format === 'email') return Email
  if (field.format === 'phone') return Phone
  if (field.format === 'timeZone') return TimeZone
  if (field.format === 'country') {
    return z.enum(['', ...countryCodes], 'Country must be a code of ISO 3166, like AT')
  }
  if (field.format === 'date') return dateOf(field)
  if (field.format === 'weekdays') {
    return z
      .string()
      .regex(/^1?2?3?4?5?6?7?$/, `${field.label} must be digits from 1, Monday, to 7, in order`)
      .min(1, `${field.label}: choose at least one`)
  }
  if (field.format === 'time') {
    return z
      .string()
      .trim()
      .regex(/^$|^([01]\d|2[0-3]):[0-5]\d$/, `${field.label} must be a time, like 15:00`)
  }
  if (field.format === 'region') {
    return z
      .string()
      .trim()
      .toUpperCase()
      .regex(
        /^$|^[A-Z]{2}-[A-Z0-9]{1,3}$/,
        `${field.label} must be a code of ISO 3166-2, like US-OR`,
      )
  }
  if (field.range) return countOf(field, field.range)
  if (field.format === 'logo') return LogoName.or(z.literal(''))
  if (field.choices) return z.enum(Object.keys(field.choices))
  const { label, max, lines, isOptional } = field
  if (lines) return textOf({ ...field, lines })
  // characters that turn the direction of what stands beside them, in titles and senders
  return line(label, max, isOptional ? 0 : 1).regex(
    /^[^\u2028-\u202e\u2066-\u2069]*$/u,
    `${label} cannot contain control characters`,
  )
}

/** The facts of a shop whose owner has saved nothing yet. */
export const sampleFacts: ShopFacts = ofEach(({ sample }) => sample)

const twoYears = 2 * 366 * 86_400_000

const Facts = z
  .strictObject(ofEach(ruleOf))
  .check(({ value: { taxMode, taxName, taxRates }, issues }) => {
    const problem = ratesProblem(taxRates)
    const refuse = (name: SettingsName, message: string) =>
      issues.push({ code: 'custom', input: taxRates, path: [name], message })
    if (problem) refuse('taxRates', problem)
    if (taxMode === 'none') return
    if (!taxName) refuse('taxName', 'A tax needs a name')
    if (!taxRates) refuse('taxRates', 'A tax needs a rate')
    if (taxMode !== 'included') return
    const rates = readRates(taxRates)
    if (rates.some(({ region }) => region))
      refuse('taxRates', 'Tax included in prices must have one rate for all regions')
    if (rates.some(({ taxesShipping }) => !taxesShipping))
      refuse('taxRates', 'Tax included in prices also applies to shipping')
  })
  .refine(({ vacationFrom, vacationTo }) => !vacationFrom === !vacationTo, {
    path: ['vacationTo'],
    message: 'A vacation needs both days',
  })
  .refine(({ vacationFrom, vacationTo }) => vacationFrom <= vacationTo, {
    path: ['vacationTo'],
    message: 'A vacation cannot end before it begins',
  })
  .refine(({ vacationTo }) => !vacationTo || Date.parse(vacationTo) < Date.now() + twoYears, {
    path: ['vacationTo'],
    message: 'A vacation must end within two years',
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
