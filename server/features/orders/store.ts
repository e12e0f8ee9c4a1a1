import { and, asc, eq, getTableColumns, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Address } from '#contracts/addresses.ts'
import type { OwnOrderFilter, OwnOrderList, OwnOrderSort, RowCount } from '#contracts/lists.ts'
import { cents, fromCents, sumOf, sumOfTotals } from '#contracts/money.ts'
import { type Order, type OrderFieldName, orderFieldNames } from '#contracts/orders.ts'
import type { Shipping } from '#contracts/shipping.ts'
import { type TaxMode, taxIn } from '#contracts/tax.ts'
import type { Queryable, Transaction } from '#server/database/client.ts'
import { countOf, pageOf, type SortKey } from '#server/database/pagination.ts'
import { checkouts } from '#server/database/schema/checkouts.ts'
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

const dueCents = sql<string>`due_of(${orders}.checkout_id)`
const checkoutOrders = sql<number>`(select count(*)::int from ${orders} c where c.checkout_id = ${orders}.checkout_id
  and (c.status <> 'deleted' or c._id = ${orders}._id))`

/** The order's checkout as PostgreSQL writes it; amounts are in cents. */
type StoredCheckout = {
  method_id: string | null
  method_name: string | null
  method_type: Shipping['type']
  days_from: number | null
  days_to: number | null
  ship_to: Address | null
  bill_to: Address | null
  tax_number: string
  shipping_cents: number
  shipping_tax_cents: number
  tax_mode: TaxMode | null
  tax_name: string
  tax_rate: number
}

const shipping =
  sql`(select to_json(k) from ${checkouts} k where k._id = ${orders}.checkout_id)`.mapWith(
    (stored: StoredCheckout) => ({
      methodId: stored.method_id,
      method: stored.method_name,
      type: stored.method_type,
      daysFrom: stored.days_from,
      daysTo: stored.days_to,
      shipTo: stored.ship_to,
      billTo: stored.bill_to,
      taxNumber: stored.tax_number,
      price: fromCents(stored.shipping_cents),
      priceTax: fromCents(stored.shipping_tax_cents),
      taxMode: stored.tax_mode,
      taxName: stored.tax_name,
      taxRate: stored.tax_rate,
    }),
  )

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
  dueCents,
  checkoutOrders,
  shipping,
}

/** An order as stored; `toOrder` turns it into the contract's shape. */
export type OrderRow = Awaited<ReturnType<typeof findOrder>> & object

/** Turns a stored order into the contract's shape. */
export const toOrder = ({
  userId: _,
  refundedCents,
  dueCents: due,
  shipping: { method, shipTo },
  ...row
}: OrderRow): Order => ({
  ...withTimes(row),
  paid: row.transactionId !== null,
  refunded: fromCents(refundedCents),
  checkoutTotal: fromCents(Number(due)),
  method,
  shipTo,
})

/** What the payment of a checkout costs: its goods, shipping, and the tax that is added to both. */
export const dueOf = ([order]: readonly OrderRow[]): number =>
  fromCents(Number(order?.dueCents ?? 0))

/** What was paid for an order, with the tax that is added, in cents. */
export const paidCents = ({ totalPrice, taxTotal }: OrderRow): number =>
  cents(totalPrice) + cents(taxTotal)

/** What the shipping of an order's checkout costs, with the tax that is added, in cents. */
export const shippingCents = ({ shipping: { price, priceTax } }: OrderRow): number =>
  cents(price) + cents(priceTax)

/** The tax of a checkout's orders and shipping, whether prices include it or it is added. */
function taxOf(lines: OrderRow[], { taxMode, taxRate, price, priceTax }: OrderRow['shipping']) {
  if (taxMode === 'included')
    return fromCents(taxIn(cents(sumOf([sumOfTotals(lines), price])), taxRate))
  return sumOf([priceTax, ...lines.map(({ taxTotal }) => taxTotal)])
}

/**
 * How a checkout reaches its customer, in the contract's shape.
 * @param lines its orders, except deleted ones
 */
export function toShipping(lines: [OrderRow, ...OrderRow[]]): Omit<Shipping, 'by' | 'refunded'> {
  const { priceTax: _, ...shipping } = lines[0].shipping
  const paid = fromCents(shippingCents(lines[0]))
  return { ...shipping, paid, tax: taxOf(lines, lines[0].shipping) }
}

/** The columns that end a hold. `hold_limit_at` stays, because it limits the next hold. */
export const noHold = { holdExpiresAt: null, networks: [] }

export const notDeleted = ne(orders.status, 'deleted')

// orders of a checkout are adjacent, even those that joined it later
const checkoutKeys = [
  sql`(select c.created_at from ${checkouts} c where c._id = ${orders}.checkout_id)`,
  orders.checkoutId,
  orders.createdAt,
]
const sorts: Record<OwnOrderSort, SortKey> = {
  newest: { by: checkoutKeys, down: true },
  'unpaid-first': { by: [sql`(${orders.status} = 'unpaid')`, ...checkoutKeys], down: true },
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

const asBooked = [asc(orders.createdAt), sql`length(${orders.number})`, asc(orders.number)]

/** The orders that this payment paid, in the order of booking. */
export const findOrdersPaidBy = (db: Queryable, intentId: string): Promise<OrderRow[]> =>
  db
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.transactionId, intentId))
    .orderBy(...asBooked)

/** The orders of a checkout, including deleted ones, in the order of booking. */
export const listOrdersIn = (db: Queryable, checkoutId: string): Promise<OrderRow[]> =>
  db
    .select(orderColumns)
    .from(orders)
    .where(eq(orders.checkoutId, checkoutId))
    .orderBy(...asBooked)

