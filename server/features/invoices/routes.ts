import { Hono } from 'hono'
import { ById } from '#contracts/api.ts'
import { Invoice, PdfFile } from '#contracts/invoices.ts'
import { CsvFile, PaymentCsv } from '#contracts/lists.ts'
import { type Currency, cents } from '#contracts/money.ts'
import { percent } from '#contracts/tax.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { found } from '#server/errors.ts'
import { type Env, perMinute, requireAdmin, requireUser, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv } from '#server/http/lists.ts'
import type { MakePdf } from './pdf.ts'
import { findInvoice, listInvoices } from './store.ts'

type JournalLine = Awaited<ReturnType<typeof listInvoices>>[number]

/** One line per paper: a credit note is negative, so that a month adds up to what came in. */
const journal =
  (currency: Currency) =>
  (_timeZone: string): Columns<JournalLine> => {
    const signed = ({ document }: JournalLine, inCents: number) => ({
      cents: document.type === 'invoice' ? inCents : -inCents,
    })
    return {
      Date: ({ document }) => document.date,
      Number: ({ document }) => document.number,
      Type: ({ document }) => document.type,
      Corrects: ({ document }) => document.corrects,
      Orders: ({ document }) =>
        [...new Set(document.lines.flatMap(({ orderNumber }) => orderNumber ?? []))].join(', '),
      Customer: ({ document }) => document.buyer.lines[0] ?? '',
      'Customer’s tax number': ({ document }) => document.buyer.taxNumber,
      Currency: () => currency,
      Net: (line) => signed(line, cents(line.document.total) - cents(line.document.tax)),
      Tax: ({ document }) =>
        document.taxMode === 'none' ? '' : `${document.taxName} ${percent(document.taxRate)}`,
      'Tax amount': (line) => signed(line, cents(line.document.tax)),
      Gross: (line) => signed(line, cents(line.document.total)),
      'Transaction id': ({ document }) => document.transactionId,
      Country: ({ document }) => document.destination?.country ?? '',
      Region: ({ document }) => document.destination?.region ?? '',
    }
  }

/** The papers of checkouts: invoices and credit notes. */
export function invoiceRoutes(deps: {
  db: Database
  makePdf: MakePdf
  currency: Currency
  reading: ReadSource
}) {
  const readOwn = async (caller: Caller, id: string) => {
    const paper = found(await findInvoice(deps.db, id), 'invoice')
    return found(ownsOrAdmin(caller, paper.userId) ? paper : null, 'invoice')
  }
  return new Hono<Env>()
    .get(
      '/invoice/:id',
      requireUser({
        summary: 'Reads an invoice or a credit note of the caller, or any for admins.',
        answer: Invoice,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const { _id, checkoutId, document } = await readOwn(c.var.caller, c.req.valid('param').id)
        return c.json({ _id, checkoutId, document } satisfies Invoice)
      },
    )
    .get(
      '/invoice/:id/pdf',
      requireUser({
        summary: 'The same as a PDF.',
        limit: perMinute(10),
        inTurns: 'papers',
        answer: PdfFile,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const { document } = await readOwn(c.var.caller, c.req.valid('param').id)
        const pdf = await deps.makePdf(document)
        return c.body(pdf as Uint8Array<ArrayBuffer>, 200, {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${document.number}.pdf"`,
        })
      },
    )
    .get(
      '/invoices.csv',
      requireAdmin({
        summary: 'Exports invoices and credit notes as a journal for an accountant, as CSV.',
        scope: 'payments:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', PaymentCsv),
      (c) => {
        const { decimals, ...days } = c.req.valid('query')
        return streamCsv(
          c,
          { name: 'invoices', columns: journal(deps.currency), decimals, reading: deps.reading },
          (db, page) => listInvoices(db, { ...days, ...page }),
        )
      },
    )
}
