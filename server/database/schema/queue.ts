import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/**
 * Customers who wait for a sold-out part, one place per customer and part. Triggers offer freed
 * units in the order of `queue_of`, in the transaction that frees them, and keep the stock ledger
 * equal to the offers.
 */
export const queuePlaces = pgTable(
  'queue_places',
  {
    _id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users._id),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    /** The number of units that the customer waits for, or is offered. */
    quantity: integer('quantity').notNull(),
    /** The number that the customer waited for, if the offer is smaller; else null. */
    wantedQuantity: integer('wanted_quantity'),
    /**
     * Hashes of the networks that the customer joined from: an IPv4 address, or a /64, /56 and /48;
     * empty once the place has an offer.
     */
    networks: text('networks').array().notNull().default(sql`'{}'`),
    /** The order of joining. The part's lock makes it the order of commits, too. */
    turn: bigserial('turn', { mode: 'number' }).notNull(),
    createdAt: timestamptzNow('created_at'),
    /** Since when the ledger sets the units aside; null while the customer waits. */
    offeredAt: timestamptz('offered_at'),
    /** When the offer ends; null until the shop has mailed the customer. */
    offerEndsAt: timestamptz('offer_ends_at'),
  },
  (t) => [
    unique('queue_places_one').on(t.userId, t.partId),
    index('queue_places_part').on(t.partId, t.turn),
    index('queue_places_offered').on(t.offerEndsAt).where(sql`${t.offeredAt} is not null`),
    check('queue_places_quantity', sql`${t.quantity} between 1 and 100000`),
    check(
      'queue_places_wanted',
      sql`${t.wantedQuantity} is null or (${t.offeredAt} is not null and ${t.wantedQuantity} between ${t.quantity} + 1 and 100000)`,
    ),
    check('queue_places_offer', sql`${t.offerEndsAt} is null or ${t.offeredAt} is not null`),
  ],
)

/**
 * Why a hold or an offer ended unpaid: the customer gave it up, it expired, or an admin released
 * it.
 */
export const abandonCauses = [
  'hold expired',
  'hold deleted',
  'offer expired',
  'offer left',
  'released',
] as const

/**
 * Holds and offers that ended unpaid, for as long as they count against the customer's mailbox. The
 * rows outlast the account, so they contain only hashes of the mailbox and the network.
 */
export const abandonedHolds = pgTable(
  'abandoned_holds',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    /** `mailbox_key` of `users.mailbox`. */
    mailbox: bytea('mailbox').notNull(),
    /** The narrowest of the order's `networks`, if its customer had no verified address. */
    network: text('network'),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    /** Null for an offer. */
    orderId: uuid('order_id').references(() => orders._id),
    cause: text('cause', { enum: abandonCauses }).notNull(),
    /** Until when other customers go first for this part. */
    pauseUntil: timestamptz('pause_until').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('abandoned_holds_mailbox').on(t.mailbox, t.createdAt),
    index('abandoned_holds_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('abandoned_holds_part').on(t.partId, t.pauseUntil),
    index('abandoned_holds_network')
      .on(t.network, t.createdAt)
      .where(sql`${t.network} is not null`),
    check(
      'abandoned_holds_cause',
      sql`${t.cause} in ('hold expired', 'hold deleted', 'offer expired', 'offer left', 'released')`,
    ),
  ],
)
