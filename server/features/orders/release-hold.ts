import { eq, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { holdReleasedMail, mailCustomer } from '#server/mail/order-mails.ts'
import { closePayment } from './delete-order.ts'
import { noHold, releaseStock } from './hold.ts'
import { findOrder, lockOrder } from './store.ts'

const paying = () =>
  new AppError('ALREADY_PAID', 'This order is being paid. Try again when that has ended.')

/**
 * Releases an unpaid order's units for an admin. Cancels its intent first; the order stays. The hold ends for good, so others
 * go first from now on.
 * @returns whether anything was held @throws AppError NOT_FOUND, ALREADY_PAID
 */
export async function releaseHold(deps: SettleDeps, caller: Caller, id: string): Promise<boolean> {
  const known = await findOrder(deps.db, id)
  const order = found(known?.status === 'deleted' ? null : known, 'order')
  if (!order.holdExpiresAt) return false
  if (!(await closePayment(deps, id))) throw paying()
  return deps.db.transaction(async (tx) => {
    const locked = found(await lockOrder(tx, id), 'order')
    if (!locked.holdExpiresAt) return false
    // another tab opened a payment meanwhile
    if (await findOpenPayment(tx, id)) throw paying()
    await releaseStock(tx, locked, 'hold released')
    await tx
      .update(orders)
      .set({ ...noHold, holdLimitAt: sql`now()` })
      .where(eq(orders._id, id))
    const cause = `hold-ended ${id} ${locked.holdExpiresAt.toISOString()}`
    await mailCustomer(tx, locked, holdReleasedMail(locked, deps.publicUrl), cause)
    const detail = { quantity: locked.quantity }
    const action = { actorId: caller._id, action: 'hold released', orderId: id, detail } as const
    await logActions(tx, [action])
    return true
  })
}
