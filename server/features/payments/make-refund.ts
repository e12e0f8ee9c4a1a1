import { AppError } from '#server/errors.ts'
import { findOrder } from '#server/features/orders/store.ts'
import { findRefund, findUnsettledRefunds, type RefundRow, touchRefund } from './refund-store.ts'
import type { SettleDeps } from './settle.ts'
import { readRefunds, takeRefunds } from './take-refunds.ts'

const batch = 100

/**
 * Asks the provider for a refund that is written down as requested, and writes down what it says. However often this
 * runs, the provider makes one refund of it.
 * @throws AppError PROVIDER_DOWN, or a fault: it stays requested then, and the sweep comes back to it
 */
export async function makeRefund(
  deps: SettleDeps,
  intentId: string,
  { _id, amount }: Pick<RefundRow, '_id' | 'amount'>,
): Promise<void> {
  const asked = deps.payments.refund({
    intentId,
    amount,
    reference: _id,
    idempotencyKey: `refund-${_id}`,
  })
  const made = await asked.catch((error) => {
    if (error instanceof AppError && error.code === 'REFUND_REFUSED') return error
    throw error
  })
  if (!(made instanceof AppError)) return takeRefunds(deps, intentId, [made])
  // refused, maybe because it was made: by hand, or by us so long ago that the provider forgot the key
  const all = await deps.payments.listRefunds(intentId).catch((error) => {
    if (error instanceof AppError && error.code === 'REFUND_REFUSED') return []
    throw error
  })
  await takeRefunds(deps, intentId, all, { _id, why: made.message })
}

/**
 * Finishes one refund: what the provider made of it is looked up first, so that an old key makes no second one.
 * @throws AppError PROVIDER_DOWN, or a fault: nothing is lost then
 */
export async function finishRefund(
  deps: SettleDeps,
  { _id, orderId }: Pick<RefundRow, '_id' | 'orderId'>,
): Promise<void> {
  await touchRefund(deps.db, _id)
  const intentId = (await findOrder(deps.db, orderId))?.transactionId
  if (!intentId) throw new Error('a refund without its payment')
  await readRefunds(deps, intentId)
  const refund = await findRefund(deps.db, _id)
  if (refund?.state === 'requested') await makeRefund(deps, intentId, refund)
}

/**
 * Finishes the refunds that a crash or a silent provider left half-way, and asks about those that the provider has not
 * ended.
 * @param olderThanSeconds leaves those alone that somebody just asked about
 */
export async function reconcileRefunds(deps: SettleDeps, olderThanSeconds: number): Promise<void> {
  for (const refund of await findUnsettledRefunds(deps.db, olderThanSeconds, batch)) {
    await finishRefund(deps, refund).catch((error) =>
      deps.log.error(
        { err: error, refundId: refund._id },
        'a refund could not be made; tried again later',
      ),
    )
  }
}
