/**
 * How many orders one customer, and one network, may hold at a time, and for how long. These are rules of the shop, whether
 * or not rate limits are on. Booking and starting a payment apply them, under locks. Money that came for a hold that has ended is
 * under no such rule: it buys the part if units are there and it is no draft (`settle.ts`).
 *
 * A hold in the columns of `orders`:
 *
 * - Booking (`book-part.ts`), or starting a payment after a hold (`retake-hold.ts`), begins it: `hold_expires_at` is when it expires,
 *   `hold_limit_at` is its limit. Starting a payment renews it: it expires later, never past its limit.
 * - It expires: a job (`end-holds.ts`) empties `hold_expires_at` and sets `hold_ran_out_at`, which counts against the customer
 *   for a day.
 * - An admin releases it (`end-holds.ts`): `hold_expires_at` is emptied, and the limit is now.
 * - Deleting the order (`delete-order.ts`) empties `hold_expires_at`; the others stay.
 * - Becoming paid (`settle.ts`) sells the units and empties all three.
 *
 * The limit stays after the hold, because others go first for a while then (`pauseSeconds`). A trigger notes in `hold_ended_at` when
 * the hold of an unpaid order ended, however it did.
 */
import { type SQL, sql } from 'drizzle-orm'
import { AppError, waitText } from '#server/errors.ts'

export type HoldRules = {
  /** How long a hold lasts from its start or renewal. */
  holdMinutes: number
  /** The limit of a hold, from its start. */
  holdMaxMinutes: number
  /** Orders that one customer may hold at a time. */
  openHolds: number
  /** The same without a verified address, or after too many holds ended unpaid. */
  openHoldsUnverified: number
}

/**
 * For how long an order is held: `minutes` from each renewal, `maxMinutes` from the start at the most. Today the same for
 * every total; a rule by total changes this function alone.
 */
export const holdTimesFor = (_totalPrice: number, rules: HoldRules) => ({
  minutes: rules.holdMinutes,
  maxMinutes: rules.holdMaxMinutes,
})

/** For how long others go first after the limit of a hold, whatever its total. */
export const pauseSeconds = (rules: HoldRules): number => rules.holdMaxMinutes * 60

/** Orders that unverified customers of one network may hold together. */
const networkHolds = 3
/** Holds that may run out within a day before the customer may hold fewer. */
const holdsRunOut = 3

/**
 * Locks the customer, and then the network of one without a verified address: one request of each holds at a time. Take
 * these locks before any order or part, so that no two requests wait for each other; and before reading the state, which
 * would be outdated after a wait.
 */
export const holderLockSql = (userId: SQL, network: SQL): SQL => sql`
  select verified, case when not verified then pg_advisory_xact_lock(hashtextextended(${network}, 0)) end
  from (select email_verified as verified from users where _id = ${userId} for no key update) customer`

/** What a customer holds and held. True only under these locks. */
export type HoldState = {
  /** Their orders that are held now. */
  open: number
  /** Their orders whose hold expired unpaid within a day. */
  ranOut: number
  /** Orders held now from the same network by customers without a verified address. */
  inNetwork: number
  /** Units of this part that they hold now. */
  ofPart: number
  /** Seconds until the limit of their first hold of this part; negative once it has passed; null without one. */
  limitIn: number | null
}

type StateInput = Record<'userId' | 'partId' | 'network' | 'pauseSeconds', SQL>

/** The query for a HoldState. */
export const holdStateSql = ({ userId, partId, network, pauseSeconds }: StateInput): SQL => sql`
  select count(*) filter (where hold_expires_at > now())::int as open,
    count(*) filter (where hold_ran_out_at > now() - interval '1 day')::int as "ranOut",
    (select count(*)::int from orders o join users u on u._id = o.user_id
      where o.network = ${network} and o.hold_expires_at > now() and not u.email_verified) as "inNetwork",
    coalesce(sum(quantity) filter (where part_id = ${partId} and hold_expires_at > now()), 0)::int as "ofPart",
    extract(epoch from min(hold_limit_at) filter (
      where part_id = ${partId} and hold_limit_at > now() - make_interval(secs => ${pauseSeconds})
    ) - now())::float8 as "limitIn"
  from orders
  where user_id = ${userId} and hold_limit_at > now() - greatest(make_interval(secs => ${pauseSeconds}), interval '1 day')`

const ordersIn = (count: number) => (count === 1 ? 'one unpaid order' : `${count} unpaid orders`)

function checkOpen({ open, ranOut, inNetwork }: HoldState, rules: HoldRules, verified: boolean) {
  const fewer = Math.min(rules.openHoldsUnverified, rules.openHolds)
  if (!verified && open >= fewer) {
    throw new AppError(
      'NOT_VERIFIED',
      `We keep parts for ${ordersIn(fewer)} at a time until your e-mail address is confirmed. Follow the link in our mail, or pay or delete the other order first.`,
    )
  }
  if (!verified && inNetwork >= networkHolds) {
    throw new AppError(
      'NETWORK_LIMIT',
      'Several customers of your network who have not confirmed their e-mail address already hold parts. Follow the link in our mail to confirm yours, and you can book.',
    )
  }
  if (ranOut >= holdsRunOut && open >= fewer) {
    throw new AppError(
      'TOO_MANY',
      `${ranOut} of your orders were not paid in time since yesterday, so for now we keep parts for ${ordersIn(fewer)} at a time. Pay or delete the other one first.`,
    )
  }
  if (open >= rules.openHolds) {
    throw new AppError(
      'TOO_MANY',
      `We keep parts for ${ordersIn(rules.openHolds)} at a time. Pay or delete one of the others first.`,
    )
  }
}

/** Seconds until the hold expires, and until its limit. `availableAtLeast`: units that must still be available when the hold is written. */
export type Allowed = { holdSeconds: number; limitSeconds: number; availableAtLeast: number }

/**
 * Decides whether the customer may hold so many units, and until when.
 * @param available units without a hold, at least the quantity
 * @throws AppError NOT_VERIFIED, NETWORK_LIMIT, TOO_MANY, or HOLD_REFUSED while others go first
 */
export function allowHold(
  state: HoldState,
  rules: HoldRules,
  booking: { verified: boolean; quantity: number; available: number; totalPrice: number },
): Allowed {
  const { verified, quantity, available, totalPrice } = booking
  checkOpen(state, rules, verified)
  const { minutes, maxMinutes } = holdTimesFor(totalPrice, rules)
  const until = (limitSeconds: number, availableAtLeast: number) => ({
    holdSeconds: Math.min(minutes * 60, limitSeconds),
    limitSeconds,
    availableAtLeast,
  })
  const { limitIn, ofPart } = state
  if (limitIn === null) return until(maxMinutes * 60, quantity)
  // as many stay free for others as this customer then holds of it
  const staysFree = ofPart + quantity
  if (available >= quantity + staysFree) return until(maxMinutes * 60, quantity + staysFree)
  // a new booking does not extend the limit of the first hold
  if (limitIn > 0) return until(limitIn, quantity)
  const pause = limitIn + pauseSeconds(rules)
  throw new AppError(
    'HOLD_REFUSED',
    `We kept this part for you as long as we can, so others go first for ${waitText(pause)}. You can have it before then only if as many stay free for them.`,
    undefined,
    Math.ceil(pause),
  )
}
