/** Reads what a question says of money. Nothing here imports the schema library, so a visitor's page can afford it. */

/** A question without its words of money, and what they say in dollars. */
type PricedQuestion = {
  words: string
  from?: number
  to?: number
  /** It asks for what is cheap. */
  isCheap?: true
}

const notInWord = String.raw`(?<![\p{L}\p{N}.,$])`
const ends = String.raw`(?![\p{L}\p{N}])`
const number = String.raw`\d{1,3}(?:,\d{3})+(?!\d)|\d{1,6}(?!\d)`
const sign = String.raw`\s?(?:\$|(?:dollars?|usd|bucks?)${ends})`
/** An amount that says that it is one. */
const marked = String.raw`(?:\$\s?(?:${number})(?:\.\d{1,2})?(?:${sign})?|(?:${number})(?:\.\d{1,2})?${sign})`
/** A number that is no size and no part of one: 'under 90', and not 'under 90 mm'. */
const bare = String.raw`(?:${number})(?:\.\d{1,2})?(?![\d.,]*[\s-]*(?:["″”%°]|''|(?:[kmgt]?hz|[kmgt]b|[gm]bits?|[gm]bps|mb\/s|gb\/s|mt\/s|gbe|k?w|watts?|[cm]m|in|inch(?:es)?|db|dba|db\(a\)|cores?|threads?|fps|ms|rpm|dpi|cfm|nits|li?t?(?:er|re)?s?|k?g|grams?|h|hours?|v|volts?|va|x|slots?|fans?|keys?|buttons?)${ends}))(?![\p{L}\d])`
const amount = `(?:${marked}|${bare})`

const spelled = (pattern: string) => new RegExp(notInWord + pattern, 'iu')
const between = String.raw`\s*(?:-|–|to|and)\s*`
/** What is said, and whether its amounts are the least, the most, or both. */
const sayings: [RegExp, 'from' | 'to' | 'both'][] = [
  [spelled(`between\\s+(${amount})${between}(${amount})`), 'both'],
  [spelled(`(?:from\\s+)?(${marked}|${number})${between}(${marked})`), 'both'],
  [spelled(`(?:from\\s+)?(${marked})${between}(${marked}|${bare})`), 'both'],
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

const dollarsOf = (text = '') => Number(text.replaceAll(/[^\d.]/g, ''))

/** '650 w psu under $90' asks for '650 w psu', up to 90 dollars. */
export function readPrice(question: string): PricedQuestion {
  const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  for (const [pattern, says] of sayings) {
    const [said, one, other] = pattern.exec(question) ?? []
    if (said === undefined) continue
    const amounts = [one, other].filter((text) => text !== undefined).map(dollarsOf)
    return {
      ...readPrice(question.replace(said, ' ')),
      ...(says !== 'to' && { from: Math.min(...amounts) }),
      ...(says !== 'from' && { to: Math.max(...amounts) }),
    }
  }
  const words = tidy(question.replace(cheap, ' '))
  return words === tidy(question) ? { words } : { words, isCheap: true }
}
