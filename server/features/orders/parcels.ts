/**
 * A parcel: orders of one checkout that are shipped together, with one carrier, tracking number and
 * mail.
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PackedParcel, Parcel } from '#contracts/checkouts.ts'
import { arrivalDay } from '#contracts/dispatch.ts'
import { canBecome, type Shipment } from '#contracts/orders.ts'
import { dayIn } from '#contracts/shop-days.ts'
import { type Caller, isAdmin, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { withdrawnUnits } from '#server/database/schema/tickets.ts'
import { users } from '#server/database/schema/users.ts'
import { readToday } from '#server/database/shop-days.ts'
import { AppError, found } from '#server/errors.ts'
import { listRefundsOf, type RefundRow } from '#server/features/payments/refund-store.ts'
import { readSettings } from '#server/features/settings/store.ts'
import {
  asMailed,
  type MailingShop,
  mailCustomer,
  type Orders,
  shipmentCorrectedMail,
  shippedMail,
} from '#server/mail/order-mails.ts'
import { shipStock } from './stock-movements.ts'
import {
  byPart,
  idsOf,
  lockCheckout,
  lockOrder,
  notDeletedOrder,
  type OrderRow,
  orNone,
  paidCents,
  withoutDeleted,
} from './store.ts'
import { unitsToPack } from './to-ship.ts'

export type OrderMailDeps = MailingShop & { db: Database }

/** Carrier and tracking number of a parcel, null if unknown, and the admin who entered them. */
type ParcelBy = Partial<Record<keyof Shipment, string | null | undefined>> & {
  caller: Caller
}

/**
 * The orders of a locked checkout with these ids; all of them if no ids are given.
 * @throws AppError NOT_FOUND
 */
function namedIn(checkout: OrderRow[], ids?: string[]): Orders {
  const all = withoutDeleted(checkout)
  found(orNone(all), 'checkout')
  const named = ids?.map((id) => notDeletedOrder(checkout.find(({ _id }) => _id === id)))
  return found(orNone(named ?? all), 'order')
}

const notShippable = (why: string) =>
  new AppError('ORDER_REFUNDED', `${why}, so it cannot be shipped`)

/** `withdrawn` has the units of each order. */
type GoesBack = { refunds: RefundRow[]; withdrawn: Map<string, number>; unpacked: Set<string> }

/** Why a paid order cannot be shipped; undefined if it can. A requested full refund counts, too. */
function whyNot(order: OrderRow, { refunds, withdrawn, unpacked }: GoesBack): string | undefined {
  if (!canBecome(order.status, 'shipped')) return 'This order was refunded'
  const units = withdrawn.get(order._id) ?? 0
  if (units >= order.quantity) return 'Its customer withdrew from this order'
  // all units of an order leave together, and nobody would look at the ticket before
  if (units > 0)
    return `Its customer withdrew from ${units} of ${order.quantity}, which is to be refunded or refused first`
  if (unpacked.has(order._id)) return 'Its units are back on sale'
  const requested = refunds
    .filter(({ state }) => state === 'requested')
    .flatMap(({ lines }) => lines)
  const ofOrder = requested.filter(({ orderId }) => orderId === order._id)
  const refunded = ofOrder.reduce((sum, { amount }) => sum + amount, order.refundedCents)
  return refunded >= paidCents(order) ? 'This order is being refunded' : undefined
}

/** Reads what of these orders is refunded, withdrawn or back on sale. @throws AppError ORDER_UNPAID */
async function readGoesBack(
  tx: Transaction,
  [{ transactionId, checkoutId }]: Orders,
): Promise<GoesBack> {
  if (!transactionId)
    throw new AppError('ORDER_UNPAID', 'This order is not paid yet, so it cannot be shipped')
  const states = await tx
    .select({ _id: orders._id, withdrawn: withdrawnUnits, units: unitsToPack })
    .from(orders)
    .where(eq(orders.checkoutId, checkoutId))
  return {
    refunds: await listRefundsOf(tx, transactionId),
    withdrawn: new Map(states.map((order) => [order._id, order.withdrawn])),
    unpacked: new Set(idsOf(states.filter(({ units }) => units === 0))),
  }
}

