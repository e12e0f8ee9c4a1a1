/** What the owner's first page says: GET /overview. */
import { z } from 'zod'
import { OrderNumber } from './orders.ts'
import { Id } from './parts.ts'

/** How many rows each list of the overview has at most. */
export const overviewRows = 5
/** How many days its charts show, and its best sellers are counted over. */
export const overviewDays = 30

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** `timeZone` is an IANA name, in which days begin at midnight; UTC unless told. */
export const OverviewQuery = z.object({
  timeZone: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/, 'must be an IANA time zone, like Europe/Vienna')
    .refine(isTimeZone, 'must be an IANA time zone, like Europe/Vienna')
    .default('UTC'),
})

/**
 * Sums over a stretch of time. `orders` are those booked in it and not deleted, `paid` how many of them are paid by
 * now. `revenue` is dollars: what was paid in it, less what was given back in it, whenever that was booked or paid.
 */
const Sums = z.strictObject({ orders: z.int().min(0), paid: z.int().min(0), revenue: z.number() })
export type Sums = z.infer<typeof Sums>

/** Ends now; `before` is as long, that many days earlier, so that half a day is compared with half a day. */
const Period = z.strictObject({ days: z.int(), now: Sums, before: Sums })
export type Period = z.infer<typeof Period>

/** `date` is the day in the asked time zone, YYYY-MM-DD. */
const Day = Sums.extend({ date: z.iso.date() })
export type Day = z.infer<typeof Day>

/** Of the orders paid in the days of the charts: units less those restocked, dollars less those given back. */
const BestSeller = z.strictObject({
  _id: Id,
  name: z.string(),
  units: z.int(),
  revenue: z.number(),
})
export type BestSeller = z.infer<typeof BestSeller>

const LowPart = z.strictObject({
  _id: Id,
  name: z.string(),
  availableQuantity: z.int(),
  minimumOrderQuantity: z.int(),
})
export type LowPart = z.infer<typeof LowPart>

const Waiting = z.strictObject({
  _id: Id,
  number: OrderNumber,
  product: z.string(),
  customer: z.string(),
  quantity: z.int(),
  totalPrice: z.int(),
})
const Held = Waiting.extend({ holdExpiresAt: z.iso.datetime() })
export type Held = z.infer<typeof Held>
const ToShip = Waiting.extend({ paidAt: z.iso.datetime() })
export type ToShip = z.infer<typeof ToShip>

/** The first rows of a list, and how many there are in all. */
const top = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ total: z.int().min(0), rows: z.array(row).max(overviewRows) })

export const Overview = z.strictObject({
  timeZone: z.string(),
  /** Today, the last 7 and the last 30 days. */
  periods: z.array(Period),
  /** Oldest first, the last one is today; days without an order too. */
  days: z.array(Day).length(overviewDays),
  bestSellers: z.array(BestSeller).max(overviewRows),
  /** How many parts are low and how many can not be booked (contracts/stock.ts), and those of either with the fewest left. */
  lowStock: z.strictObject({
    low: z.int().min(0),
    soldOut: z.int().min(0),
    rows: z.array(LowPart).max(overviewRows),
  }),
  /** Unpaid orders whose stock is held, by when that ends. */
  holds: top(Held),
  /** Paid orders that are not shipped, the longest waiting first. */
  toShip: top(ToShip),
  /** Mails that were given up and not seen to, and what the last comparison with the card provider left. */
  attention: z.strictObject({ mailsGivenUp: z.int().min(0), disagreements: z.int().min(0) }),
  /** Was anything ever booked here? Is anything on sale? */
  hasOrders: z.boolean(),
  hasParts: z.boolean(),
})
export type Overview = z.infer<typeof Overview>
