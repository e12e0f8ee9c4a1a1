import { and, eq } from 'drizzle-orm'
import type { OfferAcceptance } from '#contracts/queue.ts'
import type { Caller } from '#contracts/users.ts'
import type { Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError } from '#server/errors.ts'
import { type BookingDeps, bookParts, offerKey } from '#server/features/orders/book-parts.ts'
import { findPlace } from './store.ts'

async function findAccepted(db: Queryable, userId: string, placeId: string) {
  const [order] = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.idempotencyKey, offerKey(placeId))))
  return order?._id
}

/**
 * Accepts an offer: books an ordinary order at the current price, and ends the place.
 * @returns the order's id; accepting again returns the same id
 * @throws AppError NOT_FOUND when there is no such place, OFFER_GONE, and the errors of a booking,
 *   after which the offer stays
 */
export async function acceptOffer(
  deps: BookingDeps,
  caller: Caller,
  placeId: string,
  { networks, ...acceptance }: OfferAcceptance & { networks: string[] },
): Promise<string> {
  const place = await findPlace(deps.db, caller._id, { id: placeId })
  if (place) {
    const { partId, offerQuantity: quantity } = place
    const booking = { lines: [{ partId, quantity }], ...acceptance }
    const request = { caller, booking, key: offerKey(placeId), networks, placeId }
    return (await bookParts(deps, request)).orderIds[0]
  }
  const accepted = await findAccepted(deps.db, caller._id, placeId)
  if (accepted) return accepted
  throw new AppError(
    'NOT_FOUND',
    'This offer has ended, and so has your place in the queue. You can join again.',
  )
}
