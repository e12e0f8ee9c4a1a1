/** Columns that many tables have. */
import { type SQL, sql } from 'drizzle-orm'
import { customType, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { cents, fromCents } from '#contracts/money.ts'

export const id = () => uuid('_id').primaryKey().defaultRandom()
/** Milliseconds, as JavaScript's dates have them. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const timestamptzNow = (name: string) => timestamptz(name).notNull().defaultNow()
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})
/** Money: whole cents in the table, an amount in code. An expression of SQL has cents, and answers with `amountSql`. */
export const money = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: cents,
  fromDriver: fromCents,
})
/** Cents of an expression as an amount. */
export const amountSql = (cents: SQL) => sql<number>`(${cents} / 100.0)::float8`
/** What separates the words of names, addresses and ids. */
export const separators = "[-._@+/,:&()']"

/**
 * The text that searches look at: lower case, a blank before each expression and after every separator, so that a
 * blank and a letter are always the beginning of a word. PostgreSQL computes it, no store returns it.
 * @param expressions SQL texts, none of them null
 */
export function searched(...expressions: string[]) {
  const lines = expressions.map((expression) => `E'\\n ' || ${expression}`).join(' || ')
  const computed = `lower(regexp_replace(${lines}, '(${separators.replace("'", "''")})', '\\1 ', 'g'))`
  return text('search').notNull().generatedAlwaysAs(sql.raw(computed))
}
