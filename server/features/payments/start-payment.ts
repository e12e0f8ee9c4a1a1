import { type Currency, cents, money } from '#contracts/money.ts'
import type { Caller } from '#contracts/users.ts'
import type { Intent } from '#server/adapters/payments/port.ts'
import { AppError, found, PriceChanged } from '#server/errors.ts'
import { expireHold } from '#server/features/orders/end-holds.ts'
import type { HoldRules } from '#server/features/orders/hold-rules.ts'
import {
  type Holder,
  lockHolder,
  renewHold,
  retakeHold,
} from '#server/features/orders/retake-hold.ts'
import {
  findOrder,
  findUnpaidByTotal,
  isHoldExpired,
  lockOrder,
  type OrderRow,
} from '#server/features/orders/store.ts'
import { closeIntent, paymentInProgress, type SettleDeps, settle } from './settle.ts'
import { countPayments, findOpenPayment, recordPayment } from './store.ts'

export type StartPaymentDeps = SettleDeps & HoldRules
type PaymentRequest = { totalPrice: number; orderId?: string | undefined }

const alreadyPaid = () => new AppError('ALREADY_PAID', 'This order is paid already')
const orderGone = () => new AppError('ORDER_GONE', 'This order was deleted. Book again.')

/**
 * Finds the id of the order to pay: the one in the request, else the caller's only unpaid order
 * with that total.
 */
async function findOrderId(deps: StartPaymentDeps, caller: Caller, request: PaymentRequest) {
  if (request.orderId) return request.orderId
  const [order, another] = await findUnpaidByTotal(deps.db, caller._id, request.totalPrice)
  if (another) throw new AppError('AMBIGUOUS', 'Several orders have this total: send orderId too')
  return found(order, 'order')._id
}

function checkUnpaid(order: OrderRow): void {
  if (order.status === 'deleted') throw orderGone()
  if (order.transactionId) throw alreadyPaid()
}

function checkTotal({ totalPrice }: OrderRow, agreed: number, currency: Currency): void {
  if (totalPrice === agreed) return
  throw new PriceChanged(
    `The total price of this order is ${money(totalPrice, currency)}`,
    totalPrice,
  )
}

/**
 * If the hold has expired, cancels the intent and releases the units, so that nobody pays the old
 * price.
 * @param open the intent that was open before the order was read: another tab may renew the hold
 *   and open a new one meanwhile
 */
async function releaseExpiredHold(
  deps: StartPaymentDeps,
  order: OrderRow,
  open?: string,
): Promise<void> {
  if (!order.holdExpiresAt) {
    if (open) await closeIntent(deps, open)
  } else if (await isHoldExpired(deps.db, order._id)) await expireHold(deps, order._id)
}

/**
 * Renews the hold of an unpaid order, or takes it again.
 * @returns the order with the price to pay
 */
function holdForPayment(
  deps: StartPaymentDeps,
  holder: Holder,
  { id, agreed }: { id: string; agreed: number },
): Promise<OrderRow> {
  return deps.db.transaction(async (tx) => {
    const { verified } = await lockHolder(tx, holder)
    const order = found(await lockOrder(tx, id), 'order')
    checkUnpaid(order)
    if (order.holdExpiresAt) {
      checkTotal(order, agreed, deps.currency)
      await renewHold(tx, order, deps)
      return order
    }
    await retakeHold(tx, order, deps, { verified, networks: holder.networks, agreed })
    return found(await findOrder(tx, id), 'order')
  })
}

/**
 * Returns the order's open intent if the customer can still pay it; settles an intent that has
 * ended.
 */
async function reusableIntent(
  deps: StartPaymentDeps,
  { checkoutId }: OrderRow,
): Promise<Intent | null> {
  const open = await findOpenPayment(deps.db, checkoutId)
  if (!open) return null
  const intent = await deps.payments.retrieveIntent(open.intentId)
  if (intent?.status === 'open' || intent?.status === 'processing') return intent
  const settlement = await settle(deps, open.intentId)
  if (settlement === 'paid' || settlement === 'already') throw alreadyPaid()
  return null
}

/**
 * Records an intent as the order's open one. Does not if the order was deleted or paid meanwhile,
 * or if its hold ended and the price may have changed.
 * @returns the id of the order's open intent, which another tab may have recorded; null when the
 *   order cannot be paid now
 */
function recordIntent(deps: StartPaymentDeps, order: OrderRow, intent: Intent) {
  const { id: intentId, amount } = intent
  return deps.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, order._id)
    const isPayable = locked?.status === 'unpaid' && locked.holdExpiresAt !== null
    if (!isPayable || cents(locked.totalPrice) !== amount) return null
    const { checkoutId } = locked
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
  order: OrderRow,
  attempt: number,
): Promise<Intent> {
  const amount = cents(order.totalPrice)
  const intent = await deps.payments.createIntent({
    amount,
    orderId: order._id,
    userId: order.userId,
    description: `${order.number}: ${order.quantity} × ${order.product}`,
    receiptEmail: order.email,
    idempotencyKey: `order-${order._id}-a${attempt}-${amount}`,
  })
  const recorded = await recordIntent(deps, order, intent)
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
 * Starts the payment of an order: first holds the stock, for the full time or until its limit, then
 * opens an intent or reuses the open one. An order whose hold has ended costs the current price,
 * and the request must contain the current total.
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
  await releaseExpiredHold(deps, own, open?.intentId)
  const agreement = { id, agreed: request.totalPrice }
  const order = await holdForPayment(deps, { userId: caller._id, networks }, agreement)
  // count before looking for an open intent: an intent opened in between is found or has the same
  // number
  const attempt = await countPayments(deps.db, order.checkoutId)
  const intent = (await reusableIntent(deps, order)) ?? (await newIntent(deps, order, attempt))
  return intent.clientSecret
}
