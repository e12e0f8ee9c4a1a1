import { eq } from 'drizzle-orm'
import { canBecome } from '#contracts/orders.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { type SettleDeps, settle } from '#server/features/payments/settle.ts'
import { findOpenPayment, markPayment } from '#server/features/payments/store.ts'
import { noHold, releaseStock } from './hold.ts'
import { findOrder, lockOrder } from './store.ts'

const paid = () => new AppError('ALREADY_PAID', 'A paid order can not be deleted')
const paying = () =>
  new AppError('ALREADY_PAID', 'This order is being paid. Try again when that has ended.')

/**
 * Cancels the order's open intent at the provider, or settles it when it was paid.
 * @returns false while the provider still processes a payment, so that money can arrive
 */
export async function closePayment(deps: SettleDeps, orderId: string): Promise<boolean> {
  const open = await findOpenPayment(deps.db, orderId)
  if (!open) return true
  const intent = await deps.payments.cancelIntent(open.intentId)
  if (intent && intent.status !== 'canceled') {
    const settlement = await settle(deps, open.intentId)
    return settlement !== 'open'
  }
  await markPayment(deps.db, open.intentId, ['open'], { status: 'canceled' })
  return true
}

/**
 * Deletes an unpaid order for its customer or an admin: cancels the intent, then releases the stock and hides the row. The
 * order ends paid or deleted, never both.
 * @returns false when it was deleted already
 * @throws AppError NOT_FOUND when it is another customer's, ALREADY_PAID
 */
export async function deleteOrder(deps: SettleDeps, caller: Caller, id: string): Promise<boolean> {
  const known = await findOrder(deps.db, id)
  const order = found(known && ownsOrAdmin(caller, known.userId) ? known : null, 'order')
  if (order.status === 'deleted') return false
  if (order.transactionId) throw paid()
  if (!(await closePayment(deps, id))) throw paying()
  return deps.db.transaction(async (tx) => {
    const locked = found(await lockOrder(tx, id), 'order')
    if (locked.status === 'deleted') return false
    if (!canBecome(locked.status, 'deleted')) throw paid()
    // another tab opened an intent; intents are stored under this lock, so no further one can follow
    if (await findOpenPayment(tx, id)) throw paying()
    if (locked.holdExpiresAt) await releaseStock(tx, locked, 'order deleted')
    await tx
      .update(orders)
      .set({ status: 'deleted', ...noHold })
      .where(eq(orders._id, id))
    // the audit log records admins, not customers
    if (caller._id === locked.userId) return true
    await logActions(tx, [{ actorId: caller._id, action: 'order deleted', orderId: id }])
    return true
  })
}
