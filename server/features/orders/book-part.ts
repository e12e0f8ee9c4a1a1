import { createHash, randomUUID } from 'node:crypto'
import { dollars, maxTotalPrice } from '#contracts/money.ts'
import { type Booking, quantityProblem } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, onOneClient } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import { type BookablePart, insertBooking, lockForBooking } from './booking-store.ts'
import { checkOpenHolds, type HoldRules } from './hold.ts'
import { bookedMail } from './order-mail.ts'

type BookingDeps = HoldRules & {
  db: Database
  /** Origin, without a slash at the end: what mails link to. */
  publicUrl: string
}

export type BookingRequest = {
  caller: Caller
  booking: Booking
  /** The client's Idempotency-Key, or null. */
  key: string | null
}

const hashOf = ({ partId, product, quantity, phone }: Booking) =>
  createHash('sha256')
    .update(JSON.stringify([partId, partId ? null : product, quantity, phone]))
    .digest('hex')

type MadeBefore = { _id: string; requestHash: string | null }

/** @returns its id @throws AppError KEY_REUSED when the key asked for something else then */
function sameOrder({ _id, requestHash }: MadeBefore, { booking }: BookingRequest): string {
  if (requestHash === hashOf(booking)) return _id
  throw new AppError(
    'KEY_REUSED',
    'This Idempotency-Key was used for another booking. Send a new key.',
  )
}

/** @throws AppError INVALID, STOCK_GONE or PRICE_CHANGED, with the sentence for the field */
function checkAgainstPart(booking: Booking, part: BookablePart): number {
  const refuse = (code: 'INVALID' | 'STOCK_GONE' | 'PRICE_CHANGED', field: string, why: string) => {
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
  const total = booking.quantity * part.price
  if (total > maxTotalPrice) {
    refuse('INVALID', 'quantity', `One order can be ${dollars(maxTotalPrice)} at the most`)
  }
  if (booking.totalPrice !== undefined && booking.totalPrice !== total) {
    refuse(
      'PRICE_CHANGED',
      'totalPrice',
      `The total price is ${dollars(total)} now. Look again before you book.`,
    )
  }
  return total
}

/**
 * Books a part: checks the limits, computes the price, holds the stock and inserts the order, all or nothing.
 * @returns the order's id; the same id when the same key asks again
 */
export async function bookPart(deps: BookingDeps, request: BookingRequest): Promise<string> {
  const { db, holdMinutes, publicUrl, rateLimit } = deps
  const { caller, booking, key } = request
  return onOneClient(db, async (client) => {
    const asked = { userId: caller._id, key, counting: rateLimit }
    const { part, before, openHolds, number } = await lockForBooking(client, booking, asked)
    if (before) return sameOrder(before, request)
    const onSale = found(part, 'part')
    const totalPrice = checkAgainstPart(booking, onSale)
    checkOpenHolds(openHolds)
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
      holdMinutes,
      idempotencyKey: key,
      requestHash: key && hashOf(booking),
    }
    const mail = bookedMail(order, publicUrl, holdMinutes)
    await insertBooking(client, order, mail, caller.emailVerified || !rateLimit)
    return order._id
  })
}
