/** What long lists may be asked for: GET /orders, and the owner's /allOrders, /products, /user, /reviews; as CSV and for `/count` the same filter without a page. */
import { z } from 'zod'
import type { OrderStatus } from './orders.ts'
import { Id } from './parts.ts'
import { Email, roles } from './users.ts'

export const pageLimit = 500
export const searchLimits = { characters: 100, words: 8 } as const

/** A piece of a long list: at most `limit` rows, those after the row with the id `after`. Without both, everything. */
const piece = {
  limit: z.coerce
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(pageLimit, `must be ${pageLimit} or less`)
    .optional(),
  after: Id.optional(),
}
const Piece = z.object(piece)
export type Piece = z.infer<typeof Piece>

/** The most rows that a list is counted to: what is more costs as little as this. */
export const countLimit = 10_000
/** The rows of a list under a filter; `isMore` when there are more than the `count` that was counted. */
export const RowCount = z.strictObject({ count: z.int().nonnegative(), isMore: z.boolean() })
export type RowCount = z.infer<typeof RowCount>

/** As much of what somebody typed as a list can be searched for. */
export const searchable = (typed: string): string =>
  typed.trim().slice(0, searchLimits.characters).split(/\s+/).slice(0, searchLimits.words).join(' ')

/** Words, each of which the row holds somewhere, in small or capital letters. */
const q = z
  .string()
  .trim()
  .max(searchLimits.characters, `must be ${searchLimits.characters} characters or shorter`)
  .regex(/^\P{Cc}*$/u, 'can not hold control characters')
  .refine((text) => text.split(/\s+/).length <= searchLimits.words, {
    message: `must be ${searchLimits.words} words or fewer`,
  })
  .optional()

const oneOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.enum(names, `must be one of ${names.join(', ')}`)

/** The life of an order as the owner reads it: what is paid waits to be shipped; `held` is unpaid and keeps stock. */
export const shownStatuses = ['unpaid', 'held', 'pending', 'shipped', 'refunded'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/** The status that a word of the owner stands for. */
export const storedStatus = (shown: ShownStatus): OrderStatus =>
  shown === 'pending' ? 'paid' : shown === 'held' ? 'unpaid' : shown

/** The owner's word for a status. */
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
/** Of years that PostgreSQL writes as ISO 8601 does, the day after included: it has no year 0. */
const Moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: noMoment })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear()
    return year >= 1 && year < 9999
  }, noMoment)

const orderFilter = {
  /** Order number, part name, customer, e-mail, order id, transaction id. */
  q,
  status: oneOf(shownStatuses).optional(),
  /** Booked on that day or later. A day is one of UTC; a moment (ISO 8601 with its offset) is itself. */
  from: Moment.optional(),
  /** Booked on that day or earlier, the day included; before a moment. */
  to: Moment.optional(),
  sort: oneOf(orderSorts).default('newest'),
}

/** From when, and before when. */
export function spanOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const end = to === undefined ? undefined : new Date(to)
  if (end && to && !to.includes('T')) end.setUTCDate(end.getUTCDate() + 1)
  return { since: from === undefined ? undefined : new Date(from), before: end }
}

const isForward = (span: Parameters<typeof spanOf>[0]) => {
  const { since, before } = spanOf(span)
  return !since || !before || since < before
}
const backwards = { path: ['to'], message: 'must not be before from' }

/** How numbers of a CSV file are written: `comma` writes 1,5 and parts cells by semicolons, as German spreadsheets do. */
export const csvFormat = { decimals: oneOf(['point', 'comma']).default('point') }

export const OrderFilter = z.object(orderFilter).refine(isForward, backwards)
export type OrderFilter = z.infer<typeof OrderFilter>
export const OrderCsv = z.object({ ...orderFilter, ...csvFormat }).refine(isForward, backwards)
/** Money that came or went on these days (UTC) or between these moments. */
export const PaymentCsv = z
  .object({ from: Moment.optional(), to: Moment.optional(), ...csvFormat })
  .refine(isForward, backwards)
export type PaymentCsv = z.infer<typeof PaymentCsv>
export const OrderList = z.object({ ...orderFilter, ...piece }).refine(isForward, backwards)
export type OrderList = z.infer<typeof OrderList>

export const ownOrderSorts = ['newest', 'unpaid-first'] as const
export type OwnOrderSort = (typeof ownOrderSorts)[number]

/** GET /orders: one's own orders. Unpaid ones first is how My orders shows them. */
export const OwnOrderFilter = z.object({
  email: Email,
  q,
  sort: oneOf(ownOrderSorts).default('newest'),
})
export type OwnOrderFilter = z.infer<typeof OwnOrderFilter>
export const OwnOrderList = OwnOrderFilter.extend(piece)
export type OwnOrderList = z.infer<typeof OwnOrderList>

/** `on-sale` can be booked, `sold-out` can not, `low` can be but not often any more (contracts/stock.ts). */
export const partStates = ['on-sale', 'sold-out', 'low', 'deleted'] as const
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
  /** Name, kind, id. */
  q,
  /** Without it, every part that is not deleted. */
  state: oneOf(partStates).optional(),
  /** `shop` is the order of the shop's own pages; `stock` goes by what is available. */
  sort: oneOf(partSorts).default('shop'),
}
export const PartFilter = z.object(partFilter)
export type PartFilter = z.infer<typeof PartFilter>
export const PartCsv = PartFilter.extend(csvFormat)
export const PartList = PartFilter.extend(piece)
export type PartList = z.infer<typeof PartList>

export const userSorts = ['email', '-email', 'newest', 'oldest'] as const
export type UserSort = (typeof userSorts)[number]

/** Users by e-mail, name or id. */
export const UserFilter = z.object({
  q,
  role: oneOf(roles).optional(),
  blocked: oneOf(['yes', 'no']).optional(),
  sort: oneOf(userSorts).default('email'),
})
export type UserFilter = z.infer<typeof UserFilter>
export const UserList = UserFilter.extend(piece)
export type UserList = z.infer<typeof UserList>

export const reviewStates = ['shown', 'hidden'] as const
export type ReviewState = (typeof reviewStates)[number]
export const reviewSorts = ['newest', 'oldest', 'ratings', '-ratings'] as const
export type ReviewSort = (typeof reviewSorts)[number]

/** Reviews by author, e-mail, text or id; those that their authors removed are in no list. */
export const ReviewFilter = z.object({
  q,
  state: oneOf(reviewStates).optional(),
  /** Written by somebody with a paid order, or not. */
  bought: oneOf(['yes', 'no']).optional(),
  ratings: oneOf(['1', '2', '3', '4', '5']).optional(),
  sort: oneOf(reviewSorts).default('newest'),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>
export const ReviewList = ReviewFilter.extend(piece)
export type ReviewList = z.infer<typeof ReviewList>
