import { eq, sql } from 'drizzle-orm'
import { messages } from '#contracts/messages.ts'
import type { WrittenReview } from '#contracts/reviews.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, refusedBy } from '#server/database/client.ts'
import { idempotent, requestHash } from '#server/database/idempotency.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError } from '#server/errors.ts'
import {
  limitsOfNetworks,
  type RateLimiter,
  reviewsOfBuyer,
  reviewsOfNetwork,
} from '#server/http/limits/rate-limits.ts'
import { findByKey, findPurchase, hasBought } from './store.ts'

export type ReviewRequest = {
  caller: Caller
  review: WrittenReview
  /** The client's Idempotency-Key, or null. */
  key: string | null
  /** Hashes of the request's networks, the narrowest first. */
  networks: readonly string[]
}

export type AddReviewDeps = { db: Database; rateLimiter: Pick<RateLimiter, 'count' | 'giveBack'> }

const notBought = () => new AppError('FORBIDDEN', messages.reviewNeedsPurchase)

/** Converts the database's refusals to AppErrors; rethrows other errors. */
function refusalOf(error: unknown): never {
  const rule = refusedBy(error)
  if (rule === 'reviews_verified') {
    throw new AppError('NOT_VERIFIED', messages.reviewNeedsVerification)
  }
  if (rule === 'reviews_of_purchase') throw notBought()
  if (rule === 'reviews_one_a_day') throw new AppError('TOO_MANY', messages.reviewOncePerDay)
  throw error
}

/**
 * Applies the rate limits of new reviews. Repeated requests with the same key do not count.
 * @throws AppError TOO_MANY
 */
async function withinLimits<T extends { isNew: boolean }>(
  { db, rateLimiter }: AddReviewDeps,
  { caller, key, networks }: ReviewRequest,
  write: () => Promise<T>,
): Promise<T> {
  if (key !== null && (await findByKey(db, caller._id, key))) return write()
  const isBuyer = await hasBought(db, caller._id)
  const limits = isBuyer
    ? ([[reviewsOfBuyer, caller._id]] as const)
    : limitsOfNetworks(reviewsOfNetwork, networks)
  let counted = 0
  let written: T | undefined
  try {
    for (const [limit, who] of limits) {
      counted += 1
      await rateLimiter.count(limit, who)
    }
    written = await write()
    return written
  } finally {
    if (!written?.isNew)
      for (const [limit, who] of limits.slice(0, counted)) await rateLimiter.giveBack(limit, who)
  }
}

/**
 * Adds a review under the caller's name, or changes the caller's earlier review of the part.
 * @returns the review's id; a repeated key returns the same id
 * @throws AppError KEY_REUSED, FORBIDDEN for a part that the caller did not buy, NOT_VERIFIED
 *   without a verified address, TOO_MANY
 */
export async function addReview(deps: AddReviewDeps, request: ReviewRequest): Promise<string> {
  const { _id } = await withinLimits(deps, request, () => write(deps.db, request).catch(refusalOf))
  return _id
}

function write(db: Database, request: ReviewRequest) {
  const { caller, review, key } = request
  const { partId = null } = review
  return db.transaction(async (tx) => {
    // one request at a time per customer: the second of a double click waits here, then finds the
    // review of the first; refunds, which the trigger waits for, refer to the customer meanwhile
    const customer = eq(users._id, caller._id)
    await tx.select({ _id: users._id }).from(users).where(customer).for('no key update')
    const before = key === null ? null : await findByKey(tx, caller._id, key)
    const hash = requestHash(review.review, review.ratings, partId)
    let isNew = false
    const { _id } = await idempotent('review', { before, hash }, async () => {
      const orderId = partId && (await findPurchase(tx, caller._id, partId))
      if (partId && !orderId) throw notBought()
      const values = {
        review: review.review,
        ratings: review.ratings,
        orderId,
        idempotencyKey: key,
        requestHash: key && hash,
      }
      const [added] = await tx
        .insert(reviews)
        .values({
          ...values,
          userId: caller._id,
          partId,
          name: caller.name,
          email: caller.email,
        })
        .onConflictDoUpdate({
          target: [reviews.userId, reviews.partId],
          set: { ...values, editedAt: sql`now()`, removedAt: null },
        })
        .returning({ _id: reviews._id, isNew: sql<boolean>`xmax = 0` })
      if (!added) throw new Error('an insert answered no row')
      isNew = added.isNew
      return added
    })
    return { _id, isNew }
  })
}
