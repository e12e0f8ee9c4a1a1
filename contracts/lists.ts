/**
 * Filters, sort orders and pages of the long lists: GET /orders, and for admins /allOrders,
 * /products, /user, /reviews. Their `.csv` and `/count` take the same filter without a page.
 */

import { z } from 'zod'
import { Id } from './api.ts'
import { line } from './line.ts'
import type { OrderStatus } from './orders.ts'
import { isDay } from './shop-days.ts'
import { Email, roles } from './users.ts'

export const pageLimit = 500
export const searchLimits = { characters: 100, words: 8 } as const

/**
 * A page has at most `limit` rows after the row with the id `after`. Without both, it is the whole
 * list.
 */
const page = {
  limit: z.coerce
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(pageLimit, `must be ${pageLimit} or less`)
    .optional(),
  after: Id.optional(),
}
export const Page = z.object(page)
export type Page = z.infer<typeof Page>

/** Counting stops at this many rows, so that long lists stay cheap. */
export const countLimit = 10_000
export const RowCount = z
  .strictObject({ count: z.int().nonnegative(), isMore: z.boolean() })
  .describe('How many rows a filter has; `isMore` when there are more than `count`.')
export type RowCount = z.infer<typeof RowCount>

/** Cuts typed text to the length that a search accepts. */
export const searchable = (typed: string): string =>
  typed.trim().slice(0, searchLimits.characters).split(/\s+/).slice(0, searchLimits.words).join(' ')

/** A search. A row matches when it contains every word, ignoring case. */
export const q = line('', searchLimits.characters)
  .refine((text) => text.split(/\s+/).length <= searchLimits.words, {
    message: `must be ${searchLimits.words} words or fewer`,
  })
  .optional()

const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, `must be one of ${names.join(', ')}`)

/**
 * Order statuses on admin screens. `pending` is paid and not shipped yet; `held` is unpaid and
 * holds stock; `disputed` is an order of any status whose payment the customer disputes at the
 * bank. A list without a status leaves out `deleted`.
 */
export const shownStatuses = [
  'unpaid',
  'held',
  'pending',
  'shipped',
  'refunded',
  'disputed',
  'deleted',
] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** The stored status for a status on admin screens. */
export const storedStatus = (status: Exclude<ShownStatus, 'disputed'>): OrderStatus =>
  status === 'pending' ? 'paid' : status === 'held' ? 'unpaid' : status

/** The status on admin screens. */
export const shownStatus = (status: OrderStatus): string => (status === 'paid' ? 'pending' : status)

export const orderSorts = [
  'newest',
  'oldest',
  'total',
  '-total',
  'product',
  '-product',
  'email',
  '-email',
  'quantity',
  '-quantity',
] as const
export type OrderSort = (typeof orderSorts)[number]

const noMoment = 'must be a date, like 2026-01-31'
/** A date from year 1 to 9998. PostgreSQL does not format other years as ISO 8601. */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: noMoment })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear()
    return year >= 1 && year < 9999
  }, noMoment)

const orderFilter = {
  q: q.describe('Searches: order number, part name, customer, e-mail, order id, transaction id.'),
  status: oneOf(shownStatuses).optional(),
  from: Moment.optional().describe(
    'Booked on that day of the shop or later; or since a moment, ISO 8601 with its offset.',
  ),
  to: Moment.optional().describe('Booked on that day of the shop or earlier; or before a moment.'),
  sort: oneOf(orderSorts)
    .default('newest')
    .describe('`oldest` of `pending` orders is what was paid first; a checkout stays together.'),
}

