import type { Logger } from 'pino'
import type { Database } from '#server/database/client.ts'
import { markFailed, markSent, takeDueMail } from '#server/database/mail-outbox.ts'
import type { Mailer } from '#server/ports/mail/port.ts'

/** At the most in one run; others may have a turn then. */
const batch = 20

/**
 * Sends what is due in the mail queue; what fails waits for its next try. One mail is taken at a time: its next try is
 * further away than a sending may last, so that no other process takes it meanwhile.
 */
export async function sendDueMail(deps: {
  db: Database
  mailer: Mailer
  log: Logger
}): Promise<void> {
  for (let taken = 0; taken < batch; taken += 1) {
    const due = await takeDueMail(deps.db)
    if (!due) return
    const { _id, ...mail } = due
    try {
      await deps.mailer.send({ id: _id, ...mail })
      await markSent(deps.db, _id)
    } catch (error) {
      deps.log.warn({ err: error, mailId: _id }, 'a mail could not be sent; tried again later')
      await markFailed(deps.db, _id, String(error))
    }
  }
}
