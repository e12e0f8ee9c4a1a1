/** What a customer holds and has held, read under locks: `hold-rules.ts` decides by it. */
import { type SQL, sql } from 'drizzle-orm'
import { cents } from '#contracts/money.ts'
import type { Queryable } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { type HoldRules, pauseSeconds } from './hold-times.ts'

/** Unpaid orders that a customer may book and delete within an hour, and within a day. */
const deletions = { hour: 10, day: 30 }

/**
 * Locks the mailbox, then the customer, then the widest network unless the customer is verified and
 * has paid `cost` more than is unpaid now. So only one request of each takes a hold at a time. Take these locks before those of
 * orders and parts, to avoid deadlocks, and before reading the state, which may change during the
 * wait.
 */
export const holderLockSql = (userId: SQL, networks: SQL, cost: SQL): SQL => sql`
  with mailbox as materialized (
    select _id, pg_advisory_xact_lock(hashtextextended(mailbox, 0)) as locked from users where _id = ${userId})
  select verified, case when not verified or not (has_paid(mailbox) and (select trust from trust_of(array[mailbox])) >= ${cost})
    then pg_advisory_xact_lock(hashtextextended((${networks}::text[])[cardinality(${networks}::text[])], 0)) end
  from (select u.email_verified as verified, u.mailbox from mailbox m join users u on u._id = m._id
    for no key update of u) customer`

/** What a mailbox holds and has held. It stays true only under the locks of `holderLockSql`. */
export type HoldState = {
  /** Its other checkouts that are held now; their orders, unless it is covered. */
  open: number
  /** Whether it has paid an order, and not less than what it has unpaid now. */
  isCovered: boolean
  /** Whether the mailbox is not covered, and one of those checkouts has several held orders. */
  hasOpenGroup: boolean
  /**
   * Holds and offers that it abandoned within a day. One that it deleted counts if it never paid.
   */
  abandoned: number
  /** Seconds until it may book again after deleting too many unpaid orders; null if it has not. */
  deletionsIn: number | null
  /**
   * Orders that customers without a verified address hold now, for each of the request's networks,
   * the narrowest first. Empty if the customer's own address is verified.
   */
  inNetworks: number[]
  /**
   * Other mailboxes that hold this part, or are offered it, from any of the request's networks, and
   * never paid or paid less than they hold. At most three are counted; 0 if this mailbox's trust
   * covers the `cost`.
   */
  neighbours: number
  /** The same from all networks, with those that abandoned this part within a day. */
  strangers: number
  /** Units of this part that it holds or is offered now. */
  ofPart: number
  /**
   * Seconds until the limit of its first hold of this part, without a verified address also of those
   * that others of the network let go; negative after the limit; null without a hold.
   */
  limitIn: number | null
  /**
   * What it has paid so far, less what it holds or is offered now, as an amount in the shop's
   * currency.
   */
  trust: number
  /**
   * Whether another customer with enough trust waits for this part and the stock could serve that
   * customer.
   */
  othersWait: boolean
}

/** `cost`: at least what the checkout costs, in cents. With that much trust, nothing is scarce. */
type StateInput = Record<
  'userId' | 'partId' | 'checkoutId' | 'networks' | 'pauseSeconds' | 'cost',
  SQL
>

// orders of a checkout are abandoned at the same time, and count once
/** Seconds until fewer than `count` deletions are younger than `age`; null if that is so now. */
const deletionsSql = (count: number, age: string) => {
  const period = sql.raw(`interval '${age}'`)
  return sql`(select extract(epoch from a.created_at + ${period} - now()) from abandoned a
    where a.cause = 'hold deleted' and a.created_at > now() - ${period}
    group by a.created_at order by a.created_at desc offset ${sql.raw(String(count - 1))} limit 1)`
}