/**
 * All orders of these checkouts, including deleted ones, locked in the order of their ids until the
 * transaction ends. Locks the checkouts first, so that an order that joined one meanwhile is
 * included.
 */
export async function lockCheckouts(tx: Transaction, checkoutIds: string[]): Promise<OrderRow[]> {
  await tx
    .select({ _id: checkouts._id })
    .from(checkouts)
    .where(inArray(checkouts._id, checkoutIds))
    .orderBy(asc(checkouts._id))
    .for('update')
  return tx
    .select(orderColumns)
    .from(orders)
    .where(inArray(orders.checkoutId, checkoutIds))
    .orderBy(asc(orders._id))
    .for('update')
}

/** The same for one checkout, whose orders are paid together. */
export const lockCheckout = (tx: Transaction, checkoutId: string): Promise<OrderRow[]> =>
  lockCheckouts(tx, [checkoutId])

/** The same for the checkout of an order; none if there is no such order. */
export async function lockCheckoutOf(tx: Transaction, orderId: string): Promise<OrderRow[]> {
  for (;;) {
    const order = await findOrder(tx, orderId)
    if (!order) return []
    const all = await lockCheckout(tx, order.checkoutId)
    // it may have moved to another checkout before that was locked
    if (all.some(({ _id }) => _id === orderId)) return all
  }
}

/** One order, even a deleted one, locked with its checkout until the transaction ends. */
export const lockOrder = async (tx: Transaction, id: string): Promise<OrderRow | undefined> =>
  (await lockCheckoutOf(tx, id)).find(({ _id }) => _id === id)

/** The list, or null if it is empty. */
export const orNone = <T>(list: T[]): [T, ...T[]] | null => {
  const [first, ...more] = list
  return first === undefined ? null : [first, ...more]
}

/** Sorts orders by the ids of their parts, the order in which parts are locked. */
export const byPart = (a: Pick<OrderRow, 'partId'>, b: Pick<OrderRow, 'partId'>): number =>
  a.partId < b.partId ? -1 : 1

export const idsOf = (orders: readonly Pick<OrderRow, '_id'>[]): string[] =>
  orders.map(({ _id }) => _id)

export const withoutDeleted = (orders: OrderRow[]): OrderRow[] =>
  orders.filter(({ status }) => status !== 'deleted')

export const isUnpaid = ({ status }: Pick<OrderRow, 'status'>) => status === 'unpaid'

/** The order unless it is deleted. @throws AppError NOT_FOUND */
export const notDeletedOrder = (row: OrderRow | undefined): OrderRow =>
  found(row?.status === 'deleted' ? null : row, 'order')

const readPartsOnSale = (db: Queryable, ids: string[]) =>
  db
    .select({
      _id: parts._id,
      price: parts.price,
      minimumOrderQuantity: parts.minimumOrderQuantity,
      unsold: sql<number>`${parts.onHand} - ${parts.toShip}`,
      availableQuantity: sql<number>`${parts.onHand} - ${parts.reserved}`,
    })
    .from(parts)
    .where(and(inArray(parts._id, ids), isOnSale))
    .orderBy(asc(parts._id))

/** What orders and places in the queue need of a part on sale. */
export const findPartOnSale = async (db: Queryable, id: string) =>
  (await readPartsOnSale(db, [id]))[0]
export type PartOnSale = NonNullable<Awaited<ReturnType<typeof findPartOnSale>>>

/** The same for several parts by id, locked until the transaction ends. */
export async function lockPartsOnSale(
  tx: Transaction,
  ids: string[],
): Promise<Map<string, PartOnSale>> {
  if (ids.length === 0) return new Map()
  const locked = await readPartsOnSale(tx, ids).for('no key update')
  return new Map(locked.map((part) => [part._id, part]))
}

/**
 * One order of each of the user's unpaid checkouts with exactly this total or, if nothing is held,
 * with this total at today's prices. Returns at most two: two already mean that the total is
 * ambiguous.
 */
export function findUnpaidByTotal(db: Queryable, userId: string, totalPrice: number) {
  const today = sql`case when ${orders.holdExpiresAt} is null
    then ${orders.quantity}::bigint * ${parts.price} else ${orders.totalPrice} end`
  const total = cents(totalPrice)
  return db
    .select({ _id: sql<string>`(array_agg(${orders._id} order by ${orders._id}))[1]` })
    .from(orders)
    .innerJoin(parts, eq(parts._id, orders.partId))
    .where(and(eq(orders.userId, userId), eq(orders.status, 'unpaid')))
    .groupBy(orders.checkoutId)
    .having(sql`sum(${orders.totalPrice}) = ${total} or sum(${today}) = ${total}`)
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

/** The orders of a checkout whose hold has expired, by the database's clock. */
export const findExpiredIn = (db: Queryable, checkoutId: string) =>
  db
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.checkoutId, checkoutId), expired))

/**
 * Checkouts with an expired hold, and their open payments: first those without one, the oldest
 * first, then those whose payment the provider was asked about longest ago.
 */
export function findExpiredHolds(db: Queryable, limit: number) {
  return db
    .select({
      checkoutId: orders.checkoutId,
      intentId: sql<string | null>`min(${payments.intentId})`,
    })
    .from(orders)
    .leftJoin(
      payments,
      and(eq(payments.checkoutId, orders.checkoutId), eq(payments.status, 'open')),
    )
    .where(expired)
    .groupBy(orders.checkoutId)
    .orderBy(sql`min(${payments.checkedAt}) nulls first`, sql`min(${orders.holdExpiresAt})`)
    .limit(limit)
}
