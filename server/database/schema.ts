/**
 * The tables that goods and money are kept right by, on one page. What must never be wrong is a constraint here, or a trigger in the migration
 * `0001_stock_ledger`: stock changes only by a line in `stock_movements`, whose sums the counters of `parts` are.
 */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigserial,
  boolean,
  check,
  index,
  integer,
  pgSequence,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { refunds } from './payment-schema.ts'
import { searchText } from './search.ts'

const id = () => uuid('_id').primaryKey().defaultRandom()
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
const now = (name: string) => moment(name).notNull().defaultNow()
/** What a row is searched by. Kept by the database, shown by no store. */
const searched = (...texts: string[]) =>
  text('search')
    .notNull()
    .generatedAlwaysAs(searchText(...texts))

export const users = pgTable(
  'users',
  {
    _id: id(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    role: text('role', { enum: ['customer', 'admin'] })
      .notNull()
      .default('customer'),
    disabledAt: moment('disabled_at'),
    /** When its owner deleted the account: the row stays for the books, without a name. */
    closedAt: moment('closed_at'),
    /** Raised to end every access token of this user at once. */
    tokenVersion: integer('token_version').notNull().default(0),
    createdAt: now('created_at'),
    search: searched('email', 'name', '_id::text'),
  },
  (t) => [
    unique('users_identity').on(t.issuer, t.subject),
    index('users_email').on(t.email, t._id),
    index('users_created').on(t.createdAt, t._id),
    index('users_admins').on(t.email, t._id).where(sql`${t.role} = 'admin'`),
    index('users_search').using('gin', t.search.op('gin_trgm_ops')),
    check('users_role', sql`${t.role} in ('customer', 'admin')`),
    check(
      'users_closed',
      sql`${t.closedAt} is null
        or (${t.disabledAt} is not null and ${t.role} = 'customer' and not ${t.emailVerified})`,
    ),
    check('users_email_lower', sql`${t.email} = lower(${t.email})`),
  ],
)

export const parts = pgTable(
  'parts',
  {
    _id: id(),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    image: text('image').notNull(),
    description: text('description').notNull(),
    minimumOrderQuantity: integer('minimum_order_quantity').notNull(),
    price: integer('price').notNull(),
    onHand: integer('on_hand').notNull().default(0),
    reserved: integer('reserved').notNull().default(0),
    position: bigserial('position', { mode: 'number' }).notNull(),
    createdAt: now('created_at'),
    deletedAt: moment('deleted_at'),
    /** Units paid in the last 90 days, less those that came back; a background job counts them. */
    sold90: integer('sold_90').notNull().default(0),
    /** Raised by every edit, so that of two people who edit at once the second is told. */
    version: integer('version').notNull().default(1),
    search: searched('name', 'kind', 'description', '_id::text'),
  },
  (t) => [
    uniqueIndex('parts_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    index('parts_position').on(t.position).where(sql`${t.deletedAt} is null`),
    index('parts_by_price').on(t.price, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_by_created').on(t.createdAt, t._id).where(sql`${t.deletedAt} is null`),
    index('parts_image').on(t.image),
    check('parts_on_hand', sql`${t.onHand} >= 0`),
    check('parts_reserved', sql`${t.reserved} >= 0 and ${t.reserved} <= ${t.onHand}`),
    check('parts_price', sql`${t.price} between 1 and 999999`),
    check('parts_minimum', sql`${t.minimumOrderQuantity} between 1 and 100000`),
  ],
)

/** What orders are numbered by. A booking that is taken back leaves a gap. */
export const orderNumbers = pgSequence('order_numbers', { startWith: 1001 })

export const orders = pgTable(
  'orders',
  {
    _id: id(),
    /** What people call it by: short enough for the phone. Calls use `_id`. */
    number: text('number').notNull().unique().default(sql`'F-' || nextval('order_numbers')`),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    product: text('product').notNull(),
    image: text('image').notNull(),
    customer: text('customer').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    quantity: integer('quantity').notNull(),
    price: integer('price').notNull(),
    totalPrice: integer('total_price').notNull(),
    status: text('status', { enum: ['unpaid', 'paid', 'shipped', 'refunded', 'deleted'] })
      .notNull()
      .default('unpaid'),
    transactionId: text('transaction_id').unique(),
    /** Until when the stock is held; null when none is. */
    holdExpiresAt: moment('hold_expires_at'),
    /** When the last hold of an unpaid order ended, kept by a trigger; null when it was not held, or is held again. */
    holdEndedAt: moment('hold_ended_at'),
    /** When a hold ends for good: no renewal leads past it. Kept after the hold, for the pause that follows; gone once paid. */
    holdLimitAt: moment('hold_limit_at'),
    /** When a hold of it last ran out unpaid. */
    holdRanOutAt: moment('hold_ran_out_at'),
    /** Hash of the network that a customer without a confirmed address holds from; null once the hold has ended. */
    network: text('network'),
    /** When the card provider was last asked about a payment that the shop did not know. */
    askedAt: moment('asked_at'),
    /** When the customer was mailed that the unpaid order will end. */
    endAnnouncedAt: moment('end_announced_at'),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of what the key was first used with. */
    requestHash: text('request_hash'),
    createdAt: now('created_at'),
    paidAt: moment('paid_at'),
    shippedAt: moment('shipped_at'),
    carrier: text('carrier'),
    trackingNumber: text('tracking_number'),
    /** The sum of its refunds, kept by a trigger of `refunds`. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    search: searched(
      'number',
      'product',
      'customer',
      'email',
      'phone',
      '_id::text',
      "coalesce(transaction_id, '')",
    ),
  },
  (t) => [
    unique('orders_idempotency').on(t.userId, t.idempotencyKey),
    index('orders_user').on(t.userId, t.createdAt),
    index('orders_created').on(t.createdAt, t._id),
    index('orders_status').on(t.status, t.createdAt, t._id),
    // all that sums of what was paid ask for
    index('orders_paid').on(t.paidAt, t.partId, t.quantity, t.totalPrice, t.refundedCents),
    index('orders_to_ship').on(t.paidAt, t._id).where(sql`${t.status} = 'paid'`),
    // few orders of one status have many units: by quantity alone they are found last
    index('orders_status_quantity').on(t.status, t.quantity, t._id),
    index('orders_by_total').on(t.totalPrice, t._id),
    index('orders_by_quantity').on(t.quantity, t._id),
    index('orders_by_product').on(sql`lower(${t.product})`, t._id),
    index('orders_by_email').on(t.email, t._id),
    index('orders_search').using('gin', t.search.op('gin_trgm_ops')),
    index('orders_image').on(t.image),
    index('orders_holds').on(t.holdExpiresAt).where(sql`${t.holdExpiresAt} is not null`),
    check('orders_quantity', sql`${t.quantity} between 1 and 100000`),
    check('orders_total', sql`${t.totalPrice} = ${t.quantity}::bigint * ${t.price}`),
    check('orders_total_limit', sql`${t.totalPrice} between 1 and 999999`),
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
      sql`case when ${t.status} = 'refunded' then ${t.refundedCents} = ${t.totalPrice}::bigint * 100
        when ${t.status} in ('paid', 'shipped') then ${t.refundedCents} >= 0 and ${t.refundedCents} < ${t.totalPrice}::bigint * 100
        else ${t.refundedCents} = 0 end`,
    ),
    index('orders_hold_limits')
      .on(t.userId, t.holdLimitAt)
      .where(sql`${t.holdLimitAt} is not null`),
    index('orders_networks').on(t.network).where(sql`${t.network} is not null`),
    check('orders_hold', sql`${t.holdExpiresAt} is null or ${t.status} = 'unpaid'`),
    check(
      'orders_hold_limit',
      sql`${t.holdExpiresAt} is null or (${t.holdLimitAt} is not null and ${t.holdExpiresAt} <= ${t.holdLimitAt})`,
    ),
    check('orders_network', sql`${t.network} is null or ${t.holdExpiresAt} is not null`),
  ],
)

/** The append-only stock ledger; inserting a line is the only way to change a part's stock. */
export const stockMovements = pgTable(
  'stock_movements',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    orderId: uuid('order_id').references(() => orders._id),
    refundId: uuid('refund_id').references((): AnyPgColumn => refunds._id),
    kind: text('kind', {
      enum: ['receive', 'adjust', 'hold', 'release', 'sell', 'restock'],
    }).notNull(),
    onHandDelta: integer('on_hand_delta').notNull().default(0),
    reservedDelta: integer('reserved_delta').notNull().default(0),
    reason: text('reason'),
    createdAt: now('created_at'),
  },
  (t) => [
    index('stock_movements_part').on(t.partId, t._id),
    index('stock_movements_order').on(t.orderId),
    uniqueIndex('stock_sold_once').on(t.orderId).where(sql`${t.kind} = 'sell'`),
    unique('stock_restocked_once').on(t.refundId),
    check('stock_restocked', sql`(${t.kind} = 'restock') = (${t.refundId} is not null)`),
    check(
      'stock_movements_kind',
      sql`case ${t.kind}
        when 'receive' then ${t.onHandDelta} > 0 and ${t.reservedDelta} = 0
        when 'adjust' then ${t.reservedDelta} = 0
        when 'hold' then ${t.onHandDelta} = 0 and ${t.reservedDelta} > 0 and ${t.orderId} is not null
        when 'release' then ${t.onHandDelta} = 0 and ${t.reservedDelta} < 0 and ${t.orderId} is not null
        when 'sell' then ${t.onHandDelta} < 0 and ${t.reservedDelta} = ${t.onHandDelta} and ${t.orderId} is not null
        when 'restock' then ${t.onHandDelta} > 0 and ${t.reservedDelta} = 0 and ${t.orderId} is not null
        else false end`,
    ),
  ],
)
