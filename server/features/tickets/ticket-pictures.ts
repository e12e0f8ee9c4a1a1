/** Pictures that customers add to tickets about their orders. Only they and admins see them. */
import { and, count, eq } from 'drizzle-orm'
import { ticketLimits } from '#contracts/tickets.ts'
import type { EncodePicture } from '#server/adapters/images/port.ts'
import type { Queryable } from '#server/database/client.ts'
import { ticketPictures } from '#server/database/schema/tickets.ts'
import { AppError, found } from '#server/errors.ts'
import type { TicketDeps } from './about.ts'
import { findTicket } from './store.ts'

/** @throws AppError TOO_MANY beyond `ticketLimits.pictures` */
async function checkRoom(db: Queryable, ticketId: string): Promise<void> {
  const [row] = await db
    .select({ n: count() })
    .from(ticketPictures)
    .where(eq(ticketPictures.ticketId, ticketId))
  if ((row?.n ?? 0) < ticketLimits.pictures) return
  throw new AppError('TOO_MANY', `A ticket has ${ticketLimits.pictures} pictures at the most`)
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
  await checkRoom(db, ticketId)
  const { files } = await encodePicture(upload)
  const webp = files.filter(({ format }) => format === 'webp')
  const widest = found(webp.toSorted((a, b) => b.width - a.width)[0], 'picture')
  return db.transaction(async (tx) => {
    const ticket = await findTicket(tx, ticketId, 'lock')
    found(ticket?.checkoutId ? ticket : null, 'ticket')
    await checkRoom(tx, ticketId)
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
