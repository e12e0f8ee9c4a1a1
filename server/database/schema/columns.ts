/** Columns that many tables share. */
import { type SQL, sql } from 'drizzle-orm'
import { customType, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { cents, fromCents } from '#contracts/money.ts'

export const id = () => uuid('_id').primaryKey().defaultRandom()
/** A timestamp with milliseconds, the precision of JavaScript's dates. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const timestamptzNow = (name: string) => timestamptz(name).notNull().defaultNow()
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})
/**
 * Money: whole cents in the table, an amount in code. SQL expressions calculate in cents;
 * `amountSql` converts their results.
 */
export const money = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: cents,
  fromDriver: fromCents,
})
/** Converts an expression in cents to an amount. */
export const amountSql = (cents: SQL) => sql<number>`(${cents} / 100.0)::float8`
/** The characters that separate words in names, addresses and ids. */
export const separators = "[-._@+/,:&()']"

/**
 * The text that searches match: lower case, with a blank before each expression and after every
 * separator, so that a word always starts after a blank. PostgreSQL computes it, and no store
 * returns it.
 * @param expressions SQL expressions that are never null
 */
export function searched(...expressions: string[]) {
  const lines = expressions.map((expression) => `E'\\n ' || ${expression}`).join(' || ')
  const computed = `lower(regexp_replace(${lines}, '(${separators.replace("'", "''")})', '\\1 ', 'g'))`
  return text('search').notNull().generatedAlwaysAs(sql.raw(computed))
}
