import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Identity sessions that ended: access tokens made from them are dead before their hour is over. */
export const endedSessions = pgTable('ended_sessions', {
  sessionId: text('session_id').primaryKey(),
  endedAt: timestamp('ended_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})
