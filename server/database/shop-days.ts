/** The shop's days in SQL; `shop_zone` and `shop_midnight` are in triggers.sql. */
import { type SQL, sql } from 'drizzle-orm'
import { isDay } from '#contracts/shop-days.ts'
import type { Queryable } from './client.ts'

/** Reads the shop's time zone. */
export async function readTimeZone(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ zone: string }>(sql`select shop_zone() as zone`)
  return rows[0]?.zone ?? 'UTC'
}

/** Reads the shop's date, YYYY-MM-DD, by the database's clock. */
export async function readToday(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ today: string }>(sql`select shop_today()::text as today`)
  return rows[0]?.today ?? ''
}

const start = (from: string) =>
  isDay(from) ? sql`shop_midnight(${from}::date)` : sql`${from}::timestamptz`
const end = (to: string) =>
  isDay(to) ? sql`shop_midnight(${to}::date + 1)` : sql`${to}::timestamptz`

/**
 * From the beginning of `from`, up to the end of `to`: each a day of the shop, or a moment with its
 * offset, ISO 8601.
 */
export const within = (
  at: SQL,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): SQL =>
  sql`(${from === undefined ? sql`true` : sql`${at} >= ${start(from)}`}
    and ${to === undefined ? sql`true` : sql`${at} < ${end(to)}`})`
