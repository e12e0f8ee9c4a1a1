import { and, eq, gt, sql } from 'drizzle-orm'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import { auditLog } from '#server/database/schema/audit.ts'
import { AppError } from '#server/errors.ts'
import { mailCustomer, reminderMail } from '#server/mail/order-mails.ts'
import type { OrderMailDeps } from './ship-order.ts'
import { lockOrder, notDeletedOrder } from './store.ts'

const action = 'payment reminder sent'

/** Counts the order's reminders, and checks whether one was sent in the last 24 hours. */
async function remindersOf(tx: Transaction, orderId: string) {
  const isReminder = and(eq(auditLog.orderId, orderId), eq(auditLog.action, action))
  const aDayAgo = sql`now() - interval '24 hours'`
  const recent = await tx.$count(auditLog, and(isReminder, gt(auditLog.createdAt, aDayAgo)))
  return { recent: recent > 0, all: await tx.$count(auditLog, isReminder) }
}

/**
 * Mails the customer of an unpaid order a reminder, at most one in 24 hours.
 * @throws AppError NOT_FOUND, ALREADY_PAID, TOO_MANY
 */
export function remindCustomer(deps: OrderMailDeps, caller: Caller, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const order = notDeletedOrder(await lockOrder(tx, id))
    if (order.status !== 'unpaid') {
      throw new AppError('ALREADY_PAID', 'This order is paid, so there is nothing to remind of')
    }
    const reminders = await remindersOf(tx, id)
    if (reminders.recent) {
      throw new AppError(
        'TOO_MANY',
        'A reminder was sent in the last 24 hours. Send the next one tomorrow.',
      )
    }
    await mailCustomer(tx, order, reminderMail(order, deps), `reminder ${id} ${reminders.all}`)
    await logActions(tx, [{ actor: caller, action, orderId: id }])
  })
}
