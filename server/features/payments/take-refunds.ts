import { eq } from 'drizzle-orm'
import type { Refund } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { restockUnits } from '#server/features/orders/hold.ts'
import { findOrder, type OrderRow } from '#server/features/orders/store.ts'
import { mailCustomer, refundedMail, refundFailedMail } from '#server/mail/order-mails.ts'
import { tellOfFailedRefund } from '#server/mail/owner-mails.ts'
import { insertRefund, listRefundsOf, markRefund, type RefundRow } from './refund-store.ts'
import { type SettleDeps, settle } from './settle.ts'

/** A refund only moves forward; an older status changes nothing. */
const progress = { requested: 0, pending: 1, succeeded: 2, failed: 3 }

const sentBack = 'the bank of the customer sent the money back'

/** The order that this intent paid, locked until the transaction ends. */
async function lockOrderPaidBy(tx: Transaction, intentId: string): Promise<OrderRow | undefined> {
  const [order] = await tx
    .select({ _id: orders._id })
    .from(orders)
    .where(eq(orders.transactionId, intentId))
    .for('update')
  return order && findOrder(tx, order._id)
}

/** Completes a refund that the provider took: restocks units, mails the customer, logs the action. */
async function given(deps: SettleDeps, tx: Transaction, order: OrderRow, refund: RefundRow) {
  if (refund.restock > 0) await restockUnits(tx, order, refund)
  const words = refundedMail(order, refund.amount, deps.publicUrl)
  await mailCustomer(tx, order, words, `refunded ${refund._id}`)
  const detail = { amount: refund.amount / 100, reason: refund.reason, restock: refund.restock }
  await logActions(tx, [
    { actorId: refund.requestedBy, action: 'order refunded', orderId: order._id, detail },
  ])
}

/** Logs a failed refund and mails the owner, and the customer if they had heard of it. */
async function failed(
  deps: SettleDeps,
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow & { why: string },
) {
  const { _id, amount, why } = refund
  deps.log.error({ orderId: order._id, refundId: _id, why }, 'a refund failed')
  if (refund.state !== 'requested') {
    const words = refundFailedMail(order, amount, deps.publicUrl)
    await mailCustomer(tx, order, words, `refund failed ${_id}`)
  }
  await tellOfFailedRefund(deps, tx, order, refund)
  const detail = { amount: amount / 100, why }
  await logActions(tx, [
    { actorId: refund.requestedBy, action: 'refund failed', orderId: order._id, detail },
  ])
}

async function takeRefund(
  deps: SettleDeps,
  tx: Transaction,
  { orderId, known, made }: { orderId: string; known: RefundRow[]; made: Refund },
): Promise<void> {
  const row =
    known.find(({ providerId }) => providerId === made.id) ??
    known.find(({ _id, state }) => state === 'requested' && _id === made.reference)
  if (row ? progress[row.state] >= progress[made.state] : made.state === 'failed') return
  const to = { state: made.state, providerId: made.id }
  // a refund that the provider never took gets no provider id, because nothing was restocked
  const news = made.state === 'failed' ? { state: made.state, note: sentBack } : to
  if (row) await markRefund(tx, row._id, news)
  const refund = row ?? (await insertRefund(tx, { orderId, amount: made.amount, ...to }))
  const order = await findOrder(tx, orderId)
  if (!order) throw new Error('a refund without its order')
  if (made.state === 'failed') await failed(deps, tx, order, { ...refund, why: sentBack })
  else if (!row || row.state === 'requested') await given(deps, tx, order, refund)
}

/**
 * Merges the provider's list of a payment's refunds into our rows, in one transaction. Repetition, delay and order make no
 * difference. Refunds made in the provider's dashboard are inserted.
 * @param refused our request that the provider refused: it fails unless the list has it
 */
export async function takeRefunds(
  deps: SettleDeps,
  intentId: string,
  made: Refund[],
  refused?: { _id: string; why: string },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const order = await lockOrderPaidBy(tx, intentId)
    if (!order) return
    const known = await listRefundsOf(tx, order._id)
    for (const refund of made) {
      await takeRefund(deps, tx, { orderId: order._id, known, made: refund })
    }
    const row = refused && (await listRefundsOf(tx, order._id)).find(isRow(refused._id))
    if (!refused || row?.state !== 'requested') return
    await markRefund(tx, row._id, { state: 'failed', note: refused.why })
    await failed(deps, tx, order, { ...row, why: refused.why })
  })
}

const isRow =
  (id: string) =>
  ({ _id }: RefundRow) =>
    _id === id

/**
 * Reads a payment's refunds at the provider. Settles the payment first, because a refund's event may arrive before its
 * payment's.
 * @throws AppError PROVIDER_DOWN; nothing has changed then
 */
export async function readRefunds(deps: SettleDeps, intentId: string): Promise<void> {
  const settlement = await settle(deps, intentId)
  if (settlement !== 'paid' && settlement !== 'already') return
  await takeRefunds(deps, intentId, await deps.payments.listRefunds(intentId))
}
