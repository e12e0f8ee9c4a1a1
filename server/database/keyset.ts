import { asc, desc, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** By what a list is sorted; rows that are equal in it by their ids. */
export type SortKey = { by: PgColumn | SQL; down?: boolean }

/**
 * Sorting in which every row has one place, so that pieces of a list neither miss nor repeat a row.
 * @param after the id of the last row read; `beyond` is the condition that only what follows it meets
 */
export function keyset(
  table: PgTable & { _id: PgColumn },
  { by, down = false }: SortKey,
  after: string | undefined,
): { orderBy: SQL[]; beyond: SQL | undefined } {
  const place = sql`${by}, ${table._id}`
  const direction = down ? desc : asc
  const then = down ? sql`<` : sql`>`
  return {
    orderBy: [direction(by), direction(table._id)],
    beyond:
      after === undefined
        ? undefined
        : sql`(${place}) ${then} (select ${place} from ${table} where ${table._id} = ${after})`,
  }
}
