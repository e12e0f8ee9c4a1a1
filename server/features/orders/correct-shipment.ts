import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Shipment } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError } from '#server/errors.ts'
import { mailCustomer, shipmentCorrectedMail } from '#server/mail/order-mails.ts'
import type { OrderMailDeps } from './ship-order.ts'
import { lockOrder, notDeletedOrder } from './store.ts'

/**
 * Replaces the carrier and tracking number of a shipped order, and mails its customer. An order
 * that was refunded after shipping counts as shipped.
 * @returns false when nothing changed
 * @throws AppError NOT_FOUND, ORDER_UNSHIPPED
 */
export function correctShipment(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  { carrier = null, trackingNumber = null }: Partial<Record<keyof Shipment, string | null>>,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (!order.shippedAt) throw new AppError('ORDER_UNSHIPPED', 'This order is not shipped yet')
    if (order.carrier === carrier && order.trackingNumber === trackingNumber) return false
    const to = { carrier, trackingNumber }
    const from = { carrier: order.carrier, trackingNumber: order.trackingNumber }
    await tx.update(orders).set(to).where(eq(orders._id, id))
    const mail = shipmentCorrectedMail({ ...order, ...to }, deps)
    // each correction sends its own mail, even one that restores earlier values
    await mailCustomer(tx, order, mail, `shipment ${id} ${randomUUID()}`)
    const action = { actor: caller, action: 'shipment corrected', orderId: id } as const
    await logActions(tx, [{ ...action, detail: { from, to } }])
    return true
  })
}
