import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Delivery, DeliveryLine, ExpectedUnits, WholeDelivery } from '#contracts/deliveries.ts'
import type { DeliveryFilter, DeliveryList, DeliverySort, RowCount } from '#contracts/lists.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { deliveries, deliveryLines as lines } from '#server/database/schema/deliveries.ts'
import { parts } from '#server/database/schema/parts.ts'
import { withTimes } from '#server/database/times.ts'

const linesOf = sql`from ${lines} l where l.delivery_id = ${deliveries}._id`
const sum = (column: SQL) => sql<number>`(select coalesce(sum(${column}), 0)::int ${linesOf})`

const columns = {
  _id: deliveries._id,
  supplier: deliveries.supplier,
  reference: deliveries.reference,
  expectedOn: deliveries.expectedOn,
  createdAt: deliveries.createdAt,
  parts: sql<number>`(select count(*)::int ${linesOf})`,
  quantity: sum(sql`l.quantity`),
  received: sum(sql`l.received`),
  canceled: sum(sql`l.canceled`),
}

const isOpen = sql`exists (select ${linesOf} and l.received + l.canceled < l.quantity)`
const inList = ({ state }: DeliveryFilter) =>
  state && (state === 'expected' ? isOpen : sql`not ${isOpen}`)

// a delivery without an expected day sorts as the latest
const day = sql`coalesce(${deliveries.expectedOn}, 'infinity')`

const sorts: Record<DeliverySort, SortKey> = {
  newest: { by: deliveries.createdAt, down: true },
  oldest: { by: deliveries.createdAt },
  expected: { by: day },
  '-expected': { by: day, down: true },
}

/** Lists a page of deliveries, after the delivery with the id `after`. */
export async function listDeliveries(
  db: Queryable,
  list: Omit<DeliveryList, 'limit'> & { limit: number },
): Promise<Delivery[]> {
  const page = { ...list, sort: sorts[list.sort], filter: inList(list) }
  const { where, orderBy } = await pageOf(db, deliveries, page)
  const rows = await db
    .select(columns)
    .from(deliveries)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
  return rows.map(withTimes)
}

export const countDeliveries = (db: Queryable, list: DeliveryFilter): Promise<RowCount> =>
  countOf(db, deliveries, { ...list, sort: sorts[list.sort], filter: inList(list) })

export async function findDelivery(db: Queryable, id: string): Promise<WholeDelivery | undefined> {
  const [delivery] = await db.select(columns).from(deliveries).where(eq(deliveries._id, id))
  if (!delivery) return undefined
  const rows: DeliveryLine[] = await db
    .select({
      _id: lines._id,
      partId: lines.partId,
      name: parts.name,
      sku: parts.sku,
      quantity: lines.quantity,
      received: lines.received,
      canceled: lines.canceled,
      cost: lines.cost,
    })
    .from(lines)
    .innerJoin(parts, eq(parts._id, lines.partId))
    .where(eq(lines.deliveryId, id))
    .orderBy(asc(lines.place))
  return { ...withTimes(delivery), lines: rows }
}

/**
 * Locks a delivery and returns its lines. Transactions that receive or cancel it wait for each
 * other.
 */
export async function lockDelivery(tx: Transaction, id: string) {
  const [delivery] = await tx
    .select({ supplier: deliveries.supplier, reference: deliveries.reference })
    .from(deliveries)
    .where(eq(deliveries._id, id))
    .for('no key update')
  if (!delivery) return undefined
  const rows = await tx.select().from(lines).where(eq(lines.deliveryId, id)).orderBy(lines.partId)
  return { name: [delivery.supplier, delivery.reference].filter(Boolean).join(', '), lines: rows }
}

/** Returns the ids that belong to parts which are not deleted. */
export async function partsAmong(db: Queryable, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(sql`${inArray(parts._id, ids)} and ${parts.deletedAt} is null`)
  return new Set(rows.map(({ _id }) => _id))
}

/** Lists the expected units of a part, the soonest first. */
export async function expectedOf(db: Queryable, partId: string): Promise<ExpectedUnits[]> {
  return db
    .select({
      deliveryId: deliveries._id,
      supplier: deliveries.supplier,
      reference: deliveries.reference,
      expectedOn: deliveries.expectedOn,
      quantity: sql<number>`${lines.quantity} - ${lines.received} - ${lines.canceled}`,
    })
    .from(lines)
    .innerJoin(deliveries, eq(deliveries._id, lines.deliveryId))
    .where(
      sql`${lines.partId} = ${partId} and ${lines.received} + ${lines.canceled} < ${lines.quantity}`,
    )
    .orderBy(day, deliveries._id)
}
