import { randomUUID } from 'node:crypto'
import { type Currency, money, totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
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
  type NewOrder,
  numberSlot,
  type PartRead,
  readForBooking,
  takeOffer,
} from './booking-store.ts'
import { allowHold, type HoldRules, pauseSeconds } from './hold-rules.ts'

export type BookingDeps = HoldRules & {
  db: Database
  currency: Currency
  /** The site's origin without a trailing slash, for links in mails. */
  publicUrl: string
}

export type BookingRequest = {
  caller: Caller
  booking: Booking
  /** The client's Idempotency-Key, or null. */
  key: string | null
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  /** The queue place whose offer the customer accepts. */
  placeId?: string
}

/**
 * The idempotency key of the order that an offer becomes. Clients cannot send it, because their
 * keys contain no blanks.
 */
export const offerKey = (placeId: string) => `offer ${placeId}`

const typedOf = (booking: Booking) =>
  Object.fromEntries(typedFields.map((name) => [name, booking[name]])) as Pick<Booking, TypedField>

function hashOf({ booking, placeId }: BookingRequest) {
  if (placeId) return requestHash(placeId)
  const { partId, product, quantity } = booking
  const typed = Object.values(typedOf(booking))
  return requestHash(partId, partId ? null : product, quantity, ...typed)
}

/**
 * Computes the total.
 * @throws AppError INVALID, STOCK_GONE or PRICE_CHANGED, with the message for the form field
 */
function totalFor(booking: Booking, part: BookablePart, currency: Currency): number {
  const refuse = (code: 'INVALID' | 'STOCK_GONE', field: string, why: string) => {
    throw new AppError(code, why, { [field]: why })
  }
  const problem = quantityProblem(booking.quantity, part)
  if (problem) {
    refuse(
      booking.quantity > part.availableQuantity ? 'STOCK_GONE' : 'INVALID',
      'quantity',
      problem,
    )
  }
  const total = totalPriceOf(booking.quantity, part.price)
  const problemOfTotal = totalPriceProblem(total, currency)
  if (problemOfTotal) refuse('INVALID', 'quantity', problemOfTotal)
  if (booking.totalPrice !== undefined && booking.totalPrice !== total) {
    throw new PriceChanged(
      `The total price is ${money(total, currency)} now. Look again before you book.`,
      total,
    )
  }
  return total
}

/**
 * The part as seen by a customer with an offer: adds the offered units to the stock, and lowers the
 * minimum to the offer if it has risen since.
 */
const withOffered = (part: BookablePart, units: number): BookablePart => ({
  ...part,
  availableQuantity: part.availableQuantity + units,
  minimumOrderQuantity: Math.min(part.minimumOrderQuantity, units),
})

/**
 * Decides the order, and what must still be true of its part when the order is inserted.
 * @param offered units that are set aside for the customer
 * @throws AppError when the customer may not book
 */
function decide(deps: BookingDeps, request: BookingRequest, state: BookingState, offered: number) {
  const { caller, booking, key, networks } = request
  const { verified } = state
  const part = found(state.part, 'part')
  const isOffered = offered > 0
  const totalPrice = totalFor(booking, isOffered ? withOffered(part, offered) : part, deps.currency)
  const { quantity } = booking
  const { onHand, minimumOrderQuantity, availableQuantity: available } = part
  const { holdSeconds, limitSeconds, availableAtLeast } = allowHold(state.held, deps, {
    verified,
    quantity,
    available,
    onHand,
    minimumOrderQuantity,
    totalPrice,
    isOffered,
  })
  const order: NewOrder = {
    _id: randomUUID(),
    userId: caller._id,
    partId: part._id,
    product: part.name,
    image: part.image,
    customer: caller.name,
    email: caller.email,
    ...typedOf(booking),
    quantity,
    price: part.price,
    totalPrice,
    holdSeconds,
    limitSeconds,
    networks,
    idempotencyKey: key,
    requestHash: key && hashOf(request),
  }
  return { order, expected: { minimumOrderQuantity, availableAtLeast } }
}

/**
 * Books once.
 * @returns the order's id; null when the part changed between the decision and the insert, so
 *   nothing was inserted
 */
function tryToBook(deps: BookingDeps, request: BookingRequest, read: PartRead) {
  const { caller, booking, key, networks } = request
  return inFewTrips(deps.db, async (client, commitWith) => {
    const booker = { userId: caller._id, key, networks, pauseSeconds: pauseSeconds(deps) }
    const state = await readForBooking(client, booking, booker, read)
    const earlier = { before: state.before, hash: hashOf(request) }
    const bookedOrder = await idempotent('booking', earlier, async () => {
      const offered = request.placeId && (await takeOffer(client, request.placeId, caller._id))
      const { order, expected } = decide(deps, request, state, offered || 0)
      const mail = bookedMail({ ...order, number: numberSlot }, order.holdSeconds, deps)
      const isMade = await commitWith(() => insertBooking(client, order, expected, mail))
      return isMade ? order : null
    })
    return bookedOrder?._id ?? null
  })
}

/**
 * Books a part: checks limits and holds, computes the price, holds the stock and inserts the order
 * in one transaction.
 * @returns the order's id; a repeated key returns the same id
 */
export async function bookPart(deps: BookingDeps, request: BookingRequest): Promise<string> {
  // accepting an offer releases its units for a moment: the part's lock hides them from other
  // bookings
  const id = request.placeId ? null : await tryToBook(deps, request, 'free')
  // null means that the part changed between reading and booking; a locked part cannot change
  return id ?? found(await tryToBook(deps, request, 'locked'), 'part')
}
