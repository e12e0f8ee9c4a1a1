/** The price that a search query names. Nothing here imports the schema library, so a visitor's page can afford it. */
import { currencyCodes, maxAmount } from './money.ts'

/** A query without its words about the price, and the amounts that they say. */
type PricedQuery = {
  words: string
  from?: number
  to?: number
  /** It asks for cheap parts. */
  isCheap?: true
}

const notInWord = String.raw`(?<![\p{L}\p{N}.,$€£₹])`
const ends = String.raw`(?![\p{L}\p{N}])`
/** People write 1,299.50 and 1.299,50: three digits after a sign are thousands, one or two are cents. */
const number = String.raw`\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,6}(?:[.,]\d{1,2})?(?![.,]?\d)`
const code = `(?:${currencyCodes.join('|')})`
const before = String.raw`(?:[a-z]{0,2}[$]|[€£₹]|${code}\s)\s?`
const sign = String.raw`\s?(?:[$€£₹]|(?:dollars?|bucks?|euros?|pounds?|quid|francs?|kr|zł|kč|${code})${ends})`
/** An amount with its currency, which is the shop's whatever it says. */
const marked = `(?:${before}(?:${number})(?:${sign})?|(?:${number})${sign})`
/** A number without a currency, that is neither a size nor part of one: 'under 90', but not 'under 90 mm'. */
const bare = String.raw`(?:${number})(?![\d.,]*[\s-]*(?:["″”%°]|''|(?:[kmgt]?hz|[kmgt]b|[gm]bits?|[gm]bps|mb\/s|gb\/s|mt\/s|gbe|k?w|watts?|[cm]m|in|inch(?:es)?|db|dba|db\(a\)|cores?|threads?|fps|ms|rpm|dpi|cfm|nits|li?t?(?:er|re)?s?|k?g|grams?|h|hours?|v|volts?|va|x|slots?|fans?|keys?|buttons?)${ends}))(?![\p{L}\d])`
const amount = `(?:${marked}|${bare})`

const spelled = (pattern: string) => new RegExp(notInWord + pattern, 'iu')
const rangeWord = String.raw`\s*(?:-|–|to|and)\s*`
/** Phrases about the price, and whether their amounts are the lowest price, the highest, or both. */
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

/** No part costs more than `maxAmount`, so a higher price asks for the same parts. */
function amountIn(text: string): number {
  const digits = text.replaceAll(/[^\d.,]/g, '')
  const [whole = '', cents = ''] = digits.split(/[.,](?=\d{1,2}$)/)
  return Math.min(maxAmount, Number(`${whole.replaceAll(/[.,]/g, '')}.${cents}`))
}

/** '650 w psu under $90' asks for '650 w psu', up to 90. */
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