/** Between a day and a moment only the database can tell, which knows when the day begins. */
function isForward({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (from === undefined || to === undefined || isDay(from) !== isDay(to)) return true
  return isDay(from) ? from <= to : Date.parse(from) < Date.parse(to)
}
const backwards = { path: ['to'], message: 'must not be before from' }

/**
 * The decimal sign of a CSV file. `comma` writes 1,5 and separates cells with semicolons, as German
 * spreadsheets do.
 */
export const csvFormat = { decimals: oneOf(['point', 'comma']).default('point') }

/** A CSV file, as text. */
export const CsvFile = z.string().meta({
  contentMediaType: 'text/csv',
  description:
    'When a replica was read, the header `x-data-age` says by how many seconds the file may be behind.',
})

export const OrderFilter = z.object(orderFilter).refine(isForward, backwards)
export type OrderFilter = z.infer<typeof OrderFilter>
export const OrderCsv = z.object({ ...orderFilter, ...csvFormat }).refine(isForward, backwards)
/** GET /payments.csv: movements of money on these days of the shop, or between these times. */
export const PaymentCsv = z
  .object({ from: Moment.optional(), to: Moment.optional(), ...csvFormat })
  .refine(isForward, backwards)
export type PaymentCsv = z.infer<typeof PaymentCsv>
/** GET /payments/sums: the sums of the same movements. */
export const PaymentSpan = z
  .object({ from: Moment.optional(), to: Moment.optional() })
  .refine(isForward, backwards)
export type PaymentSpan = z.infer<typeof PaymentSpan>
export const OrderList = z.object({ ...orderFilter, ...page }).refine(isForward, backwards)
export type OrderList = z.infer<typeof OrderList>

export const ownOrderSorts = ['newest', 'unpaid-first'] as const
export type OwnOrderSort = (typeof ownOrderSorts)[number]

/** GET /orders: the caller's own orders. My orders shows unpaid ones first. */
export const OwnOrderFilter = z.object({
  email: Email,
  q,
  sort: oneOf(ownOrderSorts).default('newest'),
})
export type OwnOrderFilter = z.infer<typeof OwnOrderFilter>
export const OwnOrderList = OwnOrderFilter.extend(page)
export type OwnOrderList = z.infer<typeof OwnOrderList>

/**
 * `in-shop` is what customers see: `on-sale` can be booked, `sold-out` cannot, `low` can be booked a
 * few more times (contracts/catalogue.ts). `draft` is not on sale yet.
 */
export const partStates = ['in-shop', 'on-sale', 'sold-out', 'low', 'draft', 'deleted'] as const
export type PartState = (typeof partStates)[number]

export const partSorts = [
  'shop',
  'name',
  '-name',
  'price',
  '-price',
  'stock',
  '-stock',
  'newest',
  'oldest',
] as const
export type PartSort = (typeof partSorts)[number]

const partFilter = {
  q: q.describe('Searches: name, kind, description, brand, SKU, manufacturer’s number, EAN, id.'),
  state: oneOf(partStates)
    .optional()
    .describe('Without it, all parts that are not deleted, drafts too.'),
  kind: z.string().max(80).optional().describe('The slug of a kind.'),
  misses: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,39}|weightG)$/, 'is not the key of a field')
    .optional()
    .describe('The key of a field, or `weightG`: parts that do not state it.'),
  sort: oneOf(partSorts)
    .default('shop')
    .describe('`shop` is the order of the catalogue; `stock` sorts by available units.'),
}
export const PartFilter = z.object(partFilter)
export type PartFilter = z.infer<typeof PartFilter>
export const PartCsv = PartFilter.extend(csvFormat)
export const PartList = PartFilter.extend(page)
export type PartList = z.infer<typeof PartList>

export const userSorts = ['email', '-email', 'newest', 'oldest'] as const
export type UserSort = (typeof userSorts)[number]

/** `q` searches users by e-mail, name or id. */
export const UserFilter = z.object({
  q,
  role: oneOf(roles).optional(),
  blocked: oneOf(['yes', 'no']).optional(),
  sort: oneOf(userSorts).default('email'),
})
export type UserFilter = z.infer<typeof UserFilter>
export const UserList = UserFilter.extend(page)
export type UserList = z.infer<typeof UserList>

export const reviewStates = ['shown', 'hidden'] as const
export type ReviewState = (typeof reviewStates)[number]
export const reviewSorts = ['newest', 'oldest', 'ratings', '-ratings'] as const
export type ReviewSort = (typeof reviewSorts)[number]

/**
 * `q` searches reviews by author, e-mail, text or id. No list shows a review that its author
 * removed.
 */
export const ReviewFilter = z.object({
  q,
  state: oneOf(reviewStates).optional(),
  /** Whether the author had a paid order. */
  bought: oneOf(['yes', 'no']).optional(),
  ratings: oneOf(['1', '2', '3', '4', '5']).optional(),
  sort: oneOf(reviewSorts).default('newest'),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>
export const ReviewList = ReviewFilter.extend(page)
export type ReviewList = z.infer<typeof ReviewList>

/** `expected` while units of the delivery are still to come. */
export const deliveryStates = ['expected', 'complete'] as const
export const deliverySorts = ['newest', 'oldest', 'expected', '-expected'] as const
export type DeliverySort = (typeof deliverySorts)[number]

/** `q` searches deliveries by supplier, reference or id. */
export const DeliveryFilter = z.object({
  q,
  state: oneOf(deliveryStates).optional(),
  sort: oneOf(deliverySorts).default('newest'),
})
export type DeliveryFilter = z.infer<typeof DeliveryFilter>
export const DeliveryList = DeliveryFilter.extend(page)
export type DeliveryList = z.infer<typeof DeliveryList>
