import { asc, desc, sql } from 'drizzle-orm'
import type { Database, Queryable } from '#server/database/client.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { isGiven, refundLines, refunds } from '#server/database/schema/payments.ts'

/**
 * Finds the best seller: the monitor on sale that sold most in 90 days, else the part that did,
 * else the first monitor, else the first part. Undefined in a shop without parts. `hasSold` is
 * whether it sold in these 90 days.
 */
export async function findBestSeller(
  db: Queryable,
): Promise<{ _id: string; hasSold: boolean } | undefined> {
  const isMonitor = sql`lower(${parts.kind}) = 'monitor'`
  const [best] = await db
    .select({ _id: parts._id, hasSold: sql<boolean>`${parts.sold90} > 0` })
    .from(parts)
    .where(isOnSale)
    .orderBy(
      desc(sql`${isMonitor} and ${parts.sold90} > 0`),
      desc(parts.sold90),
      desc(isMonitor),
      asc(parts.position),
    )
    .limit(1)
  return best
}

/**
 * Updates each part's number of units that were paid in the last 90 days, less restocked ones.
 * Writes only changed numbers.
 */
export async function countSales({ db }: { db: Database }): Promise<void> {
  await db.execute(sql`
    with returned as (
      select l.order_id, sum(l.restock) as units from ${refundLines} l join ${refunds} r on r._id = l.refund_id
      where l.restock > 0 and r.${isGiven} group by l.order_id),
    sold as (
      select o.part_id, greatest(sum(o.quantity - coalesce(r.units, 0)), 0)::int as units
      from ${orders} o left join returned r on r.order_id = o._id
      where o.paid_at >= now() - interval '90 days' group by o.part_id),
    -- in the order in which everything locks parts
    changed as (
      select p._id, coalesce(sold.units, 0) as units from ${parts} p left join sold on sold.part_id = p._id
      where p.sold_90 is distinct from coalesce(sold.units, 0) order by p._id for no key update of p)
    update ${parts} p set sold_90 = changed.units from changed where p._id = changed._id`)
}
