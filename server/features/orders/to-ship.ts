import { and, asc, desc, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm'
import { arrivalDay } from '#contracts/dispatch.ts'
import { leadOf } from '#contracts/orders.ts'
import { gtinOf } from '#contracts/parts.ts'
import {
  type ShippedParcel,
  shippedLimit,
  type ToShip,
  type ToShipCheckout,
  type ToShipFilter,
  toShipLimit,
} from '#contracts/to-ship.ts'
import type { Queryable } from '#server/database/client.ts'
import { mentions } from '#server/database/pagination.ts'
import { orders } from '#server/database/schema/orders.ts'
import { parts } from '#server/database/schema/parts.ts'
import { isWithdrawn, withdrawnUnits } from '#server/database/schema/tickets.ts'
import { found } from '#server/errors.ts'
import { readDepartures } from '#server/features/shipping/arrivals.ts'
import { listMethods } from '#server/features/shipping/methods.ts'
import { orderColumns, orNone } from './store.ts'

/**
 * The units of an order to pack: sold units stay reserved until they are shipped, except those that
 * a refund put back.
 */
export const unitsToPack = sql<number>`(
  select coalesce(sum(reserved_delta), 0)::int from stock_movements where order_id = ${orders}._id)`

/**
 * Whether a paid order is to be shipped. A bank that returns a refund makes an order paid again whose
 * units are back on sale: its money is here, but nothing of it is to be packed.
 */
export const isToShip = and(eq(orders.status, 'paid'), not(isWithdrawn), sql`${unitsToPack} > 0`)

/** The paid orders of these checkouts that are not shipped, in the order of their numbers. */
const readLines = (db: Queryable, checkoutIds: string[]) =>
  db
    .select({
      ...orderColumns,
      ...{ packed: unitsToPack, withdrawn: withdrawnUnits },
      ...{ sku: parts.sku, gtin: parts.gtin, mpn: parts.mpn },
    })
    .from(orders)
    .innerJoin(parts, eq(parts._id, orders.partId))
    .where(and(isToShip, inArray(orders.checkoutId, checkoutIds)))
    .orderBy(sql`length(${orders.number})`, asc(orders.number))

type Line = Awaited<ReturnType<typeof readLines>>[number]

type Departures = Awaited<ReturnType<typeof readDepartures>>

function toCheckout(
  lines: [Line, ...Line[]],
  { leavesBy, today, rules, offersDelivery }: Departures & { offersDelivery: boolean },
): ToShipCheckout {
  const [{ checkoutId, customer, email, phone, shipping, paidAt }] = lines
  const paid = found(paidAt, 'payment')
  const { method, type, shipTo, daysTo } = shipping
  const leaves = leavesBy(paid)
  const isSent = type !== 'pick up'
  return {
    checkoutId,
    number: leadOf(lines).number,
    paidAt: paid.toISOString(),
    ...{ customer, email, phone, method, type, shipTo },
    lacksDelivery: !method && offersDelivery,
    leavesBy: isSent ? leaves : null,
    isLate: isSent && leaves < today,
    by: type === 'ship' && daysTo !== null ? arrivalDay(leaves, daysTo, rules) : null,
    lines: lines.map(({ _id, number, partId, product, packed, withdrawn, sku, gtin, mpn }) => ({
      orderId: _id,
      ...{ number, partId, product, sku, gtin, mpn, withdrawn },
      quantity: Math.max(0, packed - withdrawn),
    })),
  }
}

/** The checkouts of which an order has these words, or a part this code; all without any. */
function isFound(db: Queryable, { q }: ToShipFilter) {
  if (!q) return undefined
  const isCode = or(
    eq(sql`lower(${parts.sku})`, q.toLowerCase()),
    eq(sql`lower(${parts.mpn})`, q.toLowerCase()),
    gtinOf(q) ? eq(parts.gtin, gtinOf(q)) : undefined,
  )
  const found = db
    .select({ checkoutId: orders.checkoutId })
    .from(orders)
    .innerJoin(parts, eq(parts._id, orders.partId))
    .where(and(isToShip, or(mentions(sql`${orders}.search`, q), isCode)))
  return inArray(orders.checkoutId, found)
}

/** Lists the checkouts to ship that were paid first. */
export async function listToShip(db: Queryable, filter: ToShipFilter): Promise<ToShip> {
  const first = await db
    .select({
      checkoutId: orders.checkoutId,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(orders)
    .where(and(isToShip, isFound(db, filter)))
    .groupBy(orders.checkoutId)
    .orderBy(sql`min(${orders.paidAt})`, asc(orders.checkoutId))
    .limit(toShipLimit)
  if (first.length === 0) return { total: 0, checkouts: [] }
  const ids = first.map(({ checkoutId }) => checkoutId)
  const lines = Map.groupBy(await readLines(db, ids), ({ checkoutId }) => checkoutId)
  const departures = await readDepartures(db)
  const offersDelivery = (await listMethods(db)).length > 0
  const checkouts = ids.flatMap((id) => {
    const own = orNone(lines.get(id) ?? [])
    return own ? [toCheckout(own, { ...departures, offersDelivery })] : []
  })
  return { total: first[0]?.total ?? 0, checkouts }
}

/** Lists the parcels that were shipped last, those that left last first. */
export async function listShipped(db: Queryable): Promise<ShippedParcel[]> {
  const last = await db
    .select(orderColumns)
    .from(orders)
    .where(isNotNull(orders.shippedAt))
    .orderBy(desc(orders.shippedAt), desc(orders._id))
    .limit(shippedLimit)
  const parcels = Map.groupBy(
    last,
    ({ checkoutId, shippedAt }) => `${checkoutId} ${shippedAt?.getTime()}`,
  )
  return [...parcels.values()].flatMap((parcel) => {
    const lines = orNone(parcel)
    if (!lines) return []
    const { checkoutId, customer, carrier, trackingNumber, shippedAt } = lines[0]
    return {
      ...{ checkoutId, customer, carrier, trackingNumber },
      number: leadOf(lines).number,
      shippedAt: found(shippedAt, 'shipment').toISOString(),
      lines: lines.map(({ _id: orderId, number, product }) => ({ orderId, number, product })),
    }
  })
}
