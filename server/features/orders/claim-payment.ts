import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { type SettleDeps, settle } from './settle.ts'
import { findOrder } from './store.ts'

type Claim = { orderId: string; order?: string | undefined; transactionId: string }

const mismatch = (why: string) => new AppError('ALREADY_PAID', why)

/**
 * The browser says that an order was paid by this transaction; the provider is asked whether it was.
 * @returns how many orders became paid: 1, or 0 when this transaction had paid it before
 * @throws AppError NOT_FOUND, INVALID, ALREADY_PAID (by another), NOT_PAID (the provider has no such success)
 */
export async function claimPayment(
  deps: SettleDeps,
  caller: Caller,
  claim: Claim,
): Promise<number> {
  const order = await findOrder(deps.db, claim.orderId)
  const own = found(order && ownsOrAdmin(caller, order.userId) ? order : null, 'order')
  if (claim.order !== undefined && claim.order !== own.product) {
    throw new AppError('INVALID', 'order: names another product', {
      order: 'names another product',
    })
  }
  if (own.transactionId === claim.transactionId) return 0
  if (own.transactionId) throw mismatch('This order is paid by another transaction')
  const intent = await deps.payments.retrieveIntent(claim.transactionId)
  if (intent?.orderId !== own._id) {
    throw new AppError('NOT_PAID', 'The card provider knows no such payment for this order')
  }
  const settlement = await settle(deps, claim.transactionId)
  if (settlement === 'paid') return 1
  // the webhook may have been faster, between the look above and now
  if (settlement === 'already') return 0
  if (settlement === 'refunded') {
    throw mismatch(
      'This order can not take the payment any more. The money goes back to your card.',
    )
  }
  throw new AppError('NOT_PAID', 'The card provider has not confirmed this payment yet')
}
