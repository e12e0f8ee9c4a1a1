/** Turns a visitor's question into a condition and a rank over the index of parts. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/database/client.ts'
import { partIndex } from '#server/database/schema/parts.ts'
import {
  type Asked,
  askedOf,
  type Lexicon,
  lookedUp,
  type Reading,
  readingsOf,
  wordsOf,
} from './read-question.ts'

/** How a question was understood. */
export type Found = {
  /** Which rows `i` of `part_index` answer. */
  where: SQL
  /** Whether a row `i` has all words as typed, in its name, its part numbers or its kind: cheap, to look at few more closely. */
  near: SQL
  /** How well a row `i` with its part `p` answers; more is better. What is equal stands in the owner's order. */
  rank: SQL
  /** The words that were looked for instead, when the typed ones are nowhere: 'ryzen 7' for 'ryzn 7'. */
  read?: string
  /** The typed words that had to be left out, because nothing has them together with the others. */
  left?: string[]
  /** What else is nearly answered: a question that keeps words of `left`, and those that it goes without. */
  instead?: { q: string; left: string[] }
}

/** Longest that a question of a visitor may keep the database busy. */
const statementMs = 2_000

/** Runs what a visitor asks for in a transaction whose statements PostgreSQL ends after two seconds. */
export const timeLimited = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.transaction(
    async (tx) => {
      // sent first, and not waited for
      const limited = tx.execute(sql.raw(`set local statement_timeout = ${statementMs}`)).then()
      const [result] = await Promise.all([work(tx), limited])
      return result
    },
    { accessMode: 'read only' },
  )

/** Where a word is found: name and part numbers, kind, specification, description; and what each counts. */
const levels = [
  ['A', 1],
  ['B', 1.2],
  ['C', 0.6],
  ['D', 0.25],
] as const
/** Descriptions speak of other parts too ('no cooler in the box'), so they are read only when nothing else answers. */
const usual = 'ABC'
const all = 'ABCD'

/** Everything but letters, digits and the two marks of a kind's address would be PostgreSQL's own syntax. */
const lexeme = (word: string, mark: string) =>
  `'${word.replaceAll(/[^\p{L}\p{N}\p{M}@-]/gu, '')}':${mark}`

/** Where a kind is named. */
const naming = 'AB'

/** A word as a fact: among descriptions it is found by its mark, which the index gives to what a part fits. */
const factOf = (word: string, weights: string) => {
  const stated = weights.replace('D', '')
  const fitting = weights.includes('D') ? [lexeme(`-${word}`, 'D')] : []
  return `(${[...(stated ? [lexeme(word, stated)] : []), ...fitting].join(' | ')})`
}

const queryOf = ({ words, isBeginning, isKind, isFact }: Reading, weights: string) => {
  const within = isKind && weights.length > naming.length ? naming : weights
  if (isFact) return words.map((word) => factOf(word, within)).join(' & ')
  return words
    .map((word, i) => lexeme(word, isBeginning && i === words.length - 1 ? `*${within}` : within))
    .join(' & ')
}

const anyOf = (readings: Reading[], weights: string) =>
  [...new Set(readings.map((reading) => `(${queryOf(reading, weights)})`))].join(' | ')

const isNot = (readings: Reading[]) => readings.some((reading) => reading.isNot)

/** The tsquery of words that a part must have, each in one of its readings, or must not state. */
const allOf = (words: Reading[][], weights: string) =>
  words
    .map((readings) =>
      isNot(readings) ? `!(${anyOf(readings, all)})` : `(${anyOf(readings, weights)})`,
    )
    .join(' & ')

/** The best place where a part has a word. @param weights where it is looked for */
function scoreOf(readings: Reading[], weights: string): SQL {
  const byScore = new Map<number, string[]>()
  for (const reading of readings) {
    for (const [level, counts] of levels) {
      if (!(reading.isKind ? naming : weights).includes(level)) continue
      const score = Math.round(100 * counts * reading.factor) / 100
      byScore.set(score, [...(byScore.get(score) ?? []), `(${queryOf(reading, level)})`])
    }
  }
  const cases = [...byScore]
    .toSorted(([a], [b]) => b - a)
    .map(
      ([score, queries]) =>
        sql`when i.words @@ ${queries.join(' | ')}::tsquery then ${sql.raw(String(score))}`,
    )
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}

