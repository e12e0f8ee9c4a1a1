/**
 * Issues papers, in the transaction that causes them: an invoice when a checkout is paid, a credit
 * note when the provider made a refund, and an invoice again when a bank returned one. Numbers have
 * no gap: the counter's row stays locked until the paper is stored. It is the last lock.
 */

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { InvoiceDocument } from '#contracts/invoices.ts'
import type { Currency } from '#contracts/money.ts'
import { cents } from '#contracts/money.ts'
import type { Transaction } from '#server/database/client.ts'
import { invoices } from '#server/database/schema/invoices.ts'
import { parts } from '#server/database/schema/parts.ts'
import { found } from '#server/errors.ts'
import { type OrderRow, orNone, paidCents, shippingCents } from '#server/features/orders/store.ts'
import { postalAddress, readSettings } from '#server/features/settings/store.ts'
import type { MailedPaper } from '#server/mail/order-mails.ts'
import { type Drawn, destinationOf, documentOf, type Portion } from './document.ts'

/** Draws the next number of a series. */
async function drawNumber(tx: Transaction, series: Drawn['series']): Promise<Drawn> {
  const { rows } = await tx.execute<{ year: number; number: number; date: string }>(sql`
    insert into invoice_counters as c (series, year, last) values (${series}, extract(year from shop_today()), 1)
    on conflict (series, year) do update set last = c.last + 1
    returning year, last as number, shop_today()::text as date`)
  return { series, ...found(rows[0], 'invoice number') }
}

async function skusOf(tx: Transaction, orders: OrderRow[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ _id: parts._id, sku: parts.sku })
    .from(parts)
    .where(
      inArray(
        parts._id,
        orders.map(({ partId }) => partId),
      ),
    )
  return new Map(rows.map(({ _id, sku }) => [_id, sku]))
}

type Paper = {
  series: Drawn['series']
  portions: [Portion, ...Portion[]]
  transactionId: string
  /** The refund of a credit note, or the one that a bank returned. */
  refundId: string | null
  /** The paper that it corrects. */
  corrected: InvoiceDocument | null
  /** What earlier papers gave back of the checkout, in cents. */
  before: number
}

async function issue(
  tx: Transaction,
  currency: Currency,
  { series, portions, transactionId, refundId, corrected, before }: Paper,
): Promise<MailedPaper | null> {
  const { shop } = (await readSettings(tx)).settings
  const skus = await skusOf(
    tx,
    portions.map(({ order }) => order),
  )
  const drawn = await drawNumber(tx, series)
  const seller = { ...shop, address: postalAddress(shop) }
  // the goods of a refund came from where they went
  const destination = corrected?.destination ?? destinationOf(portions[0].order, shop)
  const corrects = corrected?.number ?? null
  const paper = { skus, destination, drawn, corrects, transactionId, before }
  const about = { shop: seller, currency, ...paper }
  const document = documentOf(portions, about)
  const [row] = await tx
    .insert(invoices)
    .values({
      series,
      year: drawn.year,
      number: drawn.number,
      checkoutId: portions[0].order.checkoutId,
      refundId,
      totalCents: cents(document.total),
      taxCents: cents(document.tax),
      // the transaction may have begun before that of the number before
      issuedAt: sql`clock_timestamp()`,
      document,
    })
    .returning({ _id: invoices._id })
  const { _id: invoiceId } = found(row, 'invoice')
  return shop.mailPapers === 'on' ? { invoiceId, number: document.number } : null
}

/**
 * Issues the invoice of a checkout. @param paid its orders, after the payment
 * @returns it, if the owner wants it in the receipt
 */
export async function issueInvoice(
  tx: Transaction,
  currency: Currency,
  paid: [OrderRow, ...OrderRow[]],
): Promise<MailedPaper | null> {
  const [first] = paid
  const goods = paid.map((order) => ({
    order,
    isShipping: false,
    amount: paidCents(order),
    before: 0,
  }))
  const shipping = shippingCents(first)
  const ofShipping =
    shipping > 0 ? [{ order: first, isShipping: true, amount: shipping, before: 0 }] : []
  return issue(tx, currency, {
    series: 'I',
    portions: found(orNone([...goods, ...ofShipping]), 'order'),
    transactionId: found(first.transactionId, 'payment'),
    refundId: null,
    corrected: null,
    before: 0,
  })
}

/** A paper of a checkout or refund; null without one. */
async function findPaper(
  tx: Transaction,
  { series, of }: { series: Drawn['series']; of: { checkoutId: string } | { refundId: string } },
): Promise<InvoiceDocument | null> {
  const about =
    'refundId' in of
      ? eq(invoices.refundId, of.refundId)
      : and(eq(invoices.checkoutId, of.checkoutId), sql`${invoices.refundId} is null`)
  const [paper] = await tx
    .select({ document: invoices.document })
    .from(invoices)
    .where(and(eq(invoices.series, series), about))
  return paper?.document ?? null
}

/** What a credit note or its reversal is about. */
export type RefundPaper = {
  refundId: string
  /** What earlier papers gave back of the checkout, in cents. */
  before: number
  portions: [Portion, ...Portion[]]
  transactionId: string
}

/**
 * Issues the credit note of a refund that the provider made.
 * @returns it, if the owner wants it in the mail
 */
export async function issueCreditNote(
  tx: Transaction,
  currency: Currency,
  { portions, ...refund }: RefundPaper,
): Promise<MailedPaper | null> {
  const { checkoutId } = portions[0].order
  const corrected = await findPaper(tx, { series: 'I', of: { checkoutId } })
  return issue(tx, currency, { series: 'C', portions, corrected, ...refund })
}

/** Issues the invoice that undoes the credit note of a refund, whose money a bank returned. */
export async function issueReversal(
  tx: Transaction,
  currency: Currency,
  { portions, ...refund }: RefundPaper,
): Promise<void> {
  const corrected = await findPaper(tx, { series: 'C', of: { refundId: refund.refundId } })
  if (corrected) await issue(tx, currency, { series: 'I', portions, corrected, ...refund })
}
