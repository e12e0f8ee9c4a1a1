/**
 * Parses a search query into terms, and lists the alternative ways in which a part can match each
 * term. Does not query the database.
 *
 *     'a quiet rtx4070'  tokens: a, quiet, rtx4070
 *                        terms: quiet, rtx4070; the stop word is dropped
 *                        alternatives of rtx4070: `rtx4070` · `rtx` and `4070` · `rtx4070…` ·
 *                        joined: `quietrtx4070`
 */
import { searchLimits } from '#contracts/lists.ts'
import { plainLetters } from '#contracts/plain-letters.ts'

/** A token of a query, or several tokens with one meaning: 'cpu cooler'. */
export type Term = {
  /** Its tokens, joined as in the lexicon and the index. */
  word: string
  /** The typed text, to tell visitors that the term was dropped. */
  text: string
  /** Whether it names a kind of part. */
  isKind: boolean
  /**
   * Whether it describes what the part goes with: 'small' and 'case' in 'a supply that fits a small
   * case'.
   */
  isContext: boolean
  /** Whether matching parts must not have it: 'wifi' in 'a board without wifi'. */
  isNegated: boolean
}

/** One way to match a term: the part's index row has all of `words`. */
export type Alternative = {
  words: string[]
  /** The last of `words` is a prefix, because the visitor may still be typing. */
  isPrefix?: true
  /**
   * It names a kind. Parts that only fit that kind, or mention it in their description, do not
   * match.
   */
  isKind?: true
  /** Only facts match it, because a description may mention the word by chance. */
  isFact?: true
  /** It excludes the parts that match it. */
  isNegated?: true
  /** The weight of a match, relative to a match of the typed word itself. */
  boost: number
}

/** The words with a known meaning: names of kinds, and words that the owner explains. */
export type Lexicon = {
  /** Words that name a kind: its names, and the last word of each name. */
  kinds: ReadonlySet<string>
  /** The meanings of explained words. A word with an empty list is a stop word, such as 'for'. */
  means: ReadonlyMap<string, string[]>
}

/** Units that people write after a number, each with its spelling in the index. */
const units: Record<string, string> = {
  watts: 'w',
  watt: 'w',
  gig: 'gb',
  gigs: 'gb',
  gigabyte: 'gb',
  gigabytes: 'gb',
  terabyte: 'tb',
  terabytes: 'tb',
  hertz: 'hz',
  inches: 'in',
  inch: 'in',
  zoll: 'in',
  litres: 'l',
  liters: 'l',
  litre: 'l',
  liter: 'l',
  grams: 'g',
  gram: 'g',
  millimetres: 'mm',
  millimeters: 'mm',
  'mb/s': 'mbs',
  'mt/s': 'mts',
  'gbit/s': 'gbits',
  'gb/s': 'gbits',
  gbit: 'gbits',
  gbps: 'gbits',
  gigabit: 'gbits',
  gbe: 'gbits',
  mbps: 'mbs',
  nits: 'cdm2',
  t: 'tb',
  'db(a)': 'dba',
  db: 'dba',
  volts: 'v',
  volt: 'v',
}
const indexedUnits = [
  ...['w', 'kw', 'mb', 'gb', 'tb', 'mhz', 'ghz', 'hz', 'mm', 'cm', 'in', 'l', 'g', 'kg', 'v', 'ms'],
  ...['rpm', 'dpi', 'cfm', 'dba', 'mbs', 'mts', 'fps', 'gbits', 'cdm2', 'khz', 'va', 'h'],
]
for (const unit of indexedUnits) units[unit] = unit

/** Conversions to other units. A terabyte may be 1000 or 1024 gigabytes. */
const conversions: Record<string, [times: number, unit: string][]> = {
  tb: [
    [1000, 'gb'],
    [1024, 'gb'],
  ],
  gb: [[1 / 1000, 'tb']],
  kw: [[1000, 'w']],
  cm: [[10, 'mm']],
  kg: [[1000, 'g']],
  // '16g' may mean memory, '10g' a network
  g: [
    [1, 'gb'],
    [1, 'gbits'],
  ],
  ghz: [[1000, 'mhz']],
  mhz: [
    [1 / 1000, 'ghz'],
    [1, 'mts'],
  ],
}

