/**
 * Ends the hold of an unpaid order when it expires or when an admin releases it. The order stays.
 */
import { eq, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import {
  closePayment,
  paymentInProgress,
  type SettleDeps,
} from '#server/features/payments/settle.ts'
import { findOpenPayment, touchPayment } from '#server/features/payments/store.ts'
import { holdEndedMail, holdReleasedMail, mailCustomer } from '#server/mail/order-mails.ts'
import { type HoldRules, noteAbandoned } from './hold-rules.ts'
import { releaseStock } from './stock-movements.ts'
import {
  findExpiredHolds,
  findOrder,
  isHoldExpired,
  lockOrder,
  noHold,
  notDeletedOrder,
} from './store.ts'

export type EndDeps = SettleDeps & Pick<HoldRules, 'holdMaxMinutes'>

const maxPerRun = 100

/**
 * Ends the hold of one order if it is still expired under the lock: the customer may have renewed
 * it or paid meanwhile.
 * @returns whether the hold ended
 */
export async function expireHold(deps: EndDeps, id: string): Promise<boolean> {
  const storedOrder = await findOrder(deps.db, id)
  // if the hold was renewed meanwhile, its open payment must stay open
  if (!storedOrder || !(await isHoldExpired(deps.db, id))) return false
  if (!(await closePayment(deps, storedOrder.checkoutId))) return false
  return deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || !(await isHoldExpired(tx, id))) return false
    // a payment was opened meanwhile; after the hold ends, the old price must not be paid
    if (await findOpenPayment(tx, order.checkoutId)) return false
    await noteAbandoned(tx, deps, order, 'hold expired')
    await releaseStock(tx, order, 'hold expired')
    await tx.update(orders).set(noHold).where(eq(orders._id, id))
    const mail = holdEndedMail(order, deps)
    await mailCustomer(tx, order, mail, `hold-ended ${id} ${order.holdExpiresAt?.toISOString()}`)
    return true
  })
}

/**
 * Ends the holds that have expired. Cancels the open intent first; if it turns out to be paid, the
 * order is settled. One order's failure does not stop the others.
 * @returns whether more expired holds are left
 * @throws AppError PROVIDER_DOWN
 */
export async function expireHolds(deps: EndDeps): Promise<boolean> {
  const holds = await findExpiredHolds(deps.db, maxPerRun)
  let expired = 0
  for (const { orderId, intentId } of holds) {
    // moves this payment to the end of the next run: one that cannot be canceled now delays only
    // its own hold
    if (intentId) await touchPayment(deps.db, intentId)
    const hasExpired = await expireHold(deps, orderId).catch((error) => {
      // holds without a payment came first; each of the others would wait for the provider's
      // timeout
      if (error instanceof AppError && error.code === 'PROVIDER_DOWN') throw error
      deps.log.error({ err: error, orderId }, 'hold_not_expired')
      return false
    })
    if (hasExpired) expired += 1
  }
  return holds.length === maxPerRun && expired > 0
}

/**
 * Releases the hold of an unpaid order for an admin. Sets its limit to now, so other customers have
 * priority from now on. Cancels the open intent first.
 * @returns false when the order had no hold
 * @throws AppError NOT_FOUND, PAYMENT_IN_PROGRESS
 */
export async function releaseHold(deps: EndDeps, caller: Caller, id: string): Promise<boolean> {
  const order = notDeletedOrder(await findOrder(deps.db, id))
  if (!order.holdExpiresAt) return false
  if (!(await closePayment(deps, order.checkoutId))) throw paymentInProgress()
  return deps.db.transaction(async (tx) => {
    const locked = found(await lockOrder(tx, id), 'order')
    if (!locked.holdExpiresAt) return false
    // another tab opened a payment meanwhile
    if (await findOpenPayment(tx, locked.checkoutId)) throw paymentInProgress()
    await noteAbandoned(tx, deps, locked, 'released')
    await releaseStock(tx, locked, 'hold released')
    await tx
      .update(orders)
      .set({ ...noHold, holdLimitAt: sql`now()` })
      .where(eq(orders._id, id))
    const cause = `hold-ended ${id} ${locked.holdExpiresAt.toISOString()}`
    await mailCustomer(tx, locked, holdReleasedMail(locked, deps), cause)
    const detail = { quantity: locked.quantity }
    const action = { actor: caller, action: 'hold released', orderId: id, detail } as const
    await logActions(tx, [action])
    return true
  })
}
