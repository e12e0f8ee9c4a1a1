import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { KeyScope } from '#contracts/api-keys.ts'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { users } from './users.ts'

/** API keys of admins. A trigger revokes those of a user who is no longer an admin. */
export const apiKeys = pgTable(
  'api_keys',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    name: text('name').notNull(),
    /** The first characters, by which people tell keys apart. */
    start: text('start').notNull(),
    /** SHA-256 of the key, in hex: a key is random, so its hash cannot be reversed by guessing. */
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
    // the last day is whole
    check('api_keys_end', sql`${t.endsAt} <= ${t.createdAt} + interval '367 days'`),
  ],
)
