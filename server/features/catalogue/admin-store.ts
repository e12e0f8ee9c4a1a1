import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { lowBookings } from '#contracts/catalogue.ts'
import type { PartFilter, PartSort, PartState, RowCount } from '#contracts/lists.ts'
import type { AdminPart, StockLine } from '#contracts/parts.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageAfter, pageOf, type SortKey } from '#server/database/pagination.ts'
import { deliveries, deliveryLines } from '#server/database/schema/deliveries.ts'
import { kinds } from '#server/database/schema/kinds.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isOnSale, partIndex, partPictures, parts } from '#server/database/schema/parts.ts'
import { queuePlaces } from '#server/database/schema/queue.ts'
import { stockMovements as lines } from '#server/database/schema/stock.ts'
import { withTimes } from '#server/database/times.ts'
import { detailColumns, partColumns } from './store.ts'

/** An aggregate over the queue places of a part that have no offer yet. */
const inQueue = (figure: string) => sql<number>`(
  select ${sql.raw(figure)}::int from ${queuePlaces} q where q.part_id = ${parts}._id and q.offered_at is null)`

const adminColumns = {
  ...partColumns,
  ...detailColumns,
  number: parts.number,
  onHand: parts.onHand,
  reserved: parts.reserved,
  toShip: parts.toShip,
  version: parts.version,
  deletedAt: parts.deletedAt,
  waiting: inQueue('count(*)'),
  waitingUnits: inQueue('coalesce(sum(quantity), 0)'),
}

const available = sql`(${parts.onHand} - ${parts.reserved})`

const stateIs: Record<PartState, SQL> = {
  'in-shop': isOnSale,
  'on-sale': sql`${isOnSale} and ${available} >= ${parts.minimumOrderQuantity}`,
  'sold-out': sql`${isOnSale} and ${available} < ${parts.minimumOrderQuantity}`,
  low: sql`${isOnSale} and ${available} between ${parts.minimumOrderQuantity}
    and ${lowBookings} * ${parts.minimumOrderQuantity}`,
  draft: sql`${parts.deletedAt} is null and ${parts.state} = 'draft'`,
  deleted: sql`${parts.deletedAt} is not null`,
}

const name = sql`lower(${parts.name})`

const sorts: Record<PartSort, SortKey> = {
  shop: { by: parts.position },
  name: { by: name },
  '-name': { by: name, down: true },
  price: { by: parts.price },
  '-price': { by: parts.price, down: true },
  stock: { by: available },
  '-stock': { by: available, down: true },
  newest: { by: parts.createdAt, down: true },
  oldest: { by: parts.createdAt },
}

const searched = sql`(
  select p.*, i.search from ${parts} p join ${partIndex} i on i.part_id = p._id) ${parts}`

/** Parts that do not state a field of their kind, or their weight. */
const lacks = (field: string) =>
  field === 'weightG' ? eq(parts.weightG, 0) : sql`not (${parts.specs} ? ${field})`

const inList = ({ state, kind, misses }: PartFilter) =>
  and(
    state ? stateIs[state] : isNull(parts.deletedAt),
    kind === undefined
      ? undefined
      : sql`${parts.kind} = (select k.name from ${kinds} k where k.slug = ${kind})`,
    misses === undefined ? undefined : lacks(misses),
  )

/** Lists a page of parts as admins see them, after the part with the id `after`. */
export async function listAdminParts(
  db: Queryable,
  list: PartFilter & { limit: number; after: string | undefined },
): Promise<AdminPart[]> {
  const query = { ...list, sort: sorts[list.sort], filter: inList(list), searched }
  const { where, orderBy } = await pageOf(db, parts, query)
  const rows = await db
    .select(adminColumns)
    .from(parts)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
  return rows.map(withTimes)
}

export const countAdminParts = (db: Queryable, list: PartFilter): Promise<RowCount> =>
  countOf(db, parts, { ...list, sort: sorts[list.sort], filter: inList(list), searched })

/** Finds one part as admins see it, deleted or not. */
export async function findAdminPart(db: Queryable, id: string): Promise<AdminPart | undefined> {
  const [part] = await db.select(adminColumns).from(parts).where(eq(parts._id, id))
  return part && withTimes(part)
}

/** Finds one part as admins see it, deleted or not, and locks it until the transaction ends. */
export async function lockAdminPart(tx: Transaction, id: string): Promise<AdminPart | undefined> {
  const [part] = await tx
    .select(adminColumns)
    .from(parts)
    .where(eq(parts._id, id))
    .for('no key update')
  return part && withTimes(part)
}

/** Returns the pictures that any part shows, deleted parts included. */
export async function shownOf(db: Queryable, images: string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ image: partPictures.image })
    .from(partPictures)
    .where(inArray(partPictures.image, images))
  return rows.map(({ image }) => image)
}

export async function partExists(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.select({ _id: parts._id }).from(parts).where(eq(parts._id, id))
  return rows.length > 0
}

type LedgerQuery = { limit: number; after?: number | undefined }

/**
 * The value of a counter after the first line of the page: its current value, less the changes of
 * all newer lines.
 */
function counterAtPage(
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
 * Lists a page of a part's stock ledger, newest line first, each with the counters after it.
 * @param after the `_id` of the last line of the page before
 */
export async function listStock(
  db: Queryable,
  partId: string,
  { limit, after }: LedgerQuery,
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
      orderNumber: orders.number,
      delivery: sql<StockLine['delivery']>`(
        select json_build_object('_id', d._id, 'supplier', d.supplier, 'reference', d.reference)
        from ${deliveryLines} l join ${deliveries} d on d._id = l.delivery_id where l._id = ${lines.deliveryLineId})`,
      createdAt: lines.createdAt,
      firstOnHand: counterAtPage(parts.onHand, lines.onHandDelta, partId, after),
      firstReserved: counterAtPage(parts.reserved, lines.reservedDelta, partId, after),
    })
    .from(lines)
    .innerJoin(parts, eq(parts._id, lines.partId))
    .leftJoin(orders, eq(orders._id, lines.orderId))
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
