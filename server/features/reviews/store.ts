import { and, desc, eq } from 'drizzle-orm'
import type { Queryable } from '#server/database/client.ts'
import { reviews } from '#server/database/review-schema.ts'

/** Every review, newest first, with whose it is: the route decides who may see the e-mail. */
export function listReviews(db: Queryable) {
  return db
    .select({
      _id: reviews._id,
      userId: reviews.userId,
      name: reviews.name,
      email: reviews.email,
      review: reviews.review,
      ratings: reviews.ratings,
    })
    .from(reviews)
    .orderBy(desc(reviews.createdAt), desc(reviews._id))
}

/** The review that this user's idempotency key made before. */
export async function findByKey(db: Queryable, userId: string, key: string) {
  const [review] = await db
    .select({ _id: reviews._id, review: reviews.review, ratings: reviews.ratings })
    .from(reviews)
    .where(and(eq(reviews.userId, userId), eq(reviews.idempotencyKey, key)))
  return review
}