/** Of parts that answer alike, first what sells and is there, and whose name says little else. */
function rankOf(words: Reading[][], weights: string, typed: number): SQL {
  const scores = sql.join(
    words.filter((each) => !isNot(each)).map((readings) => scoreOf(readings, weights)),
    sql` + `,
  )
  return sql`(${scores} + 0.06 * ln(1 + p.sold_90)
    + case when p.on_hand - p.reserved >= p.minimum_order_quantity then 0.15 else 0 end
    + 0.2 * least(1, ${typed}::float8 / length(p.name)))`
}

const nearOf = (words: Reading[][]) => {
  const whole = words.map((readings) => readings.filter(({ isBeginning }) => !isBeginning))
  return sql`i.words @@ ${allOf(whole, 'AB')}::tsquery`
}

async function lexiconOf(db: Queryable, words: string[]): Promise<Lexicon> {
  const { rows } = await db.execute<{ word: string | null; means: string[] }>(sql`
    select null as word, array[name] || other_names as means from kinds
    union all select word, means from search_words where word = any(${sql.param(lookedUp(words))}::text[])`)
  const named = rows
    .filter(({ word }) => word === null)
    .flatMap(({ means }) => means.map((name) => wordsOf(name)))
  return {
    kinds: new Set(named.flatMap((name) => [name.join(''), name.at(-1) ?? ''])),
    means: new Map(rows.flatMap(({ word, means }) => (word === null ? [] : [[word, means]]))),
  }
}

/**
 * Whether parts have this. A table expression of its own, because its first row is enough, and because PostgreSQL would
 * otherwise read the parts one after the other in hope of an early hit.
 */
const hasAnswer = (
  query: string,
  within: SQL,
) => sql`(with hits as materialized (select from ${partIndex} i
  where i.is_on_sale and i.words @@ ${query}::tsquery and ${within}) select exists (select from hits))`

/** Which of these have an answer: one statement for all. */
async function answered(db: Queryable, queries: string[], within: SQL): Promise<boolean[]> {
  if (queries.length === 0) return []
  const has = queries.map((query) => hasAnswer(query, within))
  const { rows } = await db.execute<{ has: boolean[] }>(
    sql`select array[${sql.join(has, sql`, `)}] as has`,
  )
  return rows[0]?.has ?? []
}

/** The first of these that has an answer; those after it are not looked for. */
async function firstAnswered<T extends { query: string }>(
  db: Queryable,
  ways: T[],
  within: SQL,
): Promise<T | undefined> {
  if (ways.length === 0) return undefined
  const cases = ways.map(
    ({ query }, place) => sql`when ${hasAnswer(query, within)} then ${sql.raw(String(place))}`,
  )
  const { rows } = await db.execute<{ place: number | null }>(
    sql`select case ${sql.join(cases, sql` `)} end as place`,
  )
  return ways[rows[0]?.place ?? -1]
}

/** Letters alone are taken for misspelled: 4070 is not 4060. */
const mayBeMisspelled = (word: string) => /^[\p{L}\p{M}]{4,}$/u.test(word)

/** Letters to change, insert, remove or swap. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (last[j - 1] ?? 0) + Number(one[i - 1] !== other[j - 1])
      const best = Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = isSwap ? Math.min(best, (before[j - 2] ?? 0) + 1) : best
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** How many letters were typed wrong, if this is the word that was meant; the last word may go on. */
function mistakes(typed: string, meant: string, goesOn: boolean): number {
  const most = typed.length >= 8 ? 2 : 1
  const whole = distance(typed, meant)
  if (whole <= most || !goesOn) return whole <= most ? whole : Number.POSITIVE_INFINITY
  const begun = [-1, 0, 1].map((more) => distance(typed, meant.slice(0, typed.length + more)))
  return Math.min(...begun) <= 1 ? 1.5 : Number.POSITIVE_INFINITY
}