/**
 * Locks the customer before the checkout, as bookings do: what is shipped becomes a part of the
 * customer's machine.
 */
async function lockCustomer(tx: Transaction, of: SQL): Promise<void> {
  const customers = tx.select({ _id: orders.userId }).from(orders).where(of)
  await tx
    .select({ _id: users._id })
    .from(users)
    .where(inArray(users._id, customers))
    .for('no key update')
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
  const mail = shippedMail(await asMailed(tx, [{ ...first, ...shipment }, ...more]), deps)
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
 * @throws AppError NOT_FOUND, ORDER_UNPAID, or ORDER_REFUNDED when the whole order is refunded, a
 *   refund of it is requested, a withdrawal takes back units of it, or its units are back on sale
 */
export function shipOrder(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  shipment: Shipment,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    await lockCustomer(tx, eq(orders._id, id))
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (order.status === 'shipped') return false
    const why = whyNot(order, await readGoesBack(tx, [order]))
    if (why) throw notShippable(why)
    await shipLocked(deps, tx, [order], { caller, ...shipment })
    return true
  })
}

/**
 * Ships the paid orders of a checkout, or those of them that the parcel names, as one parcel with
 * one mail.
 * @returns how many were shipped now
 * @throws AppError NOT_FOUND, ORDER_UNPAID, ORDER_REFUNDED when all of a named order is refunded
 *   or about to be, or a withdrawal takes back units of it, OUTDATED when the address was corrected after the parcel was packed
 */
export function shipCheckout(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  { orderIds, shipTo, ...shipment }: PackedParcel,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    await lockCustomer(tx, eq(orders.checkoutId, id))
    const checkout = await lockCheckout(tx, id)
    const all = namedIn(checkout, orderIds)
    const goesBack = await readGoesBack(tx, all)
    const shippable = all.filter((order) => {
      if (order.shippedAt) return false
      const why = whyNot(order, goesBack)
      if (why && orderIds) throw notShippable(why)
      return !why
    })
    const parcel = orNone(shippable)
    if (!parcel) return 0
    if (shipTo !== undefined && !isDeepStrictEqual(shipTo, parcel[0].shipping.shipTo))
      throw new AppError('OUTDATED', 'The address was corrected: print it again, then ship it.')
    await shipLocked(deps, tx, parcel, { caller, ...shipment })
    return shippable.length
  })
}

/**
 * Notes the serial numbers of a paid order's units, instead of those before.
 * @returns false when they were these already
 * @throws AppError NOT_FOUND, ORDER_UNPAID, INVALID for more numbers than units
 */
export function noteSerialNumbers(
  db: Database,
  caller: Caller,
  id: string,
  numbers: string[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (!order.transactionId)
      throw new AppError('ORDER_UNPAID', 'This order is not paid, so nothing of it is packed')
    if (numbers.length > order.quantity) {
      const why = `This order has ${order.quantity} units at the most`
      throw new AppError('INVALID', why, { serialNumbers: why })
    }
    const serialNumbers = numbers.join('\n')
    if (serialNumbers === order.serialNumbers) return false
    await tx.update(orders).set({ serialNumbers }).where(eq(orders._id, id))
    const detail = { from: order.serialNumbers, to: serialNumbers }
    await logActions(tx, [{ actor: caller, action: 'serial numbers noted', orderId: id, detail }])
    return true
  })
}

/**
 * The shipped orders that a customer may say have arrived: later than they arrive at the longest,
 * that would begin the days of returns anew.
 * @throws AppError TOO_LATE with the day when all are past it
 */
async function stillArriving(tx: Transaction, shipped: Orders): Promise<OrderRow[]> {
  const { shop } = (await readSettings(tx)).settings
  const today = await readToday(tx)
  const dayOf = ({ shippedAt, shipping }: OrderRow) =>
    arrivalDay(dayIn(shop.timeZone, shippedAt?.getTime() ?? 0), shipping.daysTo ?? 0, shop)
  const arriving = shipped.filter((order) => dayOf(order) >= today)
  if (arriving.length > 0) return arriving
  const last = shipped.map(dayOf).toSorted().at(-1)
  throw new AppError(
    'TOO_LATE',
    `It should have arrived by ${last}, so the days to send it back count from then. If it came later, ask us in a question.`,
  )
}

