/** The process that makes PDFs of papers. */
import type { InvoiceDocument } from '#contracts/invoices.ts'
import { answerTasks } from '#server/own-process.ts'
import { renderPdf } from './render-pdf.ts'

answerTasks(
  async (document: InvoiceDocument) => ({ rows: [], result: await renderPdf(document) }),
  { cpuSeconds: 30, megabytes: 512 },
)
