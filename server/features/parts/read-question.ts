/** Reads what a visitor types into a search: which words there are, and all that each may mean. Nothing here asks the database. */
import { searchLimits } from '#contracts/lists.ts'
import { plainLetters } from '#contracts/plain-letters.ts'

/** One way to read a word: a part that has all of `words`, as words of its index. */
export type Reading = {
  words: string[]
  /** The last of `words` may go on. */
  isBeginning?: true
  /** It names a kind: what a part fits, or what its description speaks of, is no answer. */
  isKind?: true
  /** It is an explanation of what the part goes with: a description that happens to have the word is no answer. */
  isFact?: true
  /** A part that has it does not answer. */
  isNot?: true
  /** How much less or more than the word itself a part counts that has it so. */
  factor: number
}

/** A word of a question, or several that are one: 'cpu cooler'. */
export type Asked = {
  word: string
  /** As people are told of it when it is left out. */
  text: string
  isKind: boolean
  /** It says what the part goes with, or is of: 'small' and 'case' of 'a supply that fits a small case'. */
  isBeside: boolean
  /** It is what the part should not have: 'wifi' of 'a board without wifi'. */
  isNot: boolean
}

/** What the shop says of typed words: kinds and their other names, and the words that the owner explains. */
export type Lexicon = {
  /** Words that name a kind: its names, and the last word of each. */
  kinds: ReadonlySet<string>
  means: ReadonlyMap<string, string[]>
}

/** Units that people write after a number, and how the index spells them. */
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
const spelledSo = [
  ...['w', 'kw', 'mb', 'gb', 'tb', 'mhz', 'ghz', 'hz', 'mm', 'cm', 'in', 'l', 'g', 'kg', 'v', 'ms'],
  ...['rpm', 'dpi', 'cfm', 'dba', 'mbs', 'mts', 'fps', 'gbits', 'cdm2', 'khz', 'va', 'h'],
]
for (const unit of spelledSo) units[unit] = unit

/** The same size in other units. A terabyte is sold as 1000 and as 1024 gigabytes. */
const conversions: Record<string, [times: number, unit: string][]> = {
  tb: [
    [1000, 'gb'],
    [1024, 'gb'],
  ],
  gb: [[1 / 1000, 'tb']],
  kw: [[1000, 'w']],
  cm: [[10, 'mm']],
  kg: [[1000, 'g']],
  // '16g' of memory, and a '10g' network
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
const measured = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,9}(?:[.,]\\d{1,3})?)(?:[\\s-]*(${unitPattern})(?![\\p{L}\\p{N}])|\\s*(?:["″”]|''|’’))`,
  'gu',
)

/** A number with its unit in one word, as the index has it: without marks. */
const sizeOf = (number: number, unit: string) =>
  `${String(Number(number.toPrecision(9))).replace('.', '')}${unit}`

/** The number of a word that is one with a unit. */
const sized = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]+)$/

/** A kit of so many modules, by the size of all. */
const kit = /(?<![\p{L}\p{N}])(\d{1,2})\s*[x×]\s*(\d{1,4})\s*gb?(?![\p{L}\p{N}])/gu

/** So many words of a question are looked at; of those that say something `searchLimits.words` are asked for. */
const mostTyped = 24

