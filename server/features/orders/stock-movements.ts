/**
 * Each stock movement of an order is one line in the stock ledger; a trigger applies it to the
 * part's counters.
 */
import { sql } from 'drizzle-orm'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { AppError } from '#server/errors.ts'
import { byPart, type OrderRow } from './store.ts'

type Booked = Pick<OrderRow, '_id' | 'partId' | 'quantity'>

export const stockGone = () =>
  new AppError(
    'STOCK_GONE',
    'The stock for this order is gone. Nothing was charged; book again when it is back.',
  )

/** The constraints that refuse to hold more units than there are, or units of a draft. */
const holdRefusals = ['parts_reserved', 'stock_movements_no_draft']

/**
 * Holds an order's units. The database refuses to hold more than there are, or units of a draft.
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
      throw holdRefusals.includes(refusedBy(error) ?? '') ? stockGone() : error
    })
}

/** Puts the held units of orders back on sale. */
export async function releaseStock(
  tx: Transaction,
  released: readonly Booked[],
  reason: string,
): Promise<void> {
  const lines = released.toSorted(byPart).map(({ _id: orderId, partId, quantity }) => ({
    ...{ orderId, partId, reason },
    ...{ type: 'release' as const, reservedDelta: -quantity },
  }))
  if (lines.length > 0) await tx.insert(stockMovements).values(lines)
}

/** Turns held units into sold ones: they stay on the shelf, reserved, until they are shipped. */
export async function sellStock(tx: Transaction, order: Booked): Promise<void> {
  await tx.insert(stockMovements).values({ partId: order.partId, orderId: order._id, type: 'sell' })
}

/**
 * Takes the units that a paid order still has reserved off the shelf. The caller has locked the
 * order.
 */
export async function shipStock(tx: Transaction, order: Booked): Promise<void> {
  await tx.execute(sql`
    insert into ${stockMovements} (part_id, order_id, type, on_hand_delta, reserved_delta)
    select ${order.partId}::uuid, ${order._id}::uuid, 'ship', -units, -units
    from (select sum(reserved_delta)::int as units from ${stockMovements} where order_id = ${order._id}) reserved
    where units > 0`)
}

/**
 * Puts units of a refund back on sale: shipped units return to the shelf, other units are no longer
 * reserved. The database refuses to restock a refund twice. The caller has locked the order.
 */
export async function restockUnits(
  tx: Transaction,
  order: Booked & Pick<OrderRow, 'shippedAt'>,
  { _id: refundId, restock, reason }: { _id: string; restock: number; reason: string | null },
): Promise<void> {
  const units = order.shippedAt ? { onHandDelta: restock } : { reservedDelta: -restock }
  const line = { partId: order.partId, orderId: order._id, refundId, reason }
  await tx.insert(stockMovements).values({ ...line, type: 'restock', ...units })
}
