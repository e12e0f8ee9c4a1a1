import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { AppError } from '#server/errors.ts'
import { mailCustomer, type Orders, reminderMail } from '#server/mail/order-mails.ts'
import type { OrderMailDeps } from './parcels.ts'
import { isUnpaid, lockCheckoutOf, notDeletedOrder } from './store.ts'

const action = 'payment reminder sent' as const

/** Counts the reminders of these orders, and checks whether one was sent within a day. */
async function remindersOf(tx: Transaction, ids: string[]) {
  const isReminder = and(inArray(auditLog.orderId, ids), eq(auditLog.action, action))
  const aDayAgo = sql`now() - interval '24 hours'`
  const recent = await tx.$count(auditLog, and(isReminder, gt(auditLog.createdAt, aDayAgo)))
  return { recent: recent > 0, all: await tx.$count(auditLog, isReminder) }
}

/**
 * Mails the customer of an unpaid order a reminder of its checkout, at most one in 24 hours.
 * @throws AppError NOT_FOUND, ALREADY_PAID, TOO_MANY
 */
export function remindCustomer(deps: OrderMailDeps, caller: Caller, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const checkout = await lockCheckoutOf(tx, id)
    const order = notDeletedOrder(checkout.find(({ _id }) => _id === id))
    const [first = order, ...more] = checkout.filter(isUnpaid)
    if (!isUnpaid(order)) {
      throw new AppError('ALREADY_PAID', 'This order is paid, so no reminder is needed')
    }
    const unpaid = [first, ...more] satisfies Orders
    const reminders = await remindersOf(
      tx,
      unpaid.map(({ _id }) => _id),
    )
    if (reminders.recent) {
      throw new AppError(
        'TOO_MANY',
        'A reminder was sent in the last 24 hours. Send the next one tomorrow.',
      )
    }
    const cause = `reminder ${first._id} ${reminders.all}`
    await mailCustomer(tx, unpaid, reminderMail(unpaid, deps), cause)
    await logActions(
      tx,
      unpaid.map(({ _id: orderId }) => ({ actor: caller, action, orderId })),
    )
  })
}
