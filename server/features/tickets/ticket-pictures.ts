/** Pictures that customers add to tickets about their orders. Only they and admins see them. */
import { and, count, eq, gt, sql } from 'drizzle-orm'
import { ticketLimits } from '#contracts/tickets.ts'
import type { EncodePhoto } from '#server/adapters/images/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { ticketPictures, tickets } from '#server/database/schema/tickets.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import type { TicketDeps } from './about.ts'
import { lockTicket } from './change-ticket.ts'
import { findTicket, type TicketRow } from './store.ts'

/** Pictures of all tickets about one checkout. */
const mostOfCheckout = 50
/** Pictures of a customer within a day, in all threads. */
const mostInADay = 30

/** Counts the pictures within a day of all accounts of a user's mailbox. */
async function sentToday(db: Queryable, userId: string | null): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(ticketPictures)
    .innerJoin(tickets, eq(tickets._id, ticketPictures.ticketId))
    .innerJoin(users, eq(users._id, tickets.userId))
    .where(
      and(
        sql`${users.mailbox} = (select u.mailbox from users u where u._id = ${userId})`,
        gt(ticketPictures.createdAt, sql`now() - interval '1 day'`),
      ),
    )
  return row?.n ?? 0
}

/** Who pays and cancels at once would store pictures for nothing. @throws AppError ORDER_REFUNDED */
async function checkSent(db: Queryable, checkoutId: string): Promise<void> {
  const [row] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(
      and(
        eq(orders.checkoutId, checkoutId),
        sql`(${orders.status} = 'paid' or ${orders.shippedAt} is not null)`,
      ),
    )
    .limit(1)
  if (row) return
  throw new AppError(
    'ORDER_REFUNDED',
    'Nothing of this order was sent, so there is nothing to show',
  )
}

/**
 * @throws AppError NOT_FOUND, ORDER_REFUNDED, TOO_MANY beyond `ticketLimits.pictures`,
 *   `mostOfCheckout` or `mostInADay`
 */
async function checkRoom(db: Queryable, ticket: TicketRow): Promise<void> {
  const checkoutId = found(ticket.checkoutId, 'ticket')
  await checkSent(db, checkoutId)
  const [row] = await db
    .select({
      own: sql<number>`count(*) filter (where ${tickets._id} = ${ticket._id})::int`,
      all: count(),
    })
    .from(ticketPictures)
    .innerJoin(tickets, eq(tickets._id, ticketPictures.ticketId))
    .where(eq(tickets.checkoutId, checkoutId))
  const { own, all } = found(row, 'ticket')
  if (own >= ticketLimits.pictures)
    throw new AppError('TOO_MANY', `A ticket has ${ticketLimits.pictures} pictures at the most`)
  if (all >= mostOfCheckout)
    throw new AppError('TOO_MANY', `An order has ${mostOfCheckout} pictures at the most`)
  if ((await sentToday(db, ticket.userId)) < mostInADay) return
  throw new AppError(
    'TOO_MANY',
    `You sent ${mostInADay} pictures within a day. Send more tomorrow.`,
  )
}

/**
 * Adds a picture, encoded anew, to a ticket about an order.
 * @param read reads the upload, which a ticket without an order or with enough pictures refuses unread
 * @returns its id
 * @throws AppError NOT_FOUND for a question without an order, ORDER_REFUNDED, TOO_MANY, UNSUPPORTED
 */
export async function addTicketPicture(
  { db, encodePhoto }: TicketDeps & { encodePhoto: EncodePhoto },
  ticketId: string,
  read: () => Promise<Uint8Array>,
): Promise<string> {
  await checkRoom(db, found(await findTicket(db, ticketId), 'ticket'))
  const bytes = await encodePhoto(await read())
  return db.transaction(async (tx) => {
    await checkRoom(tx, await lockTicket(tx, ticketId))
    const [row] = await tx
      .insert(ticketPictures)
      .values({ ticketId, bytes })
      .returning({ _id: ticketPictures._id })
    return found(row, 'picture')._id
  })
}

/** Reads a picture of a ticket. @throws AppError NOT_FOUND */
export async function readTicketPicture(
  db: Queryable,
  ticketId: string,
  id: string,
): Promise<Uint8Array> {
  const [row] = await db
    .select({ bytes: ticketPictures.bytes })
    .from(ticketPictures)
    .where(and(eq(ticketPictures.ticketId, ticketId), eq(ticketPictures._id, id)))
  return found(row, 'picture').bytes
}
