import { sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from './client.ts'

/** The key of an advisory lock that nothing else in the shop takes. */
const bulkLock = 20_260_311
/** Parts per transaction. Bookings of these parts wait for it, about a tenth of a second. */
const atOnce = 25

/**
 * Indexes the parts of bulk changes (`parts_to_index`) until none is left. Concurrent callers take
 * turns.
 */
export async function indexParts(db: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await db.execute<{ indexed: number }>(
      sql`select index_parts(${atOnce}) as indexed`,
    )
    if (!rows[0]?.indexed) return
  }
}

/**
 * Changes many parts in one transaction. Bulk changes run one at a time, because two that lock the
 * same parts would deadlock. Indexes the parts' words after the commit, because bookings wait for
 * the transaction's locks.
 */
export async function inBulk<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(${bulkLock}), set_config('ferrite.index_later', 'on', true)`,
    )
    return work(tx)
  })
  // the change is committed: the job indexes what fails here
  await indexParts(db).catch(() => {})
  return result
}
