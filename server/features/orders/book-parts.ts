import { randomUUID } from 'node:crypto'
import {
  type Currency,
  money,
  sumOfTotals,
  totalPriceOf,
  totalPriceProblem,
} from '#contracts/money.ts'
import { type Booking, quantityProblem, type TypedField, typedFields } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, inFewTrips } from '#server/database/client.ts'
import { idempotent, requestHash } from '#server/database/idempotency.ts'
import { AppError, found, PriceChanged } from '#server/errors.ts'
import { bookedMail } from '#server/mail/order-mails.ts'
import {
  type BookablePart,
  type BookingState,
  insertBooking,
  listOrderIds,
  type NewCheckout,
  numberSlot,
  type Offer,
  type PartRead,
  readForBooking,
  takeOffer,
} from './booking-store.ts'
import { allowHolds } from './hold-rules.ts'
import { type HoldRules, pauseSeconds } from './hold-times.ts'
import { forLines } from './lines.ts'
import { orNone } from './store.ts'

export type BookingDeps = HoldRules & {
  db: Database
  currency: Currency
  /** Origin without a trailing slash, for links in mails. */
  publicUrl: string
}

/** What to book: parts by their ids, or a single one by its name. */
export type PartsBooking = Pick<Booking, TypedField> & {
  lines: { partId?: string | undefined; product?: string | undefined; quantity: number }[]
  /** The sum that the customer agreed to, if any. */
  totalPrice?: number | undefined
}

export type BookingRequest = {
  caller: Caller
  booking: PartsBooking
  /** The client's Idempotency-Key, or null. */
  key: string | null
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  /** The place in the queue whose offer is booked. */
  placeId?: string
}

/** What was booked: the checkout, and its orders, one for each line. */
export type Booked = { checkoutId: string; orderIds: [string, ...string[]] }

/** The key of the order that an offer becomes. No client can send it: a key holds no blank. */
export const offerKey = (placeId: string) => `offer ${placeId}`

const typedOf = (booking: PartsBooking) =>
  Object.fromEntries(typedFields.map((name) => [name, booking[name]])) as Pick<Booking, TypedField>

function hashOf({ booking, placeId }: BookingRequest) {
  if (placeId) return requestHash(placeId)
  const wanted = booking.lines.flatMap(({ partId, product, quantity }) => [
    partId,
    partId ? null : product,
    quantity,
  ])
  return requestHash(...wanted, ...Object.values(typedOf(booking)))
}

const refuse = (code: 'INVALID' | 'STOCK_GONE', why: string): never => {
  throw new AppError(code, why, { quantity: why })
}

/**
 * The total of a line.
 * @throws AppError INVALID or STOCK_GONE, with the sentence for the quantity
 */
function totalFor(quantity: number, part: BookablePart): number {
  const problem = quantityProblem(quantity, part)
  if (problem) refuse(quantity > part.availableQuantity ? 'STOCK_GONE' : 'INVALID', problem)
  return totalPriceOf(quantity, part.price)
}

/** @throws AppError INVALID for a sum that no card can pay, or PRICE_CHANGED */
function checkSum(sum: number, agreed: number | undefined, currency: Currency): void {
  const problem = totalPriceProblem(sum, currency)
  if (problem) refuse('INVALID', problem)
  if (agreed !== undefined && agreed !== sum) {
    throw new PriceChanged(
      `The total price is ${money(sum, currency)} now. Look again before you book.`,
      sum,
    )
  }
}

/**
 * The part for a customer with an offer of this many units: they can be booked even if the minimum
 * has risen since.
 */
const withOffered = (part: BookablePart, units: number): BookablePart => ({
  ...part,
  availableQuantity: part.availableQuantity + units,
  minimumOrderQuantity: Math.min(part.minimumOrderQuantity, units),
})

/**
 * Decides the booking: the checkout to insert.
 * @param offer whose units are set aside for the customer
 * @throws AppError when it is refused; with several lines, it names each refused one
 */
