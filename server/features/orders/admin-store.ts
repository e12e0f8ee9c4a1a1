import { and, eq, gt, sql } from 'drizzle-orm'
import {
  type OrderFilter,
  type OrderSort,
  type RowCount,
  type ShownStatus,
  storedStatus,
} from '#contracts/lists.ts'
import type { AdminOrder } from '#contracts/orders.ts'
import type { Queryable } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { auditLog, disputeState, isDisputed } from '#server/database/schema/audit.ts'
import { orders } from '#server/database/schema/orders.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { within } from '#server/database/shop-days.ts'
import { withTimes } from '#server/database/times.ts'
import { notDeleted, type OrderRow, orderColumns, toOrder } from './store.ts'

const product = sql`lower(${orders.product})`

const sorts: Record<OrderSort, SortKey> = {
  newest: { by: orders.createdAt, down: true },
  oldest: { by: orders.createdAt },
  total: { by: orders.totalPrice },
  '-total': { by: orders.totalPrice, down: true },
  product: { by: product },
  '-product': { by: product, down: true },
  email: { by: orders.email },
  '-email': { by: orders.email, down: true },
  quantity: { by: orders.quantity },
  '-quantity': { by: orders.quantity, down: true },
}

/**
 * Orders are shipped in the order of payment. Those of a checkout were paid at the same time, so
 * they are adjacent.
 */
const paidFirst: SortKey = { by: [orders.paidAt, orders.checkoutId] }

const sortOf = ({ status, sort }: OrderFilter) =>
  status === 'pending' && sort === 'oldest' ? paidFirst : sorts[sort]

const remindedAt = sql<Date | null>`(
  select max(created_at) from ${auditLog} where order_id = ${orders}._id and action = 'payment reminder sent')`.mapWith(
  auditLog.createdAt,
)

const heldAgainAt = sql<Date | null>`(
  select max(created_at) from ${stockMovements}
  where order_id = ${orders}._id and type = 'hold' and created_at > ${orders}.created_at)`.mapWith(
  stockMovements.createdAt,
)

// the audit log does not record a customer's own deletion
const deletedBy = sql<
  AdminOrder['deletedBy']
>`case when ${orders}.deleted_at is not null then coalesce((
  select case action when 'order deleted' then 'admin' else 'shop' end from ${auditLog}
  where order_id = ${orders}._id and action in ('order deleted', 'order expired') limit 1), 'customer') end`

const adminColumns = {
  ...orderColumns,
  dispute: disputeState,
  remindedAt,
  heldAgainAt,
  deletedAt: orders.deletedAt,
  deletedBy,
}

type AdminOrderRow = OrderRow &
  Pick<AdminOrder, 'dispute' | 'deletedBy'> &
  Record<'remindedAt' | 'heldAgainAt' | 'deletedAt', Date | null>

function toAdminOrder(row: AdminOrderRow): AdminOrder {
  const { dispute, remindedAt, heldAgainAt, deletedAt, deletedBy, ...order } = row
  const more = { dispute, remindedAt, heldAgainAt, deletedAt, deletedBy }
  return { ...toOrder(order), ...withTimes(more) }
}

function hasStatus(status: ShownStatus | undefined) {
  if (!status) return notDeleted
  if (status === 'disputed') return isDisputed
  const isHeld = status === 'held' ? gt(orders.holdExpiresAt, sql`now()`) : undefined
  return and(eq(orders.status, storedStatus(status)), isHeld)
}

function inList(filter: OrderFilter) {
  return and(hasStatus(filter.status), within(sql`${orders.createdAt}`, filter))
}

/**
 * Lists a page of orders that match the filter, after the order with the id `after`. Without a
 * status, the filter skips deleted orders.
 */
export async function listAllOrders(
  db: Queryable,
  filter: OrderFilter & { limit: number; after?: string | undefined },
): Promise<AdminOrder[]> {
  const page = { ...filter, sort: sortOf(filter), filter: inList(filter) }
  const { where, orderBy } = await pageOf(db, orders, page)
  const rows = await db
    .select(adminColumns)
    .from(orders)
    .where(where)
    .orderBy(...orderBy)
    .limit(filter.limit)
  return rows.map(toAdminOrder)
}

export const countAllOrders = (db: Queryable, filter: OrderFilter): Promise<RowCount> =>
  countOf(db, orders, { ...filter, sort: sortOf(filter), filter: inList(filter) })

/** Returns one order, even a deleted one. */
export async function findAdminOrder(db: Queryable, id: string): Promise<AdminOrder | null> {
  const [row] = await db.select(adminColumns).from(orders).where(eq(orders._id, id))
  return row ? toAdminOrder(row) : null
}
