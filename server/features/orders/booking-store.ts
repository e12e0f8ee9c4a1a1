/**
 * The statements of a booking, written by hand: customers of the same part wait for each other, so these combine queries
 * and are prepared once per connection. A part is locked only while its order is inserted and committed, in one write: who
 * waits for it waits for PostgreSQL alone, and never for a process that has other things to do.
 */

import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Booking } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Client } from '#server/database/client.ts'
import type { QueuedMail } from '#server/database/mail-queue.ts'
import { AppError, found } from '#server/errors.ts'
import { type HoldState, holderLockSql, holdStateSql } from './hold-rules.ts'

/** A rule's statement as text with numbered parameters. */
const textOf = (statement: SQL) => new PgDialect().sqlToQuery(statement).sql
const stateText = textOf(
  holdStateSql({
    userId: sql.raw('$2'),
    partId: sql.raw('w._id'),
    network: sql.raw('$4'),
    pauseSeconds: sql.raw('$5'),
  }),
)
const lockHolderText = textOf(holderLockSql(sql.raw('$1'), sql.raw('$2')))

/** Reads the part on sale that meets the condition, with the customer's state. */
const partWhere = (condition: string, lock = '') => `
  with wanted as (
    select _id, name, image, price, minimum_order_quantity, on_hand - reserved as available
    from parts where ${condition} and deleted_at is null and state = 'on sale' ${lock}
  )
  select w._id, w.name, w.image, w.price, w.minimum_order_quantity as "minimumOrderQuantity",
    w.available as "availableQuantity", o._id as "earlierId", o.request_hash as "earlierHash",
    case when w._id is not null and o._id is null then 'F-' || nextval('order_numbers') end as number,
    held.*
  from (values (1)) as always left join wanted w on true
    left join orders o on o.user_id = $2 and o.idempotency_key = $3
    cross join lateral (${stateText}) held`

/** Whether others can change the part until the booking is made. */
export type PartRead = 'free' | 'locked'
const byId = '_id = $1'
const byName = 'lower(name) = lower($1)'
const readPart = {
  free: {
    id: { name: 'booking_part_by_id', text: partWhere(byId) },
    name: { name: 'booking_part_by_name', text: partWhere(byName) },
  },
  locked: {
    id: { name: 'booking_lock_by_id', text: partWhere(byId, 'for no key update') },
    name: { name: 'booking_lock_by_name', text: partWhere(byName, 'for no key update') },
  },
}

/** Booking mails per hour to an unverified address, which may be another person's. */
const mailsToStrangers = 5

/**
 * Inserts an order, its hold in the ledger, and its mail, if the part is still what the order says of it and has as many
 * units as the decision needs. PostgreSQL looks again when it has waited for the part's lock.
 */
const insertOrder = `
  with wanted as (
    select from parts where _id = $3 and deleted_at is null and state = 'on sale' and on_hand - reserved >= $25
      and (name, image, price, minimum_order_quantity) = ($4, $5, $10, $24) for no key update
  ), ordered as (
    insert into orders (_id, user_id, part_id, product, image, customer, email, phone, quantity, price, total_price,
      hold_expires_at, idempotency_key, request_hash, number, hold_limit_at, network)
    select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8, $9::int, $10::int, $11::int, now() + make_interval(secs => $12),
      $13, $14, $21, now() + make_interval(secs => $22), $23 from wanted
    returning _id
  ), held as (
    insert into stock_movements (part_id, order_id, type, reserved_delta) select $3, _id, 'hold', $9 from ordered
  ), mailed as (
    insert into mail_queue (template, dedupe, recipient, subject, text, html, order_id)
    select $15, $16, $7, $17, $18, $19, _id from ordered where $20 or (
      select count(*) from mail_queue
      where recipient = $7 and template = $15 and created_at > now() - interval '1 hour'
    ) < ${mailsToStrangers}
  )
  select _id from ordered`

const endOffered = `
  delete from queue_places where _id = $1 and user_id = $2 and offered_at is not null
    and (offer_ends_at is null or offer_ends_at > now())
  returning quantity`

type BookingCustomer = {
  userId: string
  key: string | null
  /** Hash of the request's network. */
  network: string
  /** How long others go first after the limit of a hold. */
  pauseSeconds: number
}

