/** What every call shares: ids in paths, and the answers of writes that have nothing else to say. */
import { z } from 'zod'

/** An id in a path. Only UUIDs reach the database. */
export const Id = z.uuid()
export const ById = z.object({ id: Id })

export const Acknowledged = z.strictObject({ acknowledged: z.literal(true) })
export const Inserted = Acknowledged.extend({ insertedId: Id })
export const Modified = Acknowledged.extend({ modifiedCount: z.int() })
export const Deleted = Acknowledged.extend({ deletedCount: z.int() })
