import { whole } from './counted.ts'

/** The largest total one order may have, in whole dollars: the card provider takes at most 99,999,999 cents. */
export const maxTotalPrice = 999_999

/** What an order costs, in whole dollars. Form and server compute it here; `findUnpaidByTotal` and CHECK `orders_total` say the same in SQL. */
export const totalPriceOf = (quantity: number, price: number): number => quantity * price

/** @returns the sentence to show, or undefined when an order may cost that much */
export const totalPriceProblem = (total: number): string | undefined =>
  total > maxTotalPrice ? `One order can be ${dollars(maxTotalPrice)} at the most` : undefined

/** Formats dollars, with cents only where needed: 1299 → "$1,299", 12.5 → "$12.50". */
export function dollars(amount: number): string {
  const size = Math.abs(amount)
  const [units = '', digits] = Number.isInteger(size) ? [String(size)] : size.toFixed(2).split('.')
  return `${amount < 0 ? '-' : ''}$${whole(Number(units))}${digits ? `.${digits}` : ''}`
}

/**
 * Whole dollars to cents, for the payment port alone.
 * @throws RangeError when the result could not be exact or is over the provider's limit
 */
export function cents(amount: number): number {
  if (!Number.isInteger(amount) || amount < 0 || amount > maxTotalPrice) {
    throw new RangeError(`not a payable amount of whole dollars: ${amount}`)
  }
  return amount * 100
}
