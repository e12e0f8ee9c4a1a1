import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { countLimit, type RowCount } from '#contracts/lists.ts'
import { separators } from '#server/database/schema/columns.ts'
import type { Queryable } from './client.ts'

// Search: each row has one search text, whose trigram index finds any three characters.

const everySeparator = new RegExp(separators, 'g')

/** The LIKE pattern of a word. One or two letters match only at the start of a word. */
function patternOf(word: string): string {
  const spaced = word.replaceAll(everySeparator, '$& ').replaceAll(/[\\%_]/g, '\\$&')
  return /^[\p{L}\p{N}]{1,2}$/u.test(word) ? `% ${spaced}%` : `%${spaced}%`
}

/**
 * The minimum similarity of a misspelled word, from 0 to 1: "grphics" finds "graphics", "fan" does
 * not find "van".
 */
const alike = 0.5

/** Ids, addresses, numbers and short words never count as misspelled. */
const isPlain = (word: string) => /^\p{L}{4,}$/u.test(word)

/** Matches rows that have each word or a similar one; undefined when no word can be misspelled. */
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

/** Matches rows whose search text has each word; undefined without words. */
export function mentions(text: SQL, q = ''): SQL | undefined {
  const words = q.split(/\s+/).filter(Boolean)
  return and(...words.map((word) => sql`${text} like lower(${patternOf(word)})`))
}

type Key = PgColumn | SQL

/** The columns to sort by, most significant first; `[]` sorts by id alone. */
export type SortKey = { by: Key | Key[]; down?: boolean }

/** A table behind a long list. */
type Listed = PgTable & { _id: PgColumn }

/** The search text of a row. */
const textOf = (table: Listed) => sql`${table}.search`

export type PageOf = {
  sort: SortKey
  filter: SQL | undefined
  q?: string | undefined
  /**
   * The table's rows, aliased to its name, each with its search text, when another table has that
   * text.
   */
  searched?: SQL
  /** Id of the last row read. */
  after?: string | undefined
  limit: number
}

/** Rows scanned for a common word before the search uses the trigram index. */
const near = (limit: number) => 1000 + 20 * limit

/** Rows scanned for similar words when no row has the exact ones. */
const looked = 5000

/**
 * Builds a page of a sorted table: the condition for rows after the cursor, and the order. The id
 * is the last sort key, so that pages neither skip nor repeat a row.
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
  // sorted by id alone, the cursor works without an existing row
  if (keys.length === 1) return { after: sql`${table._id} ${then} ${after}`, orderBy }
  const place = sql.join(keys, sql`, `)
  const last = sql`(select ${place} from ${table} where ${table._id} = ${after})`
  return { after: sql`(${place}) ${then} ${last}`, orderBy }
}

/**
 * Builds the next page of a searched list. Looks for a common word in the next rows, and for a rare
 * word in the trigram index. This leaves the planner no choice, because a wrong guess scans every
 * row. Treats words that occur in no row as misspelled, and finds rows with similar words.
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
  // "offset 0" keeps the planner from using the sort order's index
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

/** Counts the rows that match, but scans at most `countLimit` + 1. */
export async function countRows(db: Queryable, rows: SQL): Promise<RowCount> {
  const counted = sql`select from (${rows}) every_row limit ${countLimit + 1}`
  const { rows: answer } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${counted}) counted`,
  )
  const count = answer[0]?.count ?? 0
  return { count: Math.min(count, countLimit), isMore: count > countLimit }
}

/**
 * Counts the rows on all pages of `pageOf`. It treats words that occur in no row as misspelled,
 * too.
 */
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
