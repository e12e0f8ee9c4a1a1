import type { Logger } from 'pino'
import { MailFailure } from '#server/adapters/mail/port.ts'
import type { Database } from '#server/database/client.ts'
import {
  type DueMail,
  markFailed,
  markSent,
  takeDueMail,
  takeMail,
} from '#server/database/mail-queue.ts'
import type { ShopMailer } from './shop-slots.ts'

/** The maximum number of mails per run. */
const maxPerRun = 20

export type MailDeps = { db: Database; mailer: Pick<ShopMailer, 'send'>; log: Logger }

/** Sends a mail that the caller took from the queue. @returns why it failed; null on success */
export async function sendTaken(
  { db, mailer, log }: MailDeps,
  { _id, ...mail }: DueMail,
): Promise<string | null> {
  try {
    await mailer.send({ id: _id, ...mail })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isFinal = error instanceof MailFailure && error.final
    if (await markFailed(db, _id, { message, isFinal })) {
      log.error({ mailId: _id, reason: message }, 'mail_given_up')
    } else {
      log.warn({ mailId: _id, reason: message }, 'mail_not_sent')
    }
    return message
  }
  await markSent(db, _id)
  return null
}

/**
 * Sends due mails one after the other; a failed one waits for its next attempt. Taking a mail
 * postpones its next attempt for longer than sending can take. So no other process takes it
 * meanwhile, and any number of these may run at a time.
 * @returns whether more mails may be due
 */
export async function sendDueMail(deps: MailDeps): Promise<boolean> {
  for (let mailCount = 0; mailCount < maxPerRun; mailCount += 1) {
    const due = await takeDueMail(deps.db)
    if (!due) return false
    await sendTaken(deps, due)
  }
  return true
}

/**
 * Sends one mail at once.
 * @returns the reason why it was not sent; null on success
 */
export async function sendMailNow(deps: MailDeps, id: string): Promise<string | null> {
  const dueMail = await takeMail(deps.db, id)
  return dueMail ? sendTaken(deps, dueMail) : 'it was already sent or is being sent'
}
