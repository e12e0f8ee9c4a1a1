import { z } from 'zod'
import { maxTotalPrice } from './money.ts'
import { Picture } from './pictures.ts'

/** An id in a path. Only UUIDs reach the database. */
export const Id = z.uuid()

/**
 * A part as everybody sees it. `price` is in whole dollars; `availableQuantity` is on hand less held. `picture` describes
 * the files of `image`; null for the demo's drawings, which are WebP of 480 and 960 pixels.
 */
export const Part = z.strictObject({
  _id: Id,
  name: z.string().min(1).max(120),
  kind: z.string().min(1).max(40),
  image: z.string().min(1),
  picture: Picture.nullable(),
  description: z.string().min(1).max(2000),
  minimumOrderQuantity: z.int().min(1).max(100_000),
  availableQuantity: z.int().min(0),
  price: z.int().min(1).max(maxTotalPrice),
})
export type Part = z.infer<typeof Part>

/** GET /bestSeller: null in a shop without parts. */
export const BestSellingPart = z.strictObject({ _id: Id.nullable() })
export type BestSellingPart = z.infer<typeof BestSellingPart>
