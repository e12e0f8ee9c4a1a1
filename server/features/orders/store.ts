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

// its last hold is what `hold_ended_at` is about
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

/** What ends a hold: its units are free again, and what limits the next hold stays. */
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

/** A page of the user's orders, or of those booked with an address, except deleted ones. */
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

/** One order, also a deleted one. */
export async function findOrder(db: Queryable, id: string) {
  const [order] = await db.select(orderColumns).from(orders).where(eq(orders._id, id))
  return order
}

/** The orders that this payment paid, in the order in which orders are locked. */
export const findOrdersPaidBy = (db: Queryable, intentId: string): Promise<OrderRow[]> =>
  db
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.transactionId, intentId))
    .orderBy(asc(orders._id))

/** All orders of a checkout, also deleted ones, locked by their ids until the transaction ends: a payment is for all of them. */
export const lockCheckout = (tx: Transaction, checkoutId: string | SQL): Promise<OrderRow[]> =>
  tx
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.checkoutId, checkoutId))
    .orderBy(asc(orders._id))
    .for('update')

/** One order, also a deleted one, locked with its checkout until the transaction ends. */
export async function lockOrder(tx: Transaction, id: string): Promise<OrderRow | undefined> {
  const own = sql`(select o.checkout_id from ${orders} o where o._id = ${id})`
  return (await lockCheckout(tx, own)).find(({ _id }) => _id === id)
}

/** The order unless it is deleted. @throws AppError NOT_FOUND */
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

/** What orders and places in the queue need of a part on sale. */
export const findPartOnSale = async (db: Queryable, id: string) => (await readPartOnSale(db, id))[0]

/** The same, locked until the transaction ends. */
export async function lockPartOnSale(tx: Transaction, id: string) {
  const [part] = await readPartOnSale(tx, id).for('no key update')
  return part
}

/**
 * The user's unpaid orders of exactly this total or, without a hold, of this total at today's price. Returns at most two:
 * two already mean that the total is ambiguous.
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

/** Claims the right to ask the card provider about an unknown payment. @returns false when it was claimed less than `seconds` ago */
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

/** Whether the order's hold has expired by the database's clock. */
export async function isHoldExpired(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders._id, id), expired))
  return rows.length > 0
}

/**
 * Orders with an expired hold, and their open payments: first those without one, the oldest first, then those whose payment
 * the provider was asked about longest ago.
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
