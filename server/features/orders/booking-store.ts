/**
 * The statements of a booking, written by hand: customers of the same part wait for each other, so
 * these combine queries and are prepared once per connection. Parts are locked only while their
 * orders are inserted and committed, in one write: other bookings wait only for PostgreSQL, never
 * for Node.
 */

import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { cents } from '#contracts/money.ts'
import { type Order, type TypedField, typedFields } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Client } from '#server/database/client.ts'
import type { QueuedMail } from '#server/database/mail-queue.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { type HoldState, holderLockSql, holdStateSql } from './hold-state.ts'

/**
 * A statement that each connection prepares once. This numbers its `:parameters` when the module is
 * loaded.
 * @returns runs it with the parameters' values, and returns its rows
 */
function prepared(name: string, text: string) {
  const params: string[] = []
  const numbered = text.replaceAll(/(?<!:):([a-z_]\w*)/gi, (_, param: string) => {
    if (!params.includes(param)) params.push(param)
    return `$${params.indexOf(param) + 1}`
  })
  return async <R extends object>(client: Client, valueByParam: Record<string, unknown>) => {
    const values = params.map((param) => {
      // the driver would send null
      if (valueByParam[param] === undefined) throw new Error(`${name} needs a value for ${param}`)
      return valueByParam[param]
    })
    return (await client.query<R>({ name, text: numbered, values })).rows
  }
}

/** The SQL text of a statement from `hold-state.ts`. */
const textOf = (statement: SQL) => new PgDialect().sqlToQuery(statement).sql
const stateText = textOf(
  holdStateSql({
    userId: sql.raw(':userId'),
    partId: sql.raw('w._id'),
    checkoutId: sql.raw('null'),
    networks: sql.raw(':networks'),
    pauseSeconds: sql.raw(':pauseSeconds'),
    cost: sql.raw('(select cents from cost)'),
  }),
)

/** At least what these parts cost: the most units of a line of each. */
const costWhere = (
  condition: string,
) => `select coalesce(sum(price_cents), 0) * :mostUnits::bigint as cents
  from parts where ${condition} and deleted_at is null and state = 'on sale'`

/**
 * Reads the parts on sale that meet the condition, each with the customer's state at it; one row of
 * nulls if none does.
 */
const partsWhere = (condition: string, lock = '') => `
  with cost as (${costWhere(condition)}), wanted as (
    select _id, name, image, (price_cents / 100.0)::float8 as price, minimum_order_quantity, on_hand - to_ship as unsold, on_hand - reserved as available
    from parts where ${condition} and deleted_at is null and state = 'on sale' ${lock}
  )
  select w._id, w.name, w.image, w.price, w.minimum_order_quantity as "minimumOrderQuantity",
    w.available as "availableQuantity", w.unsold,
    o._id as "earlierId", o.checkout_id as "earlierCheckoutId", o.request_hash as "earlierHash", held.*
  from (values (1)) as always left join wanted w on true
    left join orders o on o.user_id = :userId and o.idempotency_key = :key
    cross join lateral (${stateText}) held`

/** Whether others can change the parts until the booking is made. */
export type PartRead = 'free' | 'locked'
const byIds = '_id = any(:partIds::uuid[])'
const byName = 'lower(name) = lower(:product)'
// parts are locked by their ids, everywhere
const lock = 'order by _id for no key update'
const lockHolder = (condition: string, name: string) =>
  prepared(
    name,
    textOf(
      holderLockSql(sql.raw(':userId'), sql.raw(':networks'), sql.raw(`(${costWhere(condition)})`)),
    ),
  )
const lockHolders = {
  ids: lockHolder(byIds, 'booking_holder_by_id'),
  name: lockHolder(byName, 'booking_holder_by_name'),
}
const readParts = {
  free: {
    ids: prepared('booking_parts_by_id', partsWhere(byIds)),
    name: prepared('booking_part_by_name', partsWhere(byName)),
  },
  locked: {
    ids: prepared('booking_lock_by_id', partsWhere(byIds, lock)),
    name: prepared('booking_lock_by_name', partsWhere(byName, lock)),
  },
}

