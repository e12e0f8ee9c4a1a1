import { and, eq, sql } from 'drizzle-orm'
import type { Stock } from '#contracts/catalogue.ts'
import { messages } from '#contracts/messages.ts'
import { type Currency, cents } from '#contracts/money.ts'
import { placesLimit, type QueueJoin, type QueuePlace, waitProblem } from '#contracts/queue.ts'
import type { Caller } from '#contracts/users.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import { noteAbandoned } from '#server/features/orders/abandoned-holds.ts'
import type { HoldRules } from '#server/features/orders/hold-times.ts'
import { lockHolder } from '#server/features/orders/retake-hold.ts'
import { lockPartsOnSale } from '#server/features/orders/store.ts'
import { findPlace } from './store.ts'

type LeaveDeps = { db: Database } & Pick<HoldRules, 'holdMaxMinutes'>

/**
 * Takes the locks of a booking (`lockHolder`).
 * @returns the mailbox's trust
 * @throws AppError NOT_VERIFIED
 */
async function lockCustomer(tx: Transaction, userId: string, networks: string[]): Promise<number> {
  const { verified } = await lockHolder(tx, { userId, networks })
  if (!verified) throw new AppError('NOT_VERIFIED', messages.queueNeedsVerification)
  const [user] = await tx
    .select({
      trust: sql<number>`(select (trust / 100.0)::float8 from trust_of(array[${users.mailbox}]))`,
    })
    .from(users)
    .where(eq(users._id, userId))
  return found(user, 'user').trust
}

/**
 * Checks that the customer has to wait for this many units.
 * @param trust the total that an offer to the customer may have; one minimum order is always
 *   offered
 * @throws AppError INVALID, or IN_STOCK when as many units as an offer would have are available now
 */
function checkQuantity(
  quantity: number,
  part: Stock & { price: number },
  { trust, currency }: { trust: number; currency: Currency },
): void {
  const problem = waitProblem(quantity, part, currency)
  if (problem) throw new AppError('INVALID', problem, { quantity: problem })
  const left = part.availableQuantity
  const covered = Math.floor(cents(trust) / cents(part.price))
  if (left < Math.min(quantity, Math.max(part.minimumOrderQuantity, covered))) return
  const why = `${left === 1 ? 'One is' : `${left} are`} in stock now: book instead of waiting.`
  throw new AppError('IN_STOCK', why, { quantity: why })
}

/** Selects the places of all accounts of the customer's mailbox. */
const isOfMailbox = (userId: string) =>
  sql`${queuePlaces.userId} in (
    select u._id from ${users} u where u.mailbox = (select me.mailbox from ${users} me where me._id = ${userId}))`

/**
 * Gives the customer a place in the queue of a part. Repeated calls, even from several tabs, return
 * the same place; a new quantity replaces the old one until units are offered. Takes locks in the
 * same order as bookings: mailbox, customer, part, place.
 * @param networks hashes of the request's networks, the narrowest first
 * @throws AppError NOT_VERIFIED, NOT_FOUND, INVALID, IN_STOCK, or TOO_MANY places
 */
export async function joinQueue(
  { db, currency }: { db: Database; currency: Currency },
  caller: Caller,
  { partId, quantity }: QueueJoin,
  networks: string[],
): Promise<QueuePlace> {
  const { _id: userId } = caller
  await db.transaction(async (tx) => {
    const trust = await lockCustomer(tx, userId, networks)
    const part = found((await lockPartsOnSale(tx, [partId])).get(partId), 'part')
    const [own] = await tx
      .select()
      .from(queuePlaces)
      .where(and(eq(queuePlaces.userId, userId), eq(queuePlaces.partId, partId)))
    if (own && (own.offeredAt || own.quantity === quantity)) return
    checkQuantity(quantity, part, { trust, currency })
    if (own) {
      await tx.update(queuePlaces).set({ quantity }).where(eq(queuePlaces._id, own._id))
    } else {
      if ((await tx.$count(queuePlaces, isOfMailbox(userId))) >= placesLimit) {
        throw new AppError(
          'TOO_MANY',
          `You’re already waiting for ${placesLimit} parts. Leave one of those queues first.`,
        )
      }
      await tx.insert(queuePlaces).values({ userId, partId, quantity, networks })
    }
  })
  // not under the locks: others wait for them, and a long queue takes time to rank
  return found(await findPlace(db, userId, { partId }), 'place')
}

/**
 * Deletes a customer's place. If it has an offer, this counts as an abandoned hold, and a trigger
 * offers the units to the next customer in the same transaction. Locks the part first, as every
 * transaction does.
 * @returns false when the customer has no such place
 */
export function leaveQueue(deps: LeaveDeps, caller: Caller, id: string): Promise<boolean> {
  const isOwn = and(eq(queuePlaces._id, id), eq(queuePlaces.userId, caller._id))
  return deps.db.transaction(async (tx) => {
    await tx
      .select({ _id: parts._id })
      .from(parts)
      .where(sql`${parts._id} in (select part_id from queue_places where _id = ${id})`)
      .for('no key update')
    const [place] = await tx.delete(queuePlaces).where(isOwn).returning()
    if (place?.offeredAt) await noteAbandoned(tx, deps, [place], 'offer left')
    return place !== undefined
  })
}
