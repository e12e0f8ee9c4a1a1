import { cents } from '#contracts/money.ts'
import type { Caller } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import type { Intent } from '#server/ports/payments/port.ts'
import { type HoldRules, renewHold } from './hold.ts'
import { countPayments, findOpenPayment, recordPayment } from './payment-store.ts'
import { type SettleDeps, settle } from './settle.ts'
import { findOrder, findUnpaidByTotal, lockOrder, type OrderRow } from './store.ts'

export type StartPaymentDeps = SettleDeps & HoldRules
type PaymentRequest = { totalPrice: number; orderId?: string | undefined }

const alreadyPaid = () => new AppError('ALREADY_PAID', 'This order is paid already')
const orderGone = () => new AppError('ORDER_GONE', 'This order was deleted. Book again.')

/** The caller's order that is meant: named by id or, without one, the only unpaid one of that total. */
async function meantOrder(deps: StartPaymentDeps, caller: Caller, request: PaymentRequest) {
  if (request.orderId) return request.orderId
  const [order, another] = await findUnpaidByTotal(deps.db, caller._id, request.totalPrice)
  if (another) throw new AppError('AMBIGUOUS', 'Several orders have this total: send orderId too')
  return found(order, 'order')._id
}

function checkPayable(order: OrderRow, totalPrice: number): void {
  if (order.status === 'deleted') throw orderGone()
  if (order.transactionId) throw alreadyPaid()
  if (order.totalPrice !== totalPrice) {
    throw new AppError(
      'PRICE_CHANGED',
      `The total price of this order is ${order.totalPrice} dollars`,
      {
        totalPrice: `must be ${order.totalPrice}`,
      },
    )
  }
}

/** The order's open intent when it can still be paid; settles or forgets it when its story is over. */
async function reusableIntent(deps: StartPaymentDeps, orderId: string): Promise<Intent | null> {
  const open = await findOpenPayment(deps.db, orderId)
  if (!open) return null
  const intent = await deps.payments.retrieveIntent(open.intentId)
  if (intent?.status === 'open' || intent?.status === 'processing') return intent
  const settlement = await settle(deps, open.intentId)
  if (settlement === 'paid' || settlement === 'already') throw alreadyPaid()
  return null
}

/**
 * Writes an intent down as the order's open one, unless the order was deleted or paid meanwhile.
 * @returns the id of the intent that counts, or null when none may
 */
function keepIntent(deps: StartPaymentDeps, order: OrderRow, intent: Intent) {
  const { id: intentId, amount } = intent
  return deps.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, order._id)
    if (locked?.status !== 'unpaid') return null
    await recordPayment(tx, { intentId, orderId: order._id, amount, status: 'open' })
    return (await findOpenPayment(tx, order._id))?.intentId ?? intentId
  })
}

/**
 * Opens an intent and writes it down. Two tabs at once, or a crash before it is written: the attempt's number makes the
 * provider answer the same intent again. Should there be two all the same, the one written down first counts.
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
  const kept = await keepIntent(deps, order, intent)
  if (kept === intent.id) return intent
  await deps.payments.cancelIntent(intent.id)
  if (kept === null) {
    throw (await findOrder(deps.db, order._id))?.transactionId ? alreadyPaid() : orderGone()
  }
  const open = await deps.payments.retrieveIntent(kept)
  if (open?.status === 'open' || open?.status === 'processing') return open
  // ended at this very moment; the next try opens another
  throw new AppError('UNAVAILABLE', 'This order is being paid in another window. Try again.')
}

/**
 * Opens the payment of an order: the stock is held for the full time first, then there is an intent to pay, the same
 * one as long as it is open.
 * @returns the client secret that the browser confirms the card with
 * @throws AppError NOT_FOUND, AMBIGUOUS, ALREADY_PAID, ORDER_GONE, PRICE_CHANGED, STOCK_GONE, TOO_MANY, PROVIDER_DOWN
 */
export async function startPayment(
  deps: StartPaymentDeps,
  caller: Caller,
  request: PaymentRequest,
): Promise<string> {
  const id = await meantOrder(deps, caller, request)
  const known = await findOrder(deps.db, id)
  const own = found(known?.userId === caller._id ? known : null, 'order')
  checkPayable(own, request.totalPrice)
  const order = await deps.db.transaction(async (tx) => {
    const locked = found(await lockOrder(tx, id), 'order')
    checkPayable(locked, request.totalPrice)
    await renewHold(tx, locked, deps)
    return locked
  })
  // counted before looking for an open one: whoever opens one in between is then found, or has the same number
  const attempt = await countPayments(deps.db, id)
  const intent = (await reusableIntent(deps, id)) ?? (await newIntent(deps, order, attempt))
  return intent.clientSecret
}
