import type { Currency } from './money.ts'
import type { ShippingStep } from './shipping-rules.ts'
import type { PageLink } from './texts.ts'

/**
 * What the browser needs to use Firebase Auth. `emulator` is the origin of the Auth emulator, or
 * null for Firebase itself.
 */
export type FirebaseFacts = {
  projectId: string
  apiKey: string
  authDomain: string
  emulator: string | null
}

/** The duration of a hold, as every screen and mail shows it: 'a minute', '30 minutes'. */
export function holdText(minutes: number): string {
  const whole = Math.max(1, Math.floor(minutes))
  return whole === 1 ? 'a minute' : `${whole} minutes`
}

/**
 * Says what opening the payment does to a hold of so many minutes, on every screen and in every
 * mail; empty where it cannot last longer.
 */
export function renewalText(minutes: number, maxMinutes: number): string {
  return Math.floor(maxMinutes) > Math.floor(minutes)
    ? `Each time you open the payment page, the clock starts again, up to ${holdText(maxMinutes)} in total.`
    : ''
}

/** The name of a shop whose owner gave it none. */
export const sampleName = 'Ferrite'
/** The owner of such a shop, whose portfolio and blogs the sample shows. */
export const sampleOwner = 'Robin Ferrer'

/** What the owner says of the shop. An address and opening hours have a line break between lines. */
export type ShopFacts = {
  name: string
  /** One line. */
  slogan: string
  /** The name of an uploaded logo (contracts/logo.ts); empty with the shop's own drawing. */
  logo: string
  owner: string
  /** For pages and mails, its last line is the country. */
  address: string
  /** A code of ISO 3166-1, or empty. */
  country: string
  phone: string
  email: string
  taxNumber: string
  /** As `DispatchRules` say. */
  dispatchDays: string
  dispatchUntil: string
  shipsWithin: string
  /** Grams of a part whose weight is unknown. */
  unknownWeight: string
  /** 'none', 'included' or 'added' (contracts/tax.ts). */
  taxMode: string
  /** What it is called: 'VAT'. */
  taxName: string
  /** A rate per line, as `readRates` reads them. */
  taxRates: string
  /** The shop's own region, a code of ISO 3166-2; empty: the country's. */
  taxRegion: string
  /** Days, in digits, for which customers can send something back, and who pays for that. */
  returnDays: string
  /** 'customer' or 'shop'. */
  returnsPaidBy: string
  /** Whether mails carry invoices and credit notes: 'on' or 'off'. */
  mailPapers: string
  openingHours: string
  /** An IANA name. The shop's days begin at midnight there. */
  timeZone: string
  /** The first and the last day of a vacation, YYYY-MM-DD; pages have them while it lasts. */
  vacationFrom: string
  vacationTo: string
  /** Up to three lines, each a figure and what it counts. */
  figures: string
  mailSignature: string
  /** The pages Blogs and My portfolio: 'shown', 'hidden', or 'sample': with the sample's owner. */
  blogs: string
  portfolio: string
}

/** What no page shows. */
const unshown = [
  ...(['country', 'mailSignature', 'vacationFrom', 'dispatchDays', 'dispatchUntil'] as const),
  ...(['shipsWithin', 'unknownWeight', 'returnsPaidBy', 'mailPapers'] as const),
  ...(['taxMode', 'taxName', 'taxRates', 'taxRegion'] as const),
]

/** The part of it that pages show; each byte is in every page. */
export type PageFacts = Omit<ShopFacts, (typeof unshown)[number]>

export const pageFacts = (facts: ShopFacts): PageFacts => {
  const shown: Partial<ShopFacts> = { ...facts }
  for (const name of unshown) delete shown[name]
  return shown as PageFacts
}

/** The postal address, beginning with the shop's name. */
export const addressLines = ({ name, address }: Pick<ShopFacts, 'name' | 'address'>): string[] => [
  name,
  ...address.split('\n'),
]

/** The address that calls a phone number, however it is written: with a '(0)' or an extension. */
export function phoneLink(phone: string): string {
  const [number = '', extension = ''] = phone.split(/(?:ext|x|dw)\.?/i)
  const called = number.replace(/^(\s*\+.*?)\(0\)/, '$1').replaceAll(/[^+\d]/g, '')
  const inside = extension.replaceAll(/\D/g, '')
  return `tel:${called}${inside && `;ext=${inside}`}`
}

/** The path of a page of the owner's own. */
export const pagePath = (address: string): string => `/pages/${address}`

/** What every page with prices says about tax and delivery. */
export type SaleFacts = {
  /** Whether customers choose how they get their order. */
  delivers: boolean
  /** What prices include, or what comes on top: 'incl. 19 % VAT'; empty without a tax. */
  taxNote: string
  /** Deliveries that a payment of now would get; `by` is the last day. */
  offers: { price: number; freeFrom: number | null; steps: ShippingStep[]; by: string }[]
  /** Grams of a part whose weight is unknown. */
  unknownG: number
}

/** The data about the shop that every page gets. */
export type Shop = {
  /** The shop's origin, without a trailing slash. */
  publicUrl: string
  facts: PageFacts
  /** The owner's own pages, for the footer. */
  ownPages: PageLink[]
  /** Null in a shop without delivery and tax. */
  sale: SaleFacts | null
  currency: Currency
  holdMinutes: number
  /** A hold ends at the latest this many minutes after its start, even if it is renewed. */
  holdMaxMinutes: number
  /** An unpaid order is deleted after this many days. */
  expireDays: number
  /** `scriptUrl` is null for Stripe itself; `sandbox` is true when no card is charged. */
  payments: { publishableKey: string; scriptUrl: string | null; sandbox: boolean }
  /**
   * `google` is null without sign-in with Google; its `sandbox` is true for the sandbox. `firebase`
   * is null with the embedded provider.
   */
  identity: { google: { sandbox: boolean } | null; firebase: FirebaseFacts | null }
  /**
   * Whether the shop still has the reviews of the demonstration: it was seeded, and `go-live` has
   * not removed it.
   */
  isDemo: boolean
  /** The path of the sandbox's mailbox; null when mail is real. */
  mailbox: string | null
}
