import { sql } from 'drizzle-orm'
import { bigint, bigserial, check, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * One row for each change of what visitors see, written by triggers in the change's own transaction. The sum of `changes`
 * is the version of a topic: rows are only added, or replaced by their sum, so it grows with each commit, no change waits
 * for another, and none that commits late is missed.
 */
export const catalogueChanges = pgTable(
  'catalogue_changes',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    topic: text('topic', { enum: ['parts', 'reviews'] }).notNull(),
    changes: bigint('changes', { mode: 'number' }).notNull().default(1),
  },
  (t) => [
    check('catalogue_changes_topic', sql`${t.topic} in ('parts', 'reviews')`),
    check('catalogue_changes_count', sql`${t.changes} > 0`),
  ],
)
