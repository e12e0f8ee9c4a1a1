import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './schema.ts'
import { searchText } from './search.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/**
 * What customers think. Those of the demo belong to no user. Who may add one, and how often, is a trigger in the
 * migrations, which also fills `boughtHere`.
 */
export const reviews = pgTable(
  'reviews',
  {
    _id: uuid('_id').primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users._id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    review: text('review').notNull(),
    ratings: integer('ratings').notNull(),
    /** The author had a paid order when they wrote or edited it. */
    boughtHere: boolean('bought_here').notNull().default(false),
    idempotencyKey: text('idempotency_key'),
    createdAt: moment('created_at').notNull().defaultNow(),
    editedAt: moment('edited_at'),
    /** An admin hid it: the author still sees it, with the reason. */
    hiddenAt: moment('hidden_at'),
    hiddenReason: text('hidden_reason'),
    /** The author removed it: the words are gone, the row still counts for the limit a day. */
    removedAt: moment('removed_at'),
    /** What a row is searched by. Kept by the database, shown by no store. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(searchText('name', 'email', 'review', '_id::text')),
  },
  (t) => [
    unique('reviews_idempotency').on(t.userId, t.idempotencyKey),
    index('reviews_created').on(t.createdAt, t._id),
    index('reviews_by_ratings').on(t.ratings, t._id),
    index('reviews_user').on(t.userId, t.createdAt),
    index('reviews_search').using('gin', t.search.op('gin_trgm_ops')),
    check('reviews_ratings', sql`${t.ratings} between 1 and 5`),
    check('reviews_hidden', sql`(${t.hiddenAt} is null) = (${t.hiddenReason} is null)`),
    check('reviews_removed', sql`${t.removedAt} is null or ${t.review} = ''`),
  ],
)