const longestFirst = Object.keys(units).toSorted((a, b) => b.length - a.length)
const unitPattern = longestFirst.map((unit) => unit.replaceAll(/[()/]/g, '\\$&')).join('|')
const measurement = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,9}(?:[.,]\\d{1,3})?)(?:[\\s-]*(${unitPattern})(?![\\p{L}\\p{N}])|\\s*(?:["″”]|''|’’))`,
  'gu',
)

/** Formats a number with its unit as one word. The index omits decimal points. */
const sizeOf = (number: number, unit: string) =>
  `${String(Number(number.toPrecision(9))).replace('.', '')}${unit}`

/** Matches a word that consists of a number and a unit. */
const sizePattern = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]+)$/

/** A number and its unit as in the index, of a word that is a size: 330 and 'mm'. */
export function sizeIn(word: string): { number: number; unit: string } | undefined {
  const [, number = '', unit = ''] = sizePattern.exec(word) ?? []
  return unit in units ? { number: Number(number), unit } : undefined
}

/** Matches a kit of memory modules, '2x16gb'. Kits are sold by their total size. */
const memoryKit = /(?<![\p{L}\p{N}])(\d{1,2})\s*[x×]\s*(\d{1,4})\s*gb?(?![\p{L}\p{N}])/gu

/** The most tokens to parse. The search uses at most `searchLimits.words` of the terms. */
const maxTokens = 24

/** Joins the tokens of a text, as the index joins neighbours: 'LGA 1851' is 'lga1851'. */
export const squeezed = (text: string): string => tokenize(text).join('').replaceAll('.', '')

/** Splits a query into tokens. Their number and length are bounded for any input. */
export function tokenize(query: string): string[] {
  const text = plainLetters(query.slice(0, searchLimits.characters))
    .slice(0, 2 * searchLimits.characters)
    .replaceAll(
      memoryKit,
      (_, modules: string, size: string) => ` ${Number(modules) * Number(size)}gb `,
    )
    .replaceAll(measurement, (_, number: string, unit?: string) => {
      // '1,000 w' is a thousand, '2,5 ghz' is not
      const plain = /,\d{3}$/.test(number) ? number.replace(',', '') : number.replace(',', '.')
      return ` ${plain}${unit ? units[unit] : 'in'} `
    })
  const tokens = text.match(/\d+\.\d+[a-z]+|[\p{L}\p{N}\p{M}]+/gu) ?? []
  return tokens.slice(0, maxTokens)
}

/**
 * Returns the singular of a plural and the plural of a singular: 'fans' → 'fan', '8core' →
 * '8cores'.
 */
