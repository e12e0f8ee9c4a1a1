import { count, isNotNull, min, type SQL, sql } from 'drizzle-orm'
import { lowBookings } from '#contracts/catalogue.ts'
import {
  type BestSeller,
  type Held,
  type LowPart,
  type Overview,
  overviewRows,
  type ToShip,
} from '#contracts/overview.ts'
import type { Queryable } from '#server/database/client.ts'
import { countFailingChecks } from '#server/database/health-checks.ts'
import { readRuns } from '#server/database/last-runs.ts'
import { countGivenUp } from '#server/database/mail-queue.ts'
import { isDisputed } from '#server/database/schema/audit.ts'
import { amountSql } from '#server/database/schema/columns.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { isGiven, refundLines, refunds } from '#server/database/schema/payments.ts'
import { tickets } from '#server/database/schema/tickets.ts'
import { isoTime } from '#server/database/times.ts'
import { isToShip, listToShip } from '#server/features/orders/to-ship.ts'

const waiting = sql`_id, number, product, customer, quantity, ${amountSql(sql`total_cents`)} as "totalPrice"`

/** Reads the first rows of a list, and its total. */
async function top<Row>(
  db: Queryable,
  list: { columns: SQL; from: SQL; order: SQL },
): Promise<{ total: number; rows: Row[] }> {
  const { rows } = await db.execute<{ total: number; rows: Row[] }>(sql`
    select (select count(*)::int from ${list.from}) as total,
      coalesce((select json_agg(shown) from (
        select ${list.columns} from ${list.from} order by ${list.order} limit ${overviewRows}
      ) shown), '[]') as rows`)
  return rows[0] ?? { total: 0, rows: [] }
}

/** Unpaid orders that hold stock, the next to expire first. */
export function readHolds(db: Queryable) {
  return top<Held>(db, {
    columns: sql`${waiting}, ${isoTime(sql`hold_expires_at`)} as "holdExpiresAt"`,
    from: sql`${orders} where hold_expires_at > now()`,
    order: sql`hold_expires_at, _id`,
  })
}

/** Paid orders that are not shipped and not withdrawn, the longest waiting first. */
export function readToShip(db: Queryable) {
  return top<ToShip>(db, {
    columns: sql`${waiting}, ${isoTime(sql`paid_at`)} as "paidAt"`,
    from: sql`${orders} where ${isToShip}`,
    order: sql`paid_at, _id`,
  })
}

/** Parts that are low or sold out, those with the fewest units first. */
export async function readLowStock(db: Queryable): Promise<Overview['lowStock']> {
  const { rows } = await db.execute<{ soldOut: number; all: number; rows: LowPart[] }>(sql`
    with scarce as (
      select _id, name, position, on_hand - reserved as available, minimum_order_quantity as minimum
      from ${parts} where ${isOnSale}
        and on_hand - reserved <= ${lowBookings} * minimum_order_quantity)
    select count(*)::int as all, (count(*) filter (where available < minimum))::int as "soldOut",
      coalesce((select json_agg(shown) from (
        select _id, name, available as "availableQuantity", minimum as "minimumOrderQuantity"
        from scarce order by available, position limit ${overviewRows}
      ) shown), '[]') as rows
    from scarce`)
  const { all, ...scarce } = rows[0] ?? { all: 0, soldOut: 0, rows: [] }
  return { low: all - scarce.soldOut, ...scarce }
}

/**
 * Reads the best sellers by units, then by revenue, less restocked units and refunds. Returns the
 * current names of parts.
 * @param since ISO 8601
 */
export async function readBestSellers(db: Queryable, since: string): Promise<BestSeller[]> {
  const { rows } = await db.execute<BestSeller>(sql`
    with returned as (
      select o.part_id, sum(l.restock) as units from ${refunds} r join ${refundLines} l on l.refund_id = r._id
        join ${orders} o on o._id = l.order_id
      where l.restock > 0 and r.${isGiven} and o.paid_at >= ${since}::timestamptz group by o.part_id),
    sold as (
      select part_id, sum(quantity) as units, sum(total_cents::bigint - refunded_cents) as cents
      from ${orders} where paid_at >= ${since}::timestamptz group by part_id),
    best as (
      select part_id, (sold.units - coalesce(returned.units, 0))::int as units, ${amountSql(sql`cents`)} as revenue
      from sold left join returned using (part_id)
      order by units desc, revenue desc, part_id limit ${overviewRows})
    select p._id, p.name, best.units, best.revenue
    from best join ${parts} p on p._id = best.part_id
    where best.units > 0 order by best.units desc, best.revenue desc, p._id`)
  return rows
}

/** The tickets that wait for the shop, and since when the oldest does. */
async function readWaiting(
  db: Queryable,
): Promise<Pick<Overview['attention'], 'tickets' | 'ticketsSince'>> {
  const [row] = await db
    .select({ tickets: count(), since: min(tickets.waitingSince) })
    .from(tickets)
    .where(isNotNull(tickets.waitingSince))
  return { tickets: row?.tickets ?? 0, ticketsSince: row?.since?.toISOString() ?? null }
}

/** Counts what needs the owner's attention besides orders. */
export async function readAttention(db: Queryable): Promise<Overview['attention']> {
  const [mailsGivenUp, { reconciliation }, disputes, failingChecks, toShip, waiting] =
    await Promise.all([
      countGivenUp(db),
      readRuns(db),
      db.$count(orders, isDisputed),
      countFailingChecks(db),
      listToShip(db, {}),
      readWaiting(db),
    ])
  const late = toShip.checkouts.filter(({ isLate }) => isLate).length
  const issues = Number(reconciliation?.detail.issues ?? 0)
  return { mailsGivenUp, issues, disputes, failingChecks, late, ...waiting }
}

type Beginnings = Pick<Overview, 'hasOrders' | 'hasParts'>

/** Whether the shop has orders, and whether it has parts; deleted ones do not count. */
export async function readBeginnings(db: Queryable): Promise<Beginnings> {
  const { rows } = await db.execute<Beginnings>(sql`
    select exists (select from ${orders} where status <> 'deleted') as "hasOrders",
      exists (select from ${parts} where deleted_at is null) as "hasParts"`)
  return rows[0] ?? { hasOrders: false, hasParts: false }
}
