import { eq, sql } from 'drizzle-orm'
import { canBecome } from '#contracts/orders.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { closePayment, paymentInProgress } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { deletedMail, mailCustomer } from '#server/mail/order-mails.ts'
import type { EndDeps } from './end-holds.ts'
import { noteAbandoned } from './hold-rules.ts'
import { releaseStock } from './stock-movements.ts'
import { findOrder, lockOrder, noHold } from './store.ts'

const alreadyPaid = () => new AppError('ALREADY_PAID', 'A paid order can not be deleted')

/**
 * Deletes an unpaid order for its customer or an admin: cancels the intent, then releases the stock
 * and hides the row. The order ends paid or deleted, never both. If the customer deletes a held
 * order, it counts as an abandoned hold; if an admin deletes an order, the customer gets a mail.
 * @returns false when it was already deleted
 * @throws AppError NOT_FOUND, even for another customer's order; ALREADY_PAID, PAYMENT_IN_PROGRESS
 */
export async function deleteOrder(deps: EndDeps, caller: Caller, id: string): Promise<boolean> {
  const storedOrder = await findOrder(deps.db, id)
  const order = found(
    storedOrder && ownsOrAdmin(caller, storedOrder.userId) ? storedOrder : null,
    'order',
  )
  if (order.status === 'deleted') return false
  if (!canBecome(order.status, 'deleted')) throw alreadyPaid()
  if (!(await closePayment(deps, order.checkoutId))) throw paymentInProgress()
  return deps.db.transaction(async (tx) => {
    const locked = found(await lockOrder(tx, id), 'order')
    if (locked.status === 'deleted') return false
    if (!canBecome(locked.status, 'deleted')) throw alreadyPaid()
    // another tab opened an intent meanwhile; intents are stored under this lock, so no more can
    // follow
    if (await findOpenPayment(tx, locked.checkoutId)) throw paymentInProgress()
    const isByCustomer = caller._id === locked.userId
    if (locked.holdExpiresAt) {
      if (isByCustomer) await noteAbandoned(tx, deps, locked, 'hold deleted')
      await releaseStock(tx, locked, 'order deleted')
    }
    await tx
      .update(orders)
      .set({ status: 'deleted', deletedAt: sql`now()`, ...noHold })
      .where(eq(orders._id, id))
    // the audit log records what admins do, not what customers do with their own orders
    if (isByCustomer) return true
    await logActions(tx, [{ actor: caller, action: 'order deleted', orderId: id }])
    await mailCustomer(tx, locked, deletedMail(locked, deps), `order-deleted ${id}`)
    return true
  })
}
