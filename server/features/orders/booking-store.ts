/**
 * The statements of a booking, written by hand: customers of the same part wait for each other, so these combine queries
 * and are prepared once per connection.
 */

import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Booking } from '#contracts/orders.ts'
import type { Part } from '#contracts/parts.ts'
import type { Client } from '#server/database/client.ts'
import type { QueuedMail } from '#server/database/mail-queue.ts'
import { found } from '#server/errors.ts'
import { type HoldState, holderLock, holdState } from './hold-rules.ts'

/** A rule's statement as text with numbered parameters. */
const textOf = (statement: SQL) => new PgDialect().sqlToQuery(statement).sql
const stateText = textOf(
  holdState({
    userId: sql.raw('$2'),
    partId: sql.raw('w._id'),
    network: sql.raw('$4'),
    pauseSeconds: sql.raw('$5'),
  }),
)
const lockHolder = textOf(holderLock(sql.raw('$1'), sql.raw('$2')))

const wantedPart = (named: string) => `
  with wanted as (
    select _id, name, image, price, minimum_order_quantity, on_hand - reserved as available
    from parts where ${named} and deleted_at is null for update
  )
  select w._id, w.name, w.image, w.price, w.minimum_order_quantity as "minimumOrderQuantity",
    w.available as "availableQuantity", o._id as "madeBefore", o.request_hash as "madeFor",
    case when w._id is not null and o._id is null then 'F-' || nextval('order_numbers') end as number,
    held.*
  from (values (1)) as always left join wanted w on true
    left join orders o on o.user_id = $2 and o.idempotency_key = $3
    cross join lateral (${stateText}) held`

const lockPart = {
  id: { name: 'booking_part_by_id', text: wantedPart('_id = $1') },
  name: { name: 'booking_part_by_name', text: wantedPart('lower(name) = lower($1)') },
}

/** Booking mails per hour to an unconfirmed address, which may be another person's. */
const mailsToStrangers = 5

/** Inserts an order, its hold in the ledger, and its mail. */
const insertOrder = `
  with ordered as (
    insert into orders (_id, user_id, part_id, product, image, customer, email, phone, quantity, price, total_price,
      hold_expires_at, idempotency_key, request_hash, number, hold_limit_at, network)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12), $13, $14, $21,
      now() + make_interval(secs => $22), $23)
  ), held as (
    insert into stock_movements (part_id, order_id, type, reserved_delta) values ($3, $1, 'hold', $9)
  )
  insert into mail_queue (template, dedupe, recipient, subject, text, html, order_id)
  select $15, $16, $7, $17, $18, $19, $1 where $20 or (
    select count(*) from mail_queue
    where recipient = $7 and template = $15 and created_at > now() - interval '1 hour'
  ) < ${mailsToStrangers}`

type BookingCustomer = {
  userId: string
  key: string | null
  /** Hash of the request's network. */
  network: string
  /** How long others go first after a hold has ended for good. */
  pauseSeconds: number
}

export type BookablePart = Pick<
  Part,
  '_id' | 'name' | 'image' | 'price' | 'minimumOrderQuantity' | 'availableQuantity'
>

export type BookingState = {
  /** Null when it is not on sale. It stays locked, so these values hold until the transaction ends. */
  part: BookablePart | null
  /** The order that the same key created, and the hash of its request. */
  before: { _id: string; requestHash: string | null } | null
  /** Whether the customer has confirmed the address. */
  confirmed: boolean
  held: HoldState
  /** The new order's number, which its mail needs. Null when there will be no order. */
  number: string | null
}

const query = <R extends object>(client: Client, name: string, text: string, values: unknown[]) =>
  client.query<R>({ name, text, values }).then(({ rows }) => rows[0])

/**
 * Locks the customer, the network of an unconfirmed one, then the part by id or name, and reads everything that decides the
 * booking. Both statements leave at once: the second begins, and sees what is committed, when the first has its locks.
 */
export async function lockForBooking(
  client: Client,
  { partId, product }: Pick<Booking, 'partId' | 'product'>,
  { userId, key, network, pauseSeconds }: BookingCustomer,
): Promise<BookingState> {
  const { name, text } = partId ? lockPart.id : lockPart.name
  const values = [partId ?? product, userId, key, network, pauseSeconds]
  const [holder, row] = await Promise.all([
    query<Pick<BookingState, 'confirmed'>>(client, 'booking_holder', lockHolder, [userId, network]),
    query<
      BookablePart &
        HoldState &
        Pick<BookingState, 'number'> & { madeBefore: string | null; madeFor: string | null }
    >(client, name, text, values),
  ])
  const { confirmed } = found(holder, 'user')
  if (!row) throw new Error('a select that always has a row returned none')
  const { number, madeBefore, madeFor, open, ended, inNetwork, ofPart, limitIn, ...part } = row
  return {
    part: part._id ? part : null,
    before: madeBefore ? { _id: madeBefore, requestHash: madeFor } : null,
    confirmed,
    held: { open, ended, inNetwork, ofPart, limitIn },
    number,
  }
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
  /** Seconds until the hold ends for good. */
  limitSeconds: number
  /** Null for a customer who has confirmed the address. */
  network: string | null
  idempotencyKey: string | null
  requestHash: string | null
}

/**
 * Inserts an order, its hold and its mail.
 * @param mail goes to the order's customer
 * @param mailed whether the mail goes out regardless of the hourly limit
 */
export async function insertBooking(
  client: Client,
  order: NewOrder,
  mail: Omit<QueuedMail, 'recipient' | 'dedupe' | 'orderId'>,
  mailed: boolean,
): Promise<void> {
  const { _id, userId, partId, product, image, customer, email, phone, quantity } = order
  await query(client, 'booking_order', insertOrder, [
    ...[_id, userId, partId, product, image, customer, email, phone, quantity],
    ...[order.price, order.totalPrice, order.holdSeconds],
    ...[order.idempotencyKey, order.requestHash],
    ...[mail.template, `booked ${_id}`, mail.subject, mail.text, mail.html, mailed],
    ...[order.number, order.limitSeconds, order.network],
  ])
}
