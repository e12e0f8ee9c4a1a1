import { createHash } from 'node:crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import { dollars, maxTotalPrice } from '#contracts/money.ts'
import { type Booking, bookingsPerMinute, quantityProblem } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Caller } from '#contracts/users.ts'
import { type Database, refusedBy, type Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema.ts'
import { AppError, found } from '#server/errors.ts'
import { lockPart } from '#server/features/parts/store.ts'
import { holdStock, minutesFromNow } from './hold.ts'
import { bookedMail, mailCustomer } from './order-mail.ts'
import { findByKey, orderColumns } from './store.ts'

type BookingDeps = {
  db: Database
  holdMinutes: number
  /** Origin, without a slash at the end: what mails link to. */
  publicUrl: string
  /** Whether there is a limit of bookings a minute. */
  rateLimit: boolean
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

/** The order that the same key made before. @throws AppError KEY_REUSED when it was asked for something else */
async function madeBefore(db: Database | Transaction, request: BookingRequest) {
  if (request.key === null) return undefined
  const before = await findByKey(db, request.caller._id, request.key)
  if (before && before.requestHash !== hashOf(request.booking)) {
    throw new AppError(
      'KEY_REUSED',
      'This Idempotency-Key was used for another booking. Send a new key.',
    )
  }
  return before?._id
}

/** Each booking holds stock and mails an address that may be somebody else's. @throws AppError TOO_MANY */
async function checkPace(tx: Transaction, userId: string): Promise<void> {
  const aMinuteAgo = sql`now() - interval '1 minute'`
  const recent = await tx.$count(
    orders,
    and(eq(orders.userId, userId), gt(orders.createdAt, aMinuteAgo)),
  )
  if (recent < bookingsPerMinute) return
  throw new AppError(
    'TOO_MANY',
    `You can book ${bookingsPerMinute} times in a minute. Try again later.`,
  )
}

/** @throws AppError INVALID, STOCK_GONE or PRICE_CHANGED, with the sentence for the field */
function checkAgainstPart(booking: Booking, part: Omit<Part, 'picture'>): number {
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
  return bookOnce(deps, request).catch(async (error) => {
    // the same key for another part at the same moment: the other one was first
    const before =
      refusedBy(error) === 'orders_idempotency' ? await madeBefore(deps.db, request) : undefined
    if (before) return before
    throw error
  })
}

function bookOnce(deps: BookingDeps, request: BookingRequest): Promise<string> {
  const { db, holdMinutes, publicUrl, rateLimit } = deps
  const { caller, booking, key } = request
  return db.transaction(async (tx) => {
    const part = await lockPart(tx, booking)
    // asked after the lock: of two requests with one key the second waits there, then finds the first one's order
    const before = await madeBefore(tx, request)
    if (before) return before
    if (rateLimit) await checkPace(tx, caller._id)
    const onSale = found(part, 'part')
    const totalPrice = checkAgainstPart(booking, onSale)
    const [order] = await tx
      .insert(orders)
      .values({
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
        holdExpiresAt: minutesFromNow(holdMinutes),
        idempotencyKey: key,
        requestHash: key && hashOf(booking),
      })
      .returning(orderColumns)
    if (!order) throw new Error('an insert answered no row')
    await holdStock(tx, order)
    await mailCustomer(tx, order, bookedMail(order, publicUrl, holdMinutes), `booked ${order._id}`)
    return order._id
  })
}
