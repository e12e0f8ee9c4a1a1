/**
 * Reads the price in a search query. Imports no schema library, so that visitors' pages stay small.
 */
import { currencyCodes, maxAmount } from './money.ts'

/** A query without its words about the price, and the amounts in them. */
type PricedQuery = {
  words: string
  from?: number
  to?: number
  /** The query asks for cheap parts. */
  isCheap?: true
}

const notInWord = String.raw`(?<![\p{L}\p{N}.,$€£₹])`
const ends = String.raw`(?![\p{L}\p{N}])`
/**
 * People write 1,299.50 and 1.299,50. Three digits after a separator are thousands, one or two are
 * cents.
 */
const number = String.raw`\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,6}(?:[.,]\d{1,2})?(?![.,]?\d)`
const code = `(?:${currencyCodes.join('|')})`
const before = String.raw`(?:[a-z]{0,2}[$]|[€£₹]|${code}\s)\s?`
const sign = String.raw`\s?(?:[$€£₹]|(?:dollars?|bucks?|euros?|pounds?|quid|francs?|kr|zł|kč|${code})${ends})`
/** An amount with any currency, which is read as the shop's currency. */
const marked = `(?:${before}(?:${number})(?:${sign})?|(?:${number})${sign})`
/** A number without a currency that is not part of a size: 'under 90', but not 'under 90 mm'. */
const bare = String.raw`(?:${number})(?![\d.,]*[\s-]*(?:["″”%°]|''|(?:[kmgt]?hz|[kmgt]b|[gm]bits?|[gm]bps|mb\/s|gb\/s|mt\/s|gbe|k?w|watts?|[cm]m|in|inch(?:es)?|db|dba|db\(a\)|cores?|threads?|fps|ms|rpm|dpi|cfm|nits|li?t?(?:er|re)?s?|k?g|grams?|h|hours?|v|volts?|va|x|slots?|fans?|keys?|buttons?)${ends}))(?![\p{L}\d])`
const amount = `(?:${marked}|${bare})`

const spelled = (pattern: string) => new RegExp(notInWord + pattern, 'iu')
const rangeWord = String.raw`\s*(?:-|–|to|and)\s*`
/** Phrases about the price, and whether they give the lowest price, the highest price, or both. */
const phrases: [RegExp, 'from' | 'to' | 'both'][] = [
  [spelled(`between\\s+(${amount})${rangeWord}(${amount})`), 'both'],
  [spelled(`(?:from\\s+)?(${marked}|${number})${rangeWord}(${marked})`), 'both'],
  [spelled(`(?:from\\s+)?(${marked})${rangeWord}(${marked}|${bare})`), 'both'],
  [spelled(`(?:under|below|less than|cheaper than|<=?|≤)\\s*(${amount})`), 'to'],
  [
    spelled(
      `(?:at most|no more than|not more than|up to|within|max(?:imum)?|budget)\\.?\\s*(?:of\\s+)?(${marked})`,
    ),
    'to',
  ],
  [
    spelled(
      `(?:over|above|more than|at least|min(?:imum)?|from|starting at|>=?|≥)\\.?\\s*(${marked})`,
    ),
    'from',
  ],
  [spelled(`(?:for\\s+|around\\s+|about\\s+)?(${marked})`), 'to'],
]
const cheap = spelled(
  String.raw`(?:cheap(?:est)?|inexpensive|affordable|budget|low[\s-]cost)${ends}`,
)

/** Parses an amount. No part costs more than `maxAmount`, so it caps higher prices. */
function amountIn(text: string): number {
  const digits = text.replaceAll(/[^\d.,]/g, '')
  const [whole = '', cents = ''] = digits.split(/[.,](?=\d{1,2}$)/)
  return Math.min(maxAmount, Number(`${whole.replaceAll(/[.,]/g, '')}.${cents}`))
}

/** Splits a query into words and prices: '650 w psu under $90' becomes '650 w psu', up to 90. */
export function readPrice(query: string): PricedQuery {
  const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  for (const [pattern, bound] of phrases) {
    const [phrase, one, other] = pattern.exec(query) ?? []
    if (phrase === undefined) continue
    const amounts = [one, other].filter((text) => text !== undefined).map(amountIn)
    return {
      ...readPrice(query.replace(phrase, ' ')),
      ...(bound !== 'to' && { from: Math.min(...amounts) }),
      ...(bound !== 'from' && { to: Math.max(...amounts) }),
    }
  }
  const words = tidy(query.replace(cheap, ' '))
  return words === tidy(query) ? { words } : { words, isCheap: true }
}
