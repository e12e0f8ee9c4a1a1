import { z } from 'zod'
import { Amount, amountRule } from './amount.ts'
import { exampleId, Id, Inserted } from './api.ts'
import { maxLines } from './basket.ts'
import { Note } from './desk.ts'
import { InvoiceSummary } from './invoices.ts'
import { Order, Quantity, Shipment, typedRules } from './orders.ts'
import { RefundRequest } from './refunds.ts'
import { OfferedMethod, Shipping } from './shipping.ts'
import { StoredAddress } from './stored-address.ts'
import { TicketSummary } from './tickets.ts'

/** The lines of a checkout, each for a different part or order, whose id is in the field `key`. */
const linesOf = <T extends z.ZodObject>(line: T, key: keyof z.infer<T>) =>
  z
    .array(line)
    .min(1, 'name at least one')
    .max(maxLines, `${maxLines} are the most`)
    .check(({ value: lines, issues }) => {
      for (const [i, each] of lines.entries()) {
        if (lines.findIndex((other) => other[key] === each[key]) === i) continue
        issues.push({ code: 'custom', input: lines, path: [i], message: 'has a line already' })
      }
    })

/** Orders by their ids, each once. */
const orderIds = z
  .array(Id)
  .max(maxLines, `${maxLines} are the most`)
  .overwrite((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])

/** POST /orders. As in `Booking`, the server refuses a `totalPrice` that differs from its own. */
export const CheckoutBooking = z
  .object({
    lines: linesOf(z.object({ partId: Id, quantity: Quantity }), 'partId'),
    ...typedRules,
    totalPrice: Amount.optional(),
  })
  .meta({
    examples: [
      {
        lines: [
          { partId: exampleId, quantity: 1 },
          { partId: exampleId.replace(/.$/, '1'), quantity: 2 },
        ],
        phone: '+1 555 0100',
      },
    ],
  })
export type CheckoutBooking = z.infer<typeof CheckoutBooking>

/** The answer: the checkout and its orders, one for each line, in the order of the lines. */
export const CheckoutBooked = Inserted.extend({ orderIds: z.array(Id) })
export type CheckoutBooked = z.infer<typeof CheckoutBooked>

/** A refund of a checkout, and how far it is. */
const CheckoutRefundState = z.strictObject({
  amount: Amount,
  state: z.enum(['requested', 'pending', 'succeeded', 'failed']),
  requestedAt: z.iso.datetime(),
  givenAt: z.iso.datetime().nullable().describe('When the card provider made it.'),
  sentBackAt: z.iso.datetime().nullable().describe('When a bank returned it.'),
})

/** GET /checkout/{id}. */
export const Checkout = z
  .strictObject({
    _id: Id,
    orders: z.array(Order),
    due: Amount.describe(
      'The amount of its payment: the total of its orders, except deleted ones, with shipping and tax.',
    ),
    shipping: Shipping,
    invoices: z.array(InvoiceSummary).describe('Its invoices and credit notes, the oldest first.'),
    notes: z.array(Note).describe('What the shop noted: for customers only what is for them.'),
    refunds: z.array(CheckoutRefundState).describe('Money that goes back, the oldest first.'),
    tickets: z.array(TicketSummary).describe('What its customer asked for since, newest first.'),
    returnUntil: z.iso
      .date()
      .nullable()
      .describe('The last day to send something back; null while something is not shipped.'),
    returnsPaidBy: z.enum(['customer', 'shop']).describe('Who pays for that.'),
    methods: z.array(OfferedMethod).describe('What an unpaid one can choose.'),
    saysObligation: z
      .boolean()
      .describe(
        'Whether the button that pays it says that the order obliges to pay, as in a shop in the EU.',
      ),
  })
  .describe('What one payment pays, as its customer sees it.')
export type Checkout = z.infer<typeof Checkout>

/** POST /checkouts/join. */
export const CheckoutJoin = z
  .object({ orderIds: orderIds.min(2, 'name at least two orders') })
  .meta({ examples: [{ orderIds: [exampleId, exampleId.replace(/.$/, '1')] }] })

/** POST /checkout/{id}/cancel. */
export const Cancellation = z
  .object({
    orderIds: orderIds
      .min(1)
      .optional()
      .describe('What to cancel; without it, everything that is not shipped yet.'),
  })
  .meta({ examples: [{ orderIds: [exampleId] }] })

/** PUT /checkout/{id}/shipment, which replaces carrier and number. */
export const Parcel = Shipment.extend({
  orderIds: orderIds.min(1).optional().describe('What is in the parcel.'),
})
export type Parcel = z.infer<typeof Parcel>

/** PUT /checkout/{id}/shipped. */
export const PackedParcel = Parcel.extend({
  shipTo: StoredAddress.nullable()
    .optional()
    .describe('The address on the label, as it was read; one that was corrected since is refused.'),
})
export type PackedParcel = z.infer<typeof PackedParcel>

const { reason, ...refundLine } = RefundRequest.shape

/** POST /checkout/{id}/refund, as `RefundRequest` for several orders at once. */
export const CheckoutRefund = z
  .object({
    lines: linesOf(z.object({ orderId: Id, ...refundLine }), 'orderId').optional(),
    shipping: amountRule('Shipping', 0.01).optional().describe('With its tax.'),
    reason,
    ticketId: Id.optional().describe('The ticket of this checkout that the refund settles.'),
  })
  .refine(({ lines, shipping }) => lines ?? shipping, {
    path: ['lines'],
    message: 'choose at least one item, or the shipping',
  })
  .meta({
    examples: [
      { lines: [{ orderId: exampleId, amount: 50, restock: 1 }], reason: 'Arrived broken' },
    ],
  })
export type CheckoutRefund = z.infer<typeof CheckoutRefund>
