import type { Logger } from 'pino'
import { type Mailer, MailFailure } from '#server/adapters/mail/port.ts'
import type { Database } from '#server/database/client.ts'
import {
  type DueMail,
  markFailed,
  markSent,
  takeDueMail,
  takeMail,
} from '#server/database/mail-queue.ts'

/** The most mails of one run, and how many are sent at a time: a mail server takes a second for each. */
const [batch, lanes] = [100, 5]

export type MailDeps = { db: Database; mailer: Pick<Mailer, 'send'>; log: Logger }

/** Sends a mail that the caller took from the queue. @returns why it failed; null on success */
export async function sendTaken(
  { db, mailer, log }: MailDeps,
  { _id, ...mail }: DueMail,
): Promise<string | null> {
  try {
    await mailer.send({ id: _id, ...mail })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const final = error instanceof MailFailure && error.final
    if (await markFailed(db, _id, { message, final })) {
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
 * Sends due mails; a failed one waits for its next try. Taking a mail moves its next try further away than sending may take,
 * so that no other process takes it meanwhile.
 * @returns whether more may wait
 */
export async function sendDueMail(deps: MailDeps): Promise<boolean> {
  let left = batch
  const lane = async () => {
    while (left > 0) {
      left -= 1
      const due = await takeDueMail(deps.db)
      if (!due) return
      await sendTaken(deps, due)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return left <= 0
}

/**
 * Sends one mail at once.
 * @returns why it was not sent; null when it was
 */
export async function sendMailNow(deps: MailDeps, id: string): Promise<string | null> {
  const dueMail = await takeMail(deps.db, id)
  return dueMail ? sendTaken(deps, dueMail) : 'it is sent already, or being sent at this moment'
}
