import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { countLimit, type RowCount } from '#contracts/lists.ts'
import { separators } from '#server/database/schema/columns.ts'
import type { Queryable } from './client.ts'

// Search: each row has one searched text, whose trigram index finds any three characters.

const everySeparator = new RegExp(separators, 'g')

/** The LIKE pattern of a word. One or two letters match at the beginning of words only. */
function patternOf(word: string): string {
  const spaced = word.replaceAll(everySeparator, '$& ').replaceAll(/[\\%_]/g, '\\$&')
  return /^[\p{L}\p{N}]{1,2}$/u.test(word) ? `% ${spaced}%` : `%${spaced}%`
}

/** The least similarity of a misspelled word, from 0 to 1: "grphics" finds "graphics", "fan" no "van". */
const alike = 0.5

/** Ids, addresses, numbers and short words are never taken for misspelled. */
const isPlain = (word: string) => /^\p{L}{4,}$/u.test(word)

/** The condition that a row has each word or a similar one; undefined when no word can be misspelled. */
function resembles(text: SQL, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  if (!words.some(isPlain)) return undefined
  const held = words.map((word) => {
    const exact = sql`${text} like lower(${patternOf(word)})`
    return isPlain(word)
      ? sql`(${exact} or word_similarity(lower(${word}), ${text}) >= ${alike})`
      : exact
  })
  return and(...held)
}

/** The condition that a row's searched text has each word; undefined without words. */
function mentions(text: SQL, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`${text} like lower(${patternOf(word)})`))
}

type Key = PgColumn | SQL

/** The columns that sort a list, the most important first; `[]` sorts by id alone. */
export type SortKey = { by: Key | Key[]; down?: boolean }

/** A table with a long list. */
type Listed = PgTable & { _id: PgColumn }

/** The searched text of a row. */
const textOf = (table: Listed) => sql`${table}.search`

export type PageOf = {
  sort: SortKey
  filter: SQL | undefined
  q?: string | undefined
  /** The table's rows under its name, each with its searched text, when that lies in another table. */
  searched?: SQL
  /** Id of the last row read. */
  after?: string | undefined
  limit: number
}

/** Rows scanned for a common word before the trigram index is used. */
const near = (limit: number) => 1000 + 20 * limit

/** Rows scanned for similar words, where no row has the exact ones. */
const looked = 5000

/**
 * Builds a page of a sorted table: the condition for rows after the cursor, and the order. Sorting ends in the id, so that
 * pages neither miss nor repeat a row.
 * @param after id of the last row read; undefined for the first page
 */
export function pageAfter(
  table: PgTable & { _id: PgColumn },
  { by, down }: SortKey,
  after?: string | number,
): { after: SQL | undefined; orderBy: SQL[] } {
  const keys = [...[by].flat(), table._id]
  const orderBy = keys.map((key) => (down ? desc(key) : asc(key)))
  if (after === undefined) return { after, orderBy }
  const then = down ? sql`<` : sql`>`
  // sorted by id alone, the cursor needs no existing row
  if (keys.length === 1) return { after: sql`${table._id} ${then} ${after}`, orderBy }
  const place = sql.join(keys, sql`, `)
  const last = sql`(select ${place} from ${table} where ${table._id} = ${after})`
  return { after: sql`(${place}) ${then} ${last}`, orderBy }
}

/**
 * Builds the next page of a searched list. Finds a common word among the next rows and a rare one by the trigram index, and
 * leaves the planner no choice, because a wrong guess reads every row. Takes words that no row has for misspelled, and finds
 * rows with similar ones.
 */
export async function pageOf(
  db: Queryable,
  table: Listed,
  { sort, filter, q, searched = sql`${table}`, after, limit }: PageOf,
): Promise<{ where: SQL | undefined; orderBy: SQL[] }> {
  const { after: beyond, orderBy } = pageAfter(table, sort, after)
  const where = and(filter, beyond)
  const matches = mentions(textOf(table), q)
  if (!matches) return { where, orderBy }

  const sorted = sql`order by ${sql.join(orderBy, sql`, `)}`
  const next = (rows: number) =>
    sql`select * from ${searched} where ${where ?? true} ${sorted} limit ${rows}`
  // "offset 0" keeps the planner from choosing the index by the sort order
  const matching = sql`select * from ${searched} where ${and(where, matches)} offset 0`
  const ids = async (rows: SQL, words: SQL | undefined) => {
    const { rows: read } = await db.execute<{ _id: string }>(
      sql`select _id from (${rows}) ${table} where ${words} ${sorted} limit ${limit}`,
    )
    return read.map(({ _id }) => _id)
  }
  const isMisspelled = async () => {
    if (!after) return true
    const { rowCount } = await db.execute(
      sql`select from ${searched} where ${and(filter, matches)} limit 1`,
    )
    return rowCount === 0
  }
  const closest = await ids(next(near(limit)), matches)
  const exact = closest.length < limit ? await ids(matching, matches) : closest
  const alike = resembles(textOf(table), q)
  const all =
    exact.length === 0 && alike && (await isMisspelled()) ? await ids(next(looked), alike) : exact
  return { where: sql`${table._id} = any(${sql.param(all)}::uuid[])`, orderBy }
}

/** Counts the rows of a condition, reading at most `countLimit` + 1. */
export async function countRows(db: Queryable, rows: SQL): Promise<RowCount> {
  const counted = sql`select from (${rows}) every_row limit ${countLimit + 1}`
  const { rows: answer } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${counted}) counted`,
  )
  const count = answer[0]?.count ?? 0
  return { count: Math.min(count, countLimit), isMore: count > countLimit }
}

/** How many rows all pages of `pageOf` hold together. Words that no row holds are taken for misspelled here too. */
export async function countOf(
  db: Queryable,
  table: Listed,
  { sort, filter, q, searched = sql`${table}` }: Omit<PageOf, 'after' | 'limit'>,
): Promise<RowCount> {
  const matches = mentions(textOf(table), q)
  const rows = matches ? searched : table
  const exact = await countRows(db, sql`select from ${rows} where ${and(filter, matches) ?? true}`)
  const alike = resembles(textOf(table), q)
  if (exact.count > 0 || !alike) return exact
  const sorted = sql.join(pageAfter(table, sort).orderBy, sql`, `)
  const next = sql`select * from ${searched} where ${filter ?? true} order by ${sorted} limit ${looked}`
  return countRows(db, sql`select from (${next}) ${table} where ${alike}`)
}