/** The words of a question: at most so many, of at most so many letters together, whatever is sent. */
export function wordsOf(question: string): string[] {
  const text = plainLetters(question.slice(0, searchLimits.characters))
    .slice(0, 2 * searchLimits.characters)
    .replaceAll(kit, (_, modules: string, size: string) => ` ${Number(modules) * Number(size)}gb `)
    .replaceAll(measured, (_, number: string, unit?: string) => {
      // '1,000 w' is a thousand, '2,5 ghz' is not
      const plain = /,\d{3}$/.test(number) ? number.replace(',', '') : number.replace(',', '.')
      return ` ${plain}${unit ? units[unit] : 'in'} `
    })
  const words = text.match(/\d+\.\d+[a-z]+|[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.slice(0, mostTyped)
}

/** 'fans' is 'fan', and '8core' is '8cores'. */
function otherNumber(word: string): string[] {
  // a model with another letter at its end is another model
  if (!/^\d{0,3}\p{L}{3,}$/u.test(word)) return []
  if (/[^aeiou]ies$/.test(word)) return [`${word.slice(0, -3)}y`]
  if (/(s|x|ch|sh)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)]
  if (/[^s]s$/.test(word)) return [word.slice(0, -1)]
  return [/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`]
}

/** The word without its mark, and the same size in other units. */
function sizesOf(word: string): string[] {
  const [, number = '', unit = ''] = sized.exec(word) ?? []
  if (!(unit in units)) return []
  const others = (conversions[unit] ?? []).map(([times, other]) =>
    sizeOf(Number(number) * times, other),
  )
  // a choice of lengths has no unit: the radiators of 240, 280 and 360
  const isBare = unit === 'mm' || (unit === 'in' && number.includes('.'))
  const bare = isBare ? [number.replace('.', '')] : []
  return [sizeOf(Number(number), unit), ...others, ...bare]
}

/** The whole numbers of a meaning such as '0 to 24 dBA'; none for any other. */
const mostNumbers = 100
function rangeOf(meaning: string): string[] {
  const [, from = '', to = '', unit = ''] =
    /^(\d{1,6}) to (\d{1,6}) ?(\S+)$/.exec(plainLetters(meaning)) ?? []
  const known = units[unit]
  if (!known) return []
  const numbers = Math.min(mostNumbers, Number(to) - Number(from) + 1)
  return Array.from({ length: Math.max(0, numbers) }, (_, i) => `${Number(from) + i}${known}`)
}

const bothNumbers = (word: string) => [word, ...otherNumber(word)]

const isKindName = (word: string, { kinds }: Lexicon) =>
  bothNumbers(word).some((each) => kinds.has(each))

/** 'quietest' is explained by 'quiet'. */
const explained = (word: string) => [...bothNumbers(word), word.replace(/(?<=^\p{L}{4,})est$/u, '')]

const meaningsOf = (word: string, { means }: Lexicon) =>
  [...new Set(explained(word))].flatMap((each) => means.get(each) ?? [])

/** Whether a word names a kind, by itself or as the owner explains it. */
const namesKind = (word: string, lexicon: Lexicon) =>
  isKindName(word, lexicon) ||
  meaningsOf(word, lexicon).some((text) => text.startsWith('@') || isKindName(text, lexicon))

/** What a word means by itself; a joined one counts for more. */
function ownReadings(word: string, lexicon: Lexicon, factor = 1, isBeside = false): Reading[] {
  const plain = word.replaceAll('.', '')
  const kind = isKindName(plain, lexicon) && !isBeside ? { isKind: true as const } : {}
  return [
    ...bothNumbers(plain).map((other) => ({ words: [other], factor, ...kind })),
    ...sizesOf(word).map((size) => ({ words: [size], factor })),
    ...meaningsOf(word, lexicon).flatMap((text): Reading[] => {
      if (text.startsWith('@')) return [{ words: [text], factor }]
      const fact = isBeside && { isFact: true as const }
      const range = rangeOf(text)
      if (range.length > 0) return range.map((size) => ({ words: [size], factor, ...fact }))
      const words = wordsOf(text)
      const named = words.length === 1 && isKindName(text, lexicon)
      return [{ words, factor, ...fact, ...(named && { isKind: true }) }]
    }),
  ]
}

/** `rtx4070` is also `rtx` and `4070`; a size is whole. */
function pieces(word: string): Reading[] {
  if (sizesOf(word).length > 0) return []
  const split = word.match(/\d+|[^\d.]+/g) ?? []
  return split.length > 1 && split.length < 5 ? [{ words: split, factor: 0.9 }] : []
}

/** So many words at most become one: 'rm 850 x'. A part number has more pieces, and is joined whole. */
const mostJoined = 3
const joinedFactor = (words: number) => (words === 2 ? 1.3 : 1.6)

/** The runs of words, as the places of their first and last: few, or all of them. */
function spansOf(words: string[]): [number, number][] {
  const spans: [number, number][] = []
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to < words.length; to += 1) {
      const isWhole = from === 0 && to === words.length - 1
      if (to - from < mostJoined || isWhole) spans.push([from, to])
    }
  }
  return spans
}

/** Every word that the lexicon is asked about. */
export function lookedUp(words: string[]): string[] {
  const joined = spansOf(words).map(([from, to]) => words.slice(from, to + 1).join(''))
  return [...words, ...joined].flatMap(explained)
}

/** Several words that name a kind, or that the owner explains by one, become it: 'graphics card', 'all in one'. */
function phrasesOf(words: string[], lexicon: Lexicon): { word: string; text: string }[] {
  const phrases: { word: string; text: string }[] = []
  let place = 0
  while (place < words.length) {
    const length = [3, 2].find((count) => {
      const joined = words.slice(place, place + count).join('')
      const isKnown = isKindName(joined, lexicon) || meaningsOf(joined, lexicon).length > 0
      return place + count <= words.length && isKnown
    })
    const taken = words.slice(place, place + (length ?? 1))
    phrases.push({ word: taken.join(''), text: taken.join(' ') })
    place += taken.length
  }
  return phrases
}

const negations = new Set(['without', 'no', 'non', 'not'])

/**
 * What a question asks for. Words that say nothing, such as 'for', are left out where others are left. Of two kinds with
 * something between them the first is asked for: what follows is beside it, as 'small case' is in 'a supply for a small case'.
 */
export function askedOf(words: string[], lexicon: Lexicon): Asked[] {
  const asked: Asked[] = []
  let isBeside = false
  let isNot = false
  let before = ''
  for (const phrase of phrasesOf(words, lexicon)) {
    const kindAt = asked.findIndex(({ isKind }) => isKind)
    // the letter of 'b650 i' is one of a model
    const isOfModel = phrase.word.length === 1 && /\d/.test(before)
    before = phrase.word
    if (negations.has(phrase.word)) {
      isNot = true
      continue
    }
    if (lexicon.means.get(phrase.word)?.length === 0 && !isOfModel) {
      isBeside = kindAt >= 0
      continue
    }
    const isKind = !isNot && namesKind(phrase.word, lexicon)
    if (isKind && kindAt >= 0 && kindAt < asked.length - 1) {
      // 'psu small case'
      for (const other of asked.slice(kindAt + 1)) other.isBeside = true
      isBeside = true
    }
    asked.push({ ...phrase, isKind, isBeside, isNot })
    isNot = false
  }
  asked.forEach((each, place) => {
    const next = asked[place + 1]
    if (each.isBeside && !each.isKind && next?.isBeside && next.isKind) each.text += ` ${next.text}`
  })
  // what a part should not have says nothing of what it is
  if (asked.some((each) => !each.isNot)) return asked.slice(0, searchLimits.words)
  const plain = { isKind: false, isBeside: false, isNot: false }
  return words.map((word) => ({ word, text: word, ...plain })).slice(0, searchLimits.words)
}

/**
 * All that each word may mean. A part answers when it has one reading of every word.
 * @param goesOn whether the last word may be the beginning of one
 */
export function readingsOf(asked: Asked[], lexicon: Lexicon, goesOn = true): Reading[][] {
  const last = asked.length - 1
  const words = asked.map(({ word }) => word)
  const readings: Reading[][] = words.map((word, place) => {
    const { isBeside, isKind, isNot } = asked[place] ?? {}
    const all = [
      ...ownReadings(word, lexicon, 1, isBeside || isNot),
      ...(isKind ? [] : pieces(word)),
    ]
    return isNot ? all.map((reading) => ({ ...reading, isNot, isFact: true })) : all
  })
  const beginning = (place: number, word: string, factor: number) => {
    // one letter begins nearly everything, and 'case' begins no 'case fan'
    const { isKind, isNot } = asked[place] ?? {}
    if (!goesOn || place !== last || isKind || isNot || (word.length < 2 && last === 0)) return
    readings[place]?.push({ words: [word], isBeginning: true, factor })
  }
  words.forEach((word, place) => {
    beginning(place, word.replaceAll('.', ''), 0.7)
  })
  for (const [from, to] of spansOf(words)) {
    // 'mini itx case' names a kind
    if (asked.slice(from, to + 1).some(({ isKind, isNot }) => isKind || isNot)) continue
    const joined = words
      .slice(from, to + 1)
      .join('')
      .replaceAll('.', '')
    const factor = joinedFactor(to - from + 1)
    for (let place = from; place <= to; place += 1) {
      readings[place]?.push(...ownReadings(joined, lexicon, factor))
      if (goesOn && to === last)
        readings[place]?.push({ words: [joined], isBeginning: true, factor: 0.7 * factor })
    }
  }
  return readings
}
