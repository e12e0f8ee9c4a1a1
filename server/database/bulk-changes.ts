import { sql } from 'drizzle-orm'
import type { Database, Queryable, Transaction } from './client.ts'

/** An advisory lock that nothing else in the shop takes. */
const bulkLock = 20_260_311
/** Bookings of these parts wait meanwhile: about a tenth of a second. */
const atOnce = 25

/** Indexes the parts whose words changed by the thousand (`parts_to_index`), until none waits. Others that do it take turns. */
export async function indexParts(db: Queryable): Promise<void> {
  for (;;) {
    const { rows } = await db.execute<{ indexed: number }>(
      sql`select index_parts(${atOnce}) as indexed`,
    )
    if (!rows[0]?.indexed) return
  }
}

/**
 * Changes many parts in one transaction, one such at a time: two that lock the same parts would deadlock. Words of the changed
 * parts are indexed after it, because bookings wait for its locks.
 */
export async function inBulk<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(${bulkLock}), set_config('ferrite.index_later', 'on', true)`,
    )
    return work(tx)
  })
  // it is written: what fails from here on is left to the job
  await indexParts(db).catch(() => {})
  return result
}
