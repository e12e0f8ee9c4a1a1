import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { Id } from '#contracts/api.ts'
import { cents } from '#contracts/money.ts'
import { canBecome } from '#contracts/orders.ts'
import type { Intent, Payments } from '#server/adapters/payments/port.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { holdStock, neverHeld, sellStock } from '#server/features/orders/hold.ts'
import { findOrder, lockOrder, type OrderRow } from '#server/features/orders/store.ts'
import { mailCustomer, paidMail, returnedMail } from '#server/mail/order-mails.ts'
import { type OwnerMailDeps, tellOfPaid } from '#server/mail/owner-mails.ts'
import { findPayment, markPayment, recordPayment, touchPayment } from './store.ts'

export type SettleDeps = OwnerMailDeps & {
  db: Database
  payments: Payments
  log: Logger
}

/** `paid`: this call marked the order paid; `already`: the payment had paid it before; the rest say why it did not. */
export type Settlement = 'paid' | 'already' | 'open' | 'canceled' | 'refunded' | 'unknown'

const gone = 'the card provider does not know it'

/** Why an order cannot take this payment; null when it can. */
function refusal(order: OrderRow, intent: Intent): string | null {
  if (!canBecome(order.status, 'paid')) return `the order is ${order.status}`
  if (intent.userId !== order.userId) return 'it was opened for another customer'
  if (intent.currency !== 'usd') return `the currency is ${intent.currency}`
  const due = cents(order.totalPrice)
  if (intent.amountReceived !== due) return `${intent.amountReceived} cents came, ${due} are due`
  return null
}

/** Marks a locked order paid in the caller's transaction: sells the stock, stores the payment, mails customer and owner. */
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
  await tellOfPaid(deps, tx, paid)
}

/** One transaction: the order takes the money, or the money is noted as owed back. */
function takeMoney(deps: SettleDeps, intent: Intent, orderId: string): Promise<Settlement> {
  const { db, log } = deps
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) {
      log.error({ intentId: intent.id, orderId }, 'money came for an order that is not here')
      return 'unknown'
    }
    if (order.transactionId === intent.id) return 'already'
    // usually stored as open; an unknown one has succeeded, and must not collide with the order's open one
    await recordPayment(tx, {
      intentId: intent.id,
      orderId,
      amount: intent.amount,
      status: 'canceled',
    })
    // a refunded payment never pays, though the provider still calls its intent succeeded
    const known = await findPayment(tx, intent.id)
    if (known?.status === 'refund_due' || known?.status === 'refunded') return 'refunded'
    let reason = refusal(order, intent)
    if (!reason) {
      // a savepoint: when the stock is gone, this transaction continues
      reason = await tx
        .transaction((inner) => markPaid(deps, inner, order, intent))
        .then(() => null)
        .catch((error) => {
          if (error instanceof AppError && error.code === 'STOCK_GONE') return 'the stock is gone'
          throw error
        })
    }
    if (!reason) return 'paid'
    log.error({ intentId: intent.id, orderId, reason }, 'money that its order can not take')
    await markPayment(tx, intent.id, ['open', 'canceled'], { status: 'refund_due', note: reason })
    return 'refunded'
  })
}

/**
 * The only place where an order becomes paid. PATCH /order, the webhook and the jobs call it, any number of times and at
 * once. It reads the intent at the provider, compares order, customer, amount and currency, and marks the order paid exactly
 * once. Money that the order cannot take is refunded.
 * @throws AppError PROVIDER_DOWN; nothing has changed then, and a job tries again
 */
export async function settle(deps: SettleDeps, intentId: string): Promise<Settlement> {
  const intent = await deps.payments.retrieveIntent(intentId)
  // not there: opened in another account, as the sandbox's are after going live; nobody can pay it any more
  if (!intent) {
    await markPayment(deps.db, intentId, ['open'], { status: 'canceled', note: gone })
    return 'unknown'
  }
  // other shops may share the provider's account: an intent without an order is not ours
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

/** Gives money back that no order can take. The provider makes one refund of it however often this runs. */
export async function refundDue(deps: SettleDeps, intentId: string): Promise<void> {
  const { db, payments, log, publicUrl } = deps
  const due = await findPayment(db, intentId)
  if (due?.status !== 'refund_due') return
  const refundId = await payments.refundIntent(intentId)
  await db.transaction(async (tx) => {
    await markPayment(tx, intentId, ['refund_due'], { status: 'refunded', refundId })
    const order = await findOrder(tx, due.orderId)
    if (!order) return
    const words = returnedMail(order, { intentId, amount: due.amount }, publicUrl)
    await mailCustomer(tx, order, words, `returned ${intentId}`)
  })
  log.warn({ intentId, refundId }, 'refunded')
}
