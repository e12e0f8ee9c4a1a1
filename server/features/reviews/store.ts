import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type {
  ReviewFilter,
  ReviewList,
  ReviewSort,
  ReviewState,
  RowCount,
} from '#contracts/lists.ts'
import {
  type OwnReview,
  type PartReviews,
  partReviewStep,
  shopReviewStep,
} from '#contracts/reviews.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageAfter, pageOf, type SortKey } from '#server/database/pagination.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { reviews } from '#server/database/schema/reviews.ts'
import { withTimes } from '#server/database/times.ts'

const columns = {
  _id: reviews._id,
  name: reviews.name,
  email: reviews.email,
  review: reviews.review,
  ratings: reviews.ratings,
  boughtHere: reviews.boughtHere,
  createdAt: reviews.createdAt,
  editedAt: reviews.editedAt,
}
const ownColumns = {
  ...columns,
  hiddenAt: reviews.hiddenAt,
  hiddenReason: reviews.hiddenReason,
  part: sql<OwnReview['part']>`(
    select json_build_object('_id', p._id, 'number', p.number, 'name', p.name) from ${parts} p
    where p._id = ${reviews.partId})`,
}

const notRemoved = isNull(reviews.removedAt)
const isShown = and(isNull(reviews.hiddenAt), notRemoved)

const isOfShop = and(isNull(reviews.partId), isShown)

/**
 * Lists shown reviews of the shop, newest first, with their authors. The route decides who sees the
 * e-mail.
 * @param after the id of the last review that was read; without it, the newest ones
 */
export async function listShownReviews(db: Queryable, after?: string) {
  const page = pageAfter(reviews, sorts.newest, after)
  const rows = await db
    .select({ ...columns, userId: reviews.userId })
    .from(reviews)
    .where(and(isOfShop, page.after))
    .orderBy(...page.orderBy)
    .limit(shopReviewStep)
  return rows.map(withTimes)
}

/** Counts the shown reviews by their stars: how many have one, two, and so on. */
async function countStars(db: Queryable, which: SQL | undefined): Promise<number[]> {
  const counted = await db
    .select({ ratings: reviews.ratings, count: sql<number>`count(*)::int` })
    .from(reviews)
    .where(which)
    .groupBy(reviews.ratings)
  return [1, 2, 3, 4, 5].map((star) => counted.find(({ ratings }) => ratings === star)?.count ?? 0)
}

/** Counts the shown reviews of the shop by their stars. */
export const countShopStars = (db: Queryable): Promise<number[]> => countStars(db, isOfShop)

/** Finds the id of the part with this number or id; undefined when there is no such part. */
export async function findPartId(db: Queryable, part: string): Promise<string | undefined> {
  const isIt = /^\d+$/.test(part) ? eq(parts.number, Number(part)) : eq(parts._id, part)
  const [row] = await db.select({ _id: parts._id }).from(parts).where(isIt)
  return row?._id
}

/**
 * Lists a page of a part's shown reviews, newest first.
 * @param after the id of the last review of the page before
 */
export async function listPartReviews(
  db: Queryable,
  partId: string,
  { stars, after }: { stars?: number | undefined; after?: string | undefined },
): Promise<PartReviews> {
  const isOfPart = and(eq(reviews.partId, partId), isShown)
  const page = pageAfter(reviews, sorts.newest, after)
  const { email: _, ...shownColumns } = columns
  const [counted, rows] = await Promise.all([
    countStars(db, isOfPart),
    db
      .select(shownColumns)
      .from(reviews)
      .where(and(isOfPart, stars ? eq(reviews.ratings, stars) : undefined, page.after))
      .orderBy(...page.orderBy)
      .limit(partReviewStep + 1),
  ])
  const pageRows = rows.slice(0, partReviewStep)
  return {
    stars: counted,
    reviews: pageRows.map(withTimes),
    next: rows.length > pageRows.length ? (pageRows.at(-1)?._id ?? null) : null,
  }
}

/** Finds a paid order of the user for the part, by the same rule as the trigger on `reviews`. */
export async function findPurchase(
  db: Queryable,
  userId: string,
  partId: string,
): Promise<string | undefined> {
  const [order] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.partId, partId),
        inArray(orders.status, ['paid', 'shipped']),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1)
  return order?._id
}

/** Lists the user's reviews, even hidden ones, newest first. */
export async function listReviewsBy(db: Queryable, userId: string): Promise<OwnReview[]> {
  const rows = await db
    .select(ownColumns)
    .from(reviews)
    .where(and(eq(reviews.userId, userId), notRemoved))
    .orderBy(desc(reviews.createdAt), desc(reviews._id))
  return rows.map(withTimes)
}

const stateIs: Record<ReviewState, ReturnType<typeof isNull>> = {
  shown: isNull(reviews.hiddenAt),
  hidden: isNotNull(reviews.hiddenAt),
}

const sorts: Record<ReviewSort, SortKey> = {
  newest: { by: reviews.createdAt, down: true },
  oldest: { by: reviews.createdAt },
  ratings: { by: reviews.ratings },
  '-ratings': { by: reviews.ratings, down: true },
}

const inList = ({ state, bought, ratings }: ReviewFilter) =>
  and(
    notRemoved,
    state && stateIs[state],
    bought && eq(reviews.boughtHere, bought === 'yes'),
    ratings && eq(reviews.ratings, Number(ratings)),
  )

/** Lists a page of all reviews as admins see them, after the review with the id `after`. */
export async function listAllReviews(
  db: Queryable,
  list: Omit<ReviewList, 'limit'> & { limit: number },
): Promise<OwnReview[]> {
  const page = { ...list, sort: sorts[list.sort], filter: inList(list) }
  const { where, orderBy } = await pageOf(db, reviews, page)
  const rows = await db
    .select(ownColumns)
    .from(reviews)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
  return rows.map(withTimes)
}

export const countAllReviews = (db: Queryable, list: ReviewFilter): Promise<RowCount> =>
  countOf(db, reviews, { ...list, sort: sorts[list.sort], filter: inList(list) })

/** Locks one review until the transaction ends. */
export async function lockReview(tx: Transaction, id: string) {
  const [review] = await tx
    .select({ ...ownColumns, userId: reviews.userId, removedAt: reviews.removedAt })
    .from(reviews)
    .where(eq(reviews._id, id))
    .for('no key update')
  return review
}

/** Locks the user's shown reviews until the transaction ends. Returns their ids. */
export async function lockShownReviewsBy(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ _id: reviews._id })
    .from(reviews)
    .where(and(eq(reviews.userId, userId), isNull(reviews.hiddenAt), notRemoved))
    .orderBy(reviews._id)
    .for('no key update')
  return rows.map(({ _id }) => _id)
}

/** Whether the user has a paid order, by the same rule as the trigger on `reviews`. */
export async function hasBought(db: Queryable, userId: string): Promise<boolean> {
  const paidOrders = and(eq(orders.userId, userId), inArray(orders.status, ['paid', 'shipped']))
  return (await db.$count(orders, paidOrders)) > 0
}

/** Finds the review of the user's idempotency key. */
export async function findByKey(db: Queryable, userId: string, key: string) {
  const [review] = await db
    .select({ _id: reviews._id, requestHash: reviews.requestHash })
    .from(reviews)
    .where(and(eq(reviews.userId, userId), eq(reviews.idempotencyKey, key)))
  return review
}
