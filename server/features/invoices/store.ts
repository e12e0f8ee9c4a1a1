import { and, asc, eq, sql } from 'drizzle-orm'
import type { Invoice, InvoiceSummary } from '#contracts/invoices.ts'
import type { PaymentSpan } from '#contracts/lists.ts'
import type { Queryable } from '#server/database/client.ts'
import { pageAfter } from '#server/database/pagination.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
import { invoices } from '#server/database/schema/invoices.ts'
import { within } from '#server/database/shop-days.ts'

type InvoiceRow = { _id: string; issuedAt: Date; document: Invoice['document'] }

const columns = { _id: invoices._id, issuedAt: invoices.issuedAt, document: invoices.document }

/** What lists say of a paper. */
export const toSummary = ({ _id, issuedAt, document }: InvoiceRow): InvoiceSummary => {
  const { number, type, total, tax } = document
  return { _id, number, type, issuedAt: issuedAt.toISOString(), total, tax }
}

/** Lists the papers of a checkout, the oldest first. */
export async function listInvoicesOf(db: Queryable, checkoutId: string): Promise<InvoiceSummary[]> {
  const rows = await db
    .select(columns)
    .from(invoices)
    .where(eq(invoices.checkoutId, checkoutId))
    .orderBy(asc(invoices.issuedAt), asc(invoices._id))
  return rows.map(toSummary)
}

/** Lists what the papers of a customer say, the oldest first. */
export async function listDocumentsOf(db: Queryable, userId: string) {
  const rows = await db
    .select({ document: invoices.document })
    .from(invoices)
    .innerJoin(checkouts, eq(checkouts._id, invoices.checkoutId))
    .where(eq(checkouts.userId, userId))
    .orderBy(asc(invoices.issuedAt), asc(invoices._id))
  return rows.map(({ document }) => document)
}

/** Finds a paper, and whose it is. */
export async function findInvoice(db: Queryable, id: string) {
  const [row] = await db
    .select({ ...columns, checkoutId: invoices.checkoutId, userId: checkouts.userId })
    .from(invoices)
    .innerJoin(checkouts, eq(checkouts._id, invoices.checkoutId))
    .where(eq(invoices._id, id))
  return row
}

/** Lists a page of all papers, the oldest first. */
export function listInvoices(
  db: Queryable,
  { limit, after, ...days }: PaymentSpan & { limit: number; after: string | undefined },
): Promise<InvoiceRow[]> {
  const page = pageAfter(invoices, { by: invoices.issuedAt }, after)
  return db
    .select(columns)
    .from(invoices)
    .where(and(within(sql`${invoices.issuedAt}`, days), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
}
