import { and, eq, gt, sql } from 'drizzle-orm'
import { messages } from '#contracts/messages.ts'
import { type NewReview, reviewLimits } from '#contracts/reviews.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { idempotent, requestHash } from '#server/database/idempotency.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError } from '#server/errors.ts'
import type { RateLimiter } from '#server/http/guards.ts'
import { findByKey, hasBought } from './store.ts'

export type ReviewRequest = {
  caller: Caller
  review: NewReview
  /** The client's Idempotency-Key, or null. */
  key: string | null
  /** Hash of the request's network. */
  network: string
}

export type AddReviewDeps = {
  db: Database
  /** Null without rate limits. */
  paces: Pick<RateLimiter, 'count' | 'giveBack'> | null
}

/** Reviews of one network's customers without a paid order: accounts are free, networks are not. */
const reviewsOfNetwork = {
  name: 'reviews of a network',
  most: 5,
  seconds: 86_400,
  forgettable: true,
} as const

/** @throws AppError TOO_MANY */
async function checkRateLimit(tx: Transaction, userId: string): Promise<void> {
  const anHourAgo = sql`now() - interval '1 hour'`
  const recent = await tx.$count(
    reviews,
    and(eq(reviews.userId, userId), gt(reviews.createdAt, anHourAgo)),
  )
  if (recent < reviewLimits.perHour) return
  throw new AppError(
    'TOO_MANY',
    `You can write ${reviewLimits.perHour} reviews in an hour. Try again later.`,
  )
}

/** Turns the database's refusals into sentences; other errors pass. */
function inWords(error: unknown): never {
  const rule = refusedBy(error)
  if (rule === 'reviews_confirmed') {
    throw new AppError('NOT_VERIFIED', messages.reviewNeedsConfirmation)
  }
  if (rule === 'reviews_one_a_day') throw new AppError('TOO_MANY', messages.reviewOncePerDay)
  throw error
}

/**
 * Limits the reviews of customers without a paid order by network.
 * @param write returns whether it added a review; otherwise nothing is counted
 * @throws AppError TOO_MANY
 */
async function withinNetwork<T extends { isNew: boolean }>(
  { db, paces }: AddReviewDeps,
  { caller, key, network }: ReviewRequest,
  write: () => Promise<T>,
): Promise<T> {
  const isWritten = key !== null && (await findByKey(db, caller._id, key))
  if (!paces || isWritten || (await hasBought(db, caller._id))) return write()
  let written: T | undefined
  try {
    await paces.count(reviewsOfNetwork, network).catch((error) => {
      if (!(error instanceof AppError)) throw error
      throw new AppError('TOO_MANY', messages.reviewsFromNetwork, undefined, error.retryAfter)
    })
    written = await write()
    return written
  } finally {
    if (!written?.isNew) await paces.giveBack(reviewsOfNetwork, network)
  }
}

/**
 * Adds a review under the caller's name.
 * @returns the review's id; the same id for the same key
 * @throws AppError KEY_REUSED, NOT_VERIFIED without a confirmed address, TOO_MANY
 */
export async function addReview(deps: AddReviewDeps, request: ReviewRequest): Promise<string> {
  const { _id } = await withinNetwork(deps, request, () => write(deps, request).catch(inWords))
  return _id
}

function write({ db, paces }: AddReviewDeps, request: ReviewRequest) {
  const { caller, review, key } = request
  return db.transaction(async (tx) => {
    // one at a time per customer: a double click waits here, then finds the first one's review
    await tx.select({ _id: users._id }).from(users).where(eq(users._id, caller._id)).for('update')
    const before = key === null ? null : await findByKey(tx, caller._id, key)
    const hash = requestHash(review.review, review.ratings)
    const { _id } = await idempotent('review', { before, hash }, async () => {
      if (paces) await checkRateLimit(tx, caller._id)
      const [added] = await tx
        .insert(reviews)
        .values({
          userId: caller._id,
          name: caller.name,
          email: caller.email,
          review: review.review,
          ratings: review.ratings,
          idempotencyKey: key,
          requestHash: key && hash,
        })
        .returning({ _id: reviews._id })
      if (!added) throw new Error('an insert answered no row')
      return added
    })
    return { _id, isNew: !before }
  })
}
