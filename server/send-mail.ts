import type { Logger } from 'pino'
import type { Database } from '#server/database/client.ts'
import { markFailed, markSent, takeDueMail } from '#server/database/mail-outbox.ts'
import type { Mailer } from '#server/ports/mail/port.ts'

const batch = 20

/** Sends what is due in the mail queue; what fails waits for its next try. */
export async function sendDueMail(deps: {
  db: Database
  mailer: Mailer
  log: Logger
}): Promise<void> {
  for (const { _id, ...mail } of await takeDueMail(deps.db, batch)) {
    try {
      await deps.mailer.send({ id: _id, ...mail })
      await markSent(deps.db, _id)
    } catch (error) {
      deps.log.warn({ err: error, mailId: _id }, 'a mail could not be sent; tried again later')
      await markFailed(deps.db, _id, String(error))
    }
  }
}
