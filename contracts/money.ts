/**
 * Money. A shop has one currency with two decimals. An **amount**, such as 4.99, is a number with
 * at most two decimals; the API and people use amounts. Calculations use **cents**, which are whole
 * numbers: never add or multiply amounts. Imports no schema library, so that visitors' pages stay
 * small.
 */

import { whole } from './counted.ts'

/**
 * The currencies that a shop can have, all with two decimals: the sign before an amount, and the
 * smallest charge of the card provider, in cents
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
export const currencies = {
  AED: { sign: 'AED\u00a0', least: 200 },
  AUD: { sign: 'A$', least: 50 },
  BRL: { sign: 'R$', least: 50 },
  CAD: { sign: 'CA$', least: 50 },
  CHF: { sign: 'CHF\u00a0', least: 50 },
  CZK: { sign: 'CZK\u00a0', least: 1500 },
  DKK: { sign: 'DKK\u00a0', least: 250 },
  EUR: { sign: '€', least: 50 },
  GBP: { sign: '£', least: 30 },
  HKD: { sign: 'HK$', least: 400 },
  INR: { sign: '₹', least: 50 },
  MXN: { sign: 'MX$', least: 1000 },
  MYR: { sign: 'MYR\u00a0', least: 200 },
  NOK: { sign: 'NOK\u00a0', least: 300 },
  NZD: { sign: 'NZ$', least: 50 },
  PLN: { sign: 'PLN\u00a0', least: 200 },
  RON: { sign: 'RON\u00a0', least: 200 },
  SEK: { sign: 'SEK\u00a0', least: 300 },
  SGD: { sign: 'SGD\u00a0', least: 50 },
  THB: { sign: 'THB\u00a0', least: 1000 },
  USD: { sign: '$', least: 50 },
} as const satisfies Record<string, { sign: string; least: number }>
export type Currency = keyof typeof currencies
export const currencyCodes = Object.keys(currencies) as [Currency, ...Currency[]]

/**
 * The largest price and the largest total of a checkout. The card provider accepts at most
 * 99,999,999 cents.
 */
export const maxAmount = 999_999

/** Whether a number has at most two decimals. */
export const isAmount = (number: number): boolean =>
  Number.isFinite(number) && Math.round(number * 100) / 100 === number

/**
 * An amount in cents: 4.99 → 499.
 * @throws RangeError when the number is not an amount, or its cents are not a safe integer
 */
export function cents(amount: number): number {
  if (!isAmount(amount) || !Number.isSafeInteger(Math.round(amount * 100)))
    throw new RangeError(`not an amount of at most two decimals: ${amount}`)
  return Math.round(amount * 100)
}

/**
 * Parses a typed amount, with cents after a point or a comma: '49,90' → 49.9. NaN for anything
 * else.
 */
export const readAmount = (typed: string): number =>
  /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN

/** Formats an amount for a form field: 499 → '499', 0.1 → '0.10'. */
export const typedAmount = (amount: number): string =>
  Number.isInteger(amount) ? String(amount) : amount.toFixed(2)

/** Converts cents to an amount: 499 → 4.99. @throws RangeError when the cents are not whole */
export function fromCents(wholeCents: number): number {
  if (!Number.isSafeInteger(wholeCents)) throw new RangeError(`not whole cents: ${wholeCents}`)
  return wholeCents / 100
}

/**
 * Computes the total of an order, for form and server. `findUnpaidByTotal` and the CHECK
 * `orders_total` do the same in SQL.
 */
export const totalPriceOf = (quantity: number, price: number): number =>
  fromCents(quantity * cents(price))

/** The sum of amounts. */
export const sumOf = (amounts: number[]): number =>
  fromCents(amounts.reduce((sum, amount) => sum + cents(amount), 0))

/** What these orders, or lines of orders, cost together. */
export const sumOfTotals = (orders: readonly { totalPrice: number }[]): number =>
  sumOf(orders.map(({ totalPrice }) => totalPrice))

/**
 * The fewest units that one order of a part can have: its minimum order, or as many as a card can
 * pay.
 */
export const fewestUnits = (
  { price, minimumOrderQuantity }: { price: number; minimumOrderQuantity: number },
  currency: Currency,
): number => Math.max(minimumOrderQuantity, Math.ceil(currencies[currency].least / cents(price)))

/** @returns the message to show, or undefined when the total is allowed */
export function totalPriceProblem(total: number, currency: Currency): string | undefined {
  const { least } = currencies[currency]
  if (total > maxAmount) return `An order can’t be more than ${money(maxAmount, currency)}`
  if (cents(total) < least)
    return `An order must be at least ${money(fromCents(least), currency)}, the minimum for a card payment`
  return undefined
}

/**
 * Formats an amount for pages and mails, with cents only where needed: 1299 → '$1,299', 12.5 →
 * '$12.50'. Avoids `Intl.NumberFormat`, whose first use takes a phone a tenth of a second.
 */
export function money(amount: number, currency: Currency): string {
  const all = Math.abs(cents(amount))
  const rest = all % 100
  const digits = rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`
  return `${amount < 0 ? '-' : ''}${currencies[currency].sign}${whole((all - rest) / 100)}${digits}`
}
