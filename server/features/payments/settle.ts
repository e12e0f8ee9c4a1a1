import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { Id } from '#contracts/api.ts'
import { cents } from '#contracts/money.ts'
import { canBecome } from '#contracts/orders.ts'
import type { Intent, Payments } from '#server/adapters/payments/port.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { holdStock, sellStock } from '#server/features/orders/stock-movements.ts'
import { findOrder, lockOrder, noHold, type OrderRow } from '#server/features/orders/store.ts'
import { mailCustomer, paidMail, returnedMail } from '#server/mail/order-mails.ts'
import { mailOwnerPaid, type OwnerMailDeps } from '#server/mail/owner-mails.ts'
import { findPayment, markPayment, recordPayment, touchPayment } from './store.ts'

export type SettleDeps = OwnerMailDeps & {
  db: Database
  payments: Payments
  log: Logger
}

/** `paid`: this payment paid its order just now; `already`: it had before. The others say why it does not. */
export type Settlement = 'paid' | 'already' | 'open' | 'canceled' | 'refunded' | 'unknown'

const gone = 'the card provider does not know it'

/** Once paid, nothing of a hold counts any more. */
const neverHeld = { ...noHold, holdLimitAt: null, holdRanOutAt: null }

/** Why an order cannot take this payment; null when it can. */
function refusal(order: OrderRow, intent: Intent): string | null {
  if (!canBecome(order.status, 'paid')) return `the order is ${order.status}`
  if (intent.userId !== order.userId) return 'it was opened for another customer'
  if (intent.currency !== 'usd') return `the currency is ${intent.currency}`
  const due = cents(order.totalPrice)
  if (intent.amountReceived !== due) return `${intent.amountReceived} cents came, ${due} are due`
  return null
}

/** Marks a locked order paid in the caller's transaction: sells the stock, keeps the payment, mails customer and owner. */
async function markPaid(
  deps: SettleDeps,
  tx: Transaction,
  order: OrderRow,
  intent: Intent,
): Promise<void> {
  if (!order.holdExpiresAt) await holdStock(tx, order)
  await sellStock(tx, order)
  await markPayment(tx, intent.id, ['open', 'canceled'], { status: 'succeeded' })
  await tx
    .update(orders)
    .set({ status: 'paid', transactionId: intent.id, ...neverHeld, paidAt: sql`now()` })
    .where(eq(orders._id, order._id))
  const paid = found(await findOrder(tx, order._id), 'order')
  await mailCustomer(tx, paid, paidMail(paid, deps.publicUrl), `paid ${order._id}`)
  await mailOwnerPaid(deps, tx, paid)
}

/** One transaction: the order takes the money, or the payment becomes `refund_due`. */
function takeMoney(deps: SettleDeps, intent: Intent, orderId: string): Promise<Settlement> {
  const { db, log } = deps
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) {
      log.error({ orderId, intentId: intent.id }, 'payment_without_order')
      return 'unknown'
    }
    if (order.transactionId === intent.id) return 'already'
    // normally recorded as open. One that is not can not be open any more, and must not collide with one that is
    await recordPayment(tx, {
      intentId: intent.id,
      orderId,
      amount: intent.amount,
      status: 'canceled',
    })
    // money that is refunded, or about to be, never pays: the provider goes on calling its intent succeeded
    const known = await findPayment(tx, intent.id)
    if (known?.status === 'refund_due' || known?.status === 'refunded') return 'refunded'
    let reason = refusal(order, intent)
    if (!reason) {
      // a savepoint: when the stock is gone, this transaction still records the refund that is due
      reason = await tx
        .transaction((inner) => markPaid(deps, inner, order, intent))
        .then(() => null)
        .catch((error) => {
          if (error instanceof AppError && error.code === 'STOCK_GONE') return 'the stock is gone'
          throw error
        })
    }
    if (!reason) return 'paid'
    log.error({ orderId, intentId: intent.id, reason }, 'payment_refund_due')
    await markPayment(tx, intent.id, ['open', 'canceled'], { status: 'refund_due', note: reason })
    return 'refunded'
  })
}

/**
 * THE place where an order becomes paid. PATCH /order, the webhook and the reconciliation call it, any number of times and
 * at once: it reads the intent at the provider, compares order, customer, amount and currency, and marks the order paid
 * exactly once. It refunds money that the order can not take.
 * @throws AppError PROVIDER_DOWN; nothing has changed then, and the next reconciliation settles it
 */
export async function settle(deps: SettleDeps, intentId: string): Promise<Settlement> {
  const intent = await deps.payments.retrieveIntent(intentId)
  // not there: opened in another account, as the sandbox's are after going live; nobody can pay it any more
  if (!intent) {
    await markPayment(deps.db, intentId, ['open'], { status: 'canceled', note: gone })
    return 'unknown'
  }
  // others may use the same account: an intent that names no order is not ours
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
  if (settlement === 'refunded') await refundDue(deps, intentId)
  return settlement
}

/** Refunds money that no order can take. The provider makes one refund of it however often this runs. */
export async function refundDue(deps: SettleDeps, intentId: string): Promise<void> {
  const { db, payments, log, publicUrl } = deps
  const due = await findPayment(db, intentId)
  if (due?.status !== 'refund_due') return
  const refundId = await payments.refundIntent(intentId)
  await db.transaction(async (tx) => {
    await markPayment(tx, intentId, ['refund_due'], { status: 'refunded', refundId })
    const order = await findOrder(tx, due.orderId)
    if (!order) return
    const mail = returnedMail(order, { intentId, amount: due.amount }, publicUrl)
    await mailCustomer(tx, order, mail, `returned ${intentId}`)
  })
  log.warn({ orderId: due.orderId, intentId, refundId }, 'payment_refunded')
}
