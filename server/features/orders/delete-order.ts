import { inArray, sql } from 'drizzle-orm'
import { canBecome } from '#contracts/orders.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { closePayment, paymentInProgress } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { priceCheckout } from '#server/features/shipping/price-checkout.ts'
import type { Turn } from '#server/http/limits/load-shedding.ts'
import { deletedMail, mailCustomer, type Orders } from '#server/mail/order-mails.ts'
import { noteAbandoned } from './abandoned-holds.ts'
import type { EndDeps } from './end-holds.ts'
import { releaseStock } from './stock-movements.ts'
import {
  findOrder,
  idsOf,
  listOrdersIn,
  lockCheckout,
  noHold,
  type OrderRow,
  orNone,
  withoutDeleted,
} from './store.ts'

const alreadyPaid = () => new AppError('ALREADY_PAID', 'A paid order cannot be deleted')

/** What a deletion needs; `inTurn` does what it does in the database. */
export type DeleteOrderDeps = EndDeps & { inTurn: Turn }

/** Deletes unpaid orders of a locked checkout: releases their stock and hides their rows. */
async function deleteLocked(tx: Transaction, deps: EndDeps, caller: Caller, deleted: Orders) {
  const isByCustomer = caller._id === deleted[0].userId
  const held = deleted.filter(({ holdExpiresAt }) => holdExpiresAt)
  if (isByCustomer) await noteAbandoned(tx, deps, held, 'hold deleted')
  await releaseStock(tx, held, 'order deleted')
  await tx
    .update(orders)
    .set({ status: 'deleted', deletedAt: sql`now()`, ...noHold })
    .where(inArray(orders._id, idsOf(deleted)))
  // the audit log keeps what admins do, not what customers do with their own orders
  if (isByCustomer) return
  const actions = deleted.map(({ _id }) => ({ actor: caller, orderId: _id }))
  await logActions(
    tx,
    actions.map((action) => ({ ...action, action: 'order deleted' })),
  )
  await mailCustomer(tx, deleted, deletedMail(deleted, deps), `order-deleted ${deleted[0]._id}`)
}

/**
 * Deletes unpaid orders of a checkout for their customer or an admin. Cancels the intent first, so
 * that an order ends paid or deleted, never both. A hold that a customer who never paid deletes
 * counts like one that expired; when an admin deletes an order, its customer gets a mail.
 * @param stored the checkout's orders, maybe outdated
 * @param id the order to delete; if omitted, all unpaid ones
 * @returns how many were deleted now
 * @throws AppError NOT_FOUND when they are another customer's, ALREADY_PAID, PAYMENT_IN_PROGRESS
 */
async function deleteOf(
  deps: DeleteOrderDeps,
  caller: Caller,
  stored: OrderRow[],
  id?: string,
): Promise<number> {
  const meant = (all: OrderRow[]) => all.filter(({ _id }) => _id === (id ?? _id))
  const unpaid = (all: OrderRow[]) => {
    const left = withoutDeleted(meant(all))
    if (left.some(({ status }) => !canBecome(status, 'deleted'))) throw alreadyPaid()
    return orNone(left)
  }
  const { userId, checkoutId } = found(stored[0], id ? 'order' : 'checkout')
  found(ownsOrAdmin(caller, userId) ? true : null, id ? 'order' : 'checkout')
  if (!unpaid(stored)) return 0
  if (!(await closePayment(deps, checkoutId))) throw paymentInProgress()
  const deleteNow = async (tx: Transaction) => {
    const deleted = unpaid(await lockCheckout(tx, checkoutId))
    if (!deleted) return 0
    // another tab opened an intent; storing one takes this lock, so there will be no other
    if (await findOpenPayment(tx, checkoutId)) throw paymentInProgress()
    await deleteLocked(tx, deps, caller, deleted)
    await priceCheckout(tx, checkoutId)
    return deleted.length
  }
  return deps.inTurn(() => deps.db.transaction(deleteNow))
}

/** Deletes one unpaid order, as `deleteOf`. @returns 0 when it was deleted before */
export async function deleteOrder(
  deps: DeleteOrderDeps,
  caller: Caller,
  id: string,
): Promise<number> {
  const order = found(await findOrder(deps.db, id), 'order')
  return deleteOf(deps, caller, [order], id)
}

/** Deletes all unpaid orders of a checkout, as `deleteOf`. */
export async function deleteCheckout(
  deps: DeleteOrderDeps,
  caller: Caller,
  id: string,
): Promise<number> {
  return deleteOf(deps, caller, await listOrdersIn(deps.db, id))
}
