import type { Logger } from 'pino'
import type { Attachment } from '#server/adapters/mail/port.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import type { MakePdf } from './pdf.ts'
import { findInvoice } from './store.ts'

/** Makes the PDF of a paper for its mail. */
export type AttachPaper = (invoiceId: string) => Promise<Attachment | null>

/**
 * Returns null when the PDF cannot be made: a mail is never lost for it. It leaves without the
 * paper, and says where it is.
 */
export const paperAttacher =
  ({ db, makePdf, log }: { db: Database; makePdf: MakePdf; log: Logger }): AttachPaper =>
  async (invoiceId) => {
    const { document } = found(await findInvoice(db, invoiceId), 'invoice')
    const name = `${document.number}.pdf`
    try {
      return { name, type: 'application/pdf', content: await makePdf(document) }
    } catch (error) {
      log.error({ err: error, paper: document.number }, 'paper_not_attached')
      return null
    }
  }
