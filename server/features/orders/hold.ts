import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { openHoldLimit } from '#contracts/orders.ts'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { orders, parts, stockMovements, users } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { OrderRow } from './store.ts'

export type HoldRules = {
  holdMinutes: number
  /** Whether there is a limit of open holds. */
  rateLimit: boolean
}

type Booked = Pick<OrderRow, '_id' | 'partId' | 'quantity'>

export const stockGone = () =>
  new AppError(
    'STOCK_GONE',
    'The stock for this order is gone. Nothing was charged; book again when it is back.',
  )

/**
 * Holds an order's units: one line in the ledger, refused by the database when they are not there.
 * @throws AppError STOCK_GONE
 */
export async function holdStock(tx: Transaction, order: Booked): Promise<void> {
  await tx
    .insert(stockMovements)
    .values({
      partId: order.partId,
      orderId: order._id,
      kind: 'hold',
      reservedDelta: order.quantity,
    })
    .catch((error) => {
      throw refusedBy(error) === 'parts_reserved' ? stockGone() : error
    })
}

/** Gives an order's held units back. */
export async function releaseStock(tx: Transaction, order: Booked, reason: string): Promise<void> {
  await tx.insert(stockMovements).values({
    partId: order.partId,
    orderId: order._id,
    kind: 'release',
    reservedDelta: -order.quantity,
    reason,
  })
}

/** Turns held units into sold ones. */
export async function sellStock(tx: Transaction, order: Booked): Promise<void> {
  await tx.insert(stockMovements).values({
    partId: order.partId,
    orderId: order._id,
    kind: 'sell',
    onHandDelta: -order.quantity,
    reservedDelta: -order.quantity,
  })
}

/** Puts units of a refund back on the shelf: one line in the ledger, refused by the database a second time. */
export async function restockUnits(
  tx: Transaction,
  order: Booked,
  refund: { _id: string; restock: number; reason: string | null },
): Promise<void> {
  await tx.insert(stockMovements).values({
    partId: order.partId,
    orderId: order._id,
    refundId: refund._id,
    kind: 'restock',
    onHandDelta: refund.restock,
    reason: refund.reason,
  })
}

/** `minutes` from the database's now: one clock decides when a hold is over. */
export const minutesFromNow = (minutes: number) =>
  sql<Date>`now() + make_interval(secs => ${minutes * 60})`

/** A customer's holds are taken one after the other. Before a part is locked: two that wait for each other never end. */
async function lockCustomer(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ _id: users._id }).from(users).where(eq(users._id, userId)).for('no key update')
}

/** May a customer who is locked and has so many hold stock for one more order? @throws AppError TOO_MANY */
export function checkOpenHolds(open: number): void {
  if (open < openHoldLimit) return
  throw new AppError(
    'TOO_MANY',
    `We keep parts for ${openHoldLimit} unpaid orders at a time. Pay or delete one of the others first.`,
  )
}

const countOpenHolds = (tx: Transaction, userId: string) =>
  tx.$count(orders, and(eq(orders.userId, userId), gt(orders.holdExpiresAt, sql`now()`)))

/** A hold that is over comes back only while its part is on sale. @throws AppError STOCK_GONE */
async function checkOnSale(tx: Transaction, partId: string): Promise<void> {
  const onSale = await tx.$count(parts, and(eq(parts._id, partId), isNull(parts.deletedAt)))
  if (onSale === 0) throw stockGone()
}

/**
 * Makes sure that a locked unpaid order's units are held for the full time from now: renewed, or taken again.
 * @throws AppError STOCK_GONE when they lapsed and somebody else has them, or the part is off sale; TOO_MANY
 */
export async function renewHold(
  tx: Transaction,
  order: OrderRow,
  { holdMinutes, rateLimit }: HoldRules,
): Promise<void> {
  if (!order.holdExpiresAt) {
    if (rateLimit) {
      await lockCustomer(tx, order.userId)
      checkOpenHolds(await countOpenHolds(tx, order.userId))
    }
    await checkOnSale(tx, order.partId)
    await holdStock(tx, order)
  }
  await tx
    .update(orders)
    .set({ holdExpiresAt: minutesFromNow(holdMinutes) })
    .where(eq(orders._id, order._id))
}
