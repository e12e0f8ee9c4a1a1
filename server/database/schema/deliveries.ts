import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { id, money, searched, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/** Goods expected from a supplier. The stock ledger records the goods received. */
export const deliveries = pgTable(
  'deliveries',
  {
    _id: id(),
    supplier: text('supplier').notNull(),
    /** The supplier's number for the delivery. */
    reference: text('reference').notNull().default(''),
    expectedOn: date('expected_on'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users._id),
    createdAt: timestamptzNow('created_at'),
    search: searched('supplier', 'reference', '_id::text'),
  },
  (t) => [
    index('deliveries_by_created').on(t.createdAt, t._id),
    index('deliveries_by_day').on(t.expectedOn, t._id),
    index('deliveries_search').using('gin', t.search.op('gin_trgm_ops')),
    check('deliveries_supplier', sql`${t.supplier} <> ''`),
  ],
)

/**
 * The units of one part in a delivery. A trigger keeps `received` equal to the lines of the stock
 * ledger that refer to it.
 */
export const deliveryLines = pgTable(
  'delivery_lines',
  {
    _id: id(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries._id),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    place: integer('place').notNull(),
    quantity: integer('quantity').notNull(),
    received: integer('received').notNull().default(0),
    /** Units that will not arrive. */
    canceled: integer('canceled').notNull().default(0),
    /** Per unit. */
    cost: money('cost_cents'),
  },
  (t) => [
    unique('delivery_lines_part').on(t.deliveryId, t.partId),
    index('delivery_lines_open')
      .on(t.partId)
      .where(sql`${t.received} + ${t.canceled} < ${t.quantity}`),
    check('delivery_lines_quantity', sql`${t.quantity} between 1 and 100000`),
    check('delivery_lines_cost', sql`${t.cost} >= 0`),
    check(
      'delivery_lines_received',
      sql`${t.received} >= 0 and ${t.canceled} >= 0 and ${t.received} + ${t.canceled} <= ${t.quantity}`,
    ),
  ],
)
