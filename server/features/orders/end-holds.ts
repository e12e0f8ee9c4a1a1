/**
 * Ends the hold of an unpaid order when it expires or when an admin releases it. The order stays.
 */
import { inArray, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import {
  closePayment,
  paymentInProgress,
  type SettleDeps,
} from '#server/features/payments/settle.ts'
import { findOpenPayment, touchPayment } from '#server/features/payments/store.ts'
import {
  holdEndedMail,
  holdReleasedMail,
  mailCustomer,
  type Orders,
} from '#server/mail/order-mails.ts'
import { noteAbandoned } from './abandoned-holds.ts'
import type { HoldRules } from './hold-times.ts'
import { releaseStock } from './stock-movements.ts'
import {
  findExpiredHolds,
  findExpiredIn,
  findOrder,
  idsOf,
  lockCheckout,
  lockOrder,
  noHold,
  notDeletedOrder,
  orNone,
} from './store.ts'

export type EndDeps = SettleDeps & Pick<HoldRules, 'holdMaxMinutes'>

const maxPerRun = 100

/** Each hold of an order ends once. */
const causeOf = ([{ _id, holdExpiresAt }]: Orders) =>
  `hold-ended ${_id} ${holdExpiresAt?.toISOString()}`

const causes = { 'hold expired': 'hold expired', 'hold released': 'released' } as const

/** Records abandoned holds, and releases their units. */
async function endHolds(
  tx: Transaction,
  deps: EndDeps,
  ended: Orders,
  reason: keyof typeof causes,
): Promise<void> {
  await noteAbandoned(tx, deps, ended, causes[reason])
  await releaseStock(tx, ended, reason)
  const limit = reason === 'hold released' ? { holdLimitAt: sql`now()` } : {}
  await tx
    .update(orders)
    .set({ ...noHold, ...limit })
    .where(inArray(orders._id, idsOf(ended)))
}

/**
 * Ends the expired holds of a checkout. Checks them again under the lock: the customer may have
 * renewed them, or paid.
 * @returns whether there were any
 */
export async function expireHold(deps: EndDeps, checkoutId: string): Promise<boolean> {
  // where the hold was renewed meanwhile, its open payment must stay open
  if ((await findExpiredIn(deps.db, checkoutId)).length === 0) return false
  if (!(await closePayment(deps, checkoutId))) return false
  return deps.db.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, checkoutId)
    const expired = new Set((await findExpiredIn(tx, checkoutId)).map(({ _id }) => _id))
    const orders = orNone(checkout.filter(({ _id }) => expired.has(_id)))
    // a payment was opened meanwhile: after the hold the old price cannot be paid
    if (!orders || (await findOpenPayment(tx, checkoutId))) return false
    await endHolds(tx, deps, orders, 'hold expired')
    await mailCustomer(tx, orders, holdEndedMail(orders, deps), causeOf(orders))
    return true
  })
}

/**
 * Ends expired holds. Cancels the open intent first; if that turns out to be paid, settles the
 * order. One checkout's failure does not stop the others.
 * @returns whether more of them wait
 * @throws AppError PROVIDER_DOWN
 */
export async function expireHolds(deps: EndDeps): Promise<boolean> {
  const holds = await findExpiredHolds(deps.db, maxPerRun)
  let expired = 0
  for (const { checkoutId, intentId } of holds) {
    // next time the others come first: a payment that cannot be canceled now delays only its own
    // hold
    if (intentId) await touchPayment(deps.db, intentId)
    const hasExpired = await expireHold(deps, checkoutId).catch((error) => {
      // holds without an open payment came first; each of the others would wait for the provider,
      // too
      if (error instanceof AppError && error.code === 'PROVIDER_DOWN') throw error
      deps.log.error({ err: error, checkoutId }, 'hold_not_expired')
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
    await endHolds(tx, deps, [locked], 'hold released')
    await mailCustomer(tx, [locked], holdReleasedMail([locked], deps), causeOf([locked]))
    const detail = { quantity: locked.quantity }
    const action = { actor: caller, action: 'hold released', orderId: id, detail } as const
    await logActions(tx, [action])
    return true
  })
}
