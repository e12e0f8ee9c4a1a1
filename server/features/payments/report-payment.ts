import type { PaymentReport } from '#contracts/orders.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { claimProviderCheck, findOrder, type OrderRow } from '#server/features/orders/store.ts'
import { type SettleDeps, settle } from './settle.ts'
import { findPayment } from './store.ts'

const notOurs = () =>
  new AppError('NOT_PAID', 'The card provider knows no such payment for this order')
const refunded = () =>
  new AppError(
    'PAYMENT_REFUNDED',
    'This order can not take the payment any more. The money goes back to your card.',
  )

/** Seconds between two requests to the card provider about unknown payments of one order. */
const requestSeconds = 5

/**
 * Checks that the payment belongs to the order. An unknown or ended payment may still have brought
 * money, so this asks the provider. It asks rarely, because clients can make up ids.
 * @throws AppError NOT_PAID, or PAYMENT_REFUNDED
 */
async function checkPayment(
  deps: SettleDeps,
  { _id: orderId, checkoutId }: OrderRow,
  transactionId: string,
): Promise<void> {
  const storedPayment = await findPayment(deps.db, transactionId)
  if (storedPayment && storedPayment.checkoutId !== checkoutId) throw notOurs()
  if (storedPayment?.status === 'unmatched') throw refunded()
  const isExpected = storedPayment?.status === 'open' || storedPayment?.status === 'succeeded'
  if (!isExpected && !(await claimProviderCheck(deps.db, orderId, requestSeconds))) {
    const why = `The card provider was asked about this order a moment ago. Try again in ${requestSeconds} seconds.`
    throw new AppError('NOT_PAID', why, undefined, requestSeconds)
  }
  if (storedPayment) return
  const intent = await deps.payments.retrieveIntent(transactionId)
  if (intent?.orderId !== orderId) throw notOurs()
}

/**
 * Handles a browser's report that a payment succeeded, and checks it at the provider. Checks even
 * if the order is paid already, because a second payment has to be refunded.
 * @returns 1 when this payment paid the order now, 0 when it had paid it before
 * @throws AppError NOT_FOUND, INVALID, PAYMENT_REFUNDED, ALREADY_PAID when another payment paid the
 *   order, NOT_PAID when this payment has not succeeded
 */
export async function reportPayment(
  deps: SettleDeps,
  caller: Caller,
  orderId: string,
  { order: product, transactionId }: PaymentReport,
): Promise<number> {
  const order = await findOrder(deps.db, orderId)
  const own = found(order && ownsOrAdmin(caller, order.userId) ? order : null, 'order')
  if (product !== undefined && product !== own.product) {
    throw new AppError('INVALID', 'order: names another product', {
      order: 'names another product',
    })
  }
  if (own.transactionId === transactionId) return 0
  await checkPayment(deps, own, transactionId)
  const settlement = await settle(deps, transactionId)
  if (settlement === 'paid') return 1
  // the webhook may have settled the payment meanwhile
  if (settlement === 'already') return 0
  if (settlement === 'unmatched') throw refunded()
  if (settlement === 'unknown') throw notOurs()
  if (own.transactionId) throw new AppError('ALREADY_PAID', 'This order is paid by another payment')
  if (settlement === 'canceled') {
    throw new AppError('NOT_PAID', 'This payment was canceled, and nothing was charged')
  }
  throw new AppError('NOT_PAID', 'The card provider has not confirmed this payment yet')
}
