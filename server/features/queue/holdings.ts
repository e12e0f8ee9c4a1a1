/**
 * Lists the holds, offers and queue places of a part or an account, and releases all of an account.
 */
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Holding, holdingsLimit, type Released } from '#contracts/queue.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Queryable } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import { isoTime } from '#server/database/times.ts'
import { AppError, found } from '#server/errors.ts'
import { noteAbandoned } from '#server/features/orders/abandoned-holds.ts'
import { type EndDeps, releaseHold } from '#server/features/orders/end-holds.ts'
import { placeReleasedMail } from '#server/mail/waiting-mails.ts'
import { findFacts } from './serve-queue.ts'

/**
 * Lists the holdings of a part or an account: orders with a hold, then offers, then places in queue
 * order.
 */
export async function listHoldings(
  db: Queryable,
  of: { partId: string } | { userId: string },
): Promise<Holding[]> {
  const [column, id] = 'partId' in of ? ['part_id', of.partId] : ['user_id', of.userId]
  const isOfThis = sql`${sql.raw(column)} = ${id}`
  const { rows } = await db.execute<Holding>(sql`
    with held as (
      select o._id, 'order' as type, o.user_id, o.part_id, o.number, o.quantity, null::int as position,
        o.hold_expires_at as until, o.created_at as since
      from ${orders} o where o.hold_expires_at > now() and o.${isOfThis}
      union all
      select q._id, case when q.offered_at is null then 'place' else 'offer' end, q.user_id, q.part_id, null,
        q.quantity, turn.position, q.offer_ends_at, q.created_at
      from (select distinct part_id from ${queuePlaces} where ${isOfThis}) waited_for
      cross join lateral queue_of(waited_for.part_id) turn
      join ${queuePlaces} q on q._id = turn.place_id and q.${isOfThis})
    select h._id, h.type, h.user_id as "userId", u.name as customer, u.email, has_paid(u.mailbox) as "hasPaid",
      h.part_id as "partId", p.name as product, h.number, h.quantity, h.position, ${isoTime(sql`h.until`)} as until,
      ${isoTime(sql`h.since`)} as since
    from held h join ${users} u on u._id = h.user_id join ${parts} p on p._id = h.part_id
    order by case h.type when 'order' then 1 when 'offer' then 2 else 3 end, h.position, h.until, h._id
    limit ${holdingsLimit}`)
  return rows
}

/**
 * Ends all places of an account, offers included. Locks the parts first, as every transaction does.
 */
function releasePlaces(deps: EndDeps, caller: Caller, userId: string, holds: number) {
  return deps.db.transaction(async (tx) => {
    const own = eq(queuePlaces.userId, userId)
    await tx
      .select({ _id: parts._id })
      .from(parts)
      .where(sql`${parts._id} in (select part_id from ${queuePlaces} where ${own})`)
      .orderBy(asc(parts._id))
      .for('no key update')
    const ended = await tx.delete(queuePlaces).where(own).returning()
    const offered = ended.filter(({ offeredAt }) => offeredAt)
    await noteAbandoned(tx, deps, offered, 'released')
    const counts = { offers: offered.length, places: ended.length - offered.length }
    const detail = { holds, ...counts }
    if (holds + ended.length > 0)
      await logActions(tx, [{ actor: caller, action: 'account released', userId, detail }])
    // queueing a mail takes a lock that must come last
    for (const place of ended) {
      const { email, ...facts } = await findFacts(tx, place)
      const isOffered = place.offeredAt !== null
      const mail = placeReleasedMail({ ...place, ...facts }, isOffered, deps)
      await queueMail(tx, { recipient: email, ...mail, dedupe: `place ended ${place._id}` })
    }
    return counts
  })
}

/**
 * Releases everything that an account holds, for an admin: ends the holds of its unpaid orders, its
 * offers and its places. Other customers then have priority at held and offered parts for a while.
 * The customer gets a mail about each. An order keeps its hold while its payment is in progress or
 * the provider is down.
 * @throws AppError NOT_FOUND
 */
export async function releaseAccount(
  deps: EndDeps,
  caller: Caller,
  userId: string,
): Promise<Released> {
  const { db } = deps
  const [user] = await db
    .select({ _id: users._id })
    .from(users)
    .where(and(eq(users._id, userId), isNull(users.deletedAt)))
  found(user, 'user')
  const held = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNotNull(orders.holdExpiresAt)))
  let holds = 0
  let paying = 0
  for (const { _id } of held) {
    try {
      if (await releaseHold(deps, caller, _id)) holds += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      paying += 1
    }
  }
  const counts = await releasePlaces(deps, caller, userId, holds)
  return { acknowledged: true, holds, ...counts, paying }
}
