// its own module: pages with a queue do not load the contracts of deliveries
import { z } from 'zod'

/** The next goods of a part that a supplier delivers. */
export const ExpectedGoods = z
  .strictObject({ units: z.int().min(1), on: z.iso.date() })
  .nullable()
  .describe('The next goods from a supplier, and their day; null without any.')
export type ExpectedGoods = z.infer<typeof ExpectedGoods>
