/** Parses numbers as suppliers write them. */
import type { ImportPlan } from '#contracts/parts-csv.ts'

/**
 * Detects the decimal sign of texts: the one before one or two last digits. Returns `auto` if both
 * signs occur there, or none.
 */
export function decimalsOf(texts: readonly string[]): 'point' | 'comma' | 'auto' {
  const has = (sign: string) =>
    texts.some((text) => new RegExp(`\\d\\${sign}\\d{1,2}\\D{0,4}$`).test(text))
  const [point, comma] = [has('.'), has(',')]
  if (point === comma) return 'auto'
  return point ? 'point' : 'comma'
}

/**
 * Parses numbers such as `1.299,00`, `1,299.00`, `$ 1 299` and `>50`; NaN for anything else. A
 * single sign before three digits separates thousands.
 */
export function amountOf(text: string, decimals: ImportPlan['decimals']): number {
  const plain = text
    .replaceAll(/[\s'’]/g, '')
    .replace(/^[^\d.,-]{1,8}/, '')
    .replace(/[^\d]{1,8}$/, '')
  if (!/^-?\d[\d.,]*$/.test(plain)) return Number.NaN
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const sign = plain[at]
  const isDecimal =
    decimals === 'auto'
      ? at >= 0 && plain.indexOf(sign ?? '') === at && !/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(plain)
      : sign === (decimals === 'comma' ? ',' : '.')
  const whole = (isDecimal ? plain.slice(0, at) : plain).replaceAll(/[.,]/g, '')
  return Number(isDecimal ? `${whole}.${plain.slice(at + 1)}` : whole)
}

/** Rounds a number to cents. */
export const toCents = (number: number): number =>
  Math.round(Number((number * 100).toFixed(2))) / 100

/**
 * Computes a price. Rounds the product to hundredths of a cent first, so that a floating-point
 * error does not round the price up.
 */
export function roundedPrice(amount: number, { factor, round }: Omit<ImportPlan['price'], 'from'>) {
  const exact = Number((amount * factor).toFixed(4))
  if (round === 'cent') return toCents(exact)
  if (round === 'nearest') return Math.round(exact)
  const up = Math.ceil(exact)
  return round === 'up' ? up : up + ((19 - (up % 10)) % 10)
}
