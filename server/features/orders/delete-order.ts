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
 * Ends the order's open intent at the provider, so that nobody can pay it any more; settles it when somebody had.
 * @returns whether no money can come by it now: false while the provider still works on a payment
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
 * Deletes an unpaid order for its owner or an admin: the intent is cancelled first, then the stock goes back and the
 * row is hidden. The order ends paid or deleted, never both.
 * @returns whether it was there; false when it is deleted already
 * @throws AppError NOT_FOUND when it is not theirs, ALREADY_PAID
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
    // opened in another tab since: an intent is written down under this same lock, so none can follow
    if (await findOpenPayment(tx, id)) throw paying()
    if (locked.holdExpiresAt) await releaseStock(tx, locked, 'order deleted')
    await tx
      .update(orders)
      .set({ status: 'deleted', ...noHold })
      .where(eq(orders._id, id))
    // what people do with their own orders is their own affair
    if (caller._id === locked.userId) return true
    await logActions(tx, [{ actorId: caller._id, action: 'order deleted', orderId: id }])
    return true
  })
}
