import { eq, sql } from 'drizzle-orm'
import { orders } from '#server/database/schema/orders.ts'
import type { SettleDeps } from '#server/features/payments/settle.ts'
import { findOpenPayment } from '#server/features/payments/store.ts'
import { holdEndedMail, mailCustomer } from '#server/mail/order-mails.ts'
import { closePayment } from './delete-order.ts'
import { noHold, releaseStock } from './hold.ts'
import { findExpired, isExpired, lockOrder } from './store.ts'

const batch = 100

/**
 * Releases an order's stock if its hold is still expired under the lock: it may have been renewed or paid meanwhile.
 * @returns whether it did
 */
export async function expireHold(deps: SettleDeps, id: string): Promise<boolean> {
  // the hold was renewed meanwhile: its open payment must live
  if (!(await isExpired(deps.db, id))) return false
  if (!(await closePayment(deps, id))) return false
  return deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!order || !(await isExpired(tx, id))) return false
    // a payment was opened meanwhile: nobody may pay the old price after the hold
    if (await findOpenPayment(tx, id)) return false
    await releaseStock(tx, order, 'hold lapsed')
    await tx
      .update(orders)
      .set({ ...noHold, holdRanOutAt: sql`now()` })
      .where(eq(orders._id, id))
    const words = holdEndedMail(order, deps.publicUrl)
    await mailCustomer(tx, order, words, `hold-ended ${id} ${order.holdExpiresAt?.toISOString()}`)
    return true
  })
}

/**
 * Expires holds. Cancels each open intent first, and settles the order when it turns out paid. One order's failure does not
 * stop the others.
 * @returns how many orders released their stock
 */
export async function expireHolds(deps: SettleDeps): Promise<number> {
  let lapsed = 0
  for (const id of await findExpired(deps.db, batch)) {
    const done = await expireHold(deps, id).catch((error) => {
      deps.log.error(
        { err: error, orderId: id },
        'a hold could not be ended; tried again at the next round',
      )
      return false
    })
    if (done) lapsed += 1
  }
  return lapsed
}
