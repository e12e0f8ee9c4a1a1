import { and, eq, sql } from 'drizzle-orm'
import type { Stock } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import { totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { placesLimit, type QueueJoin, type QueuePlace } from '#contracts/queue.ts'
import type { Caller } from '#contracts/users.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { lockPartOnSale } from '#server/features/orders/store.ts'
import { findPlace } from './store.ts'

/** Locks the customer. @throws AppError NOT_VERIFIED */
async function lockCustomer(tx: Transaction, userId: string): Promise<void> {
  const [user] = await tx
    .select({ verified: users.emailVerified })
    .from(users)
    .where(eq(users._id, userId))
    .for('no key update')
  if (found(user, 'user').verified) return
  throw new AppError('NOT_VERIFIED', messages.queueNeedsConfirmation)
}

/** @throws AppError INVALID, or IN_STOCK when there is nothing to wait for */
function checkQuantity(quantity: number, part: Stock & { price: number }): void {
  const isTooFew = quantity < part.minimumOrderQuantity
  const problem = isTooFew
    ? messages.quantityTooLow
    : totalPriceProblem(totalPriceOf(quantity, part.price))
  if (problem) throw new AppError('INVALID', problem, { quantity: problem })
  const left = part.availableQuantity
  if (left < quantity) return
  const why = `${left === 1 ? 'One is' : `${left} are`} available now: book instead of waiting.`
  throw new AppError('IN_STOCK', why, { quantity: why })
}

/**
 * Gives the customer a place in the queue of a part. Again and from several tabs it is the same place; another quantity
 * replaces the number of units while nothing is offered yet. Locks are taken in the order of bookings: customer, part, place.
 * @throws AppError NOT_VERIFIED, NOT_FOUND, INVALID, IN_STOCK, or TOO_MANY places
 */
export function joinQueue(
  { db }: { db: Database },
  caller: Caller,
  { partId, quantity }: QueueJoin,
): Promise<QueuePlace> {
  const { _id: userId } = caller
  return db.transaction(async (tx) => {
    await lockCustomer(tx, userId)
    const part = found(await lockPartOnSale(tx, partId), 'part')
    const own = await findPlace(tx, userId, { partId })
    if (own && (own.isOffered || own.quantity === quantity)) return own
    checkQuantity(quantity, part)
    if (own) {
      await tx.update(queuePlaces).set({ quantity }).where(eq(queuePlaces._id, own._id))
    } else {
      if ((await tx.$count(queuePlaces, eq(queuePlaces.userId, userId))) >= placesLimit) {
        throw new AppError(
          'TOO_MANY',
          `You wait for ${placesLimit} parts already. Leave one of these queues first.`,
        )
      }
      await tx.insert(queuePlaces).values({ userId, partId, quantity })
    }
    return found(await findPlace(tx, userId, { partId }), 'place')
  })
}

/**
 * Gives a place up, and its offer with it, which goes to the next in the same transaction. The part is locked first, as
 * always.
 * @returns whether the customer had it
 */
export function leaveQueue({ db }: { db: Database }, caller: Caller, id: string): Promise<boolean> {
  const isOwn = and(eq(queuePlaces._id, id), eq(queuePlaces.userId, caller._id))
  return db.transaction(async (tx) => {
    await tx
      .select({ _id: parts._id })
      .from(parts)
      .where(sql`${parts._id} in (select part_id from queue_places where _id = ${id})`)
      .for('no key update')
    const { rowCount } = await tx.delete(queuePlaces).where(isOwn)
    return rowCount === 1
  })
}
