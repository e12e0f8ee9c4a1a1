import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './schema.ts'

/** What customers think. Those of the demo belong to no user. */
export const reviews = pgTable(
  'reviews',
  {
    _id: uuid('_id').primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users._id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    review: text('review').notNull(),
    ratings: integer('ratings').notNull(),
    idempotencyKey: text('idempotency_key'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (t) => [
    unique('reviews_idempotency').on(t.userId, t.idempotencyKey),
    index('reviews_created').on(t.createdAt),
    check('reviews_ratings', sql`${t.ratings} between 1 and 5`),
  ],
)
