/**
 * Resolves a search query against the search index, `part_index`. Tries candidates, from the query
 * as typed to one with corrected and dropped terms, and returns the first one with matches, as a
 * condition and a relevance in SQL.
 */

import { type SQL, sql } from 'drizzle-orm'
import { editDistance } from '#contracts/edit-distance.ts'
import type { Database, Queryable } from '#server/database/client.ts'
import { partIndex } from '#server/database/schema/parts.ts'
import {
  type Alternative,
  alternativesOf,
  alternativesOfWord,
  bothNumbers,
  type Lexicon,
  lexiconKeys,
  meaningsOf,
  notSold,
  parseTerms,
  signsOf,
  type Term,
  tokenize,
} from './parse-query.ts'

/** A resolved query: its SQL, and how it was changed to find parts. */
export type PartSearch = {
  /** Whether a row `i` of `part_index` matches. */
  where: SQL
  /**
   * Whether a row `i` has all terms in its name, its part numbers or its kind. It is cheap to
   * compute, and suggestions rank these rows first.
   */
  inName: SQL
  /**
   * The relevance of a row `i` with its part `p`. Higher is better; sort equal rows by the owner's
   * order.
   */
  relevance: SQL
  /** The corrected query, when no part has the words as typed: 'ryzen 7' for 'ryzn 7'. */
  read?: string
  /** The typed terms that were dropped, because no part has all of them. */
  left?: string[]
  /** The next best query, which keeps some of `left`, and the terms that it drops instead. */
  instead?: { q: string; left: string[] }
  /** It is about what the shop does not sell; then nothing matches. */
  isUnsold?: true
}

/** The timeout of a statement in a visitor's search. */
const statementMs = 2_000

