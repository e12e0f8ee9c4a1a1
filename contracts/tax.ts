/** The tax on prices. Imports no schema library, so that visitors' pages stay small. */

/**
 * `included`: prices include it, and papers say how much. `added`: it comes on top, by the rate of
 * the region that the goods go to.
 */
export const taxModes = ['none', 'included', 'added'] as const
export type TaxMode = (typeof taxModes)[number]

/** A rate; `region` is a code of ISO 3166, or empty for everywhere else. */
export type TaxRate = {
  region: string
  /** In thousandths of a per cent: 8.875 % is 8875. */
  rate: number
  /** Whether shipping is taxed, too. */
  taxesShipping: boolean
}

const wholeRate = 100_000
const rateLine = /^(?:([A-Z]{2}(?:-[A-Z0-9]{1,3})?)\s+)?(\d{1,2}(?:[.,]\d{1,3})?)\s*%?(\s+goods)?$/i

/**
 * Reads one line of the owner's rates: 'US-WA 10.1', 'US-CA 7.25 goods' where shipping is not taxed,
 * or '19' for everywhere else. Null for anything else.
 */
function readRate(line: string): TaxRate | null {
  const [, region = '', percent, goods] = rateLine.exec(line.trim()) ?? []
  if (percent === undefined) return null
  const rate = Math.round(Number(percent.replace(',', '.')) * 1000)
  return { region: region.toUpperCase(), rate, taxesShipping: !goods }
}

/** What is wrong with the owner's rates, a line each; undefined if they can be used. */
export function ratesProblem(text: string): string | undefined {
  const seen = new Set<string>()
  for (const line of text.split('\n').filter(Boolean)) {
    const rate = readRate(line)
    if (!rate) return `“${line}” must be a rate, like “US-WA 10.1”, or “19” for everywhere else`
    const where = rate.region || 'everywhere else'
    if (seen.has(rate.region)) return `You’ve entered two rates for ${where}`
    seen.add(rate.region)
  }
  return undefined
}

/** The owner's rates, a line each. */
export const readRates = (text: string): TaxRate[] =>
  text.split('\n').flatMap((line) => readRate(line) ?? [])

/**
 * The rate of a region: its own, else its country's, else that of everywhere else.
 * @param region a code of ISO 3166-1 or -2, or empty
 */
export function rateFor(rates: TaxRate[], region: string): TaxRate {
  const names = [region, region.slice(0, 2), '']
  const found = names.flatMap((name) => rates.find((rate) => rate.region === name) ?? [])[0]
  return found ?? { region: '', rate: 0, taxesShipping: false }
}

/** What a rate adds to an amount; both in cents. */
export const taxOn = (cents: number, rate: number): number =>
  Math.floor((cents * rate + wholeRate / 2) / wholeRate)

/** How much of an amount is the tax that it includes; both in cents. */
export const taxIn = (cents: number, rate: number): number =>
  Math.floor((cents * rate + (wholeRate + rate) / 2) / (wholeRate + rate))

/** A rate as papers say it: 8875 → '8.875 %'. */
export const percent = (rate: number): string => `${rate / 1000} %`
