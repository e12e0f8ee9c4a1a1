import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Specs } from '#contracts/kinds.ts'
import { id, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/**
 * The parts of customers' PCs. A trigger adds what is shipped; customers add what they have from
 * elsewhere, of the catalogue or by what rules of fit read of it.
 */
export const machineParts = pgTable(
  'machine_parts',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id, { onDelete: 'cascade' }),
    /** The order that it came with. */
    orderId: uuid('order_id')
      .unique()
      .references(() => orders._id),
    partId: uuid('part_id').references(() => parts._id),
    /** Of a part that is not of the catalogue: its kind for the rules, and what they read. */
    kind: text('kind'),
    specs: jsonb('specs').$type<Specs>(),
    name: text('name').notNull(),
    quantity: integer('quantity').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('machine_parts_user').on(t.userId),
    index('machine_parts_part').on(t.partId),
    uniqueIndex('machine_parts_added').on(t.userId, t.partId).where(sql`${t.orderId} is null`),
    check('machine_parts_name', sql`${t.name} <> ''`),
    check('machine_parts_quantity', sql`${t.quantity} between 1 and 100000`),
    check('machine_parts_order', sql`${t.orderId} is null or ${t.partId} is not null`),
    check(
      'machine_parts_fields',
      sql`case when ${t.partId} is not null then num_nonnulls(${t.kind}, ${t.specs}) = 0
        else ${t.kind} is not null and ${t.specs} is not null end`,
    ),
    check('machine_parts_kind', sql`${t.kind} ~ '^[a-z-]{1,40}$'`),
    check(
      'machine_parts_specs',
      sql`jsonb_typeof(${t.specs}) = 'object' and length(${t.specs}::text) <= 8000`,
    ),
  ],
)
