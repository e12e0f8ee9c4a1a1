/**
 * Schemas that several calls share: ids in paths, an admin's reason, and the plain responses of
 * writes.
 */
import { z } from 'zod'
import { messages } from './messages.ts'

/** The id in examples of the API document. */
export const exampleId = '5c0f8f7e-2d0b-4a57-9d0c-6a3f2b1e4d5a'

/** An id in a path. Only UUIDs reach the database. */
export const Id = z.uuid().meta({ examples: [exampleId] })
export const ById = z.object({ id: Id })

/**
 * What an edit is based on: the version as it was read, up to PostgreSQL's largest integer. It
 * rises with every save; 0 where nothing was saved yet.
 */
export const Version = z.int().min(0).max(2_147_483_647)

/**
 * A new position in a list that the owner orders: before or after another item, first of all
 * (`before: null`) or last of all (`after: null`).
 */
export const placeBeside = <T extends z.ZodType<string>>(id: T) =>
  z.union([z.strictObject({ before: id.nullable() }), z.strictObject({ after: id.nullable() })])

/** An admin's reason for hiding a review or blocking an account, stored in the audit log. */
export const Reason = z
  .object({
    reason: z
      .string(messages.reasonRequired)
      .trim()
      .min(1, messages.reasonRequired)
      .max(200, messages.reasonTooLong),
  })
  .meta({ examples: [{ reason: 'An insult.' }] })
export type Reason = z.infer<typeof Reason>

export const Acknowledged = z.strictObject({ acknowledged: z.literal(true) })
export const Inserted = Acknowledged.extend({ insertedId: Id })
export const Modified = Acknowledged.extend({ modifiedCount: z.int() })
export const Deleted = Acknowledged.extend({ deletedCount: z.int() })

/** The result of sending something immediately. */
export const Outcome = Acknowledged.extend({ done: z.boolean(), outcome: z.string() }).describe(
  '`done`: whether it was sent; `outcome`: a sentence about it.',
)
export type Outcome = z.infer<typeof Outcome>

/** The response bodies of writes. @param count the number of rows, or whether there was one */
export const acknowledged = { acknowledged: true } satisfies z.infer<typeof Acknowledged>
export const inserted = (insertedId: string) =>
  ({ acknowledged: true, insertedId }) satisfies z.infer<typeof Inserted>
export const modified = (count: number | boolean) =>
  ({ acknowledged: true, modifiedCount: Number(count) }) satisfies z.infer<typeof Modified>
export const deleted = (count: number | boolean) =>
  ({ acknowledged: true, deletedCount: Number(count) }) satisfies z.infer<typeof Deleted>
