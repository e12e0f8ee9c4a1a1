import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Parcel } from '#contracts/checkouts.ts'
import type { Shipment } from '#contracts/orders.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Database, Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import {
  type MailingShop,
  mailCustomer,
  type Orders,
  shipmentCorrectedMail,
} from '#server/mail/order-mails.ts'
import { lockCheckout, lockOrder, notDeletedOrder, type OrderRow, orNone } from './store.ts'

export type OrderMailDeps = MailingShop & { db: Database }

/** What a parcel says, null where it says nothing, and the admin who says it. */
export type ParcelBy = Partial<Record<keyof Shipment, string | null | undefined>> & {
  caller: Caller
}

/** The orders of a locked checkout that a parcel names; all of them without names. @throws AppError NOT_FOUND */
export function namedIn(checkout: OrderRow[], ids?: string[]): Orders {
  const all = checkout.filter(({ status }) => status !== 'deleted')
  found(orNone(all), 'checkout')
  const named = ids?.map((id) => notDeletedOrder(checkout.find(({ _id }) => _id === id)))
  return found(orNone(named ?? all), 'order')
}

/** Replaces carrier and tracking number of locked, shipped orders, and mails their customer. @returns how many had others */
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
  for (const order of changed) {
    const from = { carrier: order.carrier, trackingNumber: order.trackingNumber }
    await tx.update(orders).set(to).where(eq(orders._id, order._id))
    const action = { actor: caller, action: 'shipment corrected', orderId: order._id } as const
    await logActions(tx, [{ ...action, detail: { from, to } }])
  }
  const [first, ...more] = changed
  const mail = shipmentCorrectedMail([{ ...first, ...to }, ...more], deps)
  // each correction is a cause of its own, also one that goes back to what was said first
  await mailCustomer(tx, changed, mail, `shipment ${first._id} ${randomUUID()}`)
  return changed.length
}

/**
 * Replaces carrier and tracking number of a shipped order, and mails its customer. A refunded order that was shipped is one.
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
 * Replaces carrier and tracking number of a parcel: of the checkout's orders that it names, or of all that are shipped.
 * @returns how many had others
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
