/** What customers cancel themselves: orders that are paid and not shipped yet. */
import { sql } from 'drizzle-orm'
import { money } from '#contracts/money.ts'
import type { RefundAnswer } from '#contracts/refunds.ts'
import type { Caller } from '#contracts/users.ts'
import type { Transaction } from '#server/database/client.ts'
import { idempotent, requestHash } from '#server/database/idempotency.ts'
import { refunds } from '#server/database/schema/payments.ts'
import { users } from '#server/database/schema/users.ts'
import { AppError, found } from '#server/errors.ts'
import {
  lockCheckout,
  notDeletedOrder,
  type OrderRow,
  orNone,
  withoutDeleted,
} from '#server/features/orders/store.ts'
import { priceNow } from '#server/features/shipping/price-checkout.ts'
import { mailOwnerCanceled } from '#server/mail/owner-mails.ts'
import {
  fullyRefunded,
  leftOf,
  leftOfShipping,
  requestRefund,
  unitsOffSale,
} from './refund-orders.ts'
import { findRefundByKey, insertRefund, listRefundsOf, type RefundRow } from './refund-store.ts'
import type { SettleDeps } from './settle.ts'

type Cancellation = {
  caller: Caller
  checkoutId: string
  /** Undefined: every order that is not shipped yet. */
  orderIds: string[] | undefined
  key: string
}

/** Each cancellation costs the shop the card provider's fee, so that they are bounded. */
const mostInADay = 10

/** @throws AppError TOO_MANY for the accounts of one mailbox together */
async function checkNotTooMany(tx: Transaction, { _id }: Caller): Promise<void> {
  const count = await tx.$count(
    refunds,
    sql`${refunds.cause} = 'customer' and ${refunds.createdAt} > now() - interval '1 day'
      and ${refunds.requestedBy} in (select u._id from ${users} u where u.mailbox = (
        select own.mailbox from ${users} own where own._id = ${_id}))`,
  )
  if (count >= mostInADay)
    throw new AppError(
      'TOO_MANY',
      `You canceled ${mostInADay} times within a day. To cancel more, write to us.`,
    )
}

/** Why an order cannot be canceled; undefined if it can. */
function whyNot(order: OrderRow, refundsOfIt: RefundRow[]): AppError | undefined {
  if (order.shippedAt)
    return new AppError('ALREADY_SHIPPED', 'This order is on its way, so it cannot be canceled')
  if (leftOf(order, refundsOfIt).cents <= 0) return new AppError('REFUND_REFUSED', fullyRefunded)
  return undefined
}

/** The orders to cancel of a locked checkout. @throws AppError */
function ordersToCancel(all: OrderRow[], given: RefundRow[], ids: string[] | undefined) {
  const named = ids?.map((id) => notDeletedOrder(all.find(({ _id }) => _id === id)))
  const open = (named ?? withoutDeleted(all)).filter((order) => {
    const why = whyNot(order, given)
    if (why && named) throw why
    return !why
  })
  const isOnItsWay = all.some(({ shippedAt }) => shippedAt)
  const why = isOnItsWay
    ? new AppError('ALREADY_SHIPPED', 'These orders are on their way')
    : new AppError('REFUND_REFUSED', fullyRefunded)
  const orders = orNone(open)
  if (!orders) throw why
  return orders
}

/**
 * Refuses to cancel what made the delivery of the others free: two parts would be ordered, and one of
 * them canceled, to pay no delivery. To keep its price back, the canceled order would have to stay
 * paid in part.
 * @param before the orders that were not refunded
 * @param left those of them that are not canceled
 * @throws AppError REFUND_REFUSED
 */
async function checkStaysFree(
  tx: Transaction,
  { currency }: SettleDeps,
  { before, left }: { before: OrderRow[]; left: OrderRow[] },
): Promise<void> {
  const [all, rest] = [orNone(before), orNone(left)]
  if (!all || !rest || all[0].shipping.price > 0 || (await priceNow(tx, all)) > 0) return
  const price = await priceNow(tx, rest)
  if (price === 0) return
  const advice = before.some(({ shippedAt }) => shippedAt)
    ? 'Ask us'
    : 'Cancel all of it, or ask us'
  throw new AppError(
    'REFUND_REFUSED',
    `Delivery of what is left would cost ${money(price, currency)}: with what you cancel, it was free. ${advice}.`,
  )
}

/** Records the refund of what is canceled, or finds that of an earlier request with the key. */
async function recordCancellation(
  deps: SettleDeps,
  tx: Transaction,
  { caller, checkoutId, orderIds, key }: Cancellation,
): Promise<RefundRow> {
  const all = withoutDeleted(await lockCheckout(tx, checkoutId))
  const isOwn = all.every(({ userId }) => userId === caller._id)
  const [any] = found(isOwn ? orNone(all) : null, 'checkout')
  const before = await findRefundByKey(tx, caller._id, key)
  const hash = requestHash(checkoutId, orderIds)
  return idempotent('cancellation', { before, hash }, async () => {
    const intentId = any.transactionId
    if (!intentId) throw new AppError('ORDER_UNPAID', 'This order is not paid: delete it instead')
    const given = await listRefundsOf(tx, intentId)
    const canceled = ordersToCancel(all, given, orderIds)
    const before = all.filter((order) => leftOf(order, given).cents > 0)
    const left = before.filter((order) => !canceled.includes(order))
    await checkStaysFree(tx, deps, { before, left })
    await checkNotTooMany(tx, caller)
    const lines = canceled.map((order) => {
      const { cents: amount, units } = leftOf(order, given)
      // the others leave the shelf at commit, as after a full refund
      const offSale = unitsOffSale(order, given)
      return { orderId: order._id, amount, restock: Math.max(0, units - offSale) }
    })
    // what the delivery of the other orders costs stays
    const nothingIsSent = left.length === 0 && !all.some(({ shippedAt }) => shippedAt)
    const ofShipping = nothingIsSent ? leftOfShipping(any, given) : 0
    const allLines = [
      ...lines,
      ...(ofShipping > 0 ? [{ orderId: null, amount: ofShipping, restock: 0 }] : []),
    ]
    const refund = await insertRefund(
      tx,
      {
        intentId,
        cause: 'customer',
        amount: allLines.reduce((sum, { amount }) => sum + amount, 0),
        state: 'requested',
        reason: 'canceled by the customer',
        requestedBy: caller._id,
        idempotencyKey: key,
        requestHash: hash,
      },
      allLines,
    )
    const offSale = canceled.map((order) => ({ order, units: unitsOffSale(order, given) }))
    await mailOwnerCanceled(deps, tx, canceled, { ...refund, offSale })
    return refund
  })
}

/**
 * Cancels paid orders of the caller that are not shipped yet: asks for their money back, and puts
 * their units on sale again. The delivery is refunded, too, once nothing of the checkout is left to
 * send.
 * @throws AppError NOT_FOUND, ORDER_UNPAID, ALREADY_SHIPPED, KEY_REUSED, TOO_MANY, REFUND_REFUSED
 *   when nothing is left, when the delivery of the others would no longer be free or, in its own words,
 *   by the provider
 */
export const cancelOrders = (deps: SettleDeps, input: Cancellation): Promise<RefundAnswer> =>
  requestRefund(deps, (tx) => recordCancellation(deps, tx, input))