/** Words of the catalogue that each typed word may be a misspelling of, the likeliest first. */
async function meantBy(db: Queryable, words: string[]): Promise<string[][]> {
  const { rows } = await db.execute<{ typed: string; word: string; parts: number }>(sql`
    select typed, alike.* from unnest(${sql.param(words.filter(mayBeMisspelled))}::text[]) typed
    cross join lateral (select word, parts from search_vocabulary order by word <-> typed limit 20) alike`)
  return words.map((typed, place) =>
    rows
      .filter((row) => row.typed === typed && row.word !== typed)
      .map((row) => ({ ...row, wrong: mistakes(typed, row.word, place === words.length - 1) }))
      .filter(({ wrong }) => Number.isFinite(wrong))
      .toSorted((a, b) => a.wrong - b.wrong || b.parts - a.parts)
      .slice(0, 3)
      .map(({ word }) => word),
  )
}

/** These words as somebody would type them. */
const questionOf = (asked: Asked[]) =>
  asked
    .map(({ text, isBeside, isNot }, place) => {
      const leads = isBeside && !asked[place - 1]?.isBeside ? 'for ' : ''
      return `${leads}${isNot ? 'without ' : ''}${text}`
    })
    .join(' ')

/** The words with what each may be a misspelling of. */
type Guessed = { asked: Asked[]; readings: Reading[][]; meant: Reading[][] }

const mixedOf = ({ readings, meant }: Guessed) =>
  readings.map((own, place) => [...own, ...(meant[place] ?? [])])

/** The question with misspelled words corrected, when parts answer that. */
async function corrected(db: Queryable, guessed: Guessed, within: SQL) {
  const { asked, readings, meant } = guessed
  const mixed = mixedOf(guessed)
  // of each word the typed reading goes before every correction
  const tries = mixed.flatMap((_, place) =>
    [readings[place] ?? [], ...(meant[place] ?? []).map((only) => [only])].map((only, choice) => ({
      place,
      choice,
      only,
    })),
  )
  const has = await answered(
    db,
    tries.map(({ place, only }) => allOf(mixed.with(place, only), all)),
    within,
  )
  const chosen = asked.map((_, place) => tries.find((each, i) => has[i] && each.place === place))
  if (chosen.some((each) => !each)) return null
  return {
    readings: chosen.map((each) => each?.only ?? []),
    read: asked
      .map(({ text }, i) => meant[i]?.[(chosen[i]?.choice ?? 0) - 1]?.words.join(' ') ?? text)
      .join(' '),
  }
}

/**
 * The most of the question that parts answer. What no part has goes first, then one word: of two kinds the last, what the part
 * goes with, any other from the last on. A kind stays.
 * @returns places kept, and the most that parts answer with what was not kept
 */
async function withoutSome(db: Queryable, guessed: Guessed, within: SQL) {
  const mixed = mixedOf(guessed)
  const query = (places: number[]) =>
    allOf(
      places.map((place) => mixed[place] ?? []),
      all,
    )
  const first = async (ways: number[][]) => {
    const asked = ways
      .filter((places) => places.some((place) => !guessed.asked[place]?.isNot))
      .map((kept) => ({ kept, query: query(kept) }))
    return (await firstAnswered(db, asked, within))?.kept ?? []
  }
  const places = mixed.map((_, place) => place)
  const wanted = places.filter((place) => !guessed.asked[place]?.isNot)
  const alone = await answered(
    db,
    wanted.map((place) => query([place])),
    within,
  )
  const known = places.filter((place) => alone[wanted.indexOf(place)] ?? true)
  const isKind = (place: number) =>
    guessed.asked[place]?.isKind || guessed.meant[place]?.some((reading) => reading.isKind)
  const named = known.filter(isKind)
  const others = known.filter((place) => !isKind(place)).toReversed()
  const besides = others.toSorted(
    (a, b) => Number(guessed.asked[b]?.isBeside) - Number(guessed.asked[a]?.isBeside),
  )
  const fewer = (some: number[]) => [
    ...some.map((left) => known.filter((place) => place !== left)),
    ...some.map((_, i) =>
      known.filter((place) => place === named[0] || !some.slice(0, i + 1).includes(place)),
    ),
  ]
  const kept = await first([
    known,
    ...(named.length > 1 ? named.toReversed() : []).map((left) =>
      known.filter((place) => place !== left),
    ),
    ...fewer(besides),
    named.slice(0, 1),
  ])
  const isLost = (place: number) => !kept.includes(place)
  const lost = besides.filter(isLost)
  // of one word there is nothing else, and without any the whole question is answered but for what nobody has
  const isChoice = kept.length > 1 && lost.length > 0
  return {
    kept,
    other: isChoice ? await first(fewer(others.filter((place) => !isLost(place)))) : [],
  }
}