/** Runs a visitor's search in a transaction whose statements time out after two seconds. */
export const timeLimited = <T>(db: Database, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  db.transaction(
    async (tx) => {
      // sent first, without waiting for the response
      const limited = tx.execute(sql.raw(`set local statement_timeout = ${statementMs}`)).then()
      const [result] = await Promise.all([work(tx), limited])
      return result
    },
    { accessMode: 'read only' },
  )

/**
 * The score of a match by the weight of the word in the index: A for name and part numbers, B for
 * kind, C for specification, D for description and compatible parts.
 */
const weightScores = [
  ['A', 1],
  ['B', 1.2],
  ['C', 0.6],
  ['D', 0.25],
] as const
const nameWeights = 'AB'
/**
 * Descriptions may mention other parts ('no cooler in the box'), so they are searched only when
 * nothing else matches.
 */
const factWeights = 'ABC'
const allWeights = 'ABCD'

/**
 * Formats a word for a tsquery. Removes everything except letters, digits, `@` and `-` (of kinds'
 * slugs), because it would be tsquery syntax.
 */
const lexeme = (word: string, weights: string) =>
  `'${word.replaceAll(/[^\p{L}\p{N}\p{M}@-]/gu, '')}':${weights}`

/**
 * The tsquery for a word as a fact. The index marks compatible parts with `-`, to distinguish them
 * from words of a description.
 */
const factQuery = (word: string, weights: string) => {
  const stated = weights.replace('D', '')
  const fitting = weights.includes('D') ? [lexeme(`-${word}`, 'D')] : []
  return `(${[...(stated ? [lexeme(word, stated)] : []), ...fitting].join(' | ')})`
}

const tsqueryOf = ({ words, isPrefix, isKind, isFact }: Alternative, weights: string) => {
  const within = isKind && weights.length > nameWeights.length ? nameWeights : weights
  if (isFact) return words.map((word) => factQuery(word, within)).join(' & ')
  return words
    .map((word, i) => lexeme(word, isPrefix && i === words.length - 1 ? `*${within}` : within))
    .join(' & ')
}

const anyOf = (alternatives: Alternative[], weights: string) =>
  [...new Set(alternatives.map((each) => `(${tsqueryOf(each, weights)})`))].join(' | ')

const isNegated = (alternatives: Alternative[]) => alternatives.some((each) => each.isNegated)

/**
 * The tsquery for parts that match an alternative of every term, and no alternative of a negated
 * term.
 */
const allOf = (terms: Alternative[][], weights: string) =>
  terms
    .map((alternatives) =>
      isNegated(alternatives)
        ? `!(${anyOf(alternatives, allWeights)})`
        : `(${anyOf(alternatives, weights)})`,
    )
    .join(' & ')

/** The score of a term, which is that of its best match. */
function termScore(alternatives: Alternative[], weights: string): SQL {
  const byScore = new Map<number, string[]>()
  for (const alternative of alternatives) {
    for (const [weight, counts] of weightScores) {
      if (!(alternative.isKind ? nameWeights : weights).includes(weight)) continue
      const score = Math.round(100 * counts * alternative.boost) / 100
      byScore.set(score, [...(byScore.get(score) ?? []), `(${tsqueryOf(alternative, weight)})`])
    }
  }
  const cases = [...byScore]
    .toSorted(([a], [b]) => b - a)
    .map(
      ([score, tsqueries]) =>
        sql`when i.words @@ ${tsqueries.join(' | ')}::tsquery then ${sql.raw(String(score))}`,
    )
  return sql`case ${sql.join(cases, sql` `)} else 0 end`
}

/**
 * The sum of the scores of all terms. Parts that sell well, are in stock or have few other words in
 * their name rank slightly higher.
 */
function relevanceOf(terms: Alternative[][], weights: string, typedLength: number): SQL {
  const scores = sql.join(
    terms.filter((each) => !isNegated(each)).map((each) => termScore(each, weights)),
    sql` + `,
  )
  return sql`(${scores} + 0.06 * ln(1 + p.sold_90)
    + case when p.on_hand - p.reserved >= p.minimum_order_quantity then 0.15 else 0 end
    + 0.2 * least(1, ${typedLength}::float8 / length(p.name)))`
}

/** The relevance of a row for words that need not match; undefined if there are none. */
export function rankingOf(terms: Term[], lexicon: Lexicon): SQL | undefined {
  const positive = terms.filter(({ isNegated }) => !isNegated)
  if (positive.length === 0) return undefined
  const length = positive.map(({ word }) => word).join('').length
  return relevanceOf(alternativesOf(positive, lexicon), allWeights, length)
}

const inNameOf = (terms: Alternative[][]) => {
  const wholeWords = terms.map((alternatives) => alternatives.filter(({ isPrefix }) => !isPrefix))
  return sql`i.words @@ ${allOf(wholeWords, nameWeights)}::tsquery`
}

/**
 * The tsquery for parts that have all of these words in their names or numbers, whatever else the
 * owner has explained the words to mean.
 */
export function nameQuery(words: string[], { kinds }: Lexicon): string {
  const plain = { isKind: false, isContext: false, isNegated: false }
  const terms = words.map((word) => ({ word, text: word, ...plain }))
  const alternatives = alternativesOf(terms, { kinds, means: new Map() })
  return allOf(
    alternatives.map((each) => each.filter(({ isPrefix }) => !isPrefix)),
    nameWeights,
  )
}

/** Loads the kinds, and what the owner says of these words and of their meanings. */
export async function loadLexicon(db: Queryable, tokens: string[]): Promise<Lexicon> {
  const { rows } = await db.execute<{ word: string | null; means: string[] }>(sql`
    with typed as materialized (
      select word, means from search_words where word = any(${sql.param(lexiconKeys(tokens))}::text[]))
    select null as word, array[name] || other_names as means from kinds
    union all select word, means from typed
    union all select word, means from search_words
      where word in (select replace(lower(meaning), ' ', '') from typed, unnest(means) meaning)`)
  const named = rows
    .filter(({ word }) => word === null)
    .flatMap(({ means }) => means.map((name) => tokenize(name)))
  return {
    kinds: new Set(named.flatMap((name) => [name.join(''), name.at(-1) ?? ''])),
    means: new Map(rows.flatMap(({ word, means }) => (word === null ? [] : [[word, means]]))),
  }
}

/**
 * Whether any part matches. The materialized table expression makes PostgreSQL use the index; with
 * a plain `exists`, it would scan parts in the hope of an early match.
 */
const hasMatch = (
  tsquery: string,
  within: SQL,
) => sql`(with hits as materialized (select from ${partIndex} i
  where i.is_on_sale and i.words @@ ${tsquery}::tsquery and ${within}) select exists (select from hits))`

/** Determines which of these queries have a match, in one statement. */
async function haveMatch(db: Queryable, tsqueries: string[], within: SQL): Promise<boolean[]> {
  if (tsqueries.length === 0) return []
  const has = tsqueries.map((tsquery) => hasMatch(tsquery, within))
  const { rows } = await db.execute<{ has: boolean[] }>(
    sql`select array[${sql.join(has, sql`, `)}] as has`,
  )
  return rows[0]?.has ?? []
}

/**
 * Finds the first candidate with a match, in one statement that does not evaluate later candidates.
 */
async function firstMatching<T extends { tsquery: string }>(
  db: Queryable,
  candidates: T[],
  within: SQL,
): Promise<T | undefined> {
  if (candidates.length === 0) return undefined
  const cases = candidates.map(
    ({ tsquery }, at) => sql`when ${hasMatch(tsquery, within)} then ${sql.raw(String(at))}`,
  )
  const { rows } = await db.execute<{ first: number | null }>(
    sql`select case ${sql.join(cases, sql` `)} end as first`,
  )
  return candidates[rows[0]?.first ?? -1]
}

/** Only words of letters are corrected: 4070 is never a misspelled 4060. */
const mayBeMisspelled = (word: string) => /^[\p{L}\p{M}]{4,}$/u.test(word)

/** Spellings of a sound, each with the one that stands for it. */
const sounds: [spelling: RegExp, sound: string][] = [
  [/ph/g, 'f'],
  [/(?:qu|ck|q)(?=.)|ck$|q$/g, 'k'],
  // before e, i and y it is an s
  [/c(?=[eiy])/g, 's'],
  [/x/g, 'ks'],
  [/c/g, 'k'],
  [/z/g, 's'],
  [/y$|ie$|ey$/g, 'i'],
  [/y/g, 'i'],
  [/wh|gh/g, 'w'],
  [/(.)\1+/g, '$1'],
  // singular and plural
  [/s$/g, ''],
]

/** How a word sounds, roughly: 'grafics' as 'graphics'. The vowels count only where it begins. */
function soundOf(word: string): string {
  let sound = word
  for (const [spelling, same] of sounds) sound = sound.replace(spelling, same)
  return sound.slice(0, 1) + sound.slice(1).replace(/[aeiou]/g, '')
}

/**
 * Counts the typos between a typed word and a candidate; infinite when there are too many for a
 * correction. Long words may have two, and so may shorter ones that sound alike.
 */
function typosBetween(typed: string, meant: string, isLast: boolean): number {
  const max = typed.length >= 8 ? 2 : 1
  const whole = editDistance(typed, meant)
  if (whole <= max) return whole
  if (typed.length >= 5 && soundOf(typed) === soundOf(meant)) {
    const forms = bothNumbers(meant).map((form) => editDistance(typed, form))
    const least = Math.min(whole, ...forms)
    if (least <= 1 + max) return least
  }
  // the last word may be unfinished, so it is also compared with prefixes, which rank below whole
  // words
  if (!isLast) return Number.POSITIVE_INFINITY
  const begun = [-1, 0, 1].map((more) => editDistance(typed, meant.slice(0, typed.length + more)))
  return Math.min(...begun) <= 1 ? 1.5 : Number.POSITIVE_INFINITY
}

/** How many words of a query are corrected: each is compared with all words of the shop. */
const mostCorrected = 4

/**
 * Finds up to three corrections of each word in the vocabulary of the catalogue, the most likely
 * first.
 */
async function correctionsOf(db: Queryable, words: string[]): Promise<string[][]> {
  const { rows } = await db.execute<{ typed: string; word: string; parts: number }>(sql`
    select typed, alike.* from unnest(${sql.param(words.filter(mayBeMisspelled).slice(0, mostCorrected))}::text[]) typed
    cross join lateral (select word, parts from search_vocabulary order by word <-> typed limit 20) alike`)
  return words.map((typed, at) =>
    rows
      .filter((row) => row.typed === typed && row.word !== typed)
      .map((row) => ({ ...row, typos: typosBetween(typed, row.word, at === words.length - 1) }))
      .filter(({ typos }) => Number.isFinite(typos))
      .toSorted((a, b) => a.typos - b.typos || b.parts - a.parts)
      .slice(0, 3)
      .map(({ word }) => word),
  )
}

/** Formats terms as a query that a visitor could type. */
const queryOf = (terms: Term[]) =>
  terms
    .map(({ text, isContext, isNegated }, at) => {
      const leads = isContext && !terms[at - 1]?.isContext ? 'for ' : ''
      return `${leads}${isNegated ? 'without ' : ''}${text}`
    })
    .join(' ')

/** A word that may be meant instead of a typed one, and the ways to match it. */
type Correction = { word: string; alternatives: Alternative[] }
/** Terms that no part matches as typed, with the alternatives and corrections of each. */
type Unmatched = { terms: Term[]; alternatives: Alternative[][]; corrections: Correction[][] }

const withCorrections = ({ alternatives, corrections }: Unmatched) =>
  alternatives.map((own, at) => [
    ...own,
    ...(corrections[at] ?? []).flatMap((each) => each.alternatives),
  ])

const correctedBoost = 0.6

async function loadCorrections(db: Queryable, terms: Term[], lexicon: Lexicon): Promise<Unmatched> {
  const corrections = await correctionsOf(
    db,
    // a word that the owner explains is no misspelled one
    terms.map(({ word }) => (lexicon.means.has(word) ? '' : word)),
  )
  // the owner explains 'quiet', and so what 'quite' may mean
  const meant = corrections.flat()
  const known = meant.length > 0 ? await loadLexicon(db, meant) : lexicon
  return {
    terms,
    alternatives: alternativesOf(terms, lexicon),
    corrections: corrections.map((words, at) =>
      words.map((word) => ({
        word,
        alternatives: alternativesOfWord(word, known, {
          boost: correctedBoost,
          isContext: terms[at]?.isContext === true || terms[at]?.isNegated === true,
        }),
      })),
    ),
  }
}

/** Corrects misspelled words. Returns null when no part matches the corrected query either. */
async function correctQuery(db: Queryable, unmatched: Unmatched, within: SQL) {
  const { terms, alternatives, corrections } = unmatched
  const either = withCorrections(unmatched)
  // for each term, tries it as typed and then each correction, while other terms may match either
  // way
  const candidates = terms.flatMap((_, at) =>
    [alternatives[at] ?? [], ...(corrections[at] ?? []).map((one) => one.alternatives)].map(
      (only, choice) => ({
        at,
        choice,
        only,
      }),
    ),
  )
  const has = await haveMatch(
    db,
    candidates.map(({ at, only }) => allOf(either.with(at, only), allWeights)),
    within,
  )
  const chosen = terms.map((_, at) => candidates.find((each, i) => has[i] && each.at === at))
  if (chosen.some((each) => !each)) return null
  return {
    alternatives: chosen.map((each) => each?.only ?? []),
    read: queryOf(
      terms.map((term, at) => {
        const correction = corrections[at]?.[(chosen[at]?.choice ?? 0) - 1]
        return { ...term, text: correction?.word ?? term.text }
      }),
    ),
  }
}

/**
 * Drops terms until parts match the rest: first the terms that no part has, then one more, then
 * several. Of several kinds it drops the last one first, then context terms, then the other terms
 * from the last on. It keeps one kind to the end.
 * @returns the indices of the terms to keep, and those of the next best query, which keeps a
 *   dropped term
 */
async function dropTerms(db: Queryable, unmatched: Unmatched, within: SQL) {
  const { terms, corrections } = unmatched
  const either = withCorrections(unmatched)
  const tsquery = (places: number[]) =>
    allOf(
      places.map((at) => either[at] ?? []),
      allWeights,
    )
  const firstOf = async (candidates: number[][]) => {
    const searchable = candidates
      .filter((places) => places.some((at) => !terms[at]?.isNegated))
      .map((places) => ({ places, tsquery: tsquery(places) }))
    return (await firstMatching(db, searchable, within))?.places ?? []
  }
  const all = terms.map((_, at) => at)
  const positiveTerms = all.filter((at) => !terms[at]?.isNegated)
  const has = await haveMatch(
    db,
    positiveTerms.map((at) => tsquery([at])),
    within,
  )
  const matching = all.filter((at) => has[positiveTerms.indexOf(at)] ?? true)
  const isKind = (at: number) =>
    terms[at]?.isKind ||
    corrections[at]?.some((each) => each.alternatives.some((one) => one.isKind))
  const kinds = matching.filter(isKind)
  const others = matching.filter((at) => !isKind(at)).toReversed()
  const contextFirst = others.toSorted(
    (a, b) => Number(terms[b]?.isContext) - Number(terms[a]?.isContext),
  )
  const without = (dropped: number[]) => matching.filter((at) => !dropped.includes(at))
  // drops each term alone, then more and more terms
  const fewer = (droppable: number[]) => [
    ...droppable.map((at) => without([at])),
    ...droppable.map((_, i) => without(droppable.slice(0, i + 1))),
  ]
  const keptTerms = await firstOf([
    matching,
    ...(kinds.length > 1 ? kinds.toReversed() : []).map((at) => without([at])),
    ...fewer(contextFirst),
    kinds.slice(0, 1),
  ])
  const isDropped = (at: number) => !keptTerms.includes(at)
  // nothing has the noun, and the rest is a number or in descriptions alone: 'windows 11'
  const isUnsold = async () => {
    const nouns = positiveTerms.filter(
      (at) => !matching.includes(at) && /^\p{L}{3,}$/u.test(terms[at]?.word ?? ''),
    )
    const rest = keptTerms.filter((at) => !/^\d+$/.test(terms[at]?.word ?? ''))
    if (nouns.length === 0 || keptTerms.some(isKind)) return false
    const facts = await haveMatch(
      db,
      rest.map((at) => allOf([either[at] ?? []], factWeights)),
      within,
    )
    return !facts.includes(true)
  }
  // there is no next best query if a single term is kept, or if only terms without any match were
  // dropped
  const hasChoice = keptTerms.length > 1 && others.some(isDropped)
  return {
    isUnsold: keptTerms.length > 0 && (await isUnsold()),
    keptTerms,
    nextBest: hasChoice ? await firstOf(fewer(others.filter((at) => !isDropped(at)))) : [],
  }
}

/** A query that matches nothing. */
const noMatchOf = (left: string[]): PartSearch => ({
  ...{ where: sql`false`, inName: sql`true::boolean`, relevance: sql`0::float8`, left },
})

/**
 * Whether a query is for what the shop does not sell by the owner's words: it names that and no
 * kind, and no part has it in its name.
 */
async function isNotSold({ db, lexicon, within, asTyped }: Scope, terms: Term[]) {
  if (asTyped || terms.some(({ isKind }) => isKind)) return false
  const named = terms.filter(
    ({ word, isNegated }) =>
      !isNegated &&
      signsOf(word, lexicon).includes(notSold) &&
      // 'laptop ddr5' is memory for one
      (terms.length === 1 || meaningsOf(word, lexicon).length === 0),
  )
  if (named.length === 0) return false
  const has = await haveMatch(
    db,
    named.map(({ word }) => lexeme(word, nameWeights)),
    within,
  )
  return !has.includes(true)
}

type Scope = { db: Queryable; lexicon: Lexicon; within: SQL; asTyped: boolean }

/**
 * Resolves the terms of a query.
 * @param dropped what an earlier round dropped; then no further round follows
 */
async function resolveTerms(
  scope: Scope,
  typed: Term[],
  dropped: Pick<PartSearch, 'left' | 'instead'>,
): Promise<PartSearch> {
  const { db, lexicon, within, asTyped } = scope
  // a kind in the context may be a fact ('processor with cooler') or not ('power supply for a
  // case'), so the first candidate includes it and the next ones do not
  const terms = typed.filter(({ isKind, isContext }) => !(isKind && isContext))
  const candidates = [
    ...(terms.length < typed.length ? [{ terms: typed, weights: factWeights }] : []),
    { terms, weights: factWeights },
    { terms, weights: allWeights },
  ].map((candidate) => {
    const alternatives = alternativesOf(candidate.terms, lexicon)
    return { ...candidate, alternatives, tsquery: allOf(alternatives, candidate.weights) }
  })
  const asSearch = (
    { terms, alternatives, weights }: Omit<(typeof candidates)[number], 'tsquery'>,
    changed: Pick<PartSearch, 'read' | 'left' | 'instead'>,
  ): PartSearch => ({
    where: sql`i.words @@ ${allOf(alternatives, weights)}::tsquery`,
    inName: inNameOf(alternatives),
    relevance: relevanceOf(alternatives, weights, terms.map(({ word }) => word).join('').length),
    ...changed,
  })
  const match = await firstMatching(db, candidates, within)
  if (match) return asSearch(match, dropped)
  const left = terms.map(({ text }) => text)
  const noMatch = noMatchOf(left)
  if (asTyped) return noMatch
  const unmatched = await loadCorrections(db, terms, lexicon)
  const corrected = await correctQuery(db, unmatched, within)
  if (corrected) {
    const { alternatives, read } = corrected
    return asSearch({ terms, alternatives, weights: allWeights }, { ...dropped, read })
  }
  if (dropped.left) return noMatch
  const { keptTerms, nextBest, isUnsold } = await dropTerms(db, unmatched, within)
  if (keptTerms.length === 0) return noMatch
  if (isUnsold) return { ...noMatch, isUnsold }
  const leftBut = (some: number[]) => left.filter((_, at) => !some.includes(at))
  const only = (some: number[]) => terms.filter((_, at) => some.includes(at))
  return resolveTerms(scope, only(keptTerms), {
    left: leftBut(keptTerms),
    ...(nextBest.length > 0 && {
      instead: { q: queryOf(only(nextBest)), left: leftBut(nextBest) },
    }),
  })
}

/**
 * Resolves a query into the condition and the relevance of matching parts. The number of statements
 * is small and bounded for any input. Run it in `timeLimited`, and then the statement that uses the
 * result:
 *
 *     const found = await findParts(tx, q)
 *     … from part_index i join parts p on p._id = i.part_id
 *     where i.is_on_sale and ${found.where} order by ${found.relevance} desc, p.position
 *
 * It corrects misspellings only when no part has the words as typed, and drops terms only when
 * corrections do not help; `read` and `left` report this. When nothing matches at all, `where` is
 * false and `left` contains every term. A query without words, such as '', matches every part.
 * @param within an additional condition on `i`, such as `i.kind = …`, that limits the parts
 * @param asTyped whether to search without corrections or dropped terms
 * @param lexicon what its words mean, if that is known already
 */
export async function findParts(
  db: Queryable,
  query: string,
  {
    within = sql`true`,
    asTyped = false,
    lexicon: known,
  }: { within?: SQL; asTyped?: boolean; lexicon?: Lexicon | undefined } = {},
): Promise<PartSearch> {
  const tokens = tokenize(query)
  if (tokens.length === 0)
    return { where: sql`true`, inName: sql`true::boolean`, relevance: sql`0::float8` }
  const [lexicon] = await Promise.all([
    known ?? loadLexicon(db, tokens),
    // with this many alternatives, the planner expects half of the parts to match and would scan
    // them all
    db.execute(sql`set local enable_seqscan = off`),
  ])
  const scope = { db, lexicon, within, asTyped }
  const terms = parseTerms(tokens, lexicon)
  if (await isNotSold(scope, terms))
    return { ...noMatchOf(terms.map(({ text }) => text)), isUnsold: true }
  return resolveTerms(scope, terms, {})
}
