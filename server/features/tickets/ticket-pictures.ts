/** Pictures that customers add to tickets about their orders. Only they and admins see them. */
import { and, count, eq, sql } from 'drizzle-orm'
import { ticketLimits } from '#contracts/tickets.ts'
import type { EncodePicture } from '#server/adapters/images/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { ticketPictures, tickets } from '#server/database/schema/tickets.ts'
import { AppError, found } from '#server/errors.ts'
import type { TicketDeps } from './about.ts'
import { lockTicket } from './change-ticket.ts'
import { findTicket, type TicketRow } from './store.ts'

/** Pictures of all tickets about one checkout. */
const mostOfCheckout = 50

/** @throws AppError NOT_FOUND, TOO_MANY beyond `ticketLimits.pictures` or `mostOfCheckout` */
async function checkRoom(db: Queryable, ticket: TicketRow): Promise<void> {
  const [row] = await db
    .select({
      own: sql<number>`count(*) filter (where ${tickets._id} = ${ticket._id})::int`,
      all: count(),
    })
    .from(ticketPictures)
    .innerJoin(tickets, eq(tickets._id, ticketPictures.ticketId))
    .where(eq(tickets.checkoutId, found(ticket.checkoutId, 'ticket')))
  const { own, all } = found(row, 'ticket')
  if (own >= ticketLimits.pictures)
    throw new AppError('TOO_MANY', `A ticket has ${ticketLimits.pictures} pictures at the most`)
  if (all >= mostOfCheckout)
    throw new AppError('TOO_MANY', `An order has ${mostOfCheckout} pictures at the most`)
}

/**
 * Adds a picture, encoded anew, to a ticket about an order.
 * @returns its id
 * @throws AppError NOT_FOUND for a question without an order, TOO_MANY, UNSUPPORTED, INVALID
 */
export async function addTicketPicture(
  { db, encodePicture }: TicketDeps & { encodePicture: EncodePicture },
  ticketId: string,
  upload: Uint8Array,
): Promise<string> {
  await checkRoom(db, found(await findTicket(db, ticketId), 'ticket'))
  const { files } = await encodePicture(upload)
  const webp = files.filter(({ format }) => format === 'webp')
  const widest = found(webp.toSorted((a, b) => b.width - a.width)[0], 'picture')
  return db.transaction(async (tx) => {
    await checkRoom(tx, await lockTicket(tx, ticketId))
    const [row] = await tx
      .insert(ticketPictures)
      .values({ ticketId, bytes: widest.bytes })
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
