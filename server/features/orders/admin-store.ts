import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import {
  type OrderFilter,
  type OrderSort,
  type RowCount,
  spanOf,
  storedStatus,
} from '#contracts/lists.ts'
import type { Order } from '#contracts/orders.ts'
import type { Queryable } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { orders } from '#server/database/schema/orders.ts'
import { notDeleted, orderColumns, toOrder } from './store.ts'

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

function inList(filter: OrderFilter) {
  const { since, before } = spanOf(filter)
  return and(
    filter.status ? eq(orders.status, storedStatus(filter.status)) : notDeleted,
    filter.status === 'held' ? gt(orders.holdExpiresAt, sql`now()`) : undefined,
    since && gte(orders.createdAt, since),
    before && lt(orders.createdAt, before),
  )
}

/** A page of all orders except deleted ones, after the order with the id `after`. */
export async function listAllOrders(
  db: Queryable,
  filter: OrderFilter & { limit: number; after?: string | undefined },
): Promise<Order[]> {
  const page = { ...filter, sort: sorts[filter.sort], filter: inList(filter) }
  const { where, orderBy } = await pageOf(db, orders, page)
  const rows = await db
    .select(orderColumns)
    .from(orders)
    .where(where)
    .orderBy(...orderBy)
    .limit(filter.limit)
  return rows.map(toOrder)
}

export const countAllOrders = (db: Queryable, filter: OrderFilter): Promise<RowCount> =>
  countOf(db, orders, { ...filter, sort: sorts[filter.sort], filter: inList(filter) })