/** Stands for the checkout's number in its mail, until the insert draws those of its orders. */
export const numberSlot = '{order number}'
/** As `checkoutNumber` calls it. */
const number = `(select (array_agg(number order by length(number), number))[1]
  || case when count(*) > 1 then format(' and %s more', count(*) - 1) else '' end from ordered)`
const withNumber = (param: string) => `replace(${param}, '${numberSlot}', ${number})`

const columns = getTableColumns(orders)
const typedColumns = typedFields.map((name) => columns[name].name).join(', ')
const typedValues = typedFields.map((name) => `:${name}`).join(', ')

/**
 * Inserts a checkout's orders, their holds in the ledger, their mail, and the phone of a customer
 * who has no profile, if each part still has the order's name, picture and price, and enough units.
 * PostgreSQL checks this again after waiting for a part's lock. Only then does the column's default
 * draw an order's number, so that a refused booking leaves no gap.
 */
const insertOrders = prepared(
  'booking_orders',
  `
  with lines as (
    select * from unnest(:ids::uuid[], :partIds::uuid[], :products::text[], :images::text[], :quantities::int[],
        :priceCents::int[], :totalCents::int[], :minimums::int[], :availableAtLeast::int[])
      with ordinality as l (_id, part_id, product, image, quantity, price_cents, total_cents, minimum, available_at_least, position)
  ), wanted as (
    select p._id from lines l join parts p on p._id = l.part_id and p.deleted_at is null and p.state = 'on sale'
      and p.on_hand - p.reserved >= l.available_at_least
      and (p.name, p.image, p.price_cents, p.minimum_order_quantity) = (l.product, l.image, l.price_cents, l.minimum)
      order by p._id for no key update of p
  ), ordered as (
    insert into orders (_id, checkout_id, user_id, part_id, product, image, customer, email, ${typedColumns}, quantity, price_cents, total_cents,
      hold_expires_at, idempotency_key, request_hash, hold_limit_at, networks)
    select l._id, :checkoutId::uuid, :userId::uuid, l.part_id, l.product, l.image, :customer, :email, ${typedValues}, l.quantity,
      l.price_cents, l.total_cents, now() + make_interval(secs => :holdSeconds),
      case when position = 1 then :idempotencyKey end, case when position = 1 then :requestHash end,
      now() + make_interval(secs => :limitSeconds), :networks::text[]
    from lines l where (select count(*) from wanted) = (select count(*) from lines) order by position
    returning _id, number, part_id, quantity
  ), held as (
    insert into stock_movements (part_id, order_id, type, reserved_delta)
    select part_id, _id, 'hold', quantity from ordered order by part_id
  ), remembered as (
    insert into profiles (user_id, phone) select :userId::uuid, :phone from ordered limit 1 on conflict do nothing
  ), mailed as (
    insert into mail_queue (template, dedupe, recipient, subject, text, html, order_id)
    select :template, :dedupe, :email, :subject, ${withNumber(':text')}, ${withNumber(':html')}, _id
    from ordered where _id = (:ids::uuid[])[1]
  )
  select _id from ordered limit 1`,
)

const endOffered = prepared(
  'booking_offer',
  `
  delete from queue_places where _id = :placeId and user_id = :userId and offered_at is not null
    and (offer_ends_at is null or offer_ends_at > now())
  returning quantity as units, coalesce(extract(epoch from offer_ends_at - now()), 0)::float8 as seconds`,
)

type BookingCustomer = {
  userId: string
  key: string | null
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  /** How long other customers have priority after the limit of a hold. */
  pauseSeconds: number
  /** The units of the line that has most. */
  mostUnits: number
}

export type BookablePart = Pick<
  Part,
  '_id' | 'name' | 'image' | 'price' | 'minimumOrderQuantity' | 'availableQuantity'
> & { unsold: number }

export type BookingState = {
  /** The parts on sale, each with what the customer holds of it. */
  parts: { part: BookablePart; held: HoldState }[]
  /** The first order that the same key created, and the hash of its request. */
  before: { _id: string; checkoutId: string; requestHash: string | null } | null
  /** Whether the customer has verified the address. */
  verified: boolean
}

