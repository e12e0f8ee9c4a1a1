/** What a shop has to pack: the paid checkouts that are not shipped yet. */
import { z } from 'zod'
import { Id } from './api.ts'
import { q } from './lists.ts'
import { OrderNumber } from './orders.ts'
import { methodTypes } from './shipping-rules.ts'
import { StoredAddress } from './stored-address.ts'

/** The most checkouts of one list: a day's packing. */
export const toShipLimit = 100

const PackedLine = z.strictObject({
  orderId: Id,
  number: OrderNumber,
  partId: Id,
  product: z.string(),
  sku: z.string(),
  gtin: z.string(),
  mpn: z.string(),
  quantity: z
    .int()
    .min(0)
    .describe(
      'Units to pack: without those that are withdrawn, or that a refund put back on the shelf.',
    ),
  withdrawn: z
    .int()
    .describe('Units that its customer withdrew from: to be refunded or refused before it leaves.'),
})

export const ToShipCheckout = z
  .strictObject({
    checkoutId: Id,
    number: z.string().describe('What customer and shop call it: that of its lowest order.'),
    paidAt: z.iso.datetime(),
    customer: z.string(),
    email: z.string(),
    phone: z.string(),
    method: z.string().nullable(),
    type: z.enum(methodTypes).nullable(),
    leavesBy: z.iso
      .date()
      .nullable()
      .describe('The last day on which it was to leave; null for a pick-up.'),
    isLate: z.boolean().describe('Whether that day is over.'),
    by: z.iso.date().nullable().describe('The last day on which it was to arrive.'),
    shipTo: StoredAddress.nullable(),
    lacksDelivery: z
      .boolean()
      .describe('Whether it was paid without one of the deliveries that the shop offers.'),
    lines: z.array(PackedLine),
  })
  .describe('A paid checkout with what of it is to be packed.')
export type ToShipCheckout = z.infer<typeof ToShipCheckout>

/** GET /to-ship. */
export const ToShipFilter = z.object({
  q: q.describe(
    'Searches as the list of orders does; also the EAN, manufacturer’s number or SKU of a part.',
  ),
})
export type ToShipFilter = z.infer<typeof ToShipFilter>
export const ToShip = z
  .strictObject({
    total: z.int().min(0),
    checkouts: z.array(ToShipCheckout).max(toShipLimit),
  })
  .describe('The checkouts that were paid first, and how many there are in all.')
export type ToShip = z.infer<typeof ToShip>

/** The most orders of the list of parcels that were shipped last. */
export const shippedLimit = 100

export const ShippedParcel = z
  .strictObject({
    checkoutId: Id,
    number: z.string().describe('What customer and shop call it: that of its lowest order.'),
    shippedAt: z.iso.datetime(),
    customer: z.string(),
    carrier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    lines: z.array(PackedLine.pick({ orderId: true, number: true, product: true })),
  })
  .describe('Orders of one checkout that left together.')
export type ShippedParcel = z.infer<typeof ShippedParcel>
