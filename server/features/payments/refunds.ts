import { eq } from 'drizzle-orm'
import type { Refund } from '#server/adapters/payments/port.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError } from '#server/errors.ts'
import { restockUnits } from '#server/features/orders/stock-movements.ts'
import { findOrder, type OrderRow } from '#server/features/orders/store.ts'
import { mailCustomer, refundedMail, refundFailedMail } from '#server/mail/order-mails.ts'
import { mailOwnerFailedRefund } from '#server/mail/owner-mails.ts'
import {
  findRefund,
  insertRefund,
  listRefundsOf,
  markRefund,
  type RefundRow,
  touchRefund,
} from './refund-store.ts'
import { type SettleDeps, settle } from './settle.ts'

/** A refund only moves on: a state that is not further than the stored one is old news. */
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

/** The money is on its way back: restocks the units, mails the customer and logs the action. */
async function onMade(deps: SettleDeps, tx: Transaction, order: OrderRow, refund: RefundRow) {
  if (refund.restock > 0) await restockUnits(tx, order, refund)
  const mail = refundedMail(order, refund.amount, deps.publicUrl)
  await mailCustomer(tx, order, mail, `refunded ${refund._id}`)
  const detail = { amount: refund.amount / 100, reason: refund.reason, restock: refund.restock }
  await logActions(tx, [
    { actorId: refund.requestedBy, action: 'order refunded', orderId: order._id, detail },
  ])
}

/** The refund came to nothing: mails the owner, logs the action, and mails a customer who had heard of the refund. */
async function onFailed(
  deps: SettleDeps,
  tx: Transaction,
  order: OrderRow,
  refund: RefundRow & { why: string },
) {
  const { _id, amount, why } = refund
  deps.log.error({ orderId: order._id, refundId: _id, reason: why }, 'refund_failed')
  if (refund.state !== 'requested') {
    const mail = refundFailedMail(order, amount, deps.publicUrl)
    await mailCustomer(tx, order, mail, `refund failed ${_id}`)
  }
  await mailOwnerFailedRefund(deps, tx, order, refund)
  const detail = { amount: amount / 100, why }
  await logActions(tx, [
    { actorId: refund.requestedBy, action: 'refund failed', orderId: order._id, detail },
  ])
}

async function recordRefund(
  deps: SettleDeps,
  tx: Transaction,
  { orderId, known, made }: { orderId: string; known: RefundRow[]; made: Refund },
): Promise<void> {
  const row =
    known.find(({ providerId }) => providerId === made.id) ??
    known.find(({ _id, state }) => state === 'requested' && _id === made.reference)
  if (row ? progress[row.state] >= progress[made.state] : made.state === 'failed') return
  const to = { state: made.state, providerId: made.id }
  // a refund that failed before we recorded it as made keeps no provider id: its units were never restocked
  const update = made.state === 'failed' ? { state: made.state, note: sentBack } : to
  if (row) await markRefund(tx, row._id, update)
  const refund = row ?? (await insertRefund(tx, { orderId, amount: made.amount, ...to }))
  const order = await findOrder(tx, orderId)
  if (!order) throw new Error('a refund without its order')
  if (made.state === 'failed') await onFailed(deps, tx, order, { ...refund, why: sentBack })
  else if (!row || row.state === 'requested') await onMade(deps, tx, order, refund)
}

/**
 * Records what the provider says was refunded of a payment, in one transaction. Twice, late or in another order, it
 * comes to the same; refunds made by hand at the provider are recorded too.
 * @param refused a request of ours that the provider refuses: it has failed, unless it is among those made
 */
async function recordRefunds(
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
      await recordRefund(deps, tx, { orderId: order._id, known, made: refund })
    }
    const row = refused && (await findRefund(tx, refused._id))
    if (!refused || row?.state !== 'requested') return
    await markRefund(tx, row._id, { state: 'failed', note: refused.why })
    await onFailed(deps, tx, order, { ...row, why: refused.why })
  })
}

/**
 * Asks the provider what was refunded of a payment and records it. Settles the payment first: news of a refund may come
 * before news of its payment.
 * @throws AppError PROVIDER_DOWN; nothing has changed then
 */
export async function readRefunds(deps: SettleDeps, intentId: string): Promise<void> {
  const settlement = await settle(deps, intentId)
  if (settlement !== 'paid' && settlement !== 'already') return
  await recordRefunds(deps, intentId, await deps.payments.listRefunds(intentId))
}

/** A refusal of the provider as a value; any other failure is thrown on. */
const asRefusal = (error: unknown): AppError => {
  if (error instanceof AppError && error.code === 'REFUND_REFUSED') return error
  throw error
}

/**
 * Asks the provider for a refund that we have recorded as requested, and records the answer. However often this runs,
 * the provider makes one refund.
 * @throws AppError PROVIDER_DOWN, or a fault: the refund stays requested, and the next reconciliation makes it
 */
export async function makeRefund(
  deps: SettleDeps,
  intentId: string,
  { _id, amount }: Pick<RefundRow, '_id' | 'amount'>,
): Promise<void> {
  const request = { intentId, amount, reference: _id, idempotencyKey: `refund-${_id}` }
  const made = await deps.payments.refund(request).catch(asRefusal)
  if (!(made instanceof AppError)) return recordRefunds(deps, intentId, [made])
  // refused, maybe because it was made: by hand, or by us so long ago that the provider forgot the key
  const all = await deps.payments.listRefunds(intentId).catch(asRefusal)
  const refused = { _id, why: made.message }
  await recordRefunds(deps, intentId, all instanceof AppError ? [] : all, refused)
}

/**
 * Finishes one refund. Reads first what the provider made of it: it may have forgotten the idempotency key.
 * @throws AppError PROVIDER_DOWN, or a fault: nothing is lost then
 */
export async function finishRefund(
  deps: SettleDeps,
  { _id, orderId }: Pick<RefundRow, '_id' | 'orderId'>,
): Promise<void> {
  await touchRefund(deps.db, _id)
  const intentId = (await findOrder(deps.db, orderId))?.transactionId
  if (!intentId) throw new Error('a refund without its payment')
  await readRefunds(deps, intentId)
  const refund = await findRefund(deps.db, _id)
  if (refund?.state === 'requested') await makeRefund(deps, intentId, refund)
}
