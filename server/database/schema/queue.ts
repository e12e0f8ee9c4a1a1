import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import { id, timestamptz, timestamptzNow } from './columns.ts'
import { parts } from './parts.ts'
import { users } from './users.ts'

/**
 * Who waits for a sold-out part, one place for each customer and part. Triggers offer units that become free to the first
 * whom they serve whole, in the transaction that frees them, and keep the stock ledger equal to what is offered.
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
    quantity: integer('quantity').notNull(),
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
    check('queue_places_offer', sql`${t.offerEndsAt} is null or ${t.offeredAt} is not null`),
  ],
)
