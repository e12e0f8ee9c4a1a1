import { eq, sql } from 'drizzle-orm'
import { canBecome, type Shipment } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { recordDeeds } from '#server/database/audit.ts'
import type { Database } from '#server/database/client.ts'
import { orders } from '#server/database/schema.ts'
import { AppError, found } from '#server/errors.ts'
import { mailCustomer, shippedMail } from './order-mail.ts'
import { lockOrder } from './store.ts'

export type OwnerDeps = { db: Database; publicUrl: string }

/**
 * Makes a paid order shipped and mails its customer, once.
 * @returns whether it became shipped; false when it was
 * @throws AppError NOT_FOUND, ORDER_UNPAID, and ORDER_GONE when it was refunded
 */
export function shipOrder(
  { db, publicUrl }: OwnerDeps,
  caller: Caller,
  id: string,
  { carrier, trackingNumber }: Shipment,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockOrder(tx, id)
    const order = found(row?.status === 'deleted' ? null : row, 'order')
    if (order.status === 'shipped') return false
    if (order.status === 'unpaid') {
      throw new AppError('ORDER_UNPAID', 'This order is not paid yet, so it can not be shipped')
    }
    if (!canBecome(order.status, 'shipped')) {
      throw new AppError('ORDER_GONE', 'This order was refunded, so it can not be shipped')
    }
    const shipment = { carrier: carrier ?? null, trackingNumber: trackingNumber ?? null }
    await tx
      .update(orders)
      .set({ status: 'shipped', shippedAt: sql`now()`, ...shipment })
      .where(eq(orders._id, id))
    const words = shippedMail({ ...order, ...shipment }, publicUrl)
    await mailCustomer(tx, order, words, `shipped ${id}`)
    const deed = { actorId: caller._id, deed: 'order shipped', orderId: id } as const
    await recordDeeds(tx, [{ ...deed, detail: shipment }])
    return true
  })
}
