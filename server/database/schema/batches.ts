import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { PartDetails } from '#contracts/parts.ts'
import type { ImportPlan } from '#contracts/parts-csv.ts'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/** Suppliers, with the import plan for their files. */
export const suppliers = pgTable('suppliers', {
  name: text('name').primaryKey(),
  plan: jsonb('plan').$type<ImportPlan>().notNull(),
  usedAt: timestamptzNow('used_at'),
})

/**
 * Imports and bulk edits: groups of parts that were added or changed together and can be reverted
 * together.
 */
export const batches = pgTable(
  'batches',
  {
    _id: id(),
    type: text('type', { enum: ['import', 'bulk edit'] }).notNull(),
    /** The file's name, or a description of the change. */
    name: text('name').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
    undoneAt: timestamptz('undone_at'),
  },
  (t) => [
    index('batches_created').on(t.createdAt),
    check('batches_type', sql`${t.type} in ('import', 'bulk edit')`),
  ],
)

/** The parts of a batch, as they were before it. */
export const batchParts = pgTable(
  'batch_parts',
  {
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches._id, { onDelete: 'cascade' }),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id, { onDelete: 'cascade' }),
    /** Null for a part that the batch added. */
    before: jsonb('before').$type<PartDetails>(),
    /** The change in units; negative when they were removed. */
    change: integer('change').notNull(),
    /**
     * The part's version after the batch; a higher current version means that the part has changed
     * since.
     */
    version: integer('version').notNull(),
  },
  (t) => [primaryKey({ columns: [t.batchId, t.partId] }), index('batch_parts_part').on(t.partId)],
)
