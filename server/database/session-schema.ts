import { bigint, index, integer, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core'

/** Identity sessions that ended: access tokens made from them are dead before their hour is over. */
export const endedSessions = pgTable('ended_sessions', {
  sessionId: text('session_id').primaryKey(),
  endedAt: timestamp('ended_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})

/** How often somebody did something; columns as the library rate-limiter-flexible wants them. */
export const paces = pgTable(
  'paces',
  {
    key: varchar('key', { length: 255 }).primaryKey(),
    points: integer('points').notNull().default(0),
    /** Milliseconds since 1970. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (t) => [index('paces_expire').on(t.expire)],
)
