import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { type TicketType, ticketStates, ticketTypes } from '#contracts/ticket-rules.ts'
import { checkouts } from './checkouts.ts'
import { bytea, id, searched, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { users } from './users.ts'

/** Assigns ticket numbers. A ticket that is rolled back leaves a gap. */
export const ticketNumbers = pgSequence('ticket_numbers', { startWith: 1001 })

/**
 * What customers ask for after paying, each with a thread. Its type, its customer and its lines are
 * frozen; its state only takes the ways of `contracts/ticket-rules.ts`, which a trigger checks.
 */
export const tickets = pgTable(
  'tickets',
  {
    _id: id(),
    /** The number that people use. The API uses `_id`. */
    number: text('number').notNull().unique().default(sql`'T-' || nextval('ticket_numbers')`),
    type: text('type', {
      enum: Object.keys(ticketTypes) as [TicketType, ...TicketType[]],
    }).notNull(),
    state: text('state', { enum: ticketStates }).notNull().default('asked'),
    /** Rises with every change, against two admins at once. */
    version: integer('version').notNull().default(1),
    /** Null: somebody without an account asked. */
    userId: uuid('user_id').references(() => users._id),
    /** Null: a question without an order. */
    checkoutId: uuid('checkout_id').references(() => checkouts._id),
    name: text('name').notNull(),
    email: text('email').notNull(),
    /** Since when it waits for the shop; null while it waits for its customer, or has ended. */
    waitingSince: timestamptz('waiting_since'),
    createdAt: timestamptzNow('created_at'),
    endedAt: timestamptz('ended_at'),
    idempotencyKey: text('idempotency_key'),
    /** SHA-256 of the first request with the key. */
    requestHash: text('request_hash'),
    search: searched('number', 'name', 'email', '_id::text'),
  },
  (t) => [
    unique('tickets_idempotency').on(t.userId, t.idempotencyKey),
    index('tickets_checkout').on(t.checkoutId).where(sql`${t.checkoutId} is not null`),
    index('tickets_user').on(t.userId, t.createdAt),
    index('tickets_created').on(t.createdAt, t._id),
    index('tickets_waiting').on(t.waitingSince, t._id).where(sql`${t.waitingSince} is not null`),
    index('tickets_ended').on(t.endedAt).where(sql`${t.endedAt} is not null`),
    index('tickets_search').using('gin', t.search.op('gin_trgm_ops')),
    check(
      'tickets_type',
      sql`${t.type} in ('withdrawal', 'return', 'warranty', 'question', 'undelivered')`,
    ),
    check(
      'tickets_state',
      sql`${t.state} in ('asked', 'accepted', 'on its way', 'received', 'settled', 'refused')
        and (${t.type} <> 'question' or ${t.state} in ('asked', 'settled'))`,
    ),
    check(
      'tickets_ended',
      sql`(${t.endedAt} is not null) = (${t.state} in ('settled', 'refused'))`,
    ),
    check('tickets_waiting', sql`${t.waitingSince} is null or ${t.endedAt} is null`),
    check('tickets_checkout', sql`${t.type} = 'question' or ${t.checkoutId} is not null`),
  ],
)

/** The units that a ticket is about, and what became of them. */
export const ticketLines = pgTable(
  'ticket_lines',
  {
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => tickets._id),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    quantity: integer('quantity').notNull(),
    /** Units that came back. */
    received: integer('received').notNull().default(0),
    /** Of these, the units that can be sold again. */
    restock: integer('restock').notNull().default(0),
  },
  (t) => [
    primaryKey({ name: 'ticket_lines_pkey', columns: [t.ticketId, t.orderId] }),
    index('ticket_lines_order').on(t.orderId),
    check('ticket_lines_quantity', sql`${t.quantity} > 0`),
    check(
      'ticket_lines_received',
      sql`${t.received} between 0 and ${t.quantity} and ${t.restock} between 0 and ${t.received}`,
    ),
  ],
)

/** The messages of tickets. Append-only, but a deleted account's are emptied. */
export const ticketMessages = pgTable(
  'ticket_messages',
  {
    _id: id(),
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => tickets._id),
    author: text('author', { enum: ['customer', 'shop'] }).notNull(),
    /** The admin who wrote it. */
    adminId: uuid('admin_id').references(() => users._id),
    /** What the ticket became with it. */
    state: text('state', { enum: ticketStates }),
    text: text('text').notNull().default(''),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('ticket_messages_ticket').on(t.ticketId, t.createdAt, t._id),
    check('ticket_messages_author', sql`${t.author} in ('customer', 'shop')`),
    check('ticket_messages_admin', sql`${t.adminId} is null or ${t.author} = 'shop'`),
    check(
      'ticket_messages_state',
      sql`${t.state} in ('asked', 'accepted', 'on its way', 'received', 'settled', 'refused')`,
    ),
  ],
)

/** Pictures that customers add to tickets about their orders: for the customer and admins alone. */
export const ticketPictures = pgTable(
  'ticket_pictures',
  {
    _id: id(),
    ticketId: uuid('ticket_id')
      .notNull()
      .references(() => tickets._id),
    /** A WebP file, encoded anew by the shop. */
    bytes: bytea('bytes').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [index('ticket_pictures_ticket').on(t.ticketId, t.createdAt)],
)

/** The units of an order that withdrawals which have not ended take back. */
export const withdrawnUnits = sql<number>`(
  select coalesce(sum(l.quantity), 0)::int from ticket_lines l join tickets t on t._id = l.ticket_id
  where l.order_id = ${orders}._id and t.type = 'withdrawal' and t.state not in ('settled', 'refused'))`
/** Whether those are all of them. */
export const isWithdrawn = sql<boolean>`(${orders.quantity} <= ${withdrawnUnits})`