/** The query for a HoldState. */
export const holdStateSql = ({
  userId,
  partId,
  checkoutId,
  networks,
  pauseSeconds,
  cost,
}: StateInput): SQL => sql`
  with me as (select _id, mailbox, email_verified, has_paid(mailbox) as has_paid from users where _id = ${userId}),
  held as (
    select o.part_id, o.checkout_id, o.quantity, o.hold_expires_at > now() as is_open, o.hold_limit_at
    from me join users u on u.mailbox = me.mailbox join orders o on o.user_id = u._id
    where o.hold_limit_at > now() - make_interval(secs => ${pauseSeconds})),
  abandoned as (
    select a.part_id, a.cause, a.pause_until, a.created_at from me join abandoned_holds a
      on a.mailbox = mailbox_key(me.mailbox)
    where a.created_at > now() - interval '1 day' or a.pause_until > now()
    union all select a.part_id, null, a.pause_until, a.created_at from me join abandoned_holds a
      on a.network = (${networks}::text[])[1] where not me.email_verified and a.pause_until > now()),
  own_open as (select count(*)::int as orders, count(distinct checkout_id)::int as checkouts
    from held where is_open and checkout_id is distinct from ${checkoutId}),
  trusted as (select me.has_paid and t.trust >= 0 as is_covered, t.trust from me, trust_of(array[me.mailbox]) t)
  select case when is_covered then own_open.checkouts else own_open.orders end as open,
    is_covered as "isCovered", not is_covered and own_open.orders > own_open.checkouts as "hasOpenGroup",
    abandoned_lately(me.mailbox) as abandoned,
    greatest(${deletionsSql(deletions.hour, '1 hour')}, ${deletionsSql(deletions.day, '1 day')})::float8 as "deletionsIn",
    case when me.email_verified then '{}' else array(select (
        select count(*)::int from orders o join users u on u._id = o.user_id
        where o.networks @> array[network] and o.hold_expires_at > now() and not u.email_verified)
      from unnest(${networks}::text[]) with ordinality as each (network, level) order by level) end as "inNetworks",
    coalesce(holders.neighbours, 0) as neighbours, coalesce(holders.strangers, 0) as strangers,
    ((select coalesce(sum(quantity), 0) from held where part_id = ${partId} and is_open)
      + (select coalesce(sum(q.quantity), 0) from users u join queue_places q on q.user_id = u._id
        where u.mailbox = me.mailbox and q.part_id = ${partId} and q.offered_at is not null))::int as "ofPart",
    extract(epoch from least((select min(hold_limit_at) from held where part_id = ${partId}),
      (select min(pause_until) from abandoned where part_id = ${partId} and pause_until > now())
        - make_interval(secs => ${pauseSeconds})) - now())::float8 as "limitIn",
    (trusted.trust / 100.0)::float8 as trust,
    case when exists (select from queue_places q where q.part_id = ${partId} and q.offered_at is null)
      then exists (select from queue_of(${partId}, only_payers => true) q where not q.is_offered and q.is_covered and not q.is_behind
        and q.of_mailbox <> me.mailbox and q.units <= (select p.on_hand - p.to_ship from parts p where p._id = ${partId}))
      else false end as "othersWait"
  from own_open, trusted, me left join lateral (
    select h.neighbours, h.strangers + (select count(distinct a.mailbox)::int from abandoned_holds a
      where a.part_id = ${partId} and a.mailbox <> mailbox_key(me.mailbox) and a.cause <> 'released'
        and a.created_at > now() - interval '1 day') as strangers
    from unpaid_holders(me.mailbox, ${partId}, ${networks}::text[]) h
    where not (me.has_paid and trusted.trust >= ${cost})) holders on true`

/**
 * Reads the hold state of a customer's mailbox for a part. A booking reads it in its own statement
 * (`booking-store.ts`).
 * @param networks hashes of the request's networks, the narrowest first
 * @param checkoutId the checkout that is held again: it does not count beside itself
 * @param cost what the checkout costs
 * @throws AppError NOT_FOUND without the user
 */
export async function readHoldState(
  db: Queryable,
  rules: HoldRules,
  {
    userId,
    partId,
    networks,
    cost,
    checkoutId = null,
  }: {
    userId: string
    partId: string
    networks: string[]
    cost: number
    checkoutId?: string | null
  },
): Promise<HoldState> {
  const { rows } = await db.execute<HoldState>(
    holdStateSql({
      userId: sql`${userId}`,
      partId: sql`${partId}`,
      checkoutId: sql`${checkoutId}::uuid`,
      networks: sql`${sql.param(networks)}`,
      pauseSeconds: sql`${pauseSeconds(rules)}`,
      cost: sql`${cents(cost)}::bigint`,
    }),
  )
  return found(rows[0], 'user')
}
