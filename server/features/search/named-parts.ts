/** Finds the part that words name: 'rtx 5080' names 'Kestrel RTX 5080'. */
import { sql } from 'drizzle-orm'
import type { Specs } from '#contracts/kinds.ts'
import type { Queryable } from '#server/database/client.ts'
import { partIndex, parts } from '#server/database/schema/parts.ts'
import { nameQuery } from './find-parts.ts'
import { type Lexicon, sizeIn, squeezed, tokenize } from './parse-query.ts'

/** A part whose name or numbers have the words. */
export type Candidate = {
  number: number
  name: string
  kind: string
  brand: string
  numbers: string[]
  specs: Specs
  sold: number
}

/** The most candidates of a name, those with the shortest names first. */
const maxCandidates = 40
/** Words that more parts have are no name: they would only cost time. */
const maxMatches = 1_000

/**
 * Finds the parts on sale that may be meant by each list of words, in one statement.
 * @param kinds the slugs of the kinds to search in
 */
export async function findCandidates(
  tx: Queryable,
  named: string[][],
  kinds: string[],
  lexicon: Lexicon,
): Promise<Candidate[][]> {
  const found = named.map((words, at) =>
    words.length === 0
      ? sql`select ${at}::int as at, '[]'::json as rows`
      : sql`(
        with hits as materialized (
          select i.part_id from ${partIndex} i where i.is_on_sale and i.kind = any(${sql.param(kinds)}::text[])
            and i.words @@ ${nameQuery(words, lexicon)}::tsquery limit ${maxMatches + 1})
        select ${at}::int as at, coalesce(json_agg(c), '[]') as rows from (
          select p.number, p.name, p.kind, p.brand, array[p.sku, p.mpn, p.gtin] as numbers, p.specs, p.sold_90 as sold
          from hits join ${parts} p on p._id = hits.part_id where (select count(*) from hits) <= ${maxMatches}
          order by length(p.name), p.sold_90 desc, p.position limit ${maxCandidates}) c)`,
  )
  // as for any search, the planner would scan all parts
  await tx.execute(sql`set local enable_seqscan = off`)
  const { rows } = await tx.execute<{ at: number; rows: Candidate[] }>(
    sql.join(found, sql` union all `),
  )
  const byPlace = new Map(rows.map((row) => [row.at, row.rows]))
  return named.map((_, at) => byPlace.get(at) ?? [])
}

/** The most neighbours that people write as one word, or one word as neighbours: 'b 650 i'. */
const maxJoined = 4

/** Every run of neighbours, joined, with the places of its words. */
function runsOf(words: string[]): Map<string, [first: number, last: number]> {
  const runs = new Map<string, [number, number]>()
  for (let first = 0; first < words.length; first += 1)
    for (let last = first; last < Math.min(words.length, first + maxJoined); last += 1) {
      const run = words.slice(first, last + 1).join('')
      if (!runs.has(run)) runs.set(run, [first, last])
    }
  return runs
}

type Match = Candidate & {
  /** How many words of the name are not typed; the brand does not count. */
  untyped: number
}

/** Words of three letters, such as ps5 and x3d, say too little, and so do sizes. */
const isModel = (word: string) => word.length > 3 && /\d/.test(word) && !sizeIn(word)
const isNumber = (word: string) => /^\d{3,}$/.test(word)

/**
 * Compares words with a candidate's name, word by word: 9800x is not 9800X3D. Words without a model
 * must be the whole name, because 'gaming' or 'itx' is in many.
 */
function matchOf(words: string[], candidate: Candidate): Match | undefined {
  const whole = words.join('')
  if (candidate.numbers.some((number) => number && squeezed(number) === whole))
    return { ...candidate, untyped: 0 }
  const name = tokenize(candidate.name).map((word) => word.replaceAll('.', ''))
  const runs = runsOf(name)
  const typed = new Set<number>()
  for (let at = 0; at < words.length; ) {
    const run = [4, 3, 2, 1]
      .map((count) => words.slice(at, at + count))
      .find((some) => runs.has(some.join('')))
    const [first, last] = runs.get(run?.join('') ?? '') ?? []
    if (!run || first === undefined || last === undefined) return undefined
    for (let place = first; place <= last; place += 1) typed.add(place)
    at += run.length
  }
  const brand = new Set(tokenize(candidate.brand))
  const untyped = name.filter((word, place) => !typed.has(place) && !brand.has(word)).length
  const isWhole = untyped === 0 && typed.has(0) && (typed.size > 1 || typed.size === name.length)
  // 500 is a budget or a size more often than the power supply of 500 W
  const isFact =
    words.length === 1 &&
    /^\d+$/.test(whole) &&
    Object.values(candidate.specs).some((value) => String(value) === whole)
  const hasModel = name.some(
    (word, place) =>
      typed.has(place) &&
      (isModel(word) || (isNumber(word) && (words.length > 1 || word.length > 3))),
  )
  return isWhole || (hasModel && !isFact) ? { ...candidate, untyped } : undefined
}

/**
 * The candidate that the words name best, and those of the same kind that they name as well, the
 * best sold first. Nothing if they name parts of several kinds equally well.
 */
export function bestNamed(words: string[], candidates: Candidate[]): Candidate[] {
  const matches = candidates.flatMap((candidate) => matchOf(words, candidate) ?? [])
  const least = Math.min(...matches.map(({ untyped }) => untyped))
  const best = matches
    .filter(({ untyped }) => untyped === least)
    .toSorted((a, b) => b.sold - a.sold)
  return best.every(({ kind }) => kind === best[0]?.kind) ? best : []
}
