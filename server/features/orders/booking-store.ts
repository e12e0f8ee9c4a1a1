/**
 * The hand-written SQL of a booking. Bookings of the same part wait for each other, so these
 * statements combine queries and each connection prepares them once. The insert and the commit go
 * out in one write, and the part is locked only for that time: other bookings wait for PostgreSQL,
 * never for Node.
 */

import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { cents } from '#contracts/money.ts'
import { type Booking, type Order, type TypedField, typedFields } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Client } from '#server/database/client.ts'
import type { QueuedMail } from '#server/database/mail-queue.ts'
import { orders } from '#server/database/schema/orders.ts'
import { AppError, found } from '#server/errors.ts'
import { type HoldState, holderLockSql, holdStateSql } from './hold-rules.ts'

/**
 * Defines a statement that each connection prepares once. Numbers its `:parameters` when the module
 * is loaded.
 * @returns a function that runs it with the parameters' values and returns the first row
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
    const { rows } = await client.query<R>({ name, text: numbered, values })
    return rows[0]
  }
}

/** The SQL text of a statement from `hold-rules.ts`. */
const textOf = (statement: SQL) => new PgDialect().sqlToQuery(statement).sql
const stateText = textOf(
  holdStateSql({
    userId: sql.raw(':userId'),
    partId: sql.raw('w._id'),
    networks: sql.raw(':networks'),
    pauseSeconds: sql.raw(':pauseSeconds'),
  }),
)
const lockHolder = prepared(
  'booking_holder',
  textOf(holderLockSql(sql.raw(':userId'), sql.raw(':networks'))),
)

/** The query for the part on sale that meets the condition, with the customer's hold state. */
const partWhere = (condition: string, lock = '') => `
  with wanted as (
    select _id, name, image, (price_cents / 100.0)::float8 as price, minimum_order_quantity, on_hand - to_ship as on_hand, on_hand - reserved as available
    from parts where ${condition} and deleted_at is null and state = 'on sale' ${lock}
  )
  select w._id, w.name, w.image, w.price, w.minimum_order_quantity as "minimumOrderQuantity",
    w.available as "availableQuantity", w.on_hand as "onHand", o._id as "earlierId", o.request_hash as "earlierHash",
    held.*
  from (values (1)) as always left join wanted w on true
    left join orders o on o.user_id = :userId and o.idempotency_key = :key
    cross join lateral (${stateText}) held`

/**
 * `locked` locks the part, so that nothing else can change it before the booking commits; `free`
 * does not.
 */
export type PartRead = 'free' | 'locked'
const byId = '_id = :partId'
const byName = 'lower(name) = lower(:product)'
const readPart = {
  free: {
    id: prepared('booking_part_by_id', partWhere(byId)),
    name: prepared('booking_part_by_name', partWhere(byName)),
  },
  locked: {
    id: prepared('booking_lock_by_id', partWhere(byId, 'for no key update')),
    name: prepared('booking_lock_by_name', partWhere(byName, 'for no key update')),
  },
}

/** The placeholder for the order number in the mail. The insert replaces it with the new number. */
export const numberSlot = '{order number}'
const withNumber = (param: string) => `replace(${param}, '${numberSlot}', number)`

const columns = getTableColumns(orders)
const typedColumns = typedFields.map((name) => columns[name].name).join(', ')
const typedValues = typedFields.map((name) => `:${name}`).join(', ')

/**
 * Inserts an order, its hold in the ledger, its mail, and the phone of a customer who has no
 * profile, if the part still matches the order and has enough units available. After a wait for the
 * part's lock, PostgreSQL checks the part again. The column's default draws the order number only
 * after that, so a refused booking leaves no gap.
 */
const insertOrder = prepared(
  'booking_order',
  `
  with wanted as (
    select from parts where _id = :partId and deleted_at is null and state = 'on sale'
      and on_hand - reserved >= :availableAtLeast
      and (name, image, price_cents, minimum_order_quantity) = (:product, :image, :priceCents, :minimumOrderQuantity)
      for no key update
  ), ordered as (
    insert into orders (_id, user_id, part_id, product, image, customer, email, ${typedColumns}, quantity, price_cents, total_cents,
      hold_expires_at, idempotency_key, request_hash, hold_limit_at, networks)
    select :_id::uuid, :userId::uuid, :partId::uuid, :product, :image, :customer, :email, ${typedValues}, :quantity::int,
      :priceCents::int, :totalCents::int, now() + make_interval(secs => :holdSeconds), :idempotencyKey, :requestHash,
      now() + make_interval(secs => :limitSeconds), :networks::text[] from wanted
    returning _id, number
  ), held as (
    insert into stock_movements (part_id, order_id, type, reserved_delta) select :partId, _id, 'hold', :quantity from ordered
  ), remembered as (
    insert into profiles (user_id, phone) select :userId::uuid, :phone from ordered on conflict do nothing
  ), mailed as (
    insert into mail_queue (template, dedupe, recipient, subject, text, html, order_id)
    select :template, :dedupe, :email, :subject, ${withNumber(':text')}, ${withNumber(':html')}, _id from ordered
  )
  select _id from ordered`,
)

