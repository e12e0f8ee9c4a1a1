import { Id } from '#contracts/api.ts'
import type { PaymentReport } from '#contracts/orders.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import {
  claimProviderCheck,
  findOrder,
  findOrdersPaidBy,
  type OrderRow,
} from '#server/features/orders/store.ts'
import { type SettleDeps, settle } from './settle.ts'
import { findPayment } from './store.ts'

const notOurs = () =>
  new AppError('NOT_PAID', 'The card provider has no such payment for this order')
const refunded = () =>
  new AppError(
    'PAYMENT_REFUNDED',
    'This order can no longer be paid. The money goes back to your card.',
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
  const paysFor = Id.safeParse(intent?.orderId).data
  const named = paysFor && (await findOrder(deps.db, paysFor))
  if (!named || named.checkoutId !== checkoutId) throw notOurs()
}

/**
 * Handles a browser's report that a payment succeeded. Asks the provider, even if the order is
 * paid, because a second payment must be refunded.
 * @returns how many orders became paid; 0 when this payment had paid them before
 * @throws AppError NOT_FOUND, INVALID, PAYMENT_REFUNDED, ALREADY_PAID by another payment, NOT_PAID
 *   without a success
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
  if (settlement === 'paid') return (await findOrdersPaidBy(deps.db, transactionId)).length
  // the webhook may have settled it meanwhile
  if (settlement === 'already') return 0
  if (settlement === 'unmatched') throw refunded()
  if (settlement === 'unknown') throw notOurs()
  if (own.transactionId) throw new AppError('ALREADY_PAID', 'This order is paid by another payment')
  if (settlement === 'canceled') {
    throw new AppError('NOT_PAID', 'This payment was canceled, and nothing was charged')
  }
  throw new AppError('NOT_PAID', 'The card provider has not confirmed this payment yet')
}
