/**
 * How much one customer, and one network, may hold at a time, and for how long. A customer is a
 * mailbox (`users.mailbox`): all accounts of a mailbox count together. The rules apply whether or
 * not rate limits are on. Booking and starting a payment check them under locks; the limits of the
 * queue are in the database (`queue_of`, `offer_units`). A payment that arrives after its hold
 * ended is exempt: it buys the part if enough units are available and the part is not a draft
 * (`settle.ts`).
 *
 * A mailbox can hold only so much without paying, however many accounts it has. Its trust is what
 * it has paid so far, less what it holds or is offered now (`trust_of`); up to that amount it needs
 * nothing else. Beyond that:
 *
 * - It holds more than one minimum order of a part only while nobody waits for it and enough stays
 *   free for others (`limitBeyondTrust`).
 * - It holds orders of one part each, or one checkout of several. While what it has paid covers
 *   what it holds unpaid, its checkouts count instead of its orders.
 * - It is offered one minimum order at a time, of at most three parts.
 * - What should stay free for others, it holds for ten minutes at most, or for the rest of its offer,
 *   while many others hold the part beyond their trust or let it go within a day (`longestSeconds`).
 *
 * Holds that expired and offers that it did not accept (`abandoned_holds`) count against it for a
 * day, whatever it has paid; a deleted order counts only if it never paid. Without a verified
 * address, the pause after a hold applies to all such accounts of its network.
 *
 * The life of a hold, in the columns of `orders`:
 *
 * - Booking (`book-parts.ts`), or starting a payment after a hold (`retake-hold.ts`), begins it:
 *   `hold_expires_at` is when it expires, `hold_limit_at` is its limit. Starting a payment renews
 *   it: it expires later, never past its limit.
 * - It expires: a job (`end-holds.ts`) empties `hold_expires_at`, and records an abandoned hold.
 * - An admin releases it (`end-holds.ts`): the same, and the limit is now.
 * - Its customer deletes the order (`delete-order.ts`): the same as if it expired, for a customer
 *   who never paid. If an admin deletes it, nothing is recorded.
 * - Becoming paid (`settle.ts`) sells the units, empties both columns, and deletes the order's
 *   abandoned holds.
 *
 * The limit stays after the hold, because other customers then have priority for a while
 * (`pauseSeconds`). A trigger sets `hold_ended_at` when the hold of an unpaid order ends for any
 * reason.
 */
import { cents, fromCents } from '#contracts/money.ts'
import { AppError, waitText } from '#server/errors.ts'
import type { HoldState } from './hold-state.ts'
import { type HoldRules, holdTimesFor, pauseSeconds } from './hold-times.ts'
import { forLines } from './lines.ts'

/**
 * Orders that the unverified customers of one network may hold together. A /56 may hold four times
 * as many, a /48 sixteen times.
 */
const networkHolds = 3
/** Abandoned holds within a day after which the customer may hold fewer orders. */
const abandonLimit = 3
/**
 * Counted in minimum orders of a part: `leave` is the most that stays free for others, `few` the
 * most that one customer may have of a stock of up to forty (`unitsForOthers`).
 */
const others = { leave: 30, few: 10 }
/**
 * From this many neighbours on (`unpaid_holders` stops counting there), even a first minimum order
 * must leave `unitsForOthers` free. From this many strangers on, or as many as the part has minimum
 * orders, one that does not is held only `scarceSeconds`.
 */
const crowd = 3
/**
 * The longest hold beyond trust of what stays free for others. Accounts by the dozen, each of
 * another network, can take even that; so it is soon offered to those who wait.
 */
const scarceSeconds = 600

const ordersIn = (count: number) => (count === 1 ? 'one unpaid order' : `${count} unpaid orders`)

/**
 * @throws AppError when the customer cannot hold any more parts now
 * @param lines of the checkout
 */
