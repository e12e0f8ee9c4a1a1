import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { StockLine } from '#contracts/parts.ts'
import type { Queryable } from '#server/database/client.ts'
import { pageAfter } from '#server/database/pagination.ts'
import { parts } from '#server/database/schema/parts.ts'
import { stockMovements as lines } from '#server/database/schema/stock.ts'

type Place = { limit: number; after?: number | undefined }

/** The counter after the first line of the page: its value now, less the changes of all newer lines. */
function counterThen(
  counter: PgColumn,
  delta: PgColumn,
  partId: string,
  after?: number,
): SQL<number> {
  if (after === undefined) return sql<number>`${counter}`
  return sql<number>`${counter} - (
    select coalesce(sum(n.${sql.identifier(delta.name)}), 0)::int from ${lines} n
    where n.part_id = ${partId} and n._id >= ${after})`
}

/**
 * The stock ledger of a part, newest line first, each with the counters as it left them.
 * @param after `_id` of the last line read
 */
export async function listStock(
  db: Queryable,
  partId: string,
  { limit, after }: Place,
): Promise<StockLine[]> {
  const page = pageAfter(lines, { by: [], down: true }, after)
  const rows = await db
    .select({
      _id: lines._id,
      type: lines.type,
      onHandDelta: lines.onHandDelta,
      reservedDelta: lines.reservedDelta,
      reason: lines.reason,
      orderId: lines.orderId,
      createdAt: lines.createdAt,
      firstOnHand: counterThen(parts.onHand, lines.onHandDelta, partId, after),
      firstReserved: counterThen(parts.reserved, lines.reservedDelta, partId, after),
    })
    .from(lines)
    .innerJoin(parts, eq(parts._id, lines.partId))
    .where(and(eq(lines.partId, partId), page.after))
    .orderBy(...page.orderBy)
    .limit(limit)
  let [onHand, reserved] = [rows[0]?.firstOnHand ?? 0, rows[0]?.firstReserved ?? 0]
  return rows.map(({ firstOnHand: _, firstReserved: __, createdAt, ...row }) => {
    const line = { ...row, onHand, reserved, createdAt: createdAt.toISOString() }
    onHand -= row.onHandDelta
    reserved -= row.reservedDelta
    return line
  })
}
