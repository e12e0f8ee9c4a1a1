/** Reads what a visitor types into a search: which words there are, and all that each may mean. Nothing here asks the database. */
import { searchLimits } from '#contracts/lists.ts'

/** One way to read a word: a part that has all of `words`, as words of its index. */
export type Reading = {
  words: string[]
  /** The last of `words` may go on. */
  isBeginning?: true
  /** How much less or more than the word itself a part counts that has it so. */
  factor: number
}

/** What the shop says of typed words: kinds and their other names, and the words that the owner explains. */
export type Lexicon = {
  /** Words that name a kind by themselves. */
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
  gbe: 'gbits',
  'db(a)': 'dba',
  db: 'dba',
  volts: 'v',
  volt: 'v',
}
const spelledSo = [
  ...['w', 'kw', 'mb', 'gb', 'tb', 'mhz', 'ghz', 'hz', 'mm', 'cm', 'in', 'l', 'g', 'kg', 'v', 'ms'],
  ...['rpm', 'dpi', 'cfm', 'dba', 'mbs', 'mts', 'fps', 'gbits', 'h'],
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
  ghz: [[1000, 'mhz']],
  mhz: [[1 / 1000, 'ghz']],
}

/** As `folded()` of the database: lower case, without accents and trade marks. */
const fold = (text: string) =>
  text
    .replaceAll(/[™®©]/g, '')
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const longestFirst = Object.keys(units).toSorted((a, b) => b.length - a.length)
const unitPattern = longestFirst.map((unit) => unit.replaceAll(/[()/]/g, '\\$&')).join('|')
const measured = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,9}(?:[.,]\\d{1,3})?)\\s*(?:(${unitPattern})(?![\\p{L}\\p{N}])|["″])`,
  'gu',
)

/** A number with its unit in one word, as the index has it: without marks. */
const sizeOf = (number: number, unit: string) =>
  `${String(Number(number.toPrecision(9))).replace('.', '')}${unit}`

/** The number of a word that is one with a unit. */
const sized = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]+)$/

/** The words of a question: at most so many, of at most so many letters together, whatever is sent. */
export function wordsOf(question: string): string[] {
  const text = fold(question.slice(0, searchLimits.characters))
    .slice(0, 2 * searchLimits.characters)
    .replaceAll(measured, (_, number: string, unit?: string) => {
      // '1,000 w' is a thousand, '2,5 ghz' is not
      const plain = /,\d{3}$/.test(number) ? number.replace(',', '') : number.replace(',', '.')
      return ` ${plain}${unit ? units[unit] : 'in'} `
    })
  const words = text.match(/\d+\.\d+[a-z]+|[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.slice(0, searchLimits.words)
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
  const bare = unit === 'in' && number.includes('.') ? [number.replace('.', '')] : []
  return [sizeOf(Number(number), unit), ...others, ...bare]
}

/** What a word means by itself; a joined one counts for more. */
function ownReadings(word: string, { means }: Lexicon, factor = 1): Reading[] {
  const plain = word.replaceAll('.', '')
  const explained = [word, ...otherNumber(word)].flatMap((each) => means.get(each) ?? [])
  return [
    { words: [plain], factor },
    ...otherNumber(plain).map((other) => ({ words: [other], factor })),
    ...sizesOf(word).map((size) => ({ words: [size], factor })),
    ...explained.map((text) => ({
      words: text.startsWith('@') ? [text] : wordsOf(text),
      factor,
    })),
  ]
}

/** `rtx4070` is also `rtx` and `4070`. */
function pieces(word: string): Reading[] {
  const split = word.match(/\d+|[^\d.]+/g) ?? []
  return split.length > 1 && split.length < 5 ? [{ words: split, factor: 0.9 }] : []
}

/** So many words at most become one: 'rm 850 x'. A part number has more pieces, and is joined whole. */
const mostJoined = 3
const joinedFactor = (words: number) => (words === 2 ? 1.3 : 1.6)

/** The runs of words that are read as one, as the places of their first and last. */
function spansOf(words: string[], { kinds }: Lexicon): [number, number][] {
  const spans: [number, number][] = []
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to < words.length; to += 1) {
      const together = words.slice(from, to + 1)
      const isWhole = from === 0 && to === words.length - 1
      // 'mini itx case' names a kind; 'case fan' is the name of one
      const namesKind = together.some((word) => kinds.has(word)) && !kinds.has(together.join(''))
      if ((together.length <= mostJoined || isWhole) && !namesKind) spans.push([from, to])
    }
  }
  return spans
}

/** The words that say nothing, such as 'for', are left out where others are left. */
export const saying = (words: string[], { means }: Lexicon): string[] => {
  const left = words.filter((word) => means.get(word)?.length !== 0)
  return left.length > 0 ? left : words
}

/** Every word that the lexicon is asked about. */
export function askedWords(words: string[]): string[] {
  const spans = spansOf(words, { kinds: new Set(), means: new Map() })
  const joined = spans.map(([from, to]) => words.slice(from, to + 1).join(''))
  return [...words, ...joined].flatMap((word) => [word, ...otherNumber(word)])
}

/**
 * All that each word may mean. A part answers when it has one reading of every word.
 * @param goesOn whether the last word may be the beginning of one
 */
export function readingsOf(words: string[], lexicon: Lexicon, goesOn = true): Reading[][] {
  const last = words.length - 1
  const readings = words.map((word) => [...ownReadings(word, lexicon), ...pieces(word)])
  const beginning = (place: number, word: string, factor: number) => {
    // one letter begins nearly everything
    if (goesOn && place === last && (word.length > 1 || last > 0))
      readings[place]?.push({ words: [word], isBeginning: true, factor })
  }
  words.forEach((word, place) => {
    beginning(place, word.replaceAll('.', ''), 0.7)
  })
  for (const [from, to] of spansOf(words, lexicon)) {
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
