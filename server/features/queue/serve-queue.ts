/**
 * The job of the queue: mails customers about new offers, ends expired offers, and offers units
 * that customers may have by now. The time of an offer starts with its mail, so that no customer
 * loses an offer while the shop is down.
 */
import { and, asc, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database, Queryable } from '#server/database/client.ts'
import { queueMail } from '#server/database/mail-queue.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { users } from '#server/database/schema/users.ts'
import { found } from '#server/errors.ts'
import { noteAbandoned } from '#server/features/orders/abandoned-holds.ts'
import type { HoldRules } from '#server/features/orders/hold-times.ts'
import type { MailingShop } from '#server/mail/order-mails.ts'
import { noLongerSoldMail, offerEndedMail, offerMail } from '#server/mail/waiting-mails.ts'

export type QueueDeps = MailingShop & {
  db: Database
  log: Logger
  /** How long an offer lasts. */
  offerHours: number
} & Pick<HoldRules, 'holdMaxMinutes'>

const maxPerRun = 500

/** Offers whose customers were not mailed yet. */
const isNew = and(isNotNull(queuePlaces.offeredAt), isNull(queuePlaces.offerEndsAt))
const isOver = lt(queuePlaces.offerEndsAt, sql`now()`)

/** Reads the data that mails about a place contain. */
export async function findFacts(
  db: Pick<Database, 'select'>,
  { partId, userId }: Pick<Place, 'partId' | 'userId'>,
) {
  const [part] = await db
    .select({ product: parts.name, price: parts.price })
    .from(parts)
    .where(eq(parts._id, partId))
  const [user] = await db
    .select({ customer: users.name, email: users.email })
    .from(users)
    .where(eq(users._id, userId))
  return { ...found(part, 'part'), ...found(user, 'user') }
}

type Place = {
  _id: string
  userId: string
  partId: string
  quantity: number
  wantedQuantity: number | null
}
const placeColumns = {
  wantedQuantity: queuePlaces.wantedQuantity,
  _id: queuePlaces._id,
  userId: queuePlaces.userId,
  partId: queuePlaces.partId,
  quantity: queuePlaces.quantity,
}

/**
 * Whether the place is one of many whose customers never paid, or less than they hold, and hold or
 * are offered the part, or let their offers go lately, while others wait for it. Three are many, fewer of a part with fewer
 * minimum orders. Accounts by the dozen would pass such offers on for days.
 */
async function isOneOfMany(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.execute<{ isOneOfMany: boolean }>(sql`
    select exists (select uncovered(array[u.mailbox]))
      and h.strangers + (select count(distinct a.mailbox) from abandoned_holds a
        where a.part_id = q.part_id and a.cause like 'offer %' and a.created_at > now() - interval '3 days')
        >= least(3, (p.on_hand - p.to_ship) / p.minimum_order_quantity)
      and exists (select from ${queuePlaces} w where w.part_id = q.part_id and w.offered_at is null) as "isOneOfMany"
    from ${queuePlaces} q join ${users} u on u._id = q.user_id join ${parts} p on p._id = q.part_id,
      unpaid_holders(u.mailbox, q.part_id, '{}') h
    where q._id = ${id}`)
  return rows[0]?.isOneOfMany ?? false
}

/** Mails the customer about one offer, unless that has happened meanwhile, and starts its time. */
function announce(deps: QueueDeps, id: string): Promise<void> {
  const { db } = deps
  return db.transaction(async (tx) => {
    const offerHours = (await isOneOfMany(tx, id)) ? Math.min(1, deps.offerHours) : deps.offerHours
    const [place] = await tx
      .update(queuePlaces)
      .set({ offerEndsAt: sql`now() + make_interval(secs => ${offerHours * 3600})` })
      .where(and(eq(queuePlaces._id, id), isNew))
      .returning({ ...placeColumns, offerEndsAt: queuePlaces.offerEndsAt })
    if (!place) return
    const { email, ...facts } = await findFacts(tx, place)
    const mail = offerMail({ ...place, ...facts }, deps, offerHours)
    await queueMail(tx, {
      recipient: email,
      ...mail,
      dedupe: `offer ${id} ${place.offerEndsAt?.toISOString()}`,
    })
  })
}

/** Ends one place if, under the part's lock, its offer has still expired or its part is deleted. */
function end(deps: QueueDeps, { _id, partId }: Place): Promise<void> {
  const { db } = deps
  return db.transaction(async (tx) => {
    const [part] = await tx
      .select({ deletedAt: parts.deletedAt })
      .from(parts)
      .where(eq(parts._id, partId))
      .for('no key update')
    const isSold = part?.deletedAt === null
    const [place] = await tx
      .delete(queuePlaces)
      .where(and(eq(queuePlaces._id, _id), isSold ? isOver : undefined))
      .returning(placeColumns)
    if (!place) return
    if (isSold) await noteAbandoned(tx, deps, [place], 'offer expired')
    const { email, ...facts } = await findFacts(tx, place)
    const text = isSold ? offerEndedMail : noLongerSoldMail
    const mail = text({ ...place, ...facts }, deps)
    await queueMail(tx, { recipient: email, ...mail, dedupe: `place ended ${_id}` })
  })
}

/**
 * Pauses the offers of drafts. When a part is back on sale, its customers get a new mail and the
 * full time.
 */
const pauseDrafts = ({ db }: QueueDeps) =>
  // skips locked places: waiting for one while holding others could deadlock with a customer's
  // deletion
  db.execute(sql`
    update queue_places set offer_ends_at = null where _id in (
      select q._id from queue_places q join parts p on p._id = q.part_id
      where q.offer_ends_at is not null and p.deleted_at is null and p.state = 'draft' for update of q skip locked)`)

/**
 * Offers units that are free although customers wait: earlier, these customers had too many offers,
 * had just given the part back, or had unpaid orders.
 */
async function offerAgain({ db, log }: QueueDeps): Promise<void> {
  const { rows } = await db.execute<{ partId: string }>(sql`
    select p._id as "partId" from ${parts} p
    where p.deleted_at is null and p.state = 'on sale' and p.on_hand - p.reserved >= p.minimum_order_quantity
      and p._id in (select part_id from ${queuePlaces} where offered_at is null)`)
  for (const { partId } of rows) {
    await db
      .execute(sql`select offer_units(${partId})`)
      .catch((error) => log.error({ err: error, partId }, 'units_not_offered'))
  }
}

/** Reads places with their parts, in queue order. */
const findPlaces = ({ db }: QueueDeps, which: SQL | undefined) =>
  db
    .select(placeColumns)
    .from(queuePlaces)
    .innerJoin(parts, eq(parts._id, queuePlaces.partId))
    .where(which)
    .orderBy(asc(queuePlaces.turn))
    .limit(maxPerRun)

/**
 * Mails customers about new offers, ends expired offers and the places of deleted parts, and mails
 * about the offers that follow. One place's failure does not stop the others.
 */
export async function serveQueue(deps: QueueDeps): Promise<void> {
  const failed = (placeId: string) => (error: unknown) =>
    deps.log.error({ err: error, placeId }, 'place_not_served')
  const announceNew = async () => {
    for (const { _id } of await findPlaces(deps, and(isNew, isOnSale)))
      await announce(deps, _id).catch(failed(_id))
  }
  await pauseDrafts(deps)
  // first, because ending hundreds takes minutes
  await announceNew()
  for (const place of await findPlaces(deps, or(isOver, isNotNull(parts.deletedAt))))
    await end(deps, place).catch(failed(place._id))
  await offerAgain(deps)
  await announceNew()
}
