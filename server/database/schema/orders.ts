import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  pgSequence,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { orderStatuses } from '#contracts/orders.ts'
import { checkouts } from './checkouts.ts'
import { bytea, id, money, searched, timestamptz, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/** Assigns order numbers. A booking that is rolled back leaves a gap. */
export const orderNumbers = pgSequence('order_numbers', { startWith: 1001 })

export const orders = pgTable(
  'orders',
  {
    _id: id(),
    /** The number that people use, short enough to read out on the phone. The API uses `_id`. */
    number: text('number').notNull().unique().default(sql`'F-' || nextval('order_numbers')`),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    /** Groups the orders that one payment pays; an order booked alone has its own. */
    checkoutId: uuid('checkout_id').notNull().defaultRandom(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    product: text('product').notNull(),
    image: text('image').notNull(),
    customer: text('customer').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    quantity: integer('quantity').notNull(),
    price: money('price_cents').notNull(),
    totalPrice: money('total_cents').notNull(),
    /** What tax adds to the total, by the rate of the checkout's address. */
    taxTotal: money('tax_cents').notNull().default(0),
    status: text('status', { enum: orderStatuses }).notNull().default('unpaid'),
    /** The payment intent that paid the order, under the specification's name. */
    transactionId: text('transaction_id'),
    /** When the hold expires; null while no stock is held. */
    holdExpiresAt: timestamptz('hold_expires_at'),
    /**
     * When the last hold of an unpaid order ended, set by a trigger; null before that and while the
     * order is held again.
     */
    holdEndedAt: timestamptz('hold_ended_at'),
    /**
     * The latest time to which a hold can be renewed. It stays until the order is paid, because the
     * pause after the hold depends on it.
     */
    holdLimitAt: timestamptz('hold_limit_at'),
    /**
     * Hashes of the customer's networks at the time of the hold, narrowest first; empty after the
     * hold.
     */
    networks: text('networks').array().notNull().default(sql`'{}'`),
    /** Identifies the mailbox that paid the order, set by a trigger; null for a deleted account. */
    payer: bytea('payer'),
    /** When the shop last queried the card provider about an unknown payment. */
    providerCheckedAt: timestamptz('provider_checked_at'),
    /** When the shop queued the mail about the end of the unpaid order. */
    endAnnouncedAt: timestamptz('end_announced_at'),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of the first request with the key. */
    requestHash: text('request_hash'),
    createdAt: timestamptzNow('created_at'),
    paidAt: timestamptz('paid_at'),
    shippedAt: timestamptz('shipped_at'),
    /** When somebody said that it arrived; null: nobody did. */
    deliveredAt: timestamptz('delivered_at'),
    /** When it was deleted, by the customer or by expiry. */
    deletedAt: timestamptz('deleted_at'),
    carrier: text('carrier'),
    trackingNumber: text('tracking_number'),
    /** Of its units, one per line, as they were scanned when it was packed. */
    serialNumbers: text('serial_numbers').notNull().default(''),
    /** The sum of its refunds, set by a trigger on `refunds`. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    search: searched(
      'number',
      'product',
      'customer',
      'email',
      'phone',
      '_id::text',
      "coalesce(transaction_id, '')",
      "coalesce(tracking_number, '')",
      'serial_numbers',
    ),
  },
  (t) => [
    foreignKey({
      name: 'orders_checkout_of_customer',
      columns: [t.checkoutId, t.userId],
      foreignColumns: [checkouts._id, checkouts.userId],
    }),
    index('orders_checkout').on(t.checkoutId),
    unique('orders_idempotency').on(t.userId, t.idempotencyKey),
    index('orders_transaction').on(t.transactionId).where(sql`${t.transactionId} is not null`),
    index('orders_user').on(t.userId, t.createdAt),
    index('orders_created').on(t.createdAt, t._id),
    index('orders_status').on(t.status, t.createdAt, t._id),
    // covers the sums of payments
    index('orders_paid').on(t.paidAt, t.partId, t.quantity, t.totalPrice, t.refundedCents),
    index('orders_to_ship').on(t.paidAt, t.checkoutId, t._id).where(sql`${t.status} = 'paid'`),
    index('orders_shipped').on(t.shippedAt, t._id).where(sql`${t.shippedAt} is not null`),
    // without it, orders of one status sorted by quantity are found last
    index('orders_status_quantity').on(t.status, t.quantity, t._id),
    index('orders_by_total').on(t.totalPrice, t._id),
    index('orders_by_quantity').on(t.quantity, t._id),
    index('orders_by_product').on(sql`lower(${t.product})`, t._id),
    index('orders_by_email').on(t.email, t._id),
    index('orders_search').using('gin', t.search.op('gin_trgm_ops')),
    index('orders_image').on(t.image),
    index('orders_holds').on(t.holdExpiresAt).where(sql`${t.holdExpiresAt} is not null`),
    index('orders_holds_of_part').on(t.partId).where(sql`${t.holdExpiresAt} is not null`),
    check('orders_quantity', sql`${t.quantity} between 1 and 100000`),
    check(
      'orders_serial_numbers',
      sql`${t.serialNumbers} = '' or cardinality(string_to_array(${t.serialNumbers}, E'\\n')) <= ${t.quantity}`,
    ),
    check(
      'orders_delivered',
      sql`${t.deliveredAt} is null or (${t.shippedAt} is not null and ${t.deliveredAt} >= ${t.shippedAt})`,
    ),
    check('orders_deleted', sql`(${t.status} = 'deleted') = (${t.deletedAt} is not null)`),
    check('orders_total', sql`${t.totalPrice} = ${t.quantity}::bigint * ${t.price}`),
    check('orders_tax', sql`${t.taxTotal} between 0 and ${t.totalPrice}`),
    check('orders_total_limit', sql`${t.totalPrice} between 1 and 99999900`),
    check(
      'orders_status',
      sql`${t.status} in ('unpaid', 'paid', 'shipped', 'refunded', 'deleted')`,
    ),
    check(
      'orders_paid',
      sql`(${t.status} in ('paid', 'shipped', 'refunded')) = (${t.transactionId} is not null)`,
    ),
    check(
      'orders_shipped',
      sql`(${t.shippedAt} is null or ${t.status} in ('shipped', 'refunded'))
        and (${t.shippedAt} is not null or num_nonnulls(${t.carrier}, ${t.trackingNumber}) = 0)`,
    ),
    check(
      'orders_refunded',
      sql`case when ${t.status} = 'refunded' then ${t.refundedCents} = ${t.totalPrice} + ${t.taxTotal}
        when ${t.status} in ('paid', 'shipped') then ${t.refundedCents} >= 0 and ${t.refundedCents} < ${t.totalPrice} + ${t.taxTotal}
        else ${t.refundedCents} = 0 end`,
    ),
    index('orders_hold_limits')
      .on(t.userId, t.holdLimitAt)
      .where(sql`${t.holdLimitAt} is not null`),
    // for the sum that a mailbox has paid
    // what was bought together with a part
    index('orders_bought').on(t.partId, t.shippedAt).where(sql`${t.status} = 'shipped'`),
    index('orders_of_payers').on(t.payer).where(sql`${t.status} in ('paid', 'shipped')`),
    // without a pending list, which every booking would scan
    index('orders_networks')
      .using('gin', t.networks)
      .where(sql`${t.holdExpiresAt} is not null`)
      .with({ fastupdate: false }),
    check('orders_hold', sql`${t.holdExpiresAt} is null or ${t.status} = 'unpaid'`),
    check(
      'orders_hold_limit',
      sql`${t.holdExpiresAt} is null or (${t.holdLimitAt} is not null and ${t.holdExpiresAt} <= ${t.holdLimitAt})`,
    ),
    check('orders_networks_of_hold', sql`${t.networks} = '{}' or ${t.holdExpiresAt} is not null`),
  ],
)
