/** The ways in which the hold of an unpaid order ends: its time is over, or an admin releases it. The order stays. */
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

/** What ends holds. */
export type EndDeps = SettleDeps & Pick<HoldRules, 'holdMaxMinutes'>

const maxPerRun = 100

/**
 * Ends the hold of one order if it is still over under the lock: the customer may have renewed it, or paid, since.
 * @returns whether it did
 */
export async function expireHold(deps: EndDeps, id: string): Promise<boolean> {
  const storedOrder = await findOrder(deps.db, id)
  // where the hold was renewed meanwhile, its open payment must live
  if (!storedOrder || !(await isHoldExpired(deps.db, id))) return false
  if (!(await closePayment(deps, storedOrder.checkoutId))) return false
  return deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || !(await isHoldExpired(tx, id))) return false
    // a payment was opened meanwhile: after the hold the old price cannot be paid
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
 * Ends the holds whose time is over. Cancels the open intent first; when that turns out paid, the order is settled.
 * One order's failure does not stop the others.
 * @returns whether more of them wait
 * @throws AppError PROVIDER_DOWN
 */
export async function expireHolds(deps: EndDeps): Promise<boolean> {
  const holds = await findExpiredHolds(deps.db, maxPerRun)
  let expired = 0
  for (const { orderId, intentId } of holds) {
    // next time the others come first: a payment that cannot be canceled now keeps no hold waiting but its own
    if (intentId) await touchPayment(deps.db, intentId)
    const hasExpired = await expireHold(deps, orderId).catch((error) => {
      // the holds that need no answer of the provider came first, and the others would wait for it one after the other
      if (error instanceof AppError && error.code === 'PROVIDER_DOWN') throw error
      deps.log.error({ err: error, orderId }, 'hold_not_expired')
      return false
    })
    if (hasExpired) expired += 1
  }
  return holds.length === maxPerRun && expired > 0
}

/**
 * Releases the hold of an unpaid order for an admin: its limit is now, so others go first. Cancels the open intent first.
 * @returns whether anything was held @throws AppError NOT_FOUND, PAYMENT_IN_PROGRESS
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
