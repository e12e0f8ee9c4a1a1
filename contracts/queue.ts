/**
 * The queue for sold-out parts: places of customers who wait for a sold-out part, and the offers
 * they get.
 */
import { z } from 'zod'
import { Amount } from './amount.ts'
import { exampleId, Id } from './api.ts'
import { quantityLimit } from './catalogue.ts'
import { whole } from './counted.ts'
import { ExpectedGoods } from './expected-goods.ts'
import { messages } from './messages.ts'
import {
  type Currency,
  cents,
  fewestUnits,
  maxAmount,
  totalPriceOf,
  totalPriceProblem,
} from './money.ts'
import { typedRules } from './orders.ts'
import type { Part } from './parts.ts'

/** The most parts that one customer may wait for at a time. */
export const placesLimit = 20

const waitText = (least: number, most: number) =>
  `You can wait for ${whole(least)} to ${whole(most)} units`

/**
 * Checks the quantity that a customer waits for, in form and server alike.
 * @param part its price matters because an order of the whole quantity must be payable
 * @returns the message to show, or undefined when the quantity is allowed
 */
export function waitProblem(
  quantity: number,
  part: Pick<Part, 'price' | 'minimumOrderQuantity'>,
  currency: Currency,
): string | undefined {
  const least = fewestUnits(part, currency)
  const most = Math.min(quantityLimit, Math.floor(cents(maxAmount) / cents(part.price)))
  if (quantity >= least && quantity <= most) return undefined
  return totalPriceProblem(totalPriceOf(least, part.price), currency) ?? waitText(least, most)
}

const WaitQuantity = z
  .int({
    error: ({ input }) =>
      input === undefined ? messages.quantityRequired : messages.quantityWhole,
  })
  .min(1, waitText(1, quantityLimit))
  .max(quantityLimit, waitText(1, quantityLimit))

/** POST /queue. A second request for the same part changes the quantity and keeps the place. */
export const QueueJoin = z
  .object({ partId: Id, quantity: WaitQuantity })
  .meta({ examples: [{ partId: exampleId, quantity: 2 }] })
export type QueueJoin = z.infer<typeof QueueJoin>

export const QueuePlace = z
  .strictObject({
    _id: Id,
    partId: Id,
    product: z.string(),
    image: z.string(),
    price: Amount.describe('Of one unit, today.'),
    minimumOrderQuantity: z.int().min(1),
    quantity: z.int().min(1).describe('How many the caller waits for.'),
    offerQuantity: z
      .int()
      .min(1)
      .describe(
        'How many are set aside for the caller, or would be: as many of `quantity` as the caller’s paid orders cover, and one minimum order at least. The place ends when these are booked.',
      ),
    position: z.int().min(1).describe('1 is the first in line.'),
    isOffered: z.boolean().describe('Whether the units are set aside for the caller.'),
    expected: ExpectedGoods,
    offerEndsAt: z.iso
      .datetime()
      .nullable()
      .describe('Null while the caller waits, and until the mail about the offer is on its way.'),
    createdAt: z.iso.datetime(),
  })
  .describe('A place of the caller in the queue of a part. Times are ISO 8601.')
export type QueuePlace = z.infer<typeof QueuePlace>

/** GET /part/{id}/queue */
export const QueueLength = z.strictObject({
  waiting: z.int().min(0).describe('How many customers have a place in the queue of the part.'),
  expected: ExpectedGoods,
})
export type QueueLength = z.infer<typeof QueueLength>

/** POST /queue/{id}/order: `totalPrice` is the total that the customer saw. */
export const OfferAcceptance = z
  .object({ ...typedRules, totalPrice: Amount.optional() })
  .meta({ examples: [{ phone: '+1 555 0100' }] })
export type OfferAcceptance = z.infer<typeof OfferAcceptance>

/** Rows of GET /product/{id}/holders and /user/{id}/holdings. */
export const Holding = z
  .strictObject({
    _id: Id.describe('Of the order, or of the place.'),
    type: z.enum(['order', 'offer', 'place']),
    userId: Id,
    customer: z.string(),
    email: z.string(),
    hasPaid: z
      .boolean()
      .describe('Whether an account of the mailbox has a paid order that was not refunded whole.'),
    partId: Id,
    product: z.string(),
    number: z.string().nullable().describe('Of the order; else null.'),
    quantity: z.int().min(1).describe('Units held, offered, or waited for.'),
    position: z.int().min(1).nullable().describe('In the queue; null for an order.'),
    until: z.iso
      .datetime()
      .nullable()
      .describe('When the hold expires or the offer ends; null for a place that waits.'),
    since: z.iso.datetime(),
  })
  .describe('What an account holds of a part: an unpaid order with a hold, an offer, or a place.')
export type Holding = z.infer<typeof Holding>

/** The most rows of these lists. Orders come first, then offers, then places in queue order. */
export const holdingsLimit = 500

/** POST /user/{id}/release */
export const Released = z
  .strictObject({
    acknowledged: z.literal(true),
    holds: z.int().min(0),
    offers: z.int().min(0),
    places: z.int().min(0),
    paying: z.int().min(0),
  })
  .describe(
    'How many holds, offers and waiting places ended. `paying`: orders whose payment is under way keep their hold.',
  )
export type Released = z.infer<typeof Released>
