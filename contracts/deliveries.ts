/**
 * Goods received: expected deliveries with their lines, received in whole or in part. Only for
 * admins.
 */

import { z } from 'zod'
import { amountRule } from './amount.ts'
import { exampleId, Id } from './api.ts'
import { quantityLimit } from './catalogue.ts'
import { line } from './line.ts'

/** The most lines of a delivery, and the most characters of its texts. */
export const deliveryLimits = { lines: 200, supplier: 120, reference: 60 } as const

const units = (min: number) =>
  z
    .int('Quantity must be a whole number')
    .min(min, `Quantity must be ${min} or more`)
    .max(quantityLimit, `Quantity must be ${quantityLimit} or less`)

const Cost = amountRule('Cost', 0).nullable().describe('Of one unit; null when it is not known.')

const distinct = (ids: string[]) => new Set(ids).size === ids.length

/** POST /delivery */
export const NewDelivery = z
  .object({
    supplier: line('Supplier', deliveryLimits.supplier, 1),
    reference: line('Reference', deliveryLimits.reference).default(''),
    expectedOn: z.iso.date('Expected day must be a date, like 2026-01-31').nullable().default(null),
    lines: z
      .array(z.object({ partId: Id, quantity: units(1), cost: Cost.default(null) }))
      .min(1, 'Add at least one product')
      .max(deliveryLimits.lines, `A delivery can have at most ${deliveryLimits.lines} lines`)
      .refine(
        (lines) => distinct(lines.map(({ partId }) => partId)),
        'Each product can only be listed once',
      ),
  })
  .meta({
    examples: [
      {
        supplier: 'Hollow Hill Wholesale',
        reference: 'HH-20417',
        expectedOn: '2026-12-04',
        lines: [{ partId: exampleId, quantity: 20, cost: 9 }],
      },
    ],
  })
export type NewDelivery = z.infer<typeof NewDelivery>

/**
 * POST /delivery/{id}/receive: the units of each line that arrived now. `received` is the number of
 * received units that the client last read. If another admin has received units of the line
 * meanwhile, the request is refused, so nobody counts the same box twice.
 */
export const Receipt = z
  .object({
    lines: z
      .array(z.object({ lineId: Id, quantity: units(1), received: z.int().min(0) }))
      .min(1, 'Enter how many units have arrived')
      .max(deliveryLimits.lines)
      .refine(
        (lines) => distinct(lines.map(({ lineId }) => lineId)),
        'Each line can only be listed once',
      ),
  })
  .meta({ examples: [{ lines: [{ lineId: exampleId, quantity: 12, received: 0 }] }] })
export type Receipt = z.infer<typeof Receipt>

const summary = {
  _id: Id,
  supplier: z.string(),
  reference: z.string(),
  expectedOn: z.iso.date().nullable(),
  createdAt: z.iso.datetime(),
  parts: z.int().min(0).describe('How many lines it has.'),
  quantity: z.int().min(0).describe('Units of all lines.'),
  received: z.int().min(0),
  canceled: z.int().min(0).describe('Units that will not come.'),
}

export const Delivery = z
  .strictObject(summary)
  .describe(
    'A delivery in a list. It is expected while `received` and `canceled` are less than `quantity`.',
  )
export type Delivery = z.infer<typeof Delivery>

const DeliveryLine = z.strictObject({
  _id: Id,
  partId: Id,
  name: z.string(),
  sku: z.string(),
  quantity: z.int().min(1),
  received: z.int().min(0),
  canceled: z.int().min(0),
  cost: Cost,
})
export type DeliveryLine = z.infer<typeof DeliveryLine>

export const WholeDelivery = z
  .strictObject({ ...summary, lines: z.array(DeliveryLine) })
  .describe('A delivery with its lines. Times are ISO 8601.')
export type WholeDelivery = z.infer<typeof WholeDelivery>

/**
 * GET /product/{id}/deliveries: the units of a part that are still expected, the soonest first.
 * Dates are estimates.
 */
export const ExpectedUnits = z.strictObject({
  deliveryId: Id,
  supplier: z.string(),
  reference: z.string(),
  expectedOn: z.iso.date().nullable(),
  quantity: z.int().min(1).describe('Units that have not come yet.'),
})
export type ExpectedUnits = z.infer<typeof ExpectedUnits>
