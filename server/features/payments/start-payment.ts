import { sql } from 'drizzle-orm'
import { type Currency, cents, money, sumOfTotals } from '#contracts/money.ts'
import { leadOf } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import type { Intent } from '#server/adapters/payments/port.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
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
  dueOf,
  findExpiredIn,
  findOrder,
  findUnpaidByTotal,
  isUnpaid,
  lockCheckout,
  lockCheckoutOf,
  type OrderRow,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import {
  endStaleChoice,
  isPriced,
  priceCheckout,
} from '#server/features/shipping/price-checkout.ts'
import { closeIntent, paymentInProgress, type SettleDeps, settle } from './settle.ts'
import { countPayments, findOpenPayment, recordPayment } from './store.ts'

export type StartPaymentDeps = SettleDeps & HoldRules
type PaymentRequest = {
  /** The total of the goods. */
  totalPrice: number
  /** The same with shipping and tax; without it, there must be none. */
  due?: number | undefined
  orderId?: string | undefined
}

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

/** @throws AppError PRICE_CHANGED when the caller agreed to another sum */
function checkDue(
  checkout: OrderRow[],
  { totalPrice, due = totalPrice }: PaymentRequest,
  { isHeld, currency }: { isHeld: boolean; currency: Currency },
): void {
  const [goods, now] = [sumOfTotals(checkout), dueOf(checkout)]
  if (goods === totalPrice && now === due) return
  const sum = `${money(now, currency)}${now === goods ? '' : ' with shipping and tax'}`
  throw new PriceChanged(
    isHeld
      ? `The total price of this order is ${sum}`
      : `Your hold has ended, and the price has changed: this order is ${sum} now.`,
    goods,
    now,
  )
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

/** What the unpaid orders of an order's checkout cost today, in cents. */
const costOfCheckout = (orderId: string) => sql`(
  select coalesce(sum(o.quantity::bigint * p.price_cents), 0) from ${orders} o join ${parts} p on p._id = o.part_id
  where o.status = 'unpaid' and o.checkout_id = (select checkout_id from ${orders} where _id = ${orderId}))`

/**
 * Renews the holds of a checkout, or takes new ones.
 * @returns its unpaid orders with the prices to pay
 */
function holdForPayment(
  deps: StartPaymentDeps,
  holder: Holder,
  { id, request }: { id: string; request: PaymentRequest },
): Promise<OrderRow[]> {
  return deps.db.transaction(async (tx) => {
    const { verified } = await lockHolder(tx, holder, costOfCheckout(id))
    const all = await lockCheckoutOf(tx, id)
    const { checkoutId, ...order } = found(
      all.find(({ _id }) => _id === id),
      'order',
    )
    checkUnpaid(order)
    const unpaid = all.filter(isUnpaid)
    const isHeld = unpaid.every(({ holdExpiresAt }) => holdExpiresAt)
    if (!isHeld) await retakeHold(tx, unpaid, deps, { verified, networks: holder.networks })
    // a new hold costs what the goods, their shipping and the tax cost today
    if (!isHeld || !isPriced(unpaid)) await priceCheckout(tx, checkoutId)
    const checkout = (await lockCheckout(tx, checkoutId)).filter(isUnpaid)
    checkDue(checkout, request, { isHeld, currency: deps.currency })
    checkPayable(dueOf(checkout), deps.currency)
    if (isHeld) await renewHolds(tx, checkout, deps)
    return checkout
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
    if (!isPayable || cents(dueOf(checkout)) !== amount) return null
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
  const amount = cents(dueOf(checkout))
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
 * price. The request must agree to the sum.
 * @param networks hashes of the client's networks, the narrowest first
 * @returns the client secret with which the browser confirms the card
 * @throws AppError NOT_FOUND, AMBIGUOUS, ALREADY_PAID, ORDER_GONE, DELIVERY_ENDED, PROVIDER_DOWN, and
 *   the errors of `retakeHold`
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
  if (own.shipping.methodId && (await endStaleChoice(deps.db, checkoutId)))
    throw new AppError('DELIVERY_ENDED', 'We no longer deliver as you chose. Choose again.')
  const holder = { userId: caller._id, networks }
  const [order, ...more] = await holdForPayment(deps, holder, { id, request })
  const first = found(order, 'order')
  // counts before looking for an open intent: one opened in between is found, or has the same
  // number
  const attempt = await countPayments(deps.db, first.checkoutId)
  const intent =
    (await reusableIntent(deps, first.checkoutId)) ??
    (await newIntent(deps, [first, ...more], attempt))
  return intent.clientSecret
}