function checkHoldLimits(
  state: HoldState,
  rules: HoldRules,
  { verified, lines }: { verified: boolean; lines: number },
) {
  const isGroup = lines > 1
  const { open, isCovered, hasOpenGroup, abandoned, deletionsIn, inNetworks } = state
  if (!verified && isGroup) {
    throw new AppError(
      'NOT_VERIFIED',
      'Confirm your e-mail address to book several parts at once: follow the link in our mail. Until then you can book one part.',
    )
  }
  const fewer = Math.min(rules.openHoldsUnverified, rules.openHolds)
  if (!verified && open >= fewer) {
    throw new AppError(
      'NOT_VERIFIED',
      `We keep parts for ${ordersIn(fewer)} at a time until your e-mail address is confirmed. Follow the link in our mail, or pay or delete the other order first.`,
    )
  }
  if (!verified && inNetworks.some((count, level) => count >= networkHolds * 4 ** level)) {
    throw new AppError(
      'NETWORK_LIMIT',
      'Several customers of your network who have not confirmed their e-mail address already hold parts. Follow the link in our mail to confirm yours, and you can book.',
    )
  }
  if (deletionsIn !== null) {
    throw new AppError(
      'TOO_MANY',
      `You booked and deleted many orders, so you can book again in ${waitText(deletionsIn)}.`,
      undefined,
      Math.ceil(deletionsIn),
    )
  }
  if (abandoned >= abandonLimit && open + lines > fewer) {
    throw new AppError(
      'TOO_MANY',
      `We kept parts for you ${abandoned} times since yesterday that you did not pay for, so for now we keep parts for ${ordersIn(fewer)} at a time. ${open > 0 ? 'Pay for the other one first.' : 'Book one part at a time.'}`,
    )
  }
  if (hasOpenGroup || (isGroup && !isCovered && open > 0)) {
    throw new AppError(
      'TOO_MANY',
      'You have unpaid orders that we keep parts for. Pay or delete them in My orders first; then you can book these.',
    )
  }
  if (open >= rules.openHolds) {
    throw new AppError(
      'TOO_MANY',
      `We keep parts for ${ordersIn(rules.openHolds)} at a time. Pay or delete one of the others first.`,
    )
  }
}

/** The hold that a customer requests, and the stock of its part. */
export type HoldRequest = {
  quantity: number
  /** Units without a hold; at least `quantity`. */
  available: number
  /** Units on the shelf, except those that are paid and not shipped yet. */
  unsold: number
  minimumOrderQuantity: number
  totalPrice: number
  /** Seconds that the offer of these units to the customer would still last; null without one. */
  offerSeconds: number | null
}

type Stock = Pick<HoldRequest, 'unsold' | 'minimumOrderQuantity'>

const unitsOf = (count: number) => (count === 1 ? 'one unit' : `${count} units`)

/**
 * Units of a part that customers must leave free for others when their trust does not cover the
 * order: half of the stock on hand, or all but ten minimum orders if that is more, but at most
 * thirty minimum orders. So a group of thirty such customers cannot take the whole stock of a part
 * with more than forty minimum orders, and one customer can still buy two of five.
 */
function unitsForOthers({ unsold, minimumOrderQuantity: smallest }: Stock): number {
  const most = Math.max(Math.ceil(unsold / 2), unsold - others.few * smallest)
  return Math.min(others.leave * smallest, most)
}

/**
 * Why a customer may have only one minimum order of a part, and how many units a larger order would
 * have to leave free.
 */
function limitBeyondTrust({ othersWait, abandoned }: HoldState, part: Stock) {
  if (othersWait) return { why: 'Others wait for this part', unitsLeft: Infinity }
  if (abandoned >= abandonLimit) {
    const why = `We kept parts for you ${abandoned} times since yesterday that you did not pay for`
    return { why, unitsLeft: Infinity }
  }
  return { why: 'Some of this part stays free for others', unitsLeft: unitsForOthers(part) }
}

/** Refuses a hold because many customers of the same network already hold the part. */
function refuseCrowd(): never {
  throw new AppError(
    'HOLD_REFUSED',
    'Several customers of your network hold this part and have not paid yet, so the rest stays free for others for now. Try again in an hour.',
  )
}

/**
 * Computes how many units the customer could hold at once: what the trust covers, or what the rules
 * without trust allow if that is more.
 */
export function mostUnits(
  state: HoldState,
  part: Pick<HoldRequest, 'available' | 'unsold' | 'minimumOrderQuantity'> & { price: number },
): number {
  const { trust, ofPart, neighbours } = state
  const { available, minimumOrderQuantity: smallest, price } = part
  const { unitsLeft } = limitBeyondTrust(state, part)
  const first =
    neighbours < crowd || available - smallest >= unitsForOthers(part) ? smallest - ofPart : 0
  const most = Math.max(Math.floor(cents(trust) / cents(price)), first, available - unitsLeft)
  return Math.max(0, Math.min(available, most))
}

/**
 * Checks that the customer may hold this many units of the part.
 * @returns units that must be available when the hold is written
 * @throws AppError HOLD_REFUSED
 */
function allowUnits(state: HoldState, request: HoldRequest): number {
  const { trust, ofPart, neighbours } = state
  const { quantity, available, minimumOrderQuantity: smallest, totalPrice, offerSeconds } = request
  if (offerSeconds !== null || totalPrice <= trust) return quantity
  if (ofPart + quantity <= smallest) {
    if (neighbours < crowd) return quantity
    const unitsLeft = unitsForOthers(request)
    return available - quantity >= unitsLeft ? quantity + unitsLeft : refuseCrowd()
  }
  const { why, unitsLeft } = limitBeyondTrust(state, request)
  if (available - quantity >= unitsLeft) return quantity + unitsLeft
  const most = Math.max(smallest - ofPart, available - unitsLeft)
  const advice =
    most >= smallest
      ? `so for now you can book at most ${unitsOf(most)} of it. Pay for ${most === 1 ? 'it' : 'these'}, and you can have as many again.`
      : `and we keep ${unitsOf(ofPart)} of it for you already. Pay for that first, and you can have more.`
  const text = `${why}, ${advice}`
  throw new AppError('HOLD_REFUSED', text, { quantity: text })
}

