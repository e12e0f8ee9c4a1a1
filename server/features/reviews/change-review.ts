import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { NewReview } from '#contracts/reviews.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { found } from '#server/errors.ts'
import { lockReview } from './store.ts'

const set = (tx: Transaction, id: string, values: PgUpdateSetSource<typeof reviews>) =>
  tx.update(reviews).set(values).where(eq(reviews._id, id))

const now = sql`now()`

/** Locks the caller's own review. @throws AppError NOT_FOUND, even for another user's review */
async function lockOwn(tx: Transaction, caller: Caller, id: string) {
  const review = await lockReview(tx, id)
  return found(review?.userId === caller._id ? review : null, 'review')
}

/**
 * Changes the text or stars of the caller's review. A hidden review stays hidden.
 * @returns whether anything changed
 * @throws AppError NOT_FOUND, even for a removed review or another user's
 */
export function editReview(
  db: Database,
  caller: Caller,
  id: string,
  { review, ratings }: NewReview,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await lockOwn(tx, caller, id)
    found(before.removedAt ? null : before, 'review')
    if (before.review === review && before.ratings === ratings) return false
    await set(tx, id, { review, ratings, editedAt: now })
    return true
  })
}

/**
 * Removes the text of the caller's review. The row stays, because it counts towards the daily
 * limit.
 * @returns false when it was already removed
 * @throws AppError NOT_FOUND, even for another user's review
 */
export function removeReview(db: Database, caller: Caller, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await lockOwn(tx, caller, id)
    if (before.removedAt) return false
    await set(tx, id, { review: '', removedAt: now, idempotencyKey: null })
    return true
  })
}

export type Moderation = { caller: Caller; id: string; reason: string }

/** Hides these reviews and adds each to the audit log. The caller has locked them. */
export async function hideReviews(
  tx: Transaction,
  caller: Caller,
  ids: string[],
  reason: string,
): Promise<void> {
  for (const id of ids) await set(tx, id, { hiddenAt: now, hiddenReason: reason })
  await logActions(
    tx,
    ids.map((reviewId) => ({
      actor: caller,
      action: 'review hidden',
      reviewId,
      detail: { reason },
    })),
  )
}

/**
 * Hides a review.
 * @returns false when it was already hidden
 * @throws AppError NOT_FOUND, even when its author removed it
 */
export function hideReview(db: Database, { caller, id, reason }: Moderation): Promise<boolean> {
  return db.transaction(async (tx) => {
    const review = await lockReview(tx, id)
    const { hiddenAt } = found(review?.removedAt === null ? review : null, 'review')
    if (hiddenAt) return false
    await hideReviews(tx, caller, [id], reason)
    return true
  })
}

/** Shows a hidden review again. @returns false when it was not hidden @throws AppError NOT_FOUND */
export function showReview(db: Database, { caller, id, reason }: Moderation): Promise<boolean> {
  return db.transaction(async (tx) => {
    const review = await lockReview(tx, id)
    const { hiddenAt } = found(review?.removedAt === null ? review : null, 'review')
    if (!hiddenAt) return false
    await set(tx, id, { hiddenAt: null, hiddenReason: null })
    const detail = { reason }
    await logActions(tx, [{ actor: caller, action: 'review shown', reviewId: id, detail }])
    return true
  })
}
