import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { checkouts } from './checkouts.ts'
import { id, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/** What admins note about a checkout or a customer, for themselves or for the customer. */
export const notes = pgTable(
  'notes',
  {
    _id: id(),
    checkoutId: uuid('checkout_id').references(() => checkouts._id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users._id, { onDelete: 'cascade' }),
    /** Whether the customer reads it on the order. */
    isForCustomer: boolean('is_for_customer').notNull(),
    text: text('text').notNull(),
    adminId: uuid('admin_id')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('notes_checkout').on(t.checkoutId, t.createdAt).where(sql`${t.checkoutId} is not null`),
    index('notes_user').on(t.userId, t.createdAt).where(sql`${t.userId} is not null`),
    check('notes_about', sql`num_nonnulls(${t.checkoutId}, ${t.userId}) = 1`),
    check('notes_for_customer', sql`not ${t.isForCustomer} or ${t.checkoutId} is not null`),
  ],
)