/**
 * The shortest hold of several parts, in seconds: with less, the customer could hardly pay in time.
 */
const leastSeconds = 300

/**
 * Seconds that a hold beyond trust can last: less when it takes the last units, which many others
 * hold, or let go lately, without having paid. An offer has used up some of them.
 */
function longestSeconds(rules: HoldRules, { state, ...request }: LineRequest): number {
  const { quantity, available, unsold, minimumOrderQuantity: smallest, totalPrice } = request
  const longest = holdTimesFor(totalPrice, rules).maxMinutes * 60
  // as of offers (`isOneOfMany`): fewer than three can have all of a few units
  const many = Math.min(crowd, Math.floor(unsold / smallest))
  const isScarce = state.strangers >= many && available - quantity < unitsForOthers(request)
  return isScarce && totalPrice > state.trust
    ? Math.min(longest, Math.max(scarceSeconds, request.offerSeconds ?? 0))
    : longest
}

/**
 * Seconds until the limit of a line's hold, and the units that must be available when it is
 * inserted.
 * @throws AppError HOLD_REFUSED
 */
function allowLine(
  rules: HoldRules,
  line: LineRequest,
  verified: boolean,
): { limitSeconds: number; availableAtLeast: number } {
  const { state, quantity, available, offerSeconds } = line
  const longest = longestSeconds(rules, line)
  const atLeast = allowUnits(state, line)
  const until = (limitSeconds: number, availableAtLeast: number) => ({
    limitSeconds,
    availableAtLeast: Math.max(atLeast, availableAtLeast),
  })
  const { limitIn, ofPart } = state
  // customers who waited in the queue skip the pause after a hold
  if (limitIn === null || offerSeconds !== null) return until(longest, quantity)
  // others must be able to get as many units as this customer will then hold
  const staysFree = ofPart + quantity
  if (available >= quantity + staysFree) return until(longest, quantity + staysFree)
  // a new booking does not extend the limit of the first hold
  if (limitIn > 0) return until(Math.min(limitIn, longest), quantity)
  const pause = limitIn + pauseSeconds(rules)
  const text = verified
    ? `We kept this part for you as long as we can, so others go first for ${waitText(pause)}. You can have it before then only if as many stay free for them.`
    : `We kept this part for you, or for others of your network, as long as we can, so others go first for ${waitText(pause)}. Confirm your e-mail address before then with the link in our mail, and you can have it.`
  throw new AppError('HOLD_REFUSED', text, undefined, Math.ceil(pause))
}

/**
 * The request of a line, and what the customer holds of its part. `field` names the line in a
 * refusal of several lines.
 */
export type LineRequest = HoldRequest & { field: string; state: HoldState }

/**
 * How long the holds of a checkout last, until when they can be renewed, and how many units of each
 * line must still be available when it is inserted.
 */
export type Allowed = { holdSeconds: number; limitSeconds: number; availableAtLeast: number[] }

/**
 * Decides whether the customer may hold these lines, and until when: all of them for the same time.
 * Each line uses up some of the customer's trust, and the next lines have only the rest.
 * @param checkout whether its customer has verified the address, and whether it has several orders
 * @throws AppError NOT_VERIFIED, NETWORK_LIMIT, TOO_MANY, or HOLD_REFUSED while others go first
 */
export async function allowHolds(
  rules: HoldRules,
  checkout: { verified: boolean; lines: number },
  lines: LineRequest[],
): Promise<Allowed> {
  const [first] = lines
  if (first) checkHoldLimits(first.state, rules, checkout)
  let taken = 0
  const allowed = await forLines(lines, ({ state, ...request }) => {
    const trust = fromCents(cents(state.trust) - taken)
    taken += cents(request.totalPrice)
    const line = allowLine(rules, { ...request, state: { ...state, trust } }, checkout.verified)
    if (checkout.lines === 1 || line.limitSeconds >= leastSeconds) return line
    throw new AppError(
      'HOLD_REFUSED',
      `We can keep this part for you only ${waitText(line.limitSeconds)} more: book it by itself.`,
    )
  })
  const limitSeconds = Math.min(...allowed.map((line) => line.limitSeconds))
  return {
    holdSeconds: Math.min(holdTimesFor(fromCents(taken), rules).minutes * 60, limitSeconds),
    limitSeconds,
    availableAtLeast: allowed.map((line) => line.availableAtLeast),
  }
}
