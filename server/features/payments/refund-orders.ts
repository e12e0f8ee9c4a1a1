import { setTimeout as pause } from 'node:timers/promises'
import { type Currency, cents, fromCents, money, sumOf } from '#contracts/money.ts'
import { type RefundAnswer, type RefundRequest, refundProblem } from '#contracts/refunds.ts'
import type { Caller } from '#contracts/users.ts'
import { refusedBy, type Transaction } from '#server/database/client.ts'
import { idempotent, keyReused, requestHash } from '#server/database/idempotency.ts'
import { AppError, found } from '#server/errors.ts'
import {
  lockCheckout,
  lockCheckoutOf,
  notDeletedOrder,
  type OrderRow,
  paidCents,
  shippingCents,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import type { TicketDeps } from '#server/features/tickets/about.ts'
import { settleByRefund } from '#server/features/tickets/change-ticket.ts'
import {
  findRefund,
  findRefundByKey,
  insertRefund,
  listRefundsOf,
  type RefundRow,
} from './refund-store.ts'
import { makeRefund } from './refunds.ts'
import type { SettleDeps } from './settle.ts'

type RefundLineRequest = Pick<RefundRequest, 'amount' | 'restock'> & {
  orderId: string
  /** The prefix of this line's fields in a refusal. */
  prefix?: string
}

export type RefundOrdersDeps = SettleDeps & TicketDeps

type RefundInput = {
  caller: Caller
  /** Null: that of the only line's order. */
  checkoutId: string | null
  lines: RefundLineRequest[]
  /** The amount of its shipping, with tax. */
  shipping?: number | undefined
  reason: string
  /** The ticket that it settles. */
  ticketId?: string | undefined
  key: string
}

const hashOf = ({ lines, shipping, reason, ticketId }: RefundInput) => {
  const [first, ...more] = lines
  return requestHash(
    first?.orderId,
    first?.amount,
    reason,
    first?.restock,
    ...more.flatMap((line) => Object.values(line)),
    ...(shipping === undefined ? [] : [shipping]),
    ...(ticketId === undefined ? [] : [ticketId]),
  )
}

export const fullyRefunded = 'This order is already fully refunded'
const refuse = (why: string, field: string) => new AppError('REFUND_REFUSED', why, { [field]: why })

/** What refunds, even requested ones, left of an order: cents, and units that can go back on sale. */
export function leftOf(order: OrderRow, refunds: RefundRow[]): { cents: number; units: number } {
  const lines = refunds.flatMap(({ state, givenAt, lines: all }) =>
    all.filter(({ orderId }) => orderId === order._id).map((line) => ({ ...line, state, givenAt })),
  )
  const valid = lines.filter(({ state }) => state !== 'failed')
  const given = valid.reduce((sum, line) => sum + line.amount, 0)
  // a refund that the bank returned has restocked its units already
  const restocking = lines.filter(({ state, givenAt }) => state !== 'failed' || givenAt)
  return {
    cents: paidCents(order) - given,
    units: order.quantity - restocking.reduce((sum, line) => sum + line.restock, 0),
  }
}

/**
 * The units of an order that are not to go back on sale: an admin gave their whole price back, and
 * restocked fewer. A smaller sum is a discount.
 */
export function unitsOffSale(order: OrderRow, refunds: RefundRow[]): number {
  const lines = refunds
    .filter(({ cause, state }) => cause === 'admin' && state !== 'failed')
    .flatMap((refund) => refund.lines.filter(({ orderId }) => orderId === order._id))
  const given = lines.reduce((sum, line) => sum + line.amount, 0)
  const restocked = lines.reduce((sum, line) => sum + line.restock, 0)
  return Math.max(0, Math.floor((given * order.quantity) / paidCents(order)) - restocked)
}

/** What refunds, even requested ones, left of the shipping of an order's checkout; in cents. */
export const leftOfShipping = (order: OrderRow, refunds: RefundRow[]): number =>
  refunds
    .filter(({ state }) => state !== 'failed')
    .flatMap(({ lines }) => lines.filter(({ orderId }) => orderId === null))
    .reduce((left, line) => left - line.amount, shippingCents(order))

/** @throws AppError REFUND_REFUSED with the message for the form field */
function checkRefund(
  order: OrderRow,
  refunds: RefundRow[],
  { amount, restock, prefix = '' }: RefundLineRequest,
  currency: Currency,
): void {
  const left = leftOf(order, refunds)
  if (left.cents <= 0) throw refuse(fullyRefunded, `${prefix}amount`)
  const problem = refundProblem(amount, fromCents(left.cents), currency)
  if (problem) throw refuse(problem, `${prefix}amount`)
  if (restock > left.units)
    throw refuse(`Restock cannot be more than ${left.units}`, `${prefix}restock`)
}

/** Records the refund before the provider is asked for it, or finds the one with the same key. */
async function recordRequest(
  deps: RefundOrdersDeps,
  tx: Transaction,
  input: RefundInput,
): Promise<RefundRow> {
  const { currency } = deps
  const checkout = input.checkoutId
    ? await lockCheckout(tx, input.checkoutId)
    : await lockCheckoutOf(tx, found(input.lines[0], 'order').orderId)
  const lines = input.lines.map((line) => {
    const order = notDeletedOrder(checkout.find(({ _id }) => _id === line.orderId))
    return { ...line, order }
  })
  const [any] = [...lines.map(({ order }) => order), ...withoutDeleted(checkout)]
  const before = await findRefundByKey(tx, input.caller._id, input.key)
  const hash = hashOf(input)
  return idempotent('refund', { before, hash }, async () => {
    const intentId = found(any, 'checkout').transactionId
    if (!intentId) {
      throw new AppError('ORDER_UNPAID', 'This order is not paid, so there is nothing to refund')
    }
    const refunds = await listRefundsOf(tx, intentId)
    for (const line of lines) checkRefund(line.order, refunds, line, currency)
    const { shipping } = input
    if (shipping) {
      const left = fromCents(leftOfShipping(found(any, 'checkout'), refunds))
      const problem = refundProblem(shipping, left, currency)
      if (problem) throw refuse(problem, 'shipping')
    }
    const refund = {
      intentId,
      cause: 'admin' as const,
      amount: cents(sumOf([shipping ?? 0, ...lines.map(({ amount }) => amount)])),
      state: 'requested' as const,
      reason: input.reason,
      requestedBy: input.caller._id,
      idempotencyKey: input.key,
      requestHash: hash,
      ticketId: input.ticketId ?? null,
    }
    if (input.ticketId) {
      const isRefunded = refunds.some((r) => r.ticketId === input.ticketId && r.state !== 'failed')
      if (isRefunded) throw refuse('This ticket is refunded. Refund more on its order.', 'ticketId')
      await settleByRefund(deps, tx, {
        caller: input.caller,
        ticketId: input.ticketId,
        checkoutId: found(any, 'checkout').checkoutId,
        sum: money(fromCents(refund.amount), currency),
      })
    }
    const inCents = lines.map(({ orderId, amount, restock }) => ({
      orderId,
      amount: cents(amount),
      restock,
    }))
    const ofShipping = shipping ? [{ orderId: null, amount: cents(shipping), restock: 0 }] : []
    return insertRefund(tx, refund, [...inCents, ...ofShipping])
  })
}

/**
 * Refunds paid or shipped orders of a checkout and its shipping, in full or in part, once for each
 * key.
 * @throws AppError NOT_FOUND, ORDER_UNPAID, KEY_REUSED, REFUND_REFUSED by us or, in its own words,
 *   by the provider
 */
export const refundOrders = (deps: RefundOrdersDeps, input: RefundInput): Promise<RefundAnswer> =>
  requestRefund(deps, (tx) => recordRequest(deps, tx, input))

/**
 * Records a refund, then asks the provider for it: if the provider does not respond, or this
 * process ends, the job `settle_payments` makes it.
 * @throws AppError KEY_REUSED, REFUND_REFUSED by us or, in its own words, by the provider
 */
export async function requestRefund(
  deps: SettleDeps,
  record: (tx: Transaction) => Promise<RefundRow>,
): Promise<RefundAnswer> {
  const refund = await deps.db.transaction(record).catch((error) => {
    if (refusedBy(error) === 'refunds_within_paid')
      throw refuse('Meanwhile more was refunded at the card provider', 'amount')
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