function otherNumbers(word: string): string[] {
  // model numbers have no plural: a different last letter means a different model
  if (!/^\d{0,3}\p{L}{3,}$/u.test(word)) return []
  if (/[^aeiou]ies$/.test(word)) return [`${word.slice(0, -3)}y`]
  if (/(s|x|ch|sh)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)]
  if (/[^s]s$/.test(word)) return [word.slice(0, -1)]
  return [/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`]
}

/**
 * Returns the spellings of a size in the index, in this and other units; none for a word that is
 * not a size.
 */
function sizesOf(word: string): string[] {
  const [, number = '', unit = ''] = sizePattern.exec(word) ?? []
  if (!(unit in units)) return []
  const others = (conversions[unit] ?? []).map(([times, other]) =>
    sizeOf(Number(number) * times, other),
  )
  // choices of lengths have no unit, such as radiators of 240, 280 and 360
  const isBare = unit === 'mm' || (unit === 'in' && number.includes('.'))
  const bare = isBare ? [number.replace('.', '')] : []
  return [sizeOf(Number(number), unit), ...others, ...bare]
}

const maxSizesOfRange = 100

/**
 * Expands a meaning such as '0 to 24 dBA' to sizes in whole numbers; none for any other meaning.
 */
function sizesInRange(meaning: string): string[] {
  const [, from = '', to = '', unit = ''] =
    /^(\d{1,6}) to (\d{1,6}) ?(\S+)$/.exec(plainLetters(meaning)) ?? []
  const symbol = units[unit]
  if (!symbol) return []
  const numbers = Math.min(maxSizesOfRange, Number(to) - Number(from) + 1)
  return Array.from({ length: Math.max(0, numbers) }, (_, i) => `${Number(from) + i}${symbol}`)
}

/** The word in its singular and plural forms. */
export const bothNumbers = (word: string) => [word, ...otherNumbers(word)]

const isKindName = (word: string, { kinds }: Lexicon) =>
  bothNumbers(word).some((each) => kinds.has(each))

/** The forms under which the lexicon may explain a word: 'quietest' by 'quiet'. */
const lexiconForms = (word: string) => [
  ...bothNumbers(word),
  word.replace(/(?<=^\p{L}{4,})est$/u, ''),
]

const explanationsOf = (word: string, { means }: Lexicon) =>
  [...new Set(lexiconForms(word))].flatMap((each) => means.get(each) ?? [])

/**
 * Meanings that are no words to match: the sort of a list, `sort=-capacity_gb` of 'biggest', a page
 * of the shop, `/returns`, and what the shop does not sell.
 */
export const notSold = '@nothing'
const isSign = (meaning: string) => /^(sort=|\/)/.test(meaning) || meaning === notSold

/** What the owner says that a word means, as words to match. */
export const meaningsOf = (word: string, lexicon: Lexicon) =>
  explanationsOf(word, lexicon).filter((meaning) => !isSign(meaning))

/** The other meanings of a word, those of its own form only: 'quietest' is not 'quiet'. */
export const signsOf = (word: string, { means }: Lexicon) =>
  bothNumbers(word).flatMap((each) => means.get(each)?.filter(isSign) ?? [])

/** The meanings of a word and those of these: 'amd' means 'radeon', and that means 'rx'. */
function meaningsInTwoSteps(word: string, lexicon: Lexicon): string[] {
  const own = meaningsOf(word, lexicon)
  const next = own.flatMap((meaning) => meaningsOf(squeezed(meaning), lexicon))
  return [...new Set([...own, ...next])].filter((meaning) => meaning !== word)
}

/** Whether a word names a kind, by itself or by the owner's explanation. */
const namesKind = (word: string, lexicon: Lexicon) =>
  isKindName(word, lexicon) ||
  meaningsOf(word, lexicon).some((text) => text.startsWith('@') || isKindName(text, lexicon))

/**
 * The alternatives of a single word: singular and plural, equal sizes, and the owner's
 * explanations.
 */
export function alternativesOfWord(
  word: string,
  lexicon: Lexicon,
  { boost = 1, isContext = false } = {},
): Alternative[] {
  const plain = word.replaceAll('.', '')
  const kind = isKindName(plain, lexicon) && !isContext ? { isKind: true as const } : {}
  return [
    ...bothNumbers(plain).map((each) => ({ words: [each], boost, ...kind })),
    ...sizesOf(word).map((size) => ({ words: [size], boost })),
    ...meaningsInTwoSteps(word, lexicon).flatMap((meaning): Alternative[] => {
      if (meaning.startsWith('@')) return [{ words: [meaning], boost }]
      const fact = isContext && { isFact: true as const }
      const range = sizesInRange(meaning)
      if (range.length > 0) return range.map((size) => ({ words: [size], boost, ...fact }))
      const words = tokenize(meaning)
      const isKind = words.length === 1 && isKindName(meaning, lexicon)
      return [{ words, boost, ...fact, ...(isKind && { isKind: true }) }]
    }),
  ]
}

/** Splits `rtx4070` into `rtx` and `4070`. Sizes stay whole. */
function splitAtDigits(word: string): Alternative[] {
  if (sizesOf(word).length > 0) return []
  const words = word.match(/\d+|[^\d.]+/g) ?? []
  return words.length > 1 && words.length < 5 ? [{ words, boost: 0.9 }] : []
}

/**
 * The most neighbours to join, as in 'rm 850 x'. Part numbers may have more pieces; a longer run is
 * joined if it is the whole query.
 */
const maxJoined = 3
const joinedBoost = (count: number) => (count === 2 ? 1.3 : 1.6)

/** Lists the runs of neighbours to join into one word, each with its first and last index. */
function spansOf(words: string[]): [first: number, last: number][] {
  const spans: [number, number][] = []
  for (let first = 0; first < words.length; first += 1) {
    for (let last = first + 1; last < words.length; last += 1) {
      const isWhole = first === 0 && last === words.length - 1
      if (last - first < maxJoined || isWhole) spans.push([first, last])
    }
  }
  return spans
}

/** Lists every word that the parser may look up in the lexicon. */
export function lexiconKeys(tokens: string[]): string[] {
  const joined = spansOf(tokens).map(([first, last]) => tokens.slice(first, last + 1).join(''))
  return [...tokens, ...joined].flatMap(lexiconForms)
}

/**
 * Joins tokens that together name a kind or that the owner explains as one word: 'graphics card',
 * 'all in one'.
 */
export function phrasesOf(tokens: string[], lexicon: Lexicon): Pick<Term, 'word' | 'text'>[] {
  const phrases: Pick<Term, 'word' | 'text'>[] = []
  let start = 0
  while (start < tokens.length) {
    const length = [3, 2].find((count) => {
      const joined = tokens.slice(start, start + count).join('')
      const isKnown = isKindName(joined, lexicon) || explanationsOf(joined, lexicon).length > 0
      return start + count <= tokens.length && isKnown
    })
    const phrase = tokens.slice(start, start + (length ?? 1))
    phrases.push({ word: phrase.join(''), text: phrase.join(' ') })
    start += phrase.length
  }
  return phrases
}

/** Words after which stands what a part should not have. */
export const negations: ReadonlySet<string> = new Set(['without', 'no', 'non', 'not'])

/**
 * Parses tokens into the terms to search for. Drops stop words such as 'for', unless nothing else
 * is left. If a query names two kinds with a word between them, it asks for the first kind; the
 * rest is its context, such as 'small case' in 'a supply for a small case'.
 */
export function parseTerms(tokens: string[], lexicon: Lexicon): Term[] {
  const terms: Term[] = []
  let isContext = false
  let isNegated = false
  let previous = ''
  for (const phrase of phrasesOf(tokens, lexicon)) {
    const kindAt = terms.findIndex(({ isKind }) => isKind)
    // the single letter in 'b650 i' belongs to the model, even if it is a stop word
    const isOfModel = phrase.word.length === 1 && /\d/.test(previous)
    previous = phrase.word
    if (negations.has(phrase.word)) {
      isNegated = true
      continue
    }
    const isStopWord = lexicon.means.get(phrase.word)?.length === 0
    if (isStopWord && !isOfModel) {
      isContext = kindAt >= 0
      continue
    }
    const isKind = !isNegated && namesKind(phrase.word, lexicon)
    if (isKind && kindAt >= 0 && kindAt < terms.length - 1) {
      // 'psu small case': the words before the second kind describe it
      for (const term of terms.slice(kindAt + 1)) term.isContext = true
      isContext = true
    }
    terms.push({ ...phrase, isKind, isContext, isNegated })
    isNegated = false
  }
  terms.forEach((term, at) => {
    // searches may leave out kinds in the context, so the text of the attribute before includes the
    // kind: 'small case'
    const next = terms[at + 1]
    if (term.isContext && !term.isKind && next?.isContext && next.isKind)
      term.text += ` ${next.text}`
  })
  // 'gaming pc' is not sold, but in 'gaming pc case' both words say nothing
  const isSilent = ({ text }: Term) =>
    text.includes(' ') && text.split(' ').every((word) => lexicon.means.get(word)?.length === 0)
  const isOfKind = terms.some(({ isKind, isNegated }) => isKind && !isNegated)
  if (isOfKind && terms.some(isSilent))
    return terms.filter((term) => !isSilent(term)).slice(0, searchLimits.words)
  // negated terms alone would match nearly every part, so the tokens are then searched for as typed
  if (terms.some((term) => !term.isNegated)) return terms.slice(0, searchLimits.words)
  const plain = { isKind: false, isContext: false, isNegated: false }
  return tokens.map((word) => ({ word, text: word, ...plain })).slice(0, searchLimits.words)
}

/**
 * Lists the alternatives of each term. A part matches a query when it matches one alternative of
 * every term.
 */
export function alternativesOf(terms: Term[], lexicon: Lexicon): Alternative[][] {
  const last = terms.length - 1
  const words = terms.map(({ word }) => word)
  const alternatives = terms.map(({ word, isContext, isKind, isNegated }): Alternative[] => {
    const own = [
      ...alternativesOfWord(word, lexicon, { isContext: isContext || isNegated }),
      ...(isKind ? [] : splitAtDigits(word)),
    ]
    return isNegated ? own.map((each) => ({ ...each, isNegated, isFact: true })) : own
  })
  const typing = terms[last]
  // no prefix search for a single letter, which nearly every word starts with, or for a kind:
  // 'case' is not an unfinished 'case fan'
  if (typing && !typing.isKind && !typing.isNegated && (typing.word.length > 1 || last > 0)) {
    const begun = typing.word.replaceAll('.', '')
    alternatives[last]?.push({ words: [begun], isPrefix: true, boost: 0.7 })
  }
  for (const [from, to] of spansOf(words)) {
    // 'mini itx case' contains a kind, so it is not a split model number
    if (terms.slice(from, to + 1).some(({ isKind, isNegated }) => isKind || isNegated)) continue
    const joined = words
      .slice(from, to + 1)
      .join('')
      .replaceAll('.', '')
    const boost = joinedBoost(to - from + 1)
    for (let at = from; at <= to; at += 1) {
      alternatives[at]?.push(...alternativesOfWord(joined, lexicon, { boost }))
      if (to === last)
        alternatives[at]?.push({ words: [joined], isPrefix: true, boost: 0.7 * boost })
    }
  }
  return alternatives
}
