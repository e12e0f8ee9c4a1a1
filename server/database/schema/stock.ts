import { sql } from 'drizzle-orm'
import {
  bigserial,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { movementTypes } from '#contracts/parts.ts'
import { timestamptzNow } from './columns.ts'
import { deliveryLines } from './deliveries.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { refundLines } from './payments.ts'

/** The append-only stock ledger. Only a new line changes a part's stock. */
export const stockMovements = pgTable(
  'stock_movements',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    /**
     * Deleting an order deletes its lines. A deleted order holds no units, so the sums stay the
     * same.
     */
    orderId: uuid('order_id').references(() => orders._id, { onDelete: 'cascade' }),
    refundId: uuid('refund_id'),
    /**
     * The queue place that the offer belongs to. Not a foreign key, because the line outlives the
     * place.
     */
    placeId: uuid('place_id'),
    /** The delivery that a receipt belongs to. */
    deliveryLineId: uuid('delivery_line_id').references(() => deliveryLines._id),
    type: text('type', { enum: movementTypes }).notNull(),
    onHandDelta: integer('on_hand_delta').notNull().default(0),
    reservedDelta: integer('reserved_delta').notNull().default(0),
    reason: text('reason'),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('stock_movements_part').on(t.partId, t._id),
    index('stock_movements_order').on(t.orderId),
    index('stock_movements_place').on(t.placeId).where(sql`${t.placeId} is not null`),
    uniqueIndex('stock_sold_once').on(t.orderId).where(sql`${t.type} = 'sell'`),
    unique('stock_restocked_once').on(t.refundId, t.orderId),
    foreignKey({
      name: 'stock_restocked_by_line',
      columns: [t.refundId, t.orderId],
      foreignColumns: [refundLines.refundId, refundLines.orderId],
    }),
    index('stock_movements_delivery')
      .on(t.deliveryLineId)
      .where(sql`${t.deliveryLineId} is not null`),
    check('stock_delivered', sql`${t.deliveryLineId} is null or ${t.type} = 'receive'`),
    check('stock_restocked', sql`(${t.type} = 'restock') = (${t.refundId} is not null)`),
    check('stock_offered', sql`(${t.type} in ('offer', 'withdraw')) = (${t.placeId} is not null)`),
    // old lines, from when a sale took the units off the shelf before shipping
    check(
      'stock_movements_type',
      sql`case ${t.type}
        when 'receive' then ${t.onHandDelta} > 0 and ${t.reservedDelta} = 0
        when 'adjust' then ${t.reservedDelta} = 0
        when 'hold' then ${t.onHandDelta} = 0 and ${t.reservedDelta} > 0 and ${t.orderId} is not null
        when 'release' then ${t.onHandDelta} = 0 and ${t.reservedDelta} < 0 and ${t.orderId} is not null
        when 'sell' then ${t.onHandDelta} <= 0 and ${t.reservedDelta} = ${t.onHandDelta} and ${t.orderId} is not null
        when 'ship' then ${t.onHandDelta} < 0 and ${t.reservedDelta} = ${t.onHandDelta} and ${t.orderId} is not null
        when 'write off' then ${t.onHandDelta} < 0 and ${t.reservedDelta} = ${t.onHandDelta} and ${t.orderId} is not null
        when 'shelve' then ${t.onHandDelta} > 0 and ${t.reservedDelta} = ${t.onHandDelta} and ${t.orderId} is not null
        when 'restock' then (${t.onHandDelta} > 0 and ${t.reservedDelta} = 0 or ${t.onHandDelta} = 0 and ${t.reservedDelta} < 0)
          and ${t.orderId} is not null
        when 'offer' then ${t.onHandDelta} = 0 and ${t.reservedDelta} > 0 and ${t.orderId} is null
        when 'withdraw' then ${t.onHandDelta} = 0 and ${t.reservedDelta} < 0 and ${t.orderId} is null
        else false end`,
    ),
  ],
)
