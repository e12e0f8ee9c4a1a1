import { type SettleDeps, settle } from './settle.ts'
import { findOpenPayment, markPayment } from './store.ts'

/**
 * Cancels the order's open intent at the provider, so that nobody can pay it any more. Settles it when somebody has.
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
