import { pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import { id, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/**
 * What one payment pays: the orders that a customer booked together, usually just one. Triggers of
 * `orders` create it with its first order, and delete it with its last.
 */
export const checkouts = pgTable(
  'checkouts',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
  },
  // lets an order refer to a checkout of its own customer
  (t) => [unique('checkouts_customer').on(t._id, t.userId)],
)
