import { AppError } from '#server/errors.ts'
import { type SettleDeps, settle } from './settle.ts'
import { findOpenPayment, markPayment } from './store.ts'

/** The refusal of what an order can not do while the provider works on a payment of it. */
export const paymentInProgress = () =>
  new AppError('PAYMENT_IN_PROGRESS', 'This order is being paid. Try again when that has ended.')

/**
 * Cancels an open intent at the provider, so that nobody can pay it any more. Settles it when somebody has.
 * @returns whether no money can come by it now: false while the provider still works on a payment
 */
export async function closeIntent(deps: SettleDeps, intentId: string): Promise<boolean> {
  const intent = await deps.payments.cancelIntent(intentId)
  if (intent && intent.status !== 'canceled') {
    const settlement = await settle(deps, intentId)
    return settlement !== 'open'
  }
  await markPayment(deps.db, intentId, ['open'], { status: 'canceled' })
  return true
}

/** Closes the order's open intent, if any. @returns as `closeIntent` */
export async function closePayment(deps: SettleDeps, orderId: string): Promise<boolean> {
  const open = await findOpenPayment(deps.db, orderId)
  return open ? closeIntent(deps, open.intentId) : true
}