export type BookablePart = Pick<
  Part,
  '_id' | 'name' | 'image' | 'price' | 'minimumOrderQuantity' | 'availableQuantity'
>

export type BookingState = {
  /** Null when it is not on sale. */
  part: BookablePart | null
  /** The order that the same key created, and the hash of its request. */
  before: { _id: string; requestHash: string | null } | null
  /** Whether the customer has verified the address. */
  verified: boolean
  held: HoldState
  /** The new order's number, which its mail needs. Null when there will be no order. */
  number: string | null
}

const query = <R extends object>(client: Client, name: string, text: string, values: unknown[]) =>
  client.query<R>({ name, text, values }).then(({ rows }) => rows[0])

/**
 * Locks the customer and the network of an unverified one, and reads everything that decides the booking. Both statements
 * leave at once: the second begins, and sees what is committed, when the first has its locks.
 * @param read locks the part too
 */
export async function readForBooking(
  client: Client,
  { partId, product }: Pick<Booking, 'partId' | 'product'>,
  { userId, key, network, pauseSeconds }: BookingCustomer,
  read: PartRead,
): Promise<BookingState> {
  const { name, text } = readPart[read][partId ? 'id' : 'name']
  const values = [partId ?? product, userId, key, network, pauseSeconds]
  const [holder, row] = await Promise.all([
    query<Pick<BookingState, 'verified'>>(client, 'booking_holder', lockHolderText, [
      userId,
      network,
    ]),
    query<
      BookablePart &
        HoldState &
        Pick<BookingState, 'number'> & { earlierId: string | null; earlierHash: string | null }
    >(client, name, text, values),
  ])
  const { verified } = found(holder, 'user')
  if (!row) throw new Error('a select that always has a row returned none')
  const { number, earlierId, earlierHash, open, ranOut, inNetwork, ofPart, limitIn, ...part } = row
  return {
    part: part._id ? part : null,
    before: earlierId ? { _id: earlierId, requestHash: earlierHash } : null,
    verified,
    held: { open, ranOut, inNetwork, ofPart, limitIn },
    number,
  }
}

/**
 * Ends the customer's place, so that its offered units are free until this transaction ends, and for it alone: it has the
 * part's lock.
 * @returns how many
 * @throws AppError OFFER_GONE
 */
export async function takeOffer(client: Client, placeId: string, userId: string): Promise<number> {
  const taken = await query<{ quantity: number }>(client, 'booking_offer', endOffered, [
    placeId,
    userId,
  ])
  if (taken) return taken.quantity
  throw new AppError('OFFER_GONE', 'This offer has ended, or has not come yet.')
}

export type NewOrder = {
  _id: string
  number: string
  userId: string
  partId: string
  product: string
  image: string
  customer: string
  email: string
  phone: string
  quantity: number
  price: number
  totalPrice: number
  holdSeconds: number
  /** Seconds until the limit of the hold. */
  limitSeconds: number
  /** Null for a customer who has verified the address. */
  network: string | null
  idempotencyKey: string | null
  requestHash: string | null
}

/**
 * Inserts an order, its hold and its mail.
 * @param expected what the order was decided on; it is made only if that is still so
 * @param mail goes to the order's customer
 * @param isVerified whether the customer has verified the address: the mail goes out regardless of the hourly limit
 * @returns whether the order is made
 */
export async function insertBooking(
  client: Client,
  order: NewOrder,
  expected: { minimumOrderQuantity: number; availableAtLeast: number },
  mail: Omit<QueuedMail, 'recipient' | 'dedupe' | 'orderId'>,
  isVerified: boolean,
): Promise<boolean> {
  const { _id, userId, partId, product, image, customer, email, phone, quantity } = order
  const made = await query(client, 'booking_order', insertOrder, [
    ...[_id, userId, partId, product, image, customer, email, phone, quantity],
    ...[order.price, order.totalPrice, order.holdSeconds],
    ...[order.idempotencyKey, order.requestHash],
    ...[mail.template, `booked ${_id}`, mail.subject, mail.text, mail.html, isVerified],
    ...[order.number, order.limitSeconds, order.network],
    ...[expected.minimumOrderQuantity, expected.availableAtLeast],
  ])
  return made !== undefined
}
