import { randomUUID } from 'node:crypto'
import { dollars, totalPriceOf, totalPriceProblem } from '#contracts/money.ts'
import { type Booking, quantityProblem } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, inFewTrips } from '#server/database/client.ts'
import { idempotent, requestHash } from '#server/database/idempotency.ts'
import { AppError, found, PriceChanged } from '#server/errors.ts'
import { bookedMail } from '#server/mail/order-mails.ts'
import { type BookablePart, insertBooking, lockForBooking } from './booking-store.ts'
import { allowHold, type HoldRules, holdMinutesFor } from './hold-rules.ts'

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

/**
 * Books a part: checks limits and holds, computes the price, holds the stock and inserts the order in one transaction.
 * @returns the order's id; the same id for the same key
 */
export async function bookPart(deps: BookingDeps, request: BookingRequest): Promise<string> {
  const { db, publicUrl } = deps
  const { caller, booking, key, network } = request
  return inFewTrips(db, async (client, commitWith) => {
    const asked = { userId: caller._id, key, network, pauseSeconds: deps.holdMaxMinutes * 60 }
    const locked = await lockForBooking(client, booking, asked)
    const hash = hashOf(booking)
    const { _id } = await idempotent('booking', { before: locked.before, hash }, async () => {
      const { part, confirmed, held, number } = locked
      const onSale = found(part, 'part')
      const totalPrice = checkAgainstPart(booking, onSale)
      const wanted = { confirmed, quantity: booking.quantity, available: onSale.availableQuantity }
      const limitSeconds = allowHold(held, deps, wanted)
      const holdSeconds = Math.min(holdMinutesFor(totalPrice, deps) * 60, limitSeconds)
      const order = {
        _id: randomUUID(),
        number: found(number, 'part'),
        userId: caller._id,
        partId: onSale._id,
        product: onSale.name,
        image: onSale.image,
        customer: caller.name,
        email: caller.email,
        phone: booking.phone,
        quantity: booking.quantity,
        price: onSale.price,
        totalPrice,
        holdSeconds,
        limitSeconds,
        network: confirmed ? null : network,
        idempotencyKey: key,
        requestHash: key && hash,
      }
      const mail = bookedMail(order, publicUrl, holdSeconds)
      await commitWith(() => insertBooking(client, order, mail, confirmed))
      return order
    })
    return _id
  })
}
