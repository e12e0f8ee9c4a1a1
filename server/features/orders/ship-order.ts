import { eq, sql } from 'drizzle-orm'
import type { Parcel } from '#contracts/checkouts.ts'
import { cents } from '#contracts/money.ts'
import { canBecome, type Shipment } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError } from '#server/errors.ts'
import { listRefundsOf, type RefundRow } from '#server/features/payments/refund-store.ts'
import { mailCustomer, type Orders, shippedMail } from '#server/mail/order-mails.ts'
import { namedIn, type OrderMailDeps, type ParcelBy } from './correct-shipment.ts'
import { shipStock } from './stock-movements.ts'
import { byPart, lockCheckout, lockOrder, notDeletedOrder, type OrderRow, orNone } from './store.ts'

const notShippable = (why: string) =>
  new AppError('ORDER_REFUNDED', `${why}, so it can not be shipped`)

/** Why a paid order can not be shipped, also while a full refund is still on its way to the provider; undefined if it can. */
function whyNot(order: OrderRow, refunds: RefundRow[]): string | undefined {
  if (!canBecome(order.status, 'shipped')) return 'This order was refunded'
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .flatMap(({ lines }) => lines)
  const ofOrder = requested.filter(({ orderId }) => orderId === order._id)
  const refunded = ofOrder.reduce((sum, { amount }) => sum + amount, order.refundedCents)
  return refunded >= cents(order.totalPrice) ? 'This order is being refunded' : undefined
}

/** Reads the refunds of what paid these orders. @throws AppError ORDER_UNPAID */
function refundsOf(tx: Transaction, [{ transactionId }]: Orders): Promise<RefundRow[]> {
  if (transactionId) return listRefundsOf(tx, transactionId)
  throw new AppError('ORDER_UNPAID', 'This order is not paid yet, so it can not be shipped')
}

/** Ships locked orders as one parcel, and mails their customer. */
async function shipLocked(
  deps: OrderMailDeps,
  tx: Transaction,
  parcel: Orders,
  { caller, carrier = null, trackingNumber = null }: ParcelBy,
): Promise<void> {
  const shipment = { carrier, trackingNumber }
  for (const order of parcel.toSorted(byPart)) {
    await tx
      .update(orders)
      .set({ status: 'shipped', shippedAt: sql`now()`, ...shipment })
      .where(eq(orders._id, order._id))
    await shipStock(tx, order)
  }
  const [first, ...more] = parcel
  const mail = shippedMail([{ ...first, ...shipment }, ...more], deps)
  await mailCustomer(tx, parcel, mail, `shipped ${first._id}`)
  await logActions(
    tx,
    parcel.map(({ _id: orderId }) => ({
      actor: caller,
      action: 'order shipped',
      orderId,
      detail: shipment,
    })),
  )
}

/**
 * Marks a paid order shipped and mails its customer, once.
 * @returns false when it was shipped already
 * @throws AppError NOT_FOUND, ORDER_UNPAID, or ORDER_REFUNDED when the whole order is refunded or a
 *   refund of it is requested
 */
export function shipOrder(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  shipment: Shipment,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (order.status === 'shipped') return false
    const why = whyNot(order, await refundsOf(tx, [order]))
    if (why) throw notShippable(why)
    await shipLocked(deps, tx, [order], { caller, ...shipment })
    return true
  })
}

/**
 * Ships what a checkout still has to ship, or those of it that the parcel names, as one parcel with one mail.
 * @returns how many were shipped now
 * @throws AppError NOT_FOUND, ORDER_UNPAID, and ORDER_REFUNDED when all of a named order is refunded or about to be
 */
export function shipCheckout(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  { orderIds, ...shipment }: Parcel,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, id)
    const all = namedIn(checkout, orderIds)
    const refunds = await refundsOf(tx, all)
    const shippable = all.filter((order) => {
      if (order.shippedAt) return false
      const why = whyNot(order, refunds)
      if (why && orderIds) throw notShippable(why)
      return !why
    })
    const parcel = orNone(shippable)
    if (parcel) await shipLocked(deps, tx, parcel, { caller, ...shipment })
    return shippable.length
  })
}
