import { inArray, sql } from 'drizzle-orm'
import { Id } from '#contracts/api.ts'
import { type Currency, cents } from '#contracts/money.ts'
import { canBecome } from '#contracts/orders.ts'
import type { Intent } from '#server/adapters/payments/port.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { issueInvoice } from '#server/features/invoices/issue.ts'
import { forgetAbandoned } from '#server/features/orders/abandoned-holds.ts'
import { holdStock, sellStock } from '#server/features/orders/stock-movements.ts'
import {
  byPart,
  dueOf,
  findOrder,
  findOrdersPaidBy,
  lockCheckout,
  noHold,
  type OrderRow,
  orNone,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import { listMethods } from '#server/features/shipping/methods.ts'
import { asMailed, mailCustomer, paidMail } from '#server/mail/order-mails.ts'
import { mailOwnerPaid } from '#server/mail/owner-mails.ts'
import { recordFees } from './fees.ts'
import { insertRefund, listRefundsOf } from './refund-store.ts'
import { makeRefund, type RefundDeps, syncRefunds } from './refunds.ts'
import { findOpenPayment, findPayment, markPayment, recordPayment, touchPayment } from './store.ts'

/** Settling may end in a refund, so it needs the same dependencies. */
export type SettleDeps = RefundDeps

/**
 * `paid`: this payment paid its order just now. `already`: it had paid it before. `unmatched`: the
 * money arrived, but no order can take it, and a refund is requested. `open` and `canceled`: no
 * money arrived. `unknown`: the provider has no such payment, or it belongs to no order of this
 * shop.
 */
export type Settlement = 'paid' | 'already' | 'open' | 'canceled' | 'unmatched' | 'unknown'

/** The columns of an order without any trace of a hold. */
const clearedHold = { ...noHold, holdLimitAt: null }

/** Returns why a checkout cannot take this payment; null when it can. */
function refusal(all: OrderRow[], intent: Intent, currency: Currency): string | null {
  const lines = withoutDeleted(all)
  const [ended] =
    lines.length === 0 ? all : lines.filter(({ status }) => !canBecome(status, 'paid'))
  if (ended) return `the order is ${ended.status}`
  if (lines.some(({ userId }) => userId !== intent.userId))
    return 'it was opened for another customer'
  if (intent.currency !== currency) return `the currency is ${intent.currency}`
  const due = cents(dueOf(lines))
  if (intent.amountReceived !== due) return `${intent.amountReceived} cents came, ${due} are due`
  return null
}

/**
 * Marks the locked orders of a checkout paid in the caller's transaction: sells the stock, records
 * the payment, mails customer and owner. A payment that arrives after the hold ended pays the price
 * that the customer saw, not the current price.
 */
async function markPaid(
  deps: SettleDeps,
  tx: Transaction,
  lines: OrderRow[],
  intent: Intent,
): Promise<void> {
  // parts are locked by their ids, everywhere
  for (const order of lines.toSorted(byPart)) {
    if (!order.holdExpiresAt) await holdStock(tx, order)
    await sellStock(tx, order)
  }
  await markPayment(tx, intent.id, ['open', 'canceled'], { status: 'succeeded' })
  const ids = lines.map(({ _id }) => _id)
  await tx
    .update(orders)
    .set({ status: 'paid', transactionId: intent.id, ...clearedHold, paidAt: sql`now()` })
    .where(inArray(orders._id, ids))
  await forgetAbandoned(tx, ids)
  const paid = found(orNone(await findOrdersPaidBy(tx, intent.id)), 'order')
  const lacksChoice = !paid[0].shipping.method && (await listMethods(tx)).length > 0
  await mailOwnerPaid(deps, tx, paid, lacksChoice)
  const invoice = await issueInvoice(tx, deps.currency, paid)
  const mail = paidMail(await asMailed(tx, paid), deps, invoice)
  await mailCustomer(tx, paid, mail, `paid ${paid[0]._id}`, invoice)
}

/** In one transaction, marks the checkout paid or requests a refund of the whole amount. */
function takeMoney(deps: SettleDeps, intent: Intent, orderId: string): Promise<Settlement> {
  const { db, log } = deps
  return db.transaction(async (tx) => {
    const order = await findOrder(tx, orderId)
    if (!order) {
      log.error({ orderId, intentId: intent.id }, 'payment_without_order')
      return 'unknown'
    }
    const { checkoutId } = order
    const all = await lockCheckout(tx, checkoutId)
    if (all.some(({ transactionId }) => transactionId === intent.id)) return 'already'
    // records an unknown intent as canceled until the lines below decide about its money; as `open`
    // it could collide with the checkout's open intent
    await recordPayment(tx, {
      intentId: intent.id,
      checkoutId,
      amount: intent.amount,
      status: 'canceled',
    })
    // money that is refunded, or will be, never pays an order: the provider still reports its
    // intent as succeeded
    const storedPayment = await findPayment(tx, intent.id)
    if (storedPayment?.status === 'unmatched') return 'unmatched'
    let reason = refusal(all, intent, deps.currency)
    if (!reason) {
      // a savepoint, so that this transaction can still record the refund when the stock is gone
      reason = await tx
        .transaction((inner) => markPaid(deps, inner, withoutDeleted(all), intent))
        .then(() => null)
        .catch((error) => {
          if (error instanceof AppError && error.code === 'STOCK_GONE')
            return 'the stock is gone, or the part is a draft'
          throw error
        })
    }
    if (!reason) return 'paid'
    log.error({ orderId, intentId: intent.id, reason }, 'payment_unmatched')
    const amount = intent.amountReceived
    await markPayment(tx, intent.id, ['open', 'canceled'], { status: 'unmatched', amount })
    const refund = { intentId: intent.id, cause: 'unmatched_payment', amount, reason } as const
    await insertRefund(tx, { ...refund, state: 'requested' }, [])
    return 'unmatched'
  })
}

/**
 * Settles a payment: reads its intent at the provider, compares order, customer, amount and
 * currency, and marks the orders of the checkout paid exactly once. Refunds money that they cannot
 * take. Every notification of a payment ends here, and may be repeated or concurrent.
 * @throws AppError PROVIDER_DOWN: either nothing has changed, or a refund is recorded and stays
 *   requested. The job `settle_payments` continues in both cases
 */
export async function settle(deps: SettleDeps, intentId: string): Promise<Settlement> {
  const intent = await deps.payments.retrieveIntent(intentId)
  // the intent belongs to another account, such as the sandbox before the shop went live, so it can
  // no longer be paid
  if (!intent) {
    await markPayment(deps.db, intentId, ['open'], { status: 'canceled' })
    return 'unknown'
  }
  // other systems may use the same account: an intent without an order id is not ours
  const orderId = Id.safeParse(intent.orderId).data
  if (!orderId) return 'unknown'
  if (intent.status === 'canceled') {
    await markPayment(deps.db, intentId, ['open'], { status: 'canceled' })
    return 'canceled'
  }
  if (intent.status !== 'succeeded') {
    await touchPayment(deps.db, intentId)
    return 'open'
  }
  const settlement = await takeMoney(deps, intent, orderId)
  if (settlement !== 'unknown')
    await recordFees(deps.db, [{ intentId, type: 'payment', refundId: null, fee: intent.fee }])
  if (settlement !== 'unmatched') return settlement
  for (const refund of await listRefundsOf(deps.db, intentId)) {
    if (refund.state === 'requested') await makeRefund(deps, refund)
  }
  return settlement
}

/**
 * Settles a payment and records its refunds: the event of a refund may arrive before the event of
 * its payment.
 * @throws AppError as `settle`
 */
export async function settleWithRefunds(deps: SettleDeps, intentId: string): Promise<void> {
  const settlement = await settle(deps, intentId)
  const isReceived = ['paid', 'already', 'unmatched'].includes(settlement)
  if (isReceived) await syncRefunds(deps, intentId)
}

/** The refusal of an action while the provider is processing a payment of the order. */
export const paymentInProgress = () =>
  new AppError('PAYMENT_IN_PROGRESS', 'This order is being paid. Try again when that has ended.')

/**
 * Cancels an open intent at the provider, so that nobody can pay it later. Settles it if it is
 * already paid.
 * @returns false while the provider is still processing a payment; true when the intent can bring
 *   no more money
 */
export async function closeIntent(deps: SettleDeps, intentId: string): Promise<boolean> {
  const intent = await deps.payments.cancelIntent(intentId)
  if (intent && intent.status !== 'canceled') {
    const settlement = await settle(deps, intentId)
    return settlement !== 'open'
  }
  await markPayment(deps.db, intentId, ['open'], { status: 'canceled' })
  return true
}

/** Closes the checkout's open intent, if any. @returns as `closeIntent` */
export async function closePayment(deps: SettleDeps, checkoutId: string): Promise<boolean> {
  const open = await findOpenPayment(deps.db, checkoutId)
  return open ? closeIntent(deps, open.intentId) : true
}
