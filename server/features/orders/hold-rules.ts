/**
 * How many orders one customer, and one network, may hold at a time, and for how long. These are rules of the shop, whether
 * or not rate limits are on. Whatever holds stock for an unpaid order asks them, under locks.
 */
import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '#server/errors.ts'

export type HoldRules = {
  /** How long a hold lasts from its start or renewal. */
  holdMinutes: number
  /** How long after its start a hold ends for good; and for how long after that others go first. */
  holdMaxMinutes: number
  /** Orders that one customer may hold at a time. */
  openHolds: number
  /** The same without a confirmed address, or after too many holds ended unpaid. */
  openHoldsUnconfirmed: number
}

/** How long a hold of an order lasts from its start or renewal. It may end for good before that. */
export const holdMinutesFor = (_totalPrice: number, rules: HoldRules): number => rules.holdMinutes

/** Orders that unconfirmed customers of one network may hold together. */
const networkHolds = 3
/** Holds that may end unpaid within a day before the customer may hold fewer. */
const endedHolds = 3

/**
 * Locks the customer, and then the network of one without a confirmed address: one request of each holds at a time. Take
 * these locks before any order or part, so that no two requests wait for each other; and before reading the state, which
 * would be outdated after a wait.
 */
export const holderLock = (userId: SQL, network: SQL): SQL => sql`
  select confirmed, case when not confirmed then pg_advisory_xact_lock(hashtextextended(${network}, 0)) end
  from (select email_verified as confirmed from users where _id = ${userId} for no key update) customer`

/** What a customer holds and held. True only under these locks. */
export type HoldState = {
  /** Their orders that are held now. */
  open: number
  /** Their orders whose hold ended unpaid within a day. */
  ended: number
  /** Orders held now from the same network by customers without a confirmed address. */
  inNetwork: number
  /** Units of this part that they hold now. */
  ofPart: number
  /** Seconds until their first hold of this part ends for good; negative once it has; null without one. */
  limitIn: number | null
}

type StateInput = Record<'userId' | 'partId' | 'network' | 'pauseSeconds', SQL>

/** The query for a HoldState. */
export const holdState = ({ userId, partId, network, pauseSeconds }: StateInput): SQL => sql`
  select count(*) filter (where hold_expires_at > now())::int as open,
    count(*) filter (where hold_ran_out_at > now() - interval '1 day')::int as ended,
    (select count(*)::int from orders o join users u on u._id = o.user_id
      where o.network = ${network} and o.hold_expires_at > now() and not u.email_verified) as "inNetwork",
    coalesce(sum(quantity) filter (where part_id = ${partId} and hold_expires_at > now()), 0)::int as "ofPart",
    extract(epoch from min(hold_limit_at) filter (
      where part_id = ${partId} and hold_limit_at > now() - make_interval(secs => ${pauseSeconds})
    ) - now())::float8 as "limitIn"
  from orders
  where user_id = ${userId} and hold_limit_at > now() - greatest(make_interval(secs => ${pauseSeconds}), interval '1 day')`

const minutesIn = (seconds: number) => {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
const ordersIn = (count: number) => (count === 1 ? 'one unpaid order' : `${count} unpaid orders`)

function checkOpen({ open, ended, inNetwork }: HoldState, rules: HoldRules, confirmed: boolean) {
  const fewer = Math.min(rules.openHoldsUnconfirmed, rules.openHolds)
  if (!confirmed && open >= fewer) {
    throw new AppError(
      'NOT_VERIFIED',
      `We keep parts for ${ordersIn(fewer)} at a time until your e-mail address is confirmed. Follow the link in our mail, or pay or delete the other order first.`,
    )
  }
  if (!confirmed && inNetwork >= networkHolds) {
    throw new AppError(
      'NOT_VERIFIED',
      'From your network parts are kept for several people already who have not confirmed their e-mail address. Follow the link in our mail to confirm yours, and you can book.',
    )
  }
  if (ended >= endedHolds && open >= fewer) {
    throw new AppError(
      'TOO_MANY',
      `Of your orders ${ended} were not paid in time since yesterday, so for now we keep parts for ${ordersIn(fewer)} at a time. Pay or delete the other one first.`,
    )
  }
  if (open >= rules.openHolds) {
    throw new AppError(
      'TOO_MANY',
      `We keep parts for ${ordersIn(rules.openHolds)} at a time. Pay or delete one of the others first.`,
    )
  }
}

/** The customer may hold the units for so many seconds, for good, as long as so many are available. */
export type Allowed = { limitSeconds: number; availableAtLeast: number }

/**
 * Decides whether the customer may hold so many units, and until when.
 * @param available units without a hold, at least the quantity
 * @throws AppError NOT_VERIFIED, TOO_MANY, or HOLD_REFUSED while others go first
 */
export function allowHold(
  state: HoldState,
  rules: HoldRules,
  { confirmed, quantity, available }: { confirmed: boolean; quantity: number; available: number },
): Allowed {
  checkOpen(state, rules, confirmed)
  const full = rules.holdMaxMinutes * 60
  const { limitIn, ofPart } = state
  if (limitIn === null) return { limitSeconds: full, availableAtLeast: quantity }
  const leavesAsMany = quantity + ofPart + quantity
  if (available >= leavesAsMany) return { limitSeconds: full, availableAtLeast: leavesAsMany }
  // a new booking does not extend the first hold's end
  if (limitIn > 0) return { limitSeconds: limitIn, availableAtLeast: quantity }
  const pause = limitIn + full
  throw new AppError(
    'HOLD_REFUSED',
    `We kept this part for you as long as we can, so others go first for ${minutesIn(pause)}. You can have it before then only if as many stay free for them.`,
    undefined,
    Math.ceil(pause),
  )
}
