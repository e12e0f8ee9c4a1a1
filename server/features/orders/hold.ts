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
 * Holds an order's units by a line in the ledger; the database refuses it when they are not there.
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

/** Releases an order's held units. */
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

/** Restocks units of a refund by a line in the ledger; the database refuses a second one. */
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

/** The columns of an order without a hold. */
export const noHold = { holdExpiresAt: null, network: null }
/** The same for a paid order, whose former holds no longer count. */
export const neverHeld = { ...noHold, holdLimitAt: null, holdRanOutAt: null }

/** Renews a locked order's hold to its full time, but never past its final end. */
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
