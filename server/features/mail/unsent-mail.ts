/** The actions of admins on unsent mail. */
import type { Outcome } from '#contracts/api.ts'
import type { ResendRequest } from '#contracts/mail.ts'
import type { Caller } from '#contracts/users.ts'
import { type AuditAction, logActions } from '#server/database/audit-log.ts'
import type { Transaction } from '#server/database/client.ts'
import {
  dismissMail,
  insertTakenMail,
  lockUnsentMail,
  retakeMail,
} from '#server/database/mail-queue.ts'
import { AppError, found } from '#server/errors.ts'
import { type MailDeps, sendTaken } from '#server/mail/send.ts'
import { mailTemplate } from '#server/mail/template.ts'

type Mail = NonNullable<Awaited<ReturnType<typeof lockUnsentMail>>>

/** Shortens an address for the audit log, which cannot be erased. */
const masked = (email: string) => email.replace(/^(.).*(@[^@]+)$/, '$1…$2')

function logMailAction(
  tx: Transaction,
  caller: Caller,
  { orderId, subject }: Pick<Mail, 'orderId' | 'subject'>,
  action: AuditAction['action'],
  detail: Record<string, unknown> = {},
): Promise<void> {
  const subjectId = orderId ? { orderId } : { userId: caller._id }
  return logActions(tx, [{ actor: caller, action, ...subjectId, detail: { subject, ...detail } }])
}

const outcomeOf = (why: string | null, success: string): Outcome => ({
  acknowledged: true,
  done: why === null,
  outcome: why === null ? success : `The mail was not sent. ${why}`,
})

/**
 * Sends a waiting or given-up mail at once, and resets its count of attempts. A mail without an
 * order is sent only to its original address, because a link in it may open an account.
 * @throws AppError NOT_FOUND when the mail was sent or is being sent, INVALID for another address
 *   when the mail has no order
 */
export async function resendMail(
  deps: MailDeps,
  caller: Caller,
  id: string,
  { recipient }: ResendRequest,
): Promise<Outcome> {
  const dueMail = await deps.db.transaction(async (tx) => {
    const mail = found(await lockUnsentMail(tx, id), 'unsent mail')
    const to = recipient ?? mail.recipient
    const isCorrected = to !== mail.recipient
    if (isCorrected && !mail.orderId) {
      const why = 'Only a mail about an order can go to another address'
      throw new AppError('INVALID', why, { recipient: why })
    }
    const detail = { to: masked(to), ...(isCorrected && { from: masked(mail.recipient) }) }
    await logMailAction(tx, caller, mail, 'mail sent again', detail)
    return retakeMail(tx, mail._id, to)
  })
  return outcomeOf(await sendTaken(deps, dueMail), `The mail is sent to ${dueMail.recipient}.`)
}

/** Dismisses a mail that was given up. @throws AppError NOT_FOUND */
export function dismissGivenUp(deps: MailDeps, caller: Caller, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const mail = await lockUnsentMail(tx, id)
    const { _id } = found(mail?.givenUpAt ? mail : null, 'mail that was given up')
    await dismissMail(tx, _id)
    if (mail) await logMailAction(tx, caller, mail, 'mail dismissed')
  })
}

/** Sends the caller a test mail. @param isReal whether the shop uses a mail server */
export async function sendTestMail(
  deps: MailDeps & { publicUrl: string },
  caller: Caller,
  isReal: boolean,
): Promise<Outcome> {
  const mail = mailTemplate({
    subject: 'A test mail of your shop',
    lines: ['You asked your shop for a test mail. It arrived, so your customers are mailed too.'],
    action: { label: 'See how mail is doing', url: `${deps.publicUrl}/dashboard/mail` },
  })
  const dueMail = await deps.db.transaction(async (tx) => {
    await logMailAction(tx, caller, { orderId: null, subject: mail.subject }, 'test mail sent')
    const test = { template: 'test' as const, recipient: caller.email, ...mail }
    return found(await insertTakenMail(tx, test), 'mail')
  })
  const success = isReal
    ? `The mail server took a mail to ${caller.email}. Look whether it arrives.`
    : 'The test mail is written to a file: no mail leaves the shop while SMTP_URL is not set.'
  return outcomeOf(await sendTaken(deps, dueMail), success)
}
