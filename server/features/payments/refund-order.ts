import { setTimeout as pause } from 'node:timers/promises'
import { type Currency, cents, fromCents } from '#contracts/money.ts'
import { type RefundAnswer, type RefundRequest, refundProblem } from '#contracts/refunds.ts'
import type { Caller } from '#contracts/users.ts'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { idempotent, keyReused, requestHash } from '#server/database/idempotency.ts'
import { AppError, found } from '#server/errors.ts'
import { lockOrder, notDeletedOrder, type OrderRow } from '#server/features/orders/store.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefundsOf,
  type RefundRow,
} from './refund-store.ts'
import { makeRefund } from './refunds.ts'
import type { SettleDeps } from './settle.ts'

type RefundInput = { caller: Caller; orderId: string; request: RefundRequest; key: string }

const hashOf = ({ orderId, request: { amount, reason, restock } }: RefundInput) =>
  requestHash(orderId, amount, reason, restock)

const refuse = (why: string, field: string) => new AppError('REFUND_REFUSED', why, { [field]: why })

/** @throws AppError REFUND_REFUSED with the message for the form field */
function checkRefund(
  order: OrderRow,
  refunds: RefundRow[],
  { amount, restock }: RefundRequest,
  currency: Currency,
): void {
  const lines = refunds.flatMap(({ state, givenAt, lines: all }) =>
    all.filter(({ orderId }) => orderId === order._id).map((line) => ({ ...line, state, givenAt })),
  )
  const valid = lines.filter(({ state }) => state !== 'failed')
  const given = valid.reduce((sum, line) => sum + line.amount, 0)
  const left = cents(order.totalPrice) - given
  if (left <= 0) throw refuse('All of this order was given back already', 'amount')
  const problem = refundProblem(amount, fromCents(left), currency)
  if (problem) throw refuse(problem, 'amount')
  // a refund that a bank sent back has restocked its units before
  const restocking = lines.filter(({ state, givenAt }) => state !== 'failed' || givenAt)
  const units = order.quantity - restocking.reduce((sum, line) => sum + line.restock, 0)
  if (restock > units) throw refuse(`Restock can not be more than ${units}`, 'restock')
}

/** Records the refund before the provider is asked for it, or finds the one with the same key. */
async function recordRequest(
  tx: Transaction,
  input: RefundInput,
  currency: Currency,
): Promise<RefundRow> {
  const order = notDeletedOrder(await lockOrder(tx, input.orderId))
  const before = await findRefundByKey(tx, input.caller._id, input.key)
  const hash = hashOf(input)
  return idempotent('refund', { before, hash }, async () => {
    const intentId = order.transactionId
    if (!intentId) {
      throw new AppError('ORDER_UNPAID', 'This order is not paid, so there is nothing to give back')
    }
    checkRefund(order, await listRefundsOf(tx, intentId), input.request, currency)
    const { amount, reason, restock } = input.request
    const refund = {
      intentId,
      cause: 'admin' as const,
      amount: cents(amount),
      state: 'requested' as const,
      reason,
      requestedBy: input.caller._id,
      idempotencyKey: input.key,
      requestHash: hash,
    }
    return insertRefund(tx, refund, [{ orderId: order._id, amount: refund.amount, restock }])
  })
}

/**
 * Refunds a paid or shipped order, in whole or in part, once for each key. Records the refund
 * first: if the provider does not respond or this process ends, the job `settle_payments` makes it.
 * @throws AppError NOT_FOUND, ORDER_UNPAID, KEY_REUSED, or REFUND_REFUSED by the shop or by the
 *   provider, whose reason is in the message
 */
export async function refundOrder(deps: SettleDeps, input: RefundInput): Promise<RefundAnswer> {
  const refund = await deps.db
    .transaction((tx) => recordRequest(tx, input, deps.currency))
    .catch((error) => {
      throw refusedBy(error) === 'refunds_idempotency' ? keyReused('refund') : error
    })
  if (refund.state === 'requested') {
    const refundAttempt = makeRefund(deps, refund).catch((error) =>
      deps.log.error({ err: error, refundId: refund._id }, 'refund_not_made'),
    )
    await Promise.race([refundAttempt, pause(deps.payments.timeoutMs, undefined, { ref: false })])
  }
  const { state, note } = found(await findRefund(deps.db, refund._id), 'refund')
  if (state === 'failed') {
    throw new AppError('REFUND_REFUSED', `The card provider made no refund: ${note}`)
  }
  return {
    acknowledged: true,
    insertedId: refund._id,
    // callers see `requested` as `pending` too: a job finishes both
    state: state === 'succeeded' ? 'succeeded' : 'pending',
  }
}
