import { z } from 'zod'
import { Id } from './parts.ts'

/** A review as everybody sees it; `email` only when the reader wrote it or is an admin. */
export const Review = z.strictObject({
  _id: Id,
  name: z.string(),
  email: z.string().optional(),
  review: z.string(),
  ratings: z.int().min(1).max(5),
})
export type Review = z.infer<typeof Review>
