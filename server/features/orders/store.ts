import { and, asc, eq, getTableColumns, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { OwnOrderFilter, OwnOrderList, OwnOrderSort, RowCount } from '#contracts/lists.ts'
import { cents, fromCents } from '#contracts/money.ts'
import { type Order, type OrderFieldName, orderFieldNames } from '#contracts/orders.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { orders } from '#server/database/schema/orders.ts'
import { isOnSale, parts } from '#server/database/schema/parts.ts'
import { payments } from '#server/database/schema/payments.ts'
import { stockMovements } from '#server/database/schema/stock.ts'
import { withTimes } from '#server/database/times.ts'
import { found } from '#server/errors.ts'

// `hold_ended_at` refers to the order's last hold, so the last release decides
const holdReleased = sql<boolean>`${orders}.hold_ended_at is not null and coalesce((
  select reason = 'hold released' from ${stockMovements}
  where order_id = ${orders}._id and type = 'release' order by _id desc limit 1), false)`

const columns = getTableColumns(orders)
type StoredField = Extract<OrderFieldName, keyof typeof columns>
const storedFields = orderFieldNames.filter((name): name is StoredField => name in columns)

export const orderColumns = {
  ...(Object.fromEntries(storedFields.map((name) => [name, columns[name]])) as Pick<
    typeof columns,
    StoredField
  >),
  userId: orders.userId,
  holdReleased,
  refundedCents: orders.refundedCents,
}

/** An order as stored; `toOrder` turns it into the contract's shape. */
export type OrderRow = Awaited<ReturnType<typeof findOrder>> & object

/** Turns a stored order into the contract's shape. */
export const toOrder = ({ userId: _, refundedCents, ...row }: OrderRow): Order => ({
  ...withTimes(row),
  paid: row.transactionId !== null,
  refunded: fromCents(refundedCents),
})

/** The columns that end a hold. `hold_limit_at` stays, because it limits the next hold. */
export const noHold = { holdExpiresAt: null, networks: [] }

export const notDeleted = ne(orders.status, 'deleted')

const sorts: Record<OwnOrderSort, SortKey> = {
  newest: { by: orders.createdAt, down: true },
  'unpaid-first': { by: [sql`(${orders.status} = 'unpaid')`, orders.createdAt], down: true },
}

type Customer = { userId: string } | { email: string }
const inList = (customer: Customer) =>
  and(
    'userId' in customer ? eq(orders.userId, customer.userId) : eq(orders.email, customer.email),
    notDeleted,
  )

/** Lists a page of a customer's orders, found by user id or e-mail address, except deleted ones. */
export async function listOrdersOf(
  db: Queryable,
  customer: Customer,
  list: Pick<OwnOrderList, 'sort' | 'q'> & { limit: number; after?: string | undefined },
): Promise<OrderRow[]> {
  const page = { ...list, sort: sorts[list.sort], filter: inList(customer) }
  const { where, orderBy } = await pageOf(db, orders, page)
  return db
    .select(orderColumns)
    .from(orders)
    .where(where)
    .orderBy(...orderBy)
    .limit(list.limit)
}

export const countOrdersOf = (
  db: Queryable,
  customer: Customer,
  list: Pick<OwnOrderFilter, 'sort' | 'q'>,
): Promise<RowCount> =>
  countOf(db, orders, { ...list, sort: sorts[list.sort], filter: inList(customer) })

/** Returns one order, even a deleted one. */
export async function findOrder(db: Queryable, id: string) {
  const [order] = await db.select(orderColumns).from(orders).where(eq(orders._id, id))
  return order
}

/** Lists the orders that this payment paid, by id, as orders are locked. */
export const findOrdersPaidBy = (db: Queryable, intentId: string): Promise<OrderRow[]> =>
  db
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.transactionId, intentId))
    .orderBy(asc(orders._id))

/**
 * Locks all orders of a checkout, even deleted ones, by id until the transaction ends: a payment
 * covers all of them.
 */
export const lockCheckout = (tx: Transaction, checkoutId: string | SQL): Promise<OrderRow[]> =>
  tx
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.checkoutId, checkoutId))
    .orderBy(asc(orders._id))
    .for('update')

/** Locks one order, even a deleted one, with its whole checkout until the transaction ends. */
export async function lockOrder(tx: Transaction, id: string): Promise<OrderRow | undefined> {
  const own = sql`(select o.checkout_id from ${orders} o where o._id = ${id})`
  return (await lockCheckout(tx, own)).find(({ _id }) => _id === id)
}

/** Returns the order unless it is deleted. @throws AppError NOT_FOUND */
export const notDeletedOrder = (row: OrderRow | undefined): OrderRow =>
  found(row?.status === 'deleted' ? null : row, 'order')

const readPartOnSale = (db: Queryable, id: string) =>
  db
    .select({
      price: parts.price,
      minimumOrderQuantity: parts.minimumOrderQuantity,
      onHand: sql<number>`${parts.onHand} - ${parts.toShip}`,
      availableQuantity: sql<number>`${parts.onHand} - ${parts.reserved}`,
    })
    .from(parts)
    .where(and(eq(parts._id, id), isOnSale))

/** Returns what orders and queue places need to know about a part on sale. */
export const findPartOnSale = async (db: Queryable, id: string) => (await readPartOnSale(db, id))[0]

/** The same, and locks the part until the transaction ends. */
export async function lockPartOnSale(tx: Transaction, id: string) {
  const [part] = await readPartOnSale(tx, id).for('no key update')
  return part
}

/**
 * Finds the user's unpaid orders with exactly this total; an order without a hold also matches by
 * its total at the current price. Returns at most two, which is enough to see that the total is
 * ambiguous.
 */
export function findUnpaidByTotal(db: Queryable, userId: string, totalPrice: number) {
  return db
    .select({ _id: orders._id })
    .from(orders)
    .innerJoin(parts, eq(parts._id, orders.partId))
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.status, 'unpaid'),
        or(
          eq(orders.totalPrice, totalPrice),
          and(
            isNull(orders.holdExpiresAt),
            eq(sql`${orders.quantity}::bigint * ${parts.price}`, cents(totalPrice)),
          ),
        ),
      ),
    )
    .limit(2)
}

/**
 * Claims a request to the card provider about an unknown payment of an order.
 * @returns false when the last claim is less than `seconds` ago
 */
export async function claimProviderCheck(
  db: Queryable,
  id: string,
  seconds: number,
): Promise<boolean> {
  const longAgo = sql`now() - make_interval(secs => ${seconds})`
  const { rowCount } = await db
    .update(orders)
    .set({ providerCheckedAt: sql`now()` })
    .where(
      and(
        eq(orders._id, id),
        or(isNull(orders.providerCheckedAt), lt(orders.providerCheckedAt, longAgo)),
      ),
    )
  return rowCount === 1
}

const expired = lt(orders.holdExpiresAt, sql`now()`)

/** Whether the order's hold has expired according to the database clock. */
export async function isHoldExpired(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders._id, id), expired))
  return rows.length > 0
}

/**
 * Finds orders with an expired hold, with their open payments. Orders without an open payment come
 * first, the oldest first; then those whose payment was checked longest ago.
 */
export function findExpiredHolds(db: Queryable, limit: number) {
  return db
    .select({ orderId: orders._id, intentId: payments.intentId })
    .from(orders)
    .leftJoin(
      payments,
      and(eq(payments.checkoutId, orders.checkoutId), eq(payments.status, 'open')),
    )
    .where(expired)
    .orderBy(sql`${payments.checkedAt} nulls first`, asc(orders.holdExpiresAt))
    .limit(limit)
}
