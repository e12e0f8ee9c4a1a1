import { randomUUID } from 'node:crypto'
import { dollars, totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { type Booking, quantityProblem } from '#contracts/orders.ts'
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
  type PartRead,
  readForBooking,
} from './booking-store.ts'
import { allowHold, type HoldRules } from './hold-rules.ts'

type BookingDeps = HoldRules & {
  db: Database
  /** Origin without a trailing slash, for links in mails. */
  publicUrl: string
}

export type BookingRequest = {
  caller: Caller
  booking: Booking
  /** The client's Idempotency-Key, or null. */
  key: string | null
  /** Hash of the request's network. */
  network: string
}

const hashOf = ({ partId, product, quantity, phone }: Booking) =>
  requestHash(partId, partId ? null : product, quantity, phone)

/** Computes the total. @returns whole dollars @throws AppError INVALID, STOCK_GONE or PRICE_CHANGED, with the sentence for the field */
function checkAgainstPart(booking: Booking, part: BookablePart): number {
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
  const tooDear = totalPriceProblem(total)
  if (tooDear) refuse('INVALID', 'quantity', tooDear)
  if (booking.totalPrice !== undefined && booking.totalPrice !== total) {
    throw new PriceChanged(
      `The total price is ${dollars(total)} now. Look again before you book.`,
      total,
    )
  }
  return total
}

/** The order that the customer gets, and how many units must be available then. @throws AppError when there is to be none */
function decide(
  deps: BookingDeps,
  { caller, booking, key, network }: BookingRequest,
  state: BookingState,
) {
  const { verified, held } = state
  const part = found(state.part, 'part')
  const totalPrice = checkAgainstPart(booking, part)
  const { quantity } = booking
  const { holdSeconds, limitSeconds, availableAtLeast } = allowHold(held, deps, {
    verified,
    quantity,
    available: part.availableQuantity,
    totalPrice,
  })
  const order: NewOrder = {
    _id: randomUUID(),
    number: found(state.number, 'part'),
    userId: caller._id,
    partId: part._id,
    product: part.name,
    image: part.image,
    customer: caller.name,
    email: caller.email,
    phone: booking.phone,
    quantity,
    price: part.price,
    totalPrice,
    holdSeconds,
    limitSeconds,
    network: verified ? null : network,
    idempotencyKey: key,
    requestHash: key && hashOf(booking),
  }
  return { order, seen: { minimumOrderQuantity: part.minimumOrderQuantity, availableAtLeast } }
}

/** @returns the order's id; null when the part was changed between the decision and the order, so that nothing was made */
function tryToBook(deps: BookingDeps, request: BookingRequest, read: PartRead) {
  const { caller, booking, key, network } = request
  return inFewTrips(deps.db, async (client, commitWith) => {
    const asked = { userId: caller._id, key, network, pauseSeconds: deps.holdMaxMinutes * 60 }
    const state = await readForBooking(client, booking, asked, read)
    const repeated = { before: state.before, hash: hashOf(booking) }
    const made = await idempotent('booking', repeated, async () => {
      const { order, seen } = decide(deps, request, state)
      const mail = bookedMail(order, deps.publicUrl, order.holdSeconds)
      const isMade = await commitWith(() =>
        insertBooking(client, order, seen, mail, state.verified),
      )
      return isMade ? order : null
    })
    return made?._id ?? null
  })
}

/**
 * Books a part: checks limits and holds, computes the price, holds the stock and inserts the order in one transaction.
 * @returns the order's id; the same id for the same key
 */
export async function bookPart(deps: BookingDeps, request: BookingRequest): Promise<string> {
  const id = await tryToBook(deps, request, 'free')
  // null: the part changed between reading and booking; a locked one can not
  return id ?? found(await tryToBook(deps, request, 'locked'), 'part')
}
