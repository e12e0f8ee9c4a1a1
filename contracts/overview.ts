/** GET /overview: the start page of admins. */
import { z } from 'zod'
import { Amount } from './amount.ts'
import { Id } from './api.ts'
import { FirstSteps } from './first-steps.ts'
import { OrderNumber } from './orders.ts'

/** The most rows of each list on the overview. */
export const overviewRows = 5
/** The days that charts and best sellers cover. */
export const overviewDays = 30

/**
 * Sums over a span of time. `orders` counts orders that were booked in the span and not deleted;
 * `paid` counts those of them that are paid now. `revenue` is the payments in the span less the
 * refunds in it, whenever the orders were booked.
 */
const Sums = z.strictObject({ orders: z.int().min(0), paid: z.int().min(0), revenue: Amount })
export type Sums = z.infer<typeof Sums>

/**
 * `now` is the current period until now; `before` is equally long and `days` earlier, so that half
 * a day is compared with half a day.
 */
const Period = z.strictObject({ days: z.int(), now: Sums, before: Sums })
export type Period = z.infer<typeof Period>

/** `date` is YYYY-MM-DD by the shop's clock. */
const Day = Sums.extend({ date: z.iso.date() })
export type Day = z.infer<typeof Day>

/**
 * Sums over the orders paid in the last `overviewDays`: units less restocked ones, revenue less
 * refunds.
 */
const BestSeller = z.strictObject({
  _id: Id,
  name: z.string(),
  units: z.int(),
  revenue: Amount,
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
  totalPrice: Amount,
})
const Held = Waiting.extend({ holdExpiresAt: z.iso.datetime() })
export type Held = z.infer<typeof Held>
const ToShip = Waiting.extend({ paidAt: z.iso.datetime() })
export type ToShip = z.infer<typeof ToShip>

const top = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ total: z.int().min(0), rows: z.array(row).max(overviewRows) })

export const Overview = z.strictObject({
  firstSteps: FirstSteps.describe('What a new shop still needs: whether each step is done.'),
  timeZone: z.string().describe('The shop’s: its days begin at midnight there.'),
  figuresAge: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Seconds by which periods, days and best sellers may be behind; null unless a replica was read.',
    ),
  periods: z.array(Period).describe('Today, the last 7 and the last 30 days.'),
  days: z
    .array(Day)
    .length(overviewDays)
    .describe('Oldest first, ending today; days without an order are included.'),
  bestSellers: z.array(BestSeller).max(overviewRows),
  lowStock: z
    .strictObject({
      low: z.int().min(0),
      soldOut: z.int().min(0),
      rows: z.array(LowPart).max(overviewRows),
    })
    .describe(
      'Counts of parts that are low or sold out, and the parts of either with the fewest units.',
    ),
  /** Unpaid orders that hold stock, the next to expire first. */
  holds: top(Held),
  /** Paid orders that are not shipped, the longest waiting first. */
  toShip: top(ToShip),
  attention: z
    .strictObject({
      mailsGivenUp: z.int().min(0),
      issues: z.int().min(0),
      disputes: z.int().min(0),
      failingChecks: z.int().min(0),
      late: z.int().min(0).describe('Parcels that were to leave before today.'),
      tickets: z.int().min(0).describe('Tickets that wait for the shop.'),
      ticketsSince: z.iso.datetime().nullable().describe('Since when the oldest of them waits.'),
    })
    .describe(
      'Mails given up and not dismissed, issues that the last reconciliation left, orders with an open dispute, and health checks that find something wrong.',
    ),
  hasOrders: z
    .boolean()
    .describe('Whether anything was ever booked, and whether anything is on sale.'),
  hasParts: z.boolean(),
})
export type Overview = z.infer<typeof Overview>
