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
import { checkouts } from './checkouts.ts'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { tickets } from './tickets.ts'
import { users } from './users.ts'

/** What the card provider takes fees for. */
export const feeTypes = ['payment', 'refund', 'refund sent back', 'dispute'] as const

/**
 * All payment intents. A checkout has at most one open payment and at most one that paid it
 * (`succeeded`). For an `unmatched` payment, the money arrived but the checkout could not take it;
 * the same transaction records a refund.
 */
export const payments = pgTable(
  'payments',
  {
    intentId: text('intent_id').primaryKey(),
    checkoutId: uuid('checkout_id')
      .notNull()
      .references(() => checkouts._id),
    amount: integer('amount').notNull(),
    status: text('status', { enum: ['open', 'succeeded', 'canceled', 'unmatched'] })
      .notNull()
      .default('open'),
    createdAt: timestamptzNow('created_at'),
    checkedAt: timestamptzNow('checked_at'),
    /** When its money arrived. Set by a trigger. */
    receivedAt: timestamptz('received_at'),
  },
  (t) => [
    uniqueIndex('payments_one_open').on(t.checkoutId).where(sql`${t.status} = 'open'`),
    uniqueIndex('payments_one_succeeded').on(t.checkoutId).where(sql`${t.status} = 'succeeded'`),
    index('payments_checkout').on(t.checkoutId),
    index('payments_received').on(t.receivedAt, t.intentId).where(sql`${t.receivedAt} is not null`),
    index('payments_unsettled').on(t.checkedAt).where(sql`${t.status} = 'open'`),
    check('payments_status', sql`${t.status} in ('open', 'succeeded', 'canceled', 'unmatched')`),
  ],
)

/**
 * All refunds. A row is `requested` before the shop calls the provider; only the provider's
 * response changes its state. A trigger limits the sum to what was paid. The lines split a refund
 * among orders and add up to its amount; a refund of an unmatched payment has none.
 */
export const refunds = pgTable(
  'refunds',
  {
    _id: id(),
    intentId: text('intent_id')
      .notNull()
      .references(() => payments.intentId),
    /**
     * An admin requested it, the customer canceled orders, no order could take the payment, or
     * somebody made it in the provider's dashboard.
     */
    cause: text('cause', {
      enum: ['admin', 'customer', 'unmatched_payment', 'provider'],
    }).notNull(),
    amount: integer('amount').notNull(),
    state: text('state', { enum: ['requested', 'pending', 'succeeded', 'failed'] }).notNull(),
    /** The refund's id at the provider. */
    providerId: text('provider_id').unique(),
    reason: text('reason'),
    requestedBy: uuid('requested_by').references(() => users._id),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of the first request with the key. */
    requestHash: text('request_hash'),
    /** Why it failed, or the provider's latest reason for refusing it. */
    note: text('note'),
    /** The ticket that it settles. */
    ticketId: uuid('ticket_id').references(() => tickets._id),
    createdAt: timestamptzNow('created_at'),
    checkedAt: timestamptzNow('checked_at'),
    /** When the provider accepted it, and when a bank returned the money. Set by a trigger. */
    givenAt: timestamptz('given_at'),
    sentBackAt: timestamptz('sent_back_at'),
  },
  (t) => [
    unique('refunds_idempotency').on(t.requestedBy, t.idempotencyKey),
    index('refunds_payment').on(t.intentId),
    index('refunds_ticket').on(t.ticketId).where(sql`${t.ticketId} is not null`),
    index('refunds_given').on(t.givenAt, t._id).where(sql`${t.givenAt} is not null`),
    index('refunds_sent_back').on(t.sentBackAt, t._id).where(sql`${t.sentBackAt} is not null`),
    index('refunds_unsettled').on(t.checkedAt).where(sql`${t.state} in ('requested', 'pending')`),
    check('refunds_state', sql`${t.state} in ('requested', 'pending', 'succeeded', 'failed')`),
    check('refunds_amount', sql`${t.amount} > 0`),
    check(
      'refunds_cause',
      sql`case ${t.cause}
        when 'admin' then num_nulls(${t.requestedBy}, ${t.reason}, ${t.idempotencyKey}, ${t.requestHash}) = 0
        when 'customer' then num_nulls(${t.requestedBy}, ${t.reason}, ${t.idempotencyKey}, ${t.requestHash}) = 0
        when 'unmatched_payment' then ${t.reason} is not null
          and num_nonnulls(${t.requestedBy}, ${t.idempotencyKey}, ${t.requestHash}) = 0
        when 'provider' then ${t.state} <> 'requested'
          and num_nonnulls(${t.requestedBy}, ${t.reason}, ${t.idempotencyKey}, ${t.requestHash}) = 0
        else false end`,
    ),
    check(
      'refunds_provider',
      sql`${t.state} not in ('pending', 'succeeded') or ${t.providerId} is not null`,
    ),
  ],
)

/**
 * The part of a refund that goes to one order, whose sum a trigger writes to the order, or to the
 * shipping of its checkout.
 */
export const refundLines = pgTable(
  'refund_lines',
  {
    refundId: uuid('refund_id')
      .notNull()
      .references(() => refunds._id),
    /** Null: the shipping. */
    orderId: uuid('order_id').references(() => orders._id),
    amount: integer('amount').notNull(),
    /** Units to restock. */
    restock: integer('restock').notNull().default(0),
  },
  (t) => [
    unique('refund_lines_once').on(t.refundId, t.orderId).nullsNotDistinct(),
    index('refund_lines_order').on(t.orderId),
    check('refund_lines_amount', sql`${t.amount} > 0`),
    check(
      'refund_lines_restock',
      sql`${t.restock} >= 0 and (${t.restock} = 0 or ${t.orderId} is not null)`,
    ),
  ],
)

/**
 * What the card provider took for payments, refunds and disputes, as it reports them: a row for
 * each movement of its account. Without a row, the fee is not known yet.
 */
export const providerFees = pgTable(
  'provider_fees',
  {
    /** The movement's id at the provider. */
    movementId: text('movement_id').primaryKey(),
    intentId: text('intent_id')
      .notNull()
      .references(() => payments.intentId),
    refundId: uuid('refund_id').references(() => refunds._id),
    type: text('type', { enum: feeTypes }).notNull(),
    /** In the smallest unit of its currency; negative when the provider gave it back. */
    amount: integer('amount').notNull(),
    /** That of the account, which may differ from the shop's. */
    currency: text('currency').notNull(),
    reportedAt: timestamptzNow('reported_at'),
  },
  (t) => [
    index('provider_fees_intent').on(t.intentId),
    uniqueIndex('provider_fees_payment').on(t.intentId).where(sql`${t.type} = 'payment'`),
    uniqueIndex('provider_fees_refund')
      .on(t.refundId, t.type)
      .where(sql`${t.refundId} is not null`),
    index('provider_fees_dispute').on(t.reportedAt, t.movementId).where(sql`${t.type} = 'dispute'`),
    check(
      'provider_fees_type',
      sql`case ${t.type} when 'payment' then ${t.refundId} is null when 'dispute' then ${t.refundId} is null
        when 'refund' then ${t.refundId} is not null when 'refund sent back' then ${t.refundId} is not null
        else false end`,
    ),
    check('provider_fees_currency', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

/** Provider events that were handled, one row each. */
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

/** The refunds that count as given: those that the provider accepted. */
export const isGiven = sql.raw(`state in ('pending', 'succeeded')`)
