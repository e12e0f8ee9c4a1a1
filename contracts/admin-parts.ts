/** Parts as admins edit them: GET /products, POST /product, PUT /product/{id}. */
import { z } from 'zod'
import { maxTotalPrice } from './money.ts'
import { Id, Part } from './parts.ts'

export const partLimits = { name: 120, kind: 40, description: 2000, stock: 1_000_000 } as const
/** The kind of a part that was added without one. */
const plainKind = 'computer part'

/** A part as admins see it. `version` rises with every edit; times are ISO 8601. */
export const AdminPart = Part.extend({
  onHand: z.int().min(0),
  reserved: z.int().min(0),
  version: z.int().min(1),
  deletedAt: z.iso.datetime().nullable(),
})
export type AdminPart = z.infer<typeof AdminPart>

const line = (name: string, max: number) =>
  z
    .string(`${name} is required`)
    .trim()
    .min(1, `${name} is required`)
    .max(max, `${name} must be ${max} characters or shorter`)
    .regex(/^\P{Cc}*$/u, `${name} can not hold control characters`)

const whole = (name: string, min: number, max: number) =>
  z
    .int({
      error: ({ input }) =>
        input === undefined ? `${name} is required` : `${name} must be a whole number`,
    })
    .min(min, `${name} must be ${min} or more`)
    .max(max, `${name} must be ${max} or less`)

const details = {
  name: line('Name', partLimits.name),
  image: z
    .string('Image is required')
    .regex(/^\/images\/[0-9a-f]{24}-960\.webp$/, 'Image must be a picture uploaded to this shop'),
  description: z
    .string('Description is required')
    .trim()
    .min(1, 'Description is required')
    .max(
      partLimits.description,
      `Description must be ${partLimits.description} characters or shorter`,
    ),
  minimumOrderQuantity: whole('Minimum order quantity', 1, 100_000),
  price: whole('Price', 1, maxTotalPrice),
}

/** POST /product. `price` in whole dollars; `availableQuantity` is the first stock. */
export const NewPart = z.object({
  ...details,
  kind: line('Kind', partLimits.kind).default(plainKind),
  availableQuantity: whole('Available quantity', 0, partLimits.stock),
})
export type NewPart = z.infer<typeof NewPart>

/** A correction of the stock after counting or a loss; the ledger keeps the reason. */
export const StockCorrection = z.object({
  /** Units to add or, below zero, to remove. */
  change: whole('Correction', -partLimits.stock, partLimits.stock).refine(
    (change) => change !== 0,
    'Correction can not be 0',
  ),
  reason: line('Reason', 200),
})

export type StockCorrection = z.infer<typeof StockCorrection>

/**
 * PUT /product/{id}: the whole part, and the `version` that the edit began with. The stock changes only by a correction
 * with a reason.
 */
export const PartEdit = z.object({
  ...details,
  kind: line('Kind', partLimits.kind),
  version: z.int().min(1),
  stock: StockCorrection.optional(),
})
export type PartEdit = z.infer<typeof PartEdit>

export const PartAdded = z.strictObject({ acknowledged: z.literal(true), insertedId: Id })

/** One line of a part's stock ledger. `_id` grows with time; `onHand` and `reserved` are the counters after it. */
export const StockLine = z.strictObject({
  _id: z.int(),
  type: z.enum(['receive', 'adjust', 'hold', 'release', 'sell', 'restock']),
  onHandDelta: z.int(),
  reservedDelta: z.int(),
  onHand: z.int(),
  reserved: z.int(),
  reason: z.string().nullable(),
  orderId: Id.nullable(),
  createdAt: z.iso.datetime(),
})
export type StockLine = z.infer<typeof StockLine>

/** A page of the ledger, newest first; `after` is the `_id` of the last line read. */
export const LedgerPiece = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  after: z.coerce.number().int().min(1).optional(),
})
