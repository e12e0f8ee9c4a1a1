import { sql } from 'drizzle-orm'
import { check, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { id, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/** PCs kept by a name, as text (`contracts/basket.ts`). Without a user they are the shop's own. */
export const builds = pgTable(
  'builds',
  {
    _id: id(),
    userId: uuid('user_id').references(() => users._id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    parts: text('parts').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    unique('builds_name').on(t.userId, t.name).nullsNotDistinct(),
    check('builds_parts', sql`${t.parts} ~ '^[0-9x,]+$' and length(${t.parts}) <= 400`),
  ],
)
