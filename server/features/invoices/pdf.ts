import type { InvoiceDocument } from '#contracts/invoices.ts'
import { ownProcess } from '#server/own-process.ts'

/** Makes the PDF of a paper. */
export type MakePdf = (document: InvoiceDocument) => Promise<Uint8Array>

/**
 * Makes PDFs in a separate process, one at a time: laying out a page takes longer than a request of
 * another visitor may wait.
 */
export function pdfMaker(): MakePdf {
  const run = ownProcess<InvoiceDocument, never, Uint8Array>({
    work: 'makes PDFs',
    program: 'pdf-process',
    caller: import.meta.filename,
    lower: 4,
    longestMs: 60_000,
  })
  return async (document) => (await run(document)).result
}
