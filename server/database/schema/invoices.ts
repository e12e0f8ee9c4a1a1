import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { type InvoiceDocument, invoiceSeries } from '#contracts/invoices.ts'
import { checkouts } from './checkouts.ts'
import { id, timestamptzNow } from './columns.ts'
import { refunds } from './payments.ts'

/**
 * The last number of each series and year. Its row is locked until the paper is stored, so that a
 * number that was drawn is used: a sequence would leave gaps.
 */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    series: text('series', { enum: invoiceSeries }).notNull(),
    year: integer('year').notNull(),
    last: integer('last').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.series, t.year] }),
    check('invoice_counters_series', sql`${t.series} in ('I', 'C')`),
  ],
)

/**
 * Invoices, and credit notes of refunds. Append-only: triggers refuse any change. An invoice with a
 * refund undoes its credit note, because a bank returned the money.
 */
export const invoices = pgTable(
  'invoices',
  {
    _id: id(),
    series: text('series', { enum: invoiceSeries }).notNull(),
    year: integer('year').notNull(),
    number: integer('number').notNull(),
    checkoutId: uuid('checkout_id')
      .notNull()
      .references(() => checkouts._id),
    refundId: uuid('refund_id').references(() => refunds._id),
    issuedAt: timestamptzNow('issued_at'),
    totalCents: integer('total_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    document: jsonb('document').$type<InvoiceDocument>().notNull(),
  },
  (t) => [
    unique('invoices_number').on(t.series, t.year, t.number),
    unique('invoices_refund').on(t.refundId, t.series),
    index('invoices_checkout').on(t.checkoutId),
    index('invoices_issued').on(t.issuedAt, t._id),
    check(
      'invoices_series',
      sql`${t.series} = 'I' or (${t.series} = 'C' and ${t.refundId} is not null)`,
    ),
    check(
      'invoices_total',
      sql`${t.totalCents} > 0 and ${t.taxCents} between 0 and ${t.totalCents}`,
    ),
  ],
)
