/** What an invoice or a credit note says, in words: its page and its PDF are both made of this. */
import { dayText } from './dispatch.ts'
import type { InvoiceDocument, InvoiceLine } from './invoices.ts'
import { money } from './money.ts'
import { percent } from './tax.ts'

export type PaperWords = {
  title: string
  /** Label → value. */
  facts: [label: string, value: string][]
  seller: string[]
  buyer: string[]
  deliveredTo: string[]
  columns: string[]
  rows: string[][]
  sums: [label: string, value: string][]
}

const names = { invoice: 'Invoice', 'credit note': 'Credit note' }

/** A day with its year: 'Friday 27 November 2026'. */
const dateText = (date: string) => `${dayText(date)} ${date.slice(0, 4)}`

const listed = (label: string, value: string): [string, string][] => (value ? [[label, value]] : [])

function rowOf(
  { text, orderNumber, sku, quantity, price, total }: InvoiceLine,
  amount: (n: number) => string,
) {
  return [
    orderNumber ?? '',
    sku ? `${text} (${sku})` : text,
    quantity === null ? '' : String(quantity),
    price === null ? '' : amount(price),
    amount(total),
  ]
}

/** Labels, rows and sums of a paper, as they are read. */
export function wordsOf(paper: InvoiceDocument): PaperWords {
  const { type, number, date, corrects, currency, seller, buyer, lines } = paper
  const { taxMode, taxName, taxRate, goods, tax, total, transactionId } = paper
  const amount = (value: number) => money(value, currency)
  const taxed = `${taxName} ${percent(taxRate)}`
  return {
    title: `${names[type]} ${number}`,
    facts: [
      ['Date', dateText(date)],
      ...listed(type === 'invoice' ? 'Undoes' : 'Corrects', corrects ?? ''),
      [type === 'invoice' ? 'Paid by card' : 'Refunded to the card', transactionId],
      ...listed('Our tax number', seller.taxNumber),
      ...listed('Your tax number', buyer.taxNumber),
    ],
    seller: [...seller.lines, seller.phone, seller.email],
    buyer: buyer.lines,
    deliveredTo: paper.deliveredTo,
    columns: ['Order', 'Product', 'Quantity', 'Price each', 'Total'],
    rows: lines.map((line) => rowOf(line, amount)),
    sums: [
      ...(taxMode === 'added' ? [['Sum', amount(goods)] as [string, string]] : []),
      ...(taxMode === 'added' ? [[taxed, amount(tax)] as [string, string]] : []),
      ['Total', amount(total)],
      ...(taxMode === 'included' ? [[`Includes ${taxed}`, amount(tax)] as [string, string]] : []),
    ],
  }
}
