/** The mails of an order, and sending one of them again. */
import { and, desc, eq, notLike, sql } from 'drizzle-orm'
import type { Outcome } from '#contracts/api.ts'
import type { OrderMail } from '#contracts/desk.ts'
import type { Caller } from '#contracts/users.ts'
import { logActions } from '#server/database/audit-log.ts'
import type { Queryable } from '#server/database/client.ts'
import { insertTakenMail } from '#server/database/mail-queue.ts'
import { mailQueue } from '#server/database/schema/mail.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { type MailDeps, sendTaken } from '#server/mail/send.ts'

const toCustomer = notLike(mailQueue.template, 'owner-%')

/** Lists the mails to the customer about an order and the others of its checkout, newest first. */
export async function listOrderMails(db: Queryable, orderId: string): Promise<OrderMail[]> {
  const ofCheckout = sql`${mailQueue.orderId} in (select o._id from ${orders} o
    where o.checkout_id = (select own.checkout_id from ${orders} own where own._id = ${orderId}))`
  const rows = await db
    .select({
      _id: mailQueue._id,
      template: mailQueue.template,
      subject: mailQueue.subject,
      recipient: mailQueue.recipient,
      createdAt: mailQueue.createdAt,
      sentAt: mailQueue.sentAt,
      error: mailQueue.lastError,
    })
    .from(mailQueue)
    .where(and(ofCheckout, toCustomer))
    .orderBy(desc(mailQueue.createdAt), desc(mailQueue._id))
    .limit(100)
  return rows.map(({ createdAt, sentAt, ...mail }) => ({
    ...mail,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  }))
}

/**
 * Sends a mail about an order again, to the address that its customer has now.
 * @throws AppError NOT_FOUND, IN_USE for a mail that still waits, TOO_MANY
 */
export async function sendAgain(deps: MailDeps, caller: Caller, id: string): Promise<Outcome> {
  const taken = await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        template: mailQueue.template,
        subject: mailQueue.subject,
        text: mailQueue.text,
        html: mailQueue.html,
        orderId: mailQueue.orderId,
        invoiceId: mailQueue.invoiceId,
        sentAt: mailQueue.sentAt,
        recipient: orders.email,
      })
      .from(mailQueue)
      .innerJoin(orders, eq(orders._id, mailQueue.orderId))
      .where(and(eq(mailQueue._id, id), toCustomer))
    const { sentAt, orderId, ...mail } = found(row, 'mail')
    if (!sentAt) throw new AppError('IN_USE', 'This mail was not sent yet: it is under ‘Mail’')
    const about = { orderId: orderId ?? '' }
    const detail = { subject: mail.subject }
    await logActions(tx, [{ actor: caller, action: 'mail sent again', ...about, detail }])
    const due = await insertTakenMail(tx, { ...mail, ...about })
    if (due) return due
    throw new AppError('TOO_MANY', 'This address got many mails within the hour. Try again later.')
  })
  const why = await sendTaken(deps, taken)
  return {
    acknowledged: true,
    done: why === null,
    outcome:
      why === null
        ? `The mail is sent to ${taken.recipient}.`
        : `The mail was not sent. ${why} It is tried again.`,
  }
}
