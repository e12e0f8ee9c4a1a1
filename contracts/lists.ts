import { z } from 'zod'
import { Id } from './parts.ts'

export const pageLimit = 500

/** A piece of a long list: at most `limit` rows, those after the row with the id `after`. Without both, everything. */
export const Piece = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1, 'must be 1 or more')
    .max(pageLimit, `must be ${pageLimit} or less`)
    .optional(),
  after: Id.optional(),
})
export type Piece = z.infer<typeof Piece>
