import type { Caller } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { type HoldRules, mostUnits, readHoldState } from './hold-rules.ts'
import { findPartOnSale } from './store.ts'

/**
 * Computes how many units of a part the customer could book at once now. The form shows it; the
 * booking itself decides again under its locks.
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
  const state = await readHoldState(deps.db, deps, { userId, partId, networks })
  return mostUnits(state, { ...part, available: part.availableQuantity })
}
