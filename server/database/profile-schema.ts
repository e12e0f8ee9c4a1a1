import { sql } from 'drizzle-orm'
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './schema.ts'

/** What customers tell about themselves. Name and e-mail stay with the user. */
export const profiles = pgTable(
  'profiles',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users._id),
    education: text('education').notNull(),
    location: text('location').notNull(),
    phone: text('phone').notNull(),
    linkedIn: text('linked_in').notNull(),
  },
  (t) => [check('profiles_linked_in', sql`${t.linkedIn} like 'https://%linkedin.com/%'`)],
)
