import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { countLimit, type RowCount } from '#contracts/lists.ts'
import type { Queryable } from './client.ts'
import { mentions, resembles } from './search.ts'

type Key = PgColumn | SQL

/** By what a list is sorted, the most important first; `[]` for its ids alone. */
export type SortKey = { by: Key | Key[]; down?: boolean }

/** Tables with long lists. `search` is what a row is searched by. */
type Listed = PgTable & { _id: PgColumn; search: PgColumn }

export type PageOf = {
  sort: SortKey
  filter: SQL | undefined
  q?: string | undefined
  /** Id of the last row read. */
  after?: string | undefined
  limit: number
}

/** Rows that are looked through for a common word before the index of all words is asked. */
const near = (limit: number) => 1000 + 20 * limit

/** Rows that are looked through for words that are nearly those, where none are exactly those. */
const looked = 5000

/**
 * A page of a sorted table: the condition of the rows after one, and their order. A row's place is what the table is
 * sorted by and then its id, so that pages neither miss nor repeat one.
 * @param after id of the last row read; every row comes after undefined
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
  // an id that is a place by itself need not be a row's
  if (keys.length === 1) return { after: sql`${table._id} ${then} ${after}`, orderBy }
  const place = sql.join(keys, sql`, `)
  const last = sql`(select ${place} from ${table} where ${table._id} = ${after})`
  return { after: sql`(${place}) ${then} ${last}`, orderBy }
}

/**
 * The next page of a list that is searched too, as the condition of its rows and their order. A common word is found
 * among the next rows and a rare one by the index of words, each quickly; the planner is left no choice, because it
 * guesses, and a wrong guess reads every row. Words that no row of the filter holds are taken for misspelled: then rows
 * with words like them are looked for.
 */
export async function pageOf(
  db: Queryable,
  table: Listed,
  { sort, filter, q, after, limit }: PageOf,
): Promise<{ where: SQL | undefined; orderBy: SQL[] }> {
  const { after: beyond, orderBy } = pageAfter(table, sort, after)
  const where = and(filter, beyond)
  const wanted = mentions(table.search, q)
  if (!wanted) return { where, orderBy }

  const sorted = sql`order by ${sql.join(orderBy, sql`, `)}`
  const next = (rows: number) =>
    sql`select * from ${table} where ${where ?? true} ${sorted} limit ${rows}`
  // "offset 0" keeps the sorting from choosing how the words are looked for
  const found = sql`select * from ${table} where ${and(where, wanted)} offset 0`
  const ids = async (rows: SQL, words: SQL | undefined) => {
    const { rows: read } = await db.execute<{ _id: string }>(
      sql`select _id from (${rows}) ${table} where ${words} ${sorted} limit ${limit}`,
    )
    return read.map(({ _id }) => _id)
  }
  const isMisspelled = async () => {
    if (!after) return true
    const { rowCount } = await db.execute(
      sql`select from ${table} where ${and(filter, wanted)} limit 1`,
    )
    return rowCount === 0
  }
  const closest = await ids(next(near(limit)), wanted)
  const exact = closest.length < limit ? await ids(found, wanted) : closest
  const alike = resembles(table.search, q)
  const all =
    exact.length === 0 && alike && (await isMisspelled()) ? await ids(next(looked), alike) : exact
  return { where: sql`${table._id} = any(${sql.param(all)}::uuid[])`, orderBy }
}

/** How many rows a condition passes. At most `countLimit` and one are read, however many there are. */
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
  { sort, filter, q }: Pick<PageOf, 'sort' | 'filter' | 'q'>,
): Promise<RowCount> {
  const wanted = mentions(table.search, q)
  const exact = await countRows(db, sql`select from ${table} where ${and(filter, wanted) ?? true}`)
  const alike = resembles(table.search, q)
  if (exact.count > 0 || !alike) return exact
  const sorted = sql.join(pageAfter(table, sort).orderBy, sql`, `)
  const next = sql`select * from ${table} where ${filter ?? true} order by ${sorted} limit ${looked}`
  return countRows(db, sql`select from (${next}) ${table} where ${alike}`)
}