/** The parts to book: by their ids, or one by its name. */
export type Wanted = { partIds: string[]; product?: undefined } | { product: string }

type StateRow = BookablePart &
  HoldState & {
    earlierId: string | null
    earlierCheckoutId: string | null
    earlierHash: string | null
  }

/**
 * Takes the locks of `holderLockSql`, and reads everything that decides the booking. Both
 * statements are sent at once: the second begins, and sees what is committed, when the first has
 * its locks.
 * @param read locks the parts too
 */
export async function readForBooking(
  client: Client,
  wanted: Wanted,
  customer: BookingCustomer,
  read: PartRead,
): Promise<BookingState> {
  const by = wanted.product === undefined ? 'ids' : 'name'
  const statement = readParts[read][by]
  const [[holder], rows] = await Promise.all([
    lockHolders[by]<Pick<BookingState, 'verified'>>(client, { ...wanted, ...customer }),
    statement<StateRow>(client, { ...wanted, ...customer }),
  ])
  const { verified } = found(holder, 'user')
  const [first] = rows
  if (!first) throw new Error('a select that always has a row returned none')
  const { earlierId: _id, earlierCheckoutId: checkoutId, earlierHash: requestHash } = first
  const parts = first._id ? rows.map((row) => ({ part: row, held: row })) : []
  return { parts, before: _id && checkoutId ? { _id, checkoutId, requestHash } : null, verified }
}

/** The units of an offer, and for how long it would still last; 0 before its time started. */
export type Offer = { units: number; seconds: number }

/**
 * Deletes the customer's place, which frees its offered units. Only this transaction can book them,
 * because it has the part's lock.
 * @throws AppError OFFER_GONE
 */
export async function takeOffer(client: Client, placeId: string, userId: string): Promise<Offer> {
  const [offer] = await endOffered<Offer>(client, { placeId, userId })
  if (offer) return offer
  throw new AppError('OFFER_GONE', 'This offer has ended, or has not come yet.')
}

/** The ids of a checkout's orders, first the one that has the Idempotency-Key. */
export async function listOrderIds(client: Client, checkoutId: string): Promise<string[]> {
  const ids = `select _id from orders where checkout_id = $1
    order by idempotency_key is null, created_at, length(number), number`
  const { rows } = await client.query<{ _id: string }>(ids, [checkoutId])
  return rows.map(({ _id }) => _id)
}

/** An order of a checkout, and what must still be true of its part when it is inserted. */
export type NewLine = {
  _id: string
  part: BookablePart
  quantity: number
  totalPrice: number
  /** Units that must still be available. */
  availableAtLeast: number
}

export type NewCheckout = Pick<Order, TypedField> & {
  checkoutId: string
  userId: string
  customer: string
  email: string
  lines: NewLine[]
  holdSeconds: number
  /** Seconds until the limit of the holds. */
  limitSeconds: number
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  idempotencyKey: string | null
  requestHash: string | null
}

/**
 * Inserts the orders of a checkout, their holds and their mail: all of them, or none.
 * @param mail goes to the customer, with the checkout's number at each `numberSlot`
 * @returns false when a part has changed since the decision, so that nothing was inserted
 */
export async function insertBooking(
  client: Client,
  { lines, ...checkout }: NewCheckout,
  mail: Omit<QueuedMail, 'recipient' | 'dedupe' | 'orderId'>,
): Promise<boolean> {
  const byLine = {
    ids: lines.map(({ _id }) => _id),
    partIds: lines.map(({ part }) => part._id),
    products: lines.map(({ part }) => part.name),
    images: lines.map(({ part }) => part.image),
    quantities: lines.map(({ quantity }) => quantity),
    priceCents: lines.map(({ part }) => cents(part.price)),
    totalCents: lines.map(({ totalPrice }) => cents(totalPrice)),
    minimums: lines.map(({ part }) => part.minimumOrderQuantity),
    availableAtLeast: lines.map(({ availableAtLeast }) => availableAtLeast),
  }
  const more = { dedupe: `booked ${byLine.ids[0]}` }
  // an object literal with this many spreads takes several times as much processor time
  const inserted = await insertOrders(client, Object.assign({}, checkout, byLine, mail, more))
  return inserted.length > 0
}
