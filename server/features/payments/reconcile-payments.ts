import { refundDue, type SettleDeps, settle } from './settle.ts'
import { findUnsettled, touchPayment } from './store.ts'

const batch = 100

/**
 * Asks the provider about every payment whose story is not over: a lost webhook ends in a paid order, a refund that
 * failed half-way is made.
 * @param olderThanSeconds leaves those alone that somebody just asked about
 */
export async function reconcilePayments(deps: SettleDeps, olderThanSeconds: number): Promise<void> {
  for (const { intentId, status } of await findUnsettled(deps.db, olderThanSeconds, batch)) {
    await (status === 'open' ? settle(deps, intentId) : refundDue(deps, intentId)).catch(
      async (error) => {
        deps.log.error(
          { err: error, intentId },
          'a payment could not be settled; tried again later',
        )
        await touchPayment(deps.db, intentId)
      },
    )
  }
}
