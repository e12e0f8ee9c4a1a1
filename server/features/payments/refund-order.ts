import { setTimeout as pause } from 'node:timers/promises'
import { cents } from '#contracts/money.ts'
import { type RefundAnswer, type RefundRequest, refundProblem } from '#contracts/refunds.ts'
import type { Caller } from '#contracts/users.ts'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { idempotent, keyReused, requestHash } from '#server/database/idempotency.ts'
import { AppError, found } from '#server/errors.ts'
import { lockOrder, type OrderRow } from '#server/features/orders/store.ts'
import { makeRefund } from './make-refund.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefundsOf,
  type RefundRow,
} from './refund-store.ts'
import type { SettleDeps } from './settle.ts'

type Wish = { caller: Caller; orderId: string; request: RefundRequest; key: string }

const hashOf = ({ orderId, request: { amount, reason, restock } }: Wish) =>
  requestHash(orderId, amount, reason, restock)

const refuse = (why: string, field: string) => new AppError('REFUND_REFUSED', why, { [field]: why })

/** @throws AppError ORDER_UNPAID, or REFUND_REFUSED with the sentence for the field */
function checkWish(
  order: OrderRow,
  refunds: RefundRow[],
  { amount, restock }: RefundRequest,
): void {
  if (!order.transactionId) {
    throw new AppError('ORDER_UNPAID', 'This order is not paid, so there is nothing to give back')
  }
  const standing = refunds.filter(({ state }) => state !== 'failed')
  const left = order.totalPrice - standing.reduce((sum, refund) => sum + refund.amount / 100, 0)
  if (left <= 0) throw refuse('All of this order was given back already', 'amount')
  const problem = refundProblem(amount, left)
  if (problem) throw refuse(problem, 'amount')
  // a refund that the bank sent back has restocked its units all the same
  const restocking = refunds.filter(({ state, providerId }) => state !== 'failed' || providerId)
  const units = order.quantity - restocking.reduce((sum, refund) => sum + refund.restock, 0)
  if (restock > units) throw refuse(`Restock can not be more than ${units}`, 'restock')
}

/** Inserts the refund before the provider is asked, or finds the one of the same key. */
async function writeDown(tx: Transaction, wish: Wish) {
  const row = await lockOrder(tx, wish.orderId)
  const order = found(row?.status === 'deleted' ? null : row, 'order')
  const before = await findRefundByKey(tx, wish.caller._id, wish.key)
  const hash = hashOf(wish)
  const refund = await idempotent('refund', { before, hash }, async () => {
    checkWish(order, await listRefundsOf(tx, order._id), wish.request)
    const { amount, reason, restock } = wish.request
    return insertRefund(tx, {
      orderId: order._id,
      amount: cents(amount),
      state: 'requested',
      reason,
      restock,
      requestedBy: wish.caller._id,
      idempotencyKey: wish.key,
      requestHash: hash,
    })
  })
  return { order, refund }
}

/**
 * Refunds a paid or shipped order, all or a part, once per key. Inserts the refund first: when the provider is silent or this
 * process ends, a job finishes it.
 * @throws AppError NOT_FOUND, ORDER_UNPAID, KEY_REUSED, REFUND_REFUSED by us or, in its own words, by the provider
 */
export async function refundOrder(deps: SettleDeps, wish: Wish): Promise<RefundAnswer> {
  const { order, refund } = await deps.db
    .transaction((tx) => writeDown(tx, wish))
    .catch((error) => {
      throw refusedBy(error) === 'refunds_idempotency' ? keyReused('refund') : error
    })
  if (refund.state === 'requested') {
    const made = makeRefund(deps, order.transactionId ?? '', refund).catch((error) =>
      deps.log.error({ err: error, refundId: refund._id }, 'a refund waits; the sweep makes it'),
    )
    await Promise.race([made, pause(deps.payments.timeoutMs, undefined, { ref: false })])
  }
  const { state, note } = found(await findRefund(deps.db, refund._id), 'refund')
  if (state === 'failed') {
    throw new AppError('REFUND_REFUSED', `The card provider made no refund: ${note}`)
  }
  return {
    acknowledged: true,
    insertedId: refund._id,
    state: state === 'succeeded' ? 'succeeded' : 'pending',
  }
}
