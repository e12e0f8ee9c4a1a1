/**
 * Money. A shop has one currency, of two decimals. An **amount** is a number of it with at most two decimals, as the API and
 * people say it: 4.99. Everything that computes does so in **cents**, which are whole: no two amounts are ever added or
 * multiplied. Nothing here imports the schema library, so a visitor's page can afford it.
 */

import { whole } from './counted.ts'

/**
 * The currencies of two decimals that a shop can have: their sign before an amount, and the least that the card provider
 * charges, in cents (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
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

/** The largest amount of a price and of a checkout. The card provider takes at most 99,999,999 cents. */
export const maxAmount = 999_999

/** Whether a number is an amount: it has at most two decimals. */
export const isAmount = (number: number): boolean =>
  Number.isFinite(number) && Math.round(number * 100) / 100 === number

/**
 * An amount in cents: 4.99 → 499.
 * @throws RangeError when the number is no amount, or more than any that the shop keeps
 */
export function cents(amount: number): number {
  if (!isAmount(amount) || !Number.isSafeInteger(Math.round(amount * 100)))
    throw new RangeError(`not an amount of at most two decimals: ${amount}`)
  return Math.round(amount * 100)
}

/** A typed amount, with cents after a point or a comma: '49,90' → 49.9. NaN for what is none. */
export const readAmount = (typed: string): number =>
  /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN

/** An amount as a form's field has it: 499 → '499', 0.1 → '0.10'. */
export const typedAmount = (amount: number): string =>
  Number.isInteger(amount) ? String(amount) : amount.toFixed(2)

/** Cents as an amount: 499 → 4.99. @throws RangeError when they are not whole */
export function fromCents(wholeCents: number): number {
  if (!Number.isSafeInteger(wholeCents)) throw new RangeError(`not whole cents: ${wholeCents}`)
  return wholeCents / 100
}

/** What an order costs. Form and server compute it here; `findUnpaidByTotal` and CHECK `orders_total` say the same in SQL. */
export const totalPriceOf = (quantity: number, price: number): number =>
  fromCents(quantity * cents(price))

/** The sum of amounts. */
export const sumOf = (amounts: number[]): number =>
  fromCents(amounts.reduce((sum, amount) => sum + cents(amount), 0))

/** The fewest units that one order of a part can have: its smallest order, or as many as a card can pay. */
export const fewestUnits = (
  { price, minimumOrderQuantity }: { price: number; minimumOrderQuantity: number },
  currency: Currency,
): number => Math.max(minimumOrderQuantity, Math.ceil(currencies[currency].least / cents(price)))

/** @returns the sentence to show, or undefined when an order may cost that much */
export function totalPriceProblem(total: number, currency: Currency): string | undefined {
  const { least } = currencies[currency]
  if (total > maxAmount) return `One order can be ${money(maxAmount, currency)} at the most`
  if (cents(total) < least)
    return `One order must be ${money(fromCents(least), currency)} at the least, which is what a card can pay`
  return undefined
}

/**
 * An amount as every page and mail writes it, with cents only where needed: 1299 → '$1,299', 12.5 → '$12.50'. The same as
 * `Intl.NumberFormat`, whose first use costs a phone's page a tenth of a second.
 */
export function money(amount: number, currency: Currency): string {
  const all = Math.abs(cents(amount))
  const rest = all % 100
  const digits = rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`
  return `${amount < 0 ? '-' : ''}${currencies[currency].sign}${whole((all - rest) / 100)}${digits}`
}
