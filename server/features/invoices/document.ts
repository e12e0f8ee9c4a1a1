import { linesOf } from '#contracts/address-lines.ts'
import { type InvoiceDocument, type InvoiceLine, invoiceNumber } from '#contracts/invoices.ts'
import { type Currency, cents, fromCents, sumOf } from '#contracts/money.ts'
import { addressLines, type ShopFacts } from '#contracts/shop.ts'
import { taxIn, taxOn } from '#contracts/tax.ts'
import type { OrderRow } from '#server/features/orders/store.ts'

/** A line of a paper before tax is told apart: its amount has the tax that is added. */
export type Portion = {
  order: OrderRow
  /** It is the shipping of the order's checkout. */
  isShipping: boolean
  /** In cents. */
  amount: number
  /** What earlier papers gave back of the same, in cents. */
  before: number
}

/** The number of a paper, and the day of the shop on which it is issued. */
export type Drawn = { series: 'I' | 'C'; year: number; number: number; date: string }

/** Where goods go: codes of ISO 3166, empty where they are not known. */
export type Destination = { country: string; region: string }

/** Where the goods of an order go: to its address or, without a delivery, over the shop’s counter. */
export function destinationOf(
  { shipping: { type, shipTo } }: OrderRow,
  shop: Pick<ShopFacts, 'country' | 'taxRegion'>,
): Destination {
  if (type === 'ship' && shipTo) return { country: shipTo.country, region: shipTo.region }
  const { taxRegion: region, country } = shop
  return { country: country || region.slice(0, 2), region }
}

/** What a paper names besides its lines. */
type About = {
  shop: ShopFacts
  currency: Currency
  skus: Map<string, string>
  destination: Destination
  drawn: Drawn
  corrects: string | null
  transactionId: string
  /** What earlier papers gave back of the checkout, in cents. */
  before: number
}

/** How much of a part of a gross sum is tax; of all of it, it is the whole tax. In cents. */
const shareOf = (part: number, { gross, tax }: { gross: number; tax: number }): number =>
  gross === 0 ? 0 : Math.floor((part * tax + gross / 2) / gross)

/**
 * The tax in an amount, as its order or shipping was taxed. Counted on from what was given back
 * before, so that the papers of one order add up to its tax. In cents.
 */
function taxShare({ order, isShipping, amount, before }: Portion): number {
  const { price, priceTax } = order.shipping
  const [net, tax] = isShipping
    ? [cents(price), cents(priceTax)]
    : [cents(order.totalPrice), cents(order.taxTotal)]
  const whole = { gross: net + tax, tax }
  return shareOf(before + amount, whole) - shareOf(before, whole)
}

/** The rate of a line: shipping may not be taxed where goods are. */
function rateOf({ order, isShipping }: Portion): number {
  const { taxMode, taxRate, price, priceTax } = order.shipping
  const isUntaxed = priceTax === 0 && taxOn(cents(price), taxRate) > 0
  return taxMode === 'added' && isShipping && isUntaxed ? 0 : taxRate
}

function lineOf(portion: Portion, { skus }: About): InvoiceLine {
  const { order, isShipping, amount } = portion
  const tax = taxShare(portion)
  const taxRate = rateOf(portion)
  const sums = { total: fromCents(amount - tax), tax: fromCents(tax), taxRate }
  if (isShipping) {
    const text = order.shipping.method ?? 'Shipping'
    return { text, orderNumber: null, sku: '', quantity: null, price: null, ...sums }
  }
  const { product: text, number: orderNumber, partId, quantity, price } = order
  const isWhole = amount === cents(order.totalPrice) + cents(order.taxTotal)
  const units = isWhole ? { quantity, price } : { quantity: null, price: null }
  return { text, orderNumber, sku: skus.get(partId) ?? '', ...units, ...sums }
}

/**
 * What a paper says.
 * @param portions at least one, all of one checkout
 */
export function documentOf(portions: [Portion, ...Portion[]], about: About): InvoiceDocument {
  const { shop, currency, destination, drawn, corrects, transactionId } = about
  const [{ order }] = portions
  const { shipTo, billTo, taxNumber, taxMode, taxName, taxRate } = order.shipping
  const lines = portions.map((portion) => lineOf(portion, about))
  const gross = portions.reduce((sum, { amount }) => sum + amount, 0)
  const included = taxIn(about.before + gross, taxRate) - taxIn(about.before, taxRate)
  const isIncluded = taxMode === 'included'
  const buyer = billTo ?? shipTo
  return {
    type: drawn.series === 'I' ? 'invoice' : 'credit note',
    number: invoiceNumber(drawn.series, drawn.year, drawn.number),
    date: drawn.date,
    corrects,
    currency,
    seller: {
      lines: addressLines(shop),
      phone: shop.phone,
      email: shop.email,
      taxNumber: shop.taxNumber,
    },
    buyer: {
      lines: buyer ? linesOf(buyer) : [order.customer],
      taxNumber,
    },
    deliveredTo: billTo && shipTo ? linesOf(shipTo) : [],
    destination,
    lines,
    taxMode: taxMode ?? 'none',
    taxName,
    taxRate,
    goods: sumOf(lines.map(({ total }) => total)),
    tax: isIncluded ? fromCents(included) : sumOf(lines.map(({ tax }) => tax)),
    total: fromCents(gross),
    transactionId,
  }
}