/**
 * Notes that what was shipped of a checkout has arrived, as its customer or an admin says.
 * @returns how many orders had not arrived before
 * @throws AppError NOT_FOUND, ORDER_UNSHIPPED, TOO_LATE for a customer
 */
export function noteArrival(db: Database, caller: Caller, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const all = withoutDeleted(await lockCheckout(tx, id))
    const isAllowed = all.every(({ userId }) => ownsOrAdmin(caller, userId))
    found(isAllowed ? orNone(all) : null, 'checkout')
    const shipped = all.filter(({ shippedAt }) => shippedAt)
    if (shipped.length === 0) throw new AppError('ORDER_UNSHIPPED', 'This order is not shipped yet')
    const underWay = orNone(shipped.filter(({ deliveredAt }) => !deliveredAt))
    if (!underWay) return 0
    const arrived = isAdmin(caller) ? underWay : await stillArriving(tx, underWay)
    await tx
      .update(orders)
      .set({ deliveredAt: sql`now()` })
      .where(inArray(orders._id, idsOf(arrived)))
    await logActions(
      tx,
      arrived.map(({ _id: orderId }) => ({ actor: caller, action: 'order arrived', orderId })),
    )
    return arrived.length
  })
}

/**
 * Replaces carrier and tracking number of locked, shipped orders, and mails their customer.
 * @returns how many changed
 */
async function correctLocked(
  deps: OrderMailDeps,
  tx: Transaction,
  shipped: Orders,
  { caller, carrier = null, trackingNumber = null }: ParcelBy,
): Promise<number> {
  const to = { carrier, trackingNumber }
  const changed = orNone(
    shipped.filter((order) => order.carrier !== carrier || order.trackingNumber !== trackingNumber),
  )
  if (!changed) return 0
  const ids = changed.map(({ _id }) => _id)
  await tx.update(orders).set(to).where(inArray(orders._id, ids))
  await logActions(
    tx,
    changed.map(({ _id: orderId, carrier, trackingNumber }) => ({
      actor: caller,
      action: 'shipment corrected',
      orderId,
      detail: { from: { carrier, trackingNumber }, to },
    })),
  )
  const [first, ...more] = changed
  const mail = shipmentCorrectedMail([{ ...first, ...to }, ...more], deps)
  // each correction is mailed, even one back to the first values
  await mailCustomer(tx, changed, mail, `shipment ${first._id} ${randomUUID()}`)
  return changed.length
}

/**
 * Replaces carrier and tracking number of a shipped order, even a refunded one, and mails its
 * customer.
 * @returns 0 when it had these already
 * @throws AppError NOT_FOUND, ORDER_UNSHIPPED
 */
export function correctShipment(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  shipment: Partial<Record<keyof Shipment, string | null>>,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (!order.shippedAt) throw new AppError('ORDER_UNSHIPPED', 'This order is not shipped yet')
    return correctLocked(deps, tx, [order], { caller, ...shipment })
  })
}

/**
 * Replaces carrier and tracking number of a parcel: of the named orders, or of all shipped orders
 * of the checkout.
 * @returns how many changed
 * @throws AppError NOT_FOUND, ORDER_UNSHIPPED
 */
export function correctParcel(
  deps: OrderMailDeps,
  caller: Caller,
  id: string,
  { orderIds, ...shipment }: Parcel,
): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const all = namedIn(await lockCheckout(tx, id), orderIds)
    const shipped = orNone(all.filter(({ shippedAt }) => shippedAt))
    if (!shipped || (orderIds && shipped.length < all.length))
      throw new AppError('ORDER_UNSHIPPED', 'Not all of these orders are shipped yet')
    return correctLocked(deps, tx, shipped, { caller, ...shipment })
  })
}
