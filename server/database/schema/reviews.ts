import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { id, searched, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/**
 * Reviews of customers; demo reviews have no user. A trigger decides who may add one and how often,
 * and sets `boughtHere`. A review of a part refers to the order that paid for it, which another
 * trigger checks; other reviews are of the shop.
 */
export const reviews = pgTable(
  'reviews',
  {
    _id: id(),
    userId: uuid('user_id').references(() => users._id),
    partId: uuid('part_id').references(() => parts._id),
    orderId: uuid('order_id').references(() => orders._id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    review: text('review').notNull(),
    ratings: integer('ratings').notNull(),
    /** Whether the author had a paid order when they wrote or edited it, and did not cancel it unsent. */
    boughtHere: boolean('bought_here').notNull().default(false),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of the first request with the key. */
    requestHash: text('request_hash'),
    createdAt: timestamptzNow('created_at'),
    editedAt: timestamptz('edited_at'),
    /** When an admin hid it; the author still sees it, with the reason. */
    hiddenAt: timestamptz('hidden_at'),
    hiddenReason: text('hidden_reason'),
    /** When the author removed it. The text is deleted; the row counts toward the daily limit. */
    removedAt: timestamptz('removed_at'),
    search: searched('name', 'email', 'review', '_id::text'),
  },
  (t) => [
    unique('reviews_idempotency').on(t.userId, t.idempotencyKey),
    unique('reviews_of_part').on(t.userId, t.partId),
    index('reviews_part').on(t.partId, t.createdAt, t._id).where(sql`${t.partId} is not null`),
    check('reviews_part_order', sql`(${t.partId} is null) = (${t.orderId} is null)`),
    index('reviews_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('reviews_created').on(t.createdAt, t._id),
    index('reviews_by_ratings').on(t.ratings, t._id),
    index('reviews_user').on(t.userId, t.createdAt),
    index('reviews_search').using('gin', t.search.op('gin_trgm_ops')),
    check('reviews_ratings', sql`${t.ratings} between 1 and 5`),
    check('reviews_hidden', sql`(${t.hiddenAt} is null) = (${t.hiddenReason} is null)`),
    check('reviews_removed', sql`${t.removedAt} is null or ${t.review} = ''`),
  ],
)
