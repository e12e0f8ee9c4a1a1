import { eq, sql } from 'drizzle-orm'
import { cents } from '#contracts/money.ts'
import { canBecome, type Shipment } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError } from '#server/errors.ts'
import { listRefundsOf } from '#server/features/payments/refund-store.ts'
import { type MailingShop, mailCustomer, shippedMail } from '#server/mail/order-mails.ts'
import { shipStock } from './stock-movements.ts'
import { lockOrder, notDeletedOrder, type OrderRow } from './store.ts'

export type OrderMailDeps = MailingShop & { db: Database }

const notShippable = (why: string) =>
  new AppError('ORDER_REFUNDED', `${why}, so it can not be shipped`)

/** @throws AppError ORDER_UNPAID, or ORDER_REFUNDED, even while a full refund is only requested */
async function checkShippable(tx: Transaction, order: OrderRow): Promise<void> {
  if (!order.transactionId) {
    throw new AppError('ORDER_UNPAID', 'This order is not paid yet, so it can not be shipped')
  }
  if (!canBecome(order.status, 'shipped')) throw notShippable('This order was refunded')
  const refunds = await listRefundsOf(tx, order.transactionId)
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .flatMap(({ lines }) => lines)
  const ofOrder = requested.filter(({ orderId }) => orderId === order._id)
  const refunded = ofOrder.reduce((sum, { amount }) => sum + amount, order.refundedCents)
  if (refunded >= cents(order.totalPrice)) throw notShippable('This order is being refunded')
}

/**
 * Marks a paid order shipped and mails its customer, once.
 * @returns false when it was shipped already
 * @throws AppError NOT_FOUND, ORDER_UNPAID, or ORDER_REFUNDED when the whole order is refunded or a
 *   refund of it is requested
 */
export function shipOrder(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  { carrier, trackingNumber }: Shipment,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (order.status === 'shipped') return false
    await checkShippable(tx, order)
    const shipment = { carrier: carrier ?? null, trackingNumber: trackingNumber ?? null }
    await tx
      .update(orders)
      .set({ status: 'shipped', shippedAt: sql`now()`, ...shipment })
      .where(eq(orders._id, id))
    await shipStock(tx, order)
    const mail = shippedMail({ ...order, ...shipment }, deps)
    await mailCustomer(tx, order, mail, `shipped ${id}`)
    const action = { actor: caller, action: 'order shipped', orderId: id } as const
    await logActions(tx, [{ ...action, detail: shipment }])
    return true
  })
}