async function decide(
  deps: BookingDeps,
  request: BookingRequest,
  state: BookingState,
  offer: Offer | null,
): Promise<NewCheckout> {
  const { caller, booking, key, networks } = request
  const named = booking.lines.map((line, i) => ({ ...line, field: `lines.${i}` }))
  const wanted = await forLines(named, ({ partId, quantity, field }) => {
    const read = state.parts.find(({ part }) => !partId || part._id === partId)
    const { part, held } = found(read, 'part')
    const totalPrice = totalFor(quantity, offer ? withOffered(part, offer.units) : part)
    return { field, part, held, quantity, totalPrice }
  })
  const sum = sumOfTotals(wanted)
  checkSum(sum, booking.totalPrice, deps.currency)
  // lists sort orders of one moment by their ids
  const ids = wanted.map(() => randomUUID()).sort()
  const { holdSeconds, limitSeconds, availableAtLeast } = await allowHolds(
    deps,
    { verified: state.verified, lines: wanted.length },
    wanted.map(({ field, part, held, quantity, totalPrice }) => ({
      field,
      state: held,
      quantity,
      available: part.availableQuantity,
      unsold: part.unsold,
      minimumOrderQuantity: part.minimumOrderQuantity,
      totalPrice,
      offerSeconds: offer?.seconds ?? null,
    })),
  )
  return {
    checkoutId: randomUUID(),
    userId: caller._id,
    customer: caller.name,
    email: caller.email,
    ...typedOf(booking),
    lines: wanted.map(({ part, quantity, totalPrice }, i) => ({
      _id: found(ids[i], 'order'),
      part,
      quantity,
      totalPrice,
      availableAtLeast: availableAtLeast[i] ?? quantity,
    })),
    holdSeconds,
    limitSeconds,
    networks,
    idempotencyKey: key,
    requestHash: key && hashOf(request),
  }
}

/** The data for the mail about a checkout. */
function mailed({ customer, holdSeconds, limitSeconds, lines }: NewCheckout) {
  const [first, ...more] = lines.map(({ _id, part, quantity, totalPrice }) => ({
    _id,
    product: part.name,
    price: part.price,
    quantity,
    totalPrice,
  }))
  return { customer, holdSeconds, limitSeconds, lines: [found(first, 'part'), ...more] as const }
}

/**
 * @returns what was booked; null when a part changed after the decision, so that nothing was booked
 */
function tryToBook(
  deps: BookingDeps,
  request: BookingRequest,
  read: PartRead,
): Promise<Booked | null> {
  const { caller, booking, key, networks } = request
  const partIds = booking.lines.flatMap(({ partId }) => partId ?? [])
  const product = booking.lines[0]?.product
  const wanted = partIds.length > 0 || product === undefined ? { partIds } : { product }
  return inFewTrips(deps.db, async (client, commitWith) => {
    const booker = {
      ...{ userId: caller._id, key, networks, pauseSeconds: pauseSeconds(deps) },
      mostUnits: Math.max(...booking.lines.map(({ quantity }) => quantity)),
    }
    const state = await readForBooking(client, wanted, booker, read)
    const earlier = { before: state.before, hash: hashOf(request) }
    const booked = await idempotent('booking', earlier, async () => {
      const { placeId } = request
      const offer = placeId ? await takeOffer(client, placeId, caller._id) : null
      const checkout = await decide(deps, request, state, offer)
      const mail = bookedMail({ ...mailed(checkout), number: numberSlot }, deps)
      const isMade = await commitWith(() => insertBooking(client, checkout, mail))
      return isMade ? checkout : null
    })
    if (!booked) return null
    const { checkoutId } = booked
    const all =
      'lines' in booked
        ? booked.lines.map(({ _id }) => _id)
        : await listOrderIds(client, checkoutId)
    return { checkoutId, orderIds: found(orNone(all), 'order') }
  })
}

/**
 * Books parts as one checkout: checks limits and holds, computes the prices, holds the stock and
 * inserts the orders in one transaction, all of them or none.
 * @returns what was booked; the same for the same key
 */
export async function bookParts(deps: BookingDeps, request: BookingRequest): Promise<Booked> {
  // an offer releases its units for a moment: the part's lock hides them from other bookings
  const booked = request.placeId ? null : await tryToBook(deps, request, 'free')
  // null: a part changed between reading and booking; a locked one cannot
  return booked ?? found(await tryToBook(deps, request, 'locked'), 'part')
}
