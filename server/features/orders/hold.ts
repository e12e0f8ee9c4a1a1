import { eq, sql } from 'drizzle-orm'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { AppError } from '#server/errors.ts'
import type { HoldRules } from './hold-rules.ts'
import type { OrderRow } from './store.ts'

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
      type: 'hold',
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
    type: 'release',
    reservedDelta: -order.quantity,
    reason,
  })
}

/** Turns held units into sold ones. */
export async function sellStock(tx: Transaction, order: Booked): Promise<void> {
  await tx.insert(stockMovements).values({
    partId: order.partId,
    orderId: order._id,
    type: 'sell',
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
    type: 'restock',
    onHandDelta: refund.restock,
    reason: refund.reason,
  })
}

/** What an order says of its hold once it has none. */
export const noHold = { holdExpiresAt: null, network: null }
/** And once it is paid, when nothing of a hold counts any more. */
export const neverHeld = { ...noHold, holdLimitAt: null, holdRanOutAt: null }

/** Keeps a locked order's held units for the full time from now, but never past the end for good. */
export async function renewHold(
  tx: Transaction,
  order: Pick<OrderRow, '_id'>,
  { holdMinutes }: Pick<HoldRules, 'holdMinutes'>,
): Promise<void> {
  const full = sql`now() + make_interval(secs => ${holdMinutes * 60})`
  await tx
    .update(orders)
    .set({ holdExpiresAt: sql`least(${full}, ${orders.holdLimitAt})` })
    .where(eq(orders._id, order._id))
}