const endOffered = prepared(
  'booking_offer',
  `
  delete from queue_places where _id = :placeId and user_id = :userId and offered_at is not null
    and (offer_ends_at is null or offer_ends_at > now())
  returning quantity`,
)

type BookingCustomer = {
  userId: string
  key: string | null
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  /** How long other customers have priority after the limit of a hold. */
  pauseSeconds: number
}

export type BookablePart = Pick<
  Part,
  '_id' | 'name' | 'image' | 'price' | 'minimumOrderQuantity' | 'availableQuantity'
> & { onHand: number }

export type BookingState = {
  /** Null when the part is not on sale. */
  part: BookablePart | null
  /** The order that a request with the same key created, and the hash of that request. */
  before: { _id: string; requestHash: string | null } | null
  /** Whether the customer has verified the address. */
  verified: boolean
  held: HoldState
}

/**
 * Takes the locks of `holderLockSql` and reads everything that the booking depends on. Both
 * statements are sent at once: the second starts when the first has its locks, so it sees what was
 * committed until then.
 * @param read `locked` locks the part too
 */
export async function readForBooking(
  client: Client,
  { partId, product }: Pick<Booking, 'partId' | 'product'>,
  customer: BookingCustomer,
  read: PartRead,
): Promise<BookingState> {
  const [holder, row] = await Promise.all([
    lockHolder<Pick<BookingState, 'verified'>>(client, customer),
    readPart[read][partId ? 'id' : 'name']<
      BookablePart & HoldState & { earlierId: string | null; earlierHash: string | null }
    >(client, { partId, product, ...customer }),
  ])
  const { verified } = found(holder, 'user')
  if (!row) throw new Error('a select that always has a row returned none')
  const { earlierId, earlierHash, ...rest } = row
  const { open, abandoned, deletionsIn, inNetworks, neighbours, ...other } = rest
  const { ofPart, limitIn, trust, othersWait, ...part } = other
  return {
    part: part._id ? part : null,
    before: earlierId ? { _id: earlierId, requestHash: earlierHash } : null,
    verified,
    held: {
      open,
      abandoned,
      deletionsIn,
      inNetworks,
      neighbours,
      ofPart,
      limitIn,
      trust,
      othersWait,
    },
  }
}

/**
 * Deletes the customer's place, which frees its offered units. Only this transaction can book them,
 * because it has the part's lock.
 * @returns the number of units
 * @throws AppError OFFER_GONE
 */
export async function takeOffer(client: Client, placeId: string, userId: string): Promise<number> {
  const offer = await endOffered<{ quantity: number }>(client, { placeId, userId })
  if (offer) return offer.quantity
  throw new AppError('OFFER_GONE', 'This offer has ended, or has not come yet.')
}

export type NewOrder = Pick<Order, TypedField> & {
  _id: string
  userId: string
  partId: string
  product: string
  image: string
  customer: string
  email: string
  quantity: number
  price: number
  totalPrice: number
  holdSeconds: number
  /** Seconds until the limit of the hold. */
  limitSeconds: number
  /** Hashes of the request's networks, the narrowest first. */
  networks: string[]
  idempotencyKey: string | null
  requestHash: string | null
}

/**
 * Inserts an order, its hold and its mail.
 * @param expected what the decision relied on; the order is inserted only if it is still true
 * @param mail the mail to the customer, with `numberSlot` in place of the order number
 * @returns whether the order was inserted
 */
export async function insertBooking(
  client: Client,
  order: NewOrder,
  expected: { minimumOrderQuantity: number; availableAtLeast: number },
  mail: Omit<QueuedMail, 'recipient' | 'dedupe' | 'orderId'>,
): Promise<boolean> {
  const more = { dedupe: `booked ${order._id}` }
  // an object literal with this many spreads takes several times as much CPU
  const amounts = { priceCents: cents(order.price), totalCents: cents(order.totalPrice) }
  const values = Object.assign({}, order, amounts, expected, mail, more)
  const inserted = await insertOrder(client, values)
  return inserted !== undefined
}
