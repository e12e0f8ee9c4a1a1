import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { KeyScope } from '#contracts/api-keys.ts'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/** API keys of admins. A trigger revokes a user's keys when the user stops being an admin. */
export const apiKeys = pgTable(
  'api_keys',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    name: text('name').notNull(),
    /** The first characters, so that people can tell keys apart. */
    start: text('start').notNull(),
    /** SHA-256 of the key, in hex. Keys are random, so nobody can guess one from its hash. */
    hash: text('hash').notNull().unique(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    createdAt: timestamptzNow('created_at'),
    endsAt: timestamptz('ends_at').notNull(),
    lastUsedAt: timestamptz('last_used_at'),
  },
  (t) => [
    index('api_keys_user').on(t.userId),
    check('api_keys_hash', sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
    check('api_keys_scopes', sql`cardinality(${t.scopes}) > 0`),
    // the last day counts in full
    check('api_keys_end', sql`${t.endsAt} <= ${t.createdAt} + interval '367 days'`),
  ],
)
