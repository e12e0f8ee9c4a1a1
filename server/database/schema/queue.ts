import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytea, id, timestamptz, timestamptzNow } from './columns.ts'
import { orders } from './orders.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/**
 * The customers who wait for a sold-out part, one place for each customer and part. Triggers offer units that become free in the order of
 * `queue_of`, in the transaction that frees them, and keep the stock ledger equal to what is offered.
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
    /** How many the customer waits for, or is offered. */
    quantity: integer('quantity').notNull(),
    /** How many the customer waited for, when fewer are offered; else null. */
    wantedQuantity: integer('wanted_quantity'),
    /** Hashes of the networks that the customer joined from: an IPv4 address, or a /64, /56 and /48; empty once offered. */
    networks: text('networks').array().notNull().default(sql`'{}'`),
    /** The order of joining. The part's lock makes it that of commits, too. */
    turn: bigserial('turn', { mode: 'number' }).notNull(),
    createdAt: timestamptzNow('created_at'),
    /** Since when the units are set aside on the ledger; null while the customer waits. */
    offeredAt: timestamptz('offered_at'),
    /** When the offer ends; null until the customer has been mailed. */
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

/** Why a hold or an offer ended unpaid. The customer did not want it, let its time run out, or an admin released it. */
export const abandonCauses = [
  'hold expired',
  'hold deleted',
  'offer expired',
  'offer left',
  'released',
] as const

/**
 * What customers held, or were offered, and did not pay, for as long as it counts against their mailbox. It outlasts their
 * account, so it names nobody: of the mailbox it keeps a hash.
 */
export const abandonedHolds = pgTable(
  'abandoned_holds',
  {
    _id: bigserial('_id', { mode: 'number' }).primaryKey(),
    /** `mailbox_key` of `users.mailbox`. */
    mailbox: bytea('mailbox').notNull(),
    partId: uuid('part_id')
      .notNull()
      .references(() => parts._id),
    /** Null for an offer. */
    orderId: uuid('order_id').references(() => orders._id),
    cause: text('cause', { enum: abandonCauses }).notNull(),
    /** Until when others go first at this part. */
    pauseUntil: timestamptz('pause_until').notNull(),
    createdAt: timestamptzNow('created_at'),
  },
  (t) => [
    index('abandoned_holds_mailbox').on(t.mailbox, t.createdAt),
    index('abandoned_holds_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('abandoned_holds_part').on(t.partId, t.pauseUntil),
    check(
      'abandoned_holds_cause',
      sql`${t.cause} in ('hold expired', 'hold deleted', 'offer expired', 'offer left', 'released')`,
    ),
  ],
)
