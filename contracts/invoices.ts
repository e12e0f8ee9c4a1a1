/** Invoices and credit notes: frozen papers, numbered without gaps. */
import { z } from 'zod'
import { Amount } from './amount.ts'
import { exampleId, Id } from './api.ts'
import { currencyCodes } from './money.ts'
import { OrderNumber } from './orders.ts'
import { taxModes } from './tax.ts'

/** The series of numbers: invoices, and credit notes. */
export const invoiceSeries = ['I', 'C'] as const

/** The number that people see: '2026-I-00041'. */
export const invoiceNumber = (series: string, year: number, number: number): string =>
  `${year}-${series}-${String(number).padStart(5, '0')}`

const InvoiceLine = z.strictObject({
  text: z.string().describe('The product, or the way of delivery.'),
  orderNumber: OrderNumber.nullable().describe('Null for the shipping.'),
  sku: z.string(),
  quantity: z.int().nullable(),
  price: Amount.nullable().describe('Of each unit.'),
  total: Amount.describe('Without a tax that is added.'),
  tax: Amount.describe('What tax adds to it.'),
  // older papers lack it
  taxRate: z
    .int()
    .optional()
    .describe('In thousandths of a per cent; 0 for shipping that is not taxed.'),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** What a paper says; it never changes. Amounts of a credit note are positive. */
export const InvoiceDocument = z
  .strictObject({
    type: z.enum(['invoice', 'credit note']),
    number: z.string(),
    date: z.iso.date().describe('The day of the shop.'),
    /** The invoice that a credit note corrects, or the credit note that a bank undid. */
    corrects: z.string().nullable().describe('The number of the paper that it corrects.'),
    currency: z.enum(currencyCodes),
    seller: z.strictObject({
      lines: z.array(z.string()),
      phone: z.string(),
      email: z.string(),
      taxNumber: z.string(),
    }),
    buyer: z.strictObject({ lines: z.array(z.string()), taxNumber: z.string() }),
    deliveredTo: z.array(z.string()).describe('Empty: to the buyer’s address, or without one.'),
    // older papers lack it
    destination: z
      .strictObject({ country: z.string(), region: z.string() })
      .optional()
      .describe(
        'Where the goods went, as codes of ISO 3166; the shop’s own without a delivery. Empty where it is not known.',
      ),
    lines: z.array(InvoiceLine),
    taxMode: z.enum(taxModes),
    taxName: z.string(),
    taxRate: z.int().describe('In thousandths of a per cent: 8.875 % is 8875.'),
    goods: Amount.describe('The sum of the lines.'),
    tax: Amount.describe('Added to the sum, or included in it.'),
    total: Amount,
    transactionId: z.string(),
  })
  .describe('An invoice or a credit note, as it was issued.')
export type InvoiceDocument = z.infer<typeof InvoiceDocument>

export const InvoiceSummary = z
  .strictObject({
    _id: Id,
    number: z.string(),
    type: z.enum(['invoice', 'credit note']),
    issuedAt: z.iso.datetime(),
    total: Amount,
    tax: Amount,
  })
  .meta({ examples: [{ _id: exampleId, number: '2026-I-00041' }] })
export type InvoiceSummary = z.infer<typeof InvoiceSummary>

/** GET /invoice/{id}/pdf. */
export const PdfFile = z.string().meta({ contentMediaType: 'application/pdf' })

/** GET /invoice/{id}. */
export const Invoice = z.strictObject({ _id: Id, checkoutId: Id, document: InvoiceDocument })
export type Invoice = z.infer<typeof Invoice>
