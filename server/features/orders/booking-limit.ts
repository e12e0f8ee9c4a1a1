import { sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import {
  type HoldRules,
  type HoldState,
  holdStateSql,
  mostUnits,
  pauseSeconds,
} from './hold-rules.ts'
import { findPartOnSale } from './store.ts'

/**
 * How many units of a part the customer could book at once now, for the form: the booking itself decides under its locks.
 * @param networks hashes of the request's networks, the narrowest first
 * @throws AppError NOT_FOUND
 */
export async function bookingLimit(
  deps: HoldRules & { db: Database },
  { _id: userId }: Caller,
  partId: string,
  networks: string[],
): Promise<number> {
  const part = found(await findPartOnSale(deps.db, partId), 'part')
  const state = holdStateSql({
    userId: sql`${userId}`,
    partId: sql`${partId}`,
    networks: sql`${sql.param(networks)}`,
    pauseSeconds: sql`${pauseSeconds(deps)}`,
  })
  const { rows } = await deps.db.execute<HoldState>(state)
  return mostUnits(found(rows[0], 'user'), { ...part, available: part.availableQuantity })
}