/**
 * Reads a question and says which parts answer it. At most a handful of statements that are bounded whatever was typed: run
 * it in `timeLimited`, and then the query that uses the result:
 *
 *     const found = await findParts(tx, q)
 *     … from part_index i join parts p on p._id = i.part_id
 *     where i.is_on_sale and ${found.where} order by ${found.rank} desc, p.position
 *
 * Misspellings are looked for only when nothing has the words as they are, and words are left out only when that does not
 * help either; `read` and `left` tell. Where nothing at all answers, `where` is false and `left` has every word. A question
 * without a word, such as '', is answered by every part.
 * @param within a condition on `i` that is asked besides, such as `i.kind = …`
 * @param asTyped whether only the typed words will do
 */
export async function findParts(
  db: Queryable,
  question: string,
  { within = sql`true`, asTyped = false }: { within?: SQL; asTyped?: boolean } = {},
): Promise<Found> {
  const typed = wordsOf(question)
  if (typed.length === 0)
    return { where: sql`true`, near: sql`true::boolean`, rank: sql`0::float8` }
  const [lexicon] = await Promise.all([
    lexiconOf(db, typed),
    // for so many alternatives the planner expects half of the parts, and would read them all
    db.execute(sql`set local enable_seqscan = off`),
  ])
  const answer = (
    asked: Asked[],
    readings: Reading[][],
    weights: string,
    how: Pick<Found, 'read' | 'left' | 'instead'>,
  ) => ({
    where: sql`i.words @@ ${allOf(readings, weights)}::tsquery`,
    near: nearOf(readings),
    rank: rankOf(readings, weights, asked.map(({ word }) => word).join('').length),
    ...how,
  })
  const guess = async (asked: Asked[], readings: Reading[][]): Promise<Guessed> => {
    const meant = await meantBy(
      db,
      asked.map(({ word }) => word),
    )
    const asReading = (word: string): Reading => {
      const kind = lexicon.kinds.has(word) ? { isKind: true as const } : {}
      return { words: [word], factor: 0.6, ...kind }
    }
    return { asked, readings, meant: meant.map((words) => words.map(asReading)) }
  }
  async function understand(typed: Asked[], how: Pick<Found, 'left' | 'instead'>): Promise<Found> {
    // 'with cooler' may be a fact of a processor; the case that a supply is for is none
    const plain = typed.filter(({ isKind, isBeside }) => !(isKind && isBeside))
    const ways = [
      ...(plain.length < typed.length ? [{ asked: typed, weights: usual }] : []),
      { asked: plain, weights: usual },
      { asked: plain, weights: all },
    ].map(({ asked, weights }) => {
      const readings = readingsOf(asked, lexicon)
      return { asked, weights, readings, query: allOf(readings, weights) }
    })
    const way = await firstAnswered(db, ways, within)
    if (way) return answer(way.asked, way.readings, way.weights, how)
    const asked = plain
    const readings = readingsOf(asked, lexicon)
    const left = asked.map(({ text }) => text)
    const nothing = { where: sql`false`, near: sql`true::boolean`, rank: sql`0::float8`, left }
    if (asTyped) return nothing
    const guessed = await guess(asked, readings)
    const right = await corrected(db, guessed, within)
    if (right) return answer(asked, right.readings, all, { ...how, read: right.read })
    if (how.left) return nothing
    const { kept, other } = await withoutSome(db, guessed, within)
    if (kept.length === 0) return nothing
    const lost = (places: number[]) => left.filter((_, place) => !places.includes(place))
    const of = (places: number[]) => asked.filter((_, place) => places.includes(place))
    return understand(of(kept), {
      left: lost(kept),
      ...(other.length > 0 && { instead: { q: questionOf(of(other)), left: lost(other) } }),
    })
  }
  return understand(askedOf(typed, lexicon), {})
}
