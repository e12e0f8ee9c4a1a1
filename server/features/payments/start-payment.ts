import { type Currency, cents, money, sumOfTotals } from '#contracts/money.ts'
import { leadOf } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import type { Intent } from '#server/adapters/payments/port.ts'
import { AppError, found, PriceChanged } from '#server/errors.ts'
import { expireHold } from '#server/features/orders/end-holds.ts'
import type { HoldRules } from '#server/features/orders/hold-times.ts'
import {
  checkPayable,
  type Holder,
  lockHolder,
  renewHolds,
  retakeHold,
} from '#server/features/orders/retake-hold.ts'
import {
  findExpiredIn,
  findOrder,
  findUnpaidByTotal,
  isUnpaid,
  lockCheckout,
  lockCheckoutOf,
  type OrderRow,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import { closeIntent, paymentInProgress, type SettleDeps, settle } from './settle.ts'
import { countPayments, findOpenPayment, recordPayment } from './store.ts'

export type StartPaymentDeps = SettleDeps & HoldRules
type PaymentRequest = { totalPrice: number; orderId?: string | undefined }

const alreadyPaid = () => new AppError('ALREADY_PAID', 'This order is paid already')
const orderGone = () => new AppError('ORDER_GONE', 'This order was deleted. Book again.')

/**
 * The id of an order to pay: the request's or, without one, an order of the caller's only unpaid
 * checkout with that total.
 */
async function findOrderId(deps: StartPaymentDeps, caller: Caller, request: PaymentRequest) {
  if (request.orderId) return request.orderId
  const [order, another] = await findUnpaidByTotal(deps.db, caller._id, request.totalPrice)
  if (another) throw new AppError('AMBIGUOUS', 'Several orders have this total: send orderId too')
  return found(order, 'order')._id
}

function checkUnpaid(order: Pick<OrderRow, 'status' | 'transactionId'>): void {
  if (order.status === 'deleted') throw orderGone()
  if (order.transactionId) throw alreadyPaid()
}

function checkTotal(checkout: OrderRow[], agreed: number, currency: Currency): void {
  const sum = sumOfTotals(checkout)
  if (sum === agreed) return
  throw new PriceChanged(`The total price of this order is ${money(sum, currency)}`, sum)
}

/**
 * If the hold has expired, cancels the intent and releases the units, so that nobody pays the old
 * price.
 * @param open the intent that was open before the order was read: another tab may renew the hold
 *   and open a new one meanwhile
 */
async function releaseExpiredHolds(
  deps: StartPaymentDeps,
  { checkoutId, holdExpiresAt }: OrderRow,
  open?: string,
): Promise<void> {
  const expired = await findExpiredIn(deps.db, checkoutId)
  if (expired.length > 0) await expireHold(deps, checkoutId)
  else if (!holdExpiresAt && open) await closeIntent(deps, open)
}

/**
 * Renews the holds of a checkout, or takes new ones.
 * @returns its unpaid orders with the prices to pay
 */
function holdForPayment(
  deps: StartPaymentDeps,
  holder: Holder,
  { id, agreed }: { id: string; agreed: number },
): Promise<OrderRow[]> {
  return deps.db.transaction(async (tx) => {
    const { verified } = await lockHolder(tx, holder)
    const all = await lockCheckoutOf(tx, id)
    const { checkoutId, ...order } = found(
      all.find(({ _id }) => _id === id),
      'order',
    )
    checkUnpaid(order)
    const checkout = all.filter(isUnpaid)
    if (checkout.every(({ holdExpiresAt }) => holdExpiresAt)) {
      checkTotal(checkout, agreed, deps.currency)
      checkPayable(sumOfTotals(checkout), deps.currency)
      await renewHolds(tx, checkout, deps)
      return checkout
    }
    await retakeHold(tx, checkout, deps, { verified, networks: holder.networks, agreed })
    return (await lockCheckout(tx, checkoutId)).filter(isUnpaid)
  })
}

/** The checkout's open intent when the customer can still pay it; settles one that has ended. */
async function reusableIntent(deps: StartPaymentDeps, checkoutId: string): Promise<Intent | null> {
  const open = await findOpenPayment(deps.db, checkoutId)
  if (!open) return null
  const intent = await deps.payments.retrieveIntent(open.intentId)
  if (intent?.status === 'open' || intent?.status === 'processing') return intent
  const settlement = await settle(deps, open.intentId)
  if (settlement === 'paid' || settlement === 'already') throw alreadyPaid()
  return null
}

/**
 * Records an intent as the checkout's open one, unless meanwhile an order was deleted, paid or
 * moved, or a hold ended, after which the price may differ.
 * @returns the id of the checkout's open intent, which may be another one; null if it must not have
 *   one
 */
function recordIntent(deps: StartPaymentDeps, checkoutId: string, intent: Intent) {
  const { id: intentId, amount } = intent
  return deps.db.transaction(async (tx) => {
    const checkout = withoutDeleted(await lockCheckout(tx, checkoutId))
    const isPayable = checkout.every((order) => isUnpaid(order) && order.holdExpiresAt !== null)
    if (!isPayable || cents(sumOfTotals(checkout)) !== amount) return null
    await recordPayment(tx, { intentId, checkoutId, amount, status: 'open' })
    return (await findOpenPayment(tx, checkoutId))?.intentId ?? intentId
  })
}

/**
 * Opens an intent and records it. With two tabs at once, or after a crash before the intent was
 * recorded, the attempt number makes the provider return the same intent. If there are two all the
 * same, the first one recorded wins.
 */
async function newIntent(
  deps: StartPaymentDeps,
  checkout: [OrderRow, ...OrderRow[]],
  attempt: number,
): Promise<Intent> {
  const [order, ...more] = checkout
  const { checkoutId } = order
  const amount = cents(sumOfTotals(checkout))
  const { number, quantity, product } = leadOf(checkout)
  const others = more.length > 0 ? ` and ${more.length} more` : ''
  const intent = await deps.payments.createIntent({
    amount,
    orderId: order._id,
    userId: order.userId,
    description: `${number}: ${quantity} × ${product}${others}`,
    receiptEmail: order.email,
    idempotencyKey: `checkout-${checkoutId}-a${attempt}-${amount}`,
  })
  const recorded = await recordIntent(deps, checkoutId, intent)
  if (recorded === intent.id) return intent
  await deps.payments.cancelIntent(intent.id)
  if (recorded === null) {
    checkUnpaid(found(await findOrder(deps.db, order._id), 'order'))
    throw new AppError('HOLD_REFUSED', 'The hold ended at this moment. Try again.')
  }
  const open = await deps.payments.retrieveIntent(recorded)
  if (open?.status === 'open' || open?.status === 'processing') return open
  // the recorded intent ended meanwhile; the next attempt opens another
  throw paymentInProgress()
}

/**
 * Opens the payment of an order's checkout: holds the stock first, for the full time or until its
 * limit; then opens an intent, or finds the open one. An order whose hold is over costs today's
 * price, and the request must agree to the sum.
 * @param networks hashes of the client's networks, the narrowest first
 * @returns the client secret with which the browser confirms the card
 * @throws AppError NOT_FOUND, AMBIGUOUS, ALREADY_PAID, ORDER_GONE, PROVIDER_DOWN, and the errors of
 *   `retakeHold`
 */
export async function startPayment(
  deps: StartPaymentDeps,
  caller: Caller,
  request: PaymentRequest,
  networks: string[],
): Promise<string> {
  const id = await findOrderId(deps, caller, request)
  const { checkoutId } = found(await findOrder(deps.db, id), 'order')
  // read this before the order: another tab may take the hold again and open a new intent meanwhile
  const open = await findOpenPayment(deps.db, checkoutId)
  const storedOrder = await findOrder(deps.db, id)
  const own = found(storedOrder?.userId === caller._id ? storedOrder : null, 'order')
  checkUnpaid(own)
  await releaseExpiredHolds(deps, own, open?.intentId)
  const agreement = { id, agreed: request.totalPrice }
  const [order, ...more] = await holdForPayment(deps, { userId: caller._id, networks }, agreement)
  const first = found(order, 'order')
  // counts before looking for an open intent: one opened in between is found, or has the same
  // number
  const attempt = await countPayments(deps.db, first.checkoutId)
  const intent =
    (await reusableIntent(deps, first.checkoutId)) ??
    (await newIntent(deps, [first, ...more], attempt))
  return intent.clientSecret
}
