import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { users } from './users.ts'

/** Every payment intent. An order has at most one open and one received payment. */
export const payments = pgTable(
  'payments',
  {
    intentId: text('intent_id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    amount: integer('amount').notNull(),
    status: text('status', { enum: ['open', 'succeeded', 'canceled', 'refund_due', 'refunded'] })
      .notNull()
      .default('open'),
    refundId: text('refund_id'),
    note: text('note'),
    createdAt: timestamptzNow('created_at'),
    checkedAt: timestamptzNow('checked_at'),
    /** When its money came, and when it went back because no order could take it. Set by a trigger. */
    receivedAt: timestamptz('received_at'),
    returnedAt: timestamptz('returned_at'),
  },
  (t) => [
    uniqueIndex('payments_one_open').on(t.orderId).where(sql`${t.status} = 'open'`),
    uniqueIndex('payments_one_kept').on(t.orderId).where(sql`${t.status} = 'succeeded'`),
    index('payments_order').on(t.orderId),
    index('payments_received').on(t.receivedAt, t.intentId).where(sql`${t.receivedAt} is not null`),
    index('payments_returned').on(t.returnedAt, t.intentId).where(sql`${t.returnedAt} is not null`),
    index('payments_unsettled').on(t.checkedAt).where(sql`${t.status} in ('open', 'refund_due')`),
    check(
      'payments_status',
      sql`${t.status} in ('open', 'succeeded', 'canceled', 'refund_due', 'refunded')`,
    ),
  ],
)

/**
 * Refunds of paid orders. A row is `requested` before the provider is asked; only the provider's answer moves it on. A trigger
 * keeps the sum within what was paid and writes it to the order. Refunds made in the provider's dashboard have no
 * `requestedBy`.
 */
export const refunds = pgTable(
  'refunds',
  {
    _id: id(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    amount: integer('amount').notNull(),
    state: text('state', { enum: ['requested', 'pending', 'succeeded', 'failed'] }).notNull(),
    /** The provider's id. */
    providerId: text('provider_id').unique(),
    reason: text('reason'),
    /** Units to restock. */
    restock: integer('restock').notNull().default(0),
    requestedBy: uuid('requested_by').references(() => users._id),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of the key's first request. */
    requestHash: text('request_hash'),
    /** Why it failed. */
    note: text('note'),
    createdAt: timestamptzNow('created_at'),
    checkedAt: timestamptzNow('checked_at'),
    /** When the provider took it, and when a bank sent the money back. Set by a trigger. */
    givenAt: timestamptz('given_at'),
    sentBackAt: timestamptz('sent_back_at'),
  },
  (t) => [
    unique('refunds_idempotency').on(t.requestedBy, t.idempotencyKey),
    index('refunds_order').on(t.orderId),
    index('refunds_given').on(t.givenAt, t._id).where(sql`${t.givenAt} is not null`),
    index('refunds_sent_back').on(t.sentBackAt, t._id).where(sql`${t.sentBackAt} is not null`),
    index('refunds_unsettled').on(t.checkedAt).where(sql`${t.state} in ('requested', 'pending')`),
    check('refunds_state', sql`${t.state} in ('requested', 'pending', 'succeeded', 'failed')`),
    check('refunds_amount', sql`${t.amount} > 0`),
    check('refunds_restock', sql`${t.restock} >= 0`),
    check(
      'refunds_requested',
      sql`num_nulls(${t.requestedBy}, ${t.reason}, ${t.idempotencyKey}, ${t.requestHash}) in (0, 4)
        and (${t.requestedBy} is not null or (${t.state} <> 'requested' and ${t.restock} = 0))`,
    ),
    check(
      'refunds_provider',
      sql`${t.state} not in ('pending', 'succeeded') or ${t.providerId} is not null`,
    ),
  ],
)

/** Provider events that were handled, each once. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    eventId: text('event_id').primaryKey(),
    type: text('type').notNull(),
    /** When the provider created it; null for old rows. */
    happenedAt: timestamptz('happened_at'),
    receivedAt: timestamptzNow('received_at'),
  },
  (t) => [index('webhook_events_received').on(t.receivedAt)],
)

/** The refunds that count as given: those that the provider took. */
export const isGiven = sql.raw(`state in ('pending', 'succeeded')`)
