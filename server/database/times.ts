import { type SQL, sql } from 'drizzle-orm'

type InAnswer<T> = { [K in keyof T]: Date extends T[K] ? string | Exclude<T[K], Date> : T[K] }

/** The same row with its times in the API's format: ISO 8601, in UTC. */
export const withTimes = <T extends object>(row: T) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as InAnswer<T>

/** SQL for a time in the same format, for rows that are not selected by columns of the schema. */
export const isoTime = (time: SQL): SQL<string | null> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
