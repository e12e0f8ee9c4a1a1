import type { Logger } from 'pino'
import type { Database } from '#server/database/client.ts'
import { markFailed, markSent, takeDueMail, takeMail } from '#server/database/mail-outbox.ts'
import type { Mailer } from '#server/ports/mail/port.ts'

/** At the most in one run; others may have a turn then. */
const batch = 20

type MailDeps = { db: Database; mailer: Mailer; log: Logger }

/** @returns why it could not be sent, null when it was */
async function sendTaken(
  { db, mailer, log }: MailDeps,
  { _id, ...mail }: NonNullable<Awaited<ReturnType<typeof takeDueMail>>>,
): Promise<string | null> {
  try {
    await mailer.send({ id: _id, ...mail })
    await markSent(db, _id)
    return null
  } catch (error) {
    log.warn({ err: error, mailId: _id }, 'a mail could not be sent; tried again later')
    await markFailed(db, _id, String(error))
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Sends what is due in the mail queue; what fails waits for its next try. One mail is taken at a time: its next try is
 * further away than a sending may last, so that no other process takes it meanwhile.
 */
export async function sendDueMail(deps: MailDeps): Promise<void> {
  for (let taken = 0; taken < batch; taken += 1) {
    const due = await takeDueMail(deps.db)
    if (!due) return
    await sendTaken(deps, due)
  }
}

/**
 * Sends one mail before its time.
 * @returns why it was not sent, null when it was
 */
export async function sendMailNow(deps: MailDeps, id: string): Promise<string | null> {
  const taken = await takeMail(deps.db, id)
  return taken ? sendTaken(deps, taken) : 'it is sent already, or being sent at this moment'
}
