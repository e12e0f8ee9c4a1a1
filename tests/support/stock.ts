/** Parts and stock for tests, and the invariants of a shop. */

import { randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import {
  fieldNames,
  forEachField,
  type Part,
  type PartValues,
  partField,
} from '#contracts/parts.ts'
import { findViolations } from '#server/database/invariants.ts'
import { seedKinds } from '#server/database/seed/kinds.ts'
import { seedDemo } from '#server/database/seed.ts'
import { found } from '#server/errors.ts'
import { findPart } from '#server/features/catalogue/store.ts'

let partCount = 0

/** A part on sale with that many units on hand. */
export async function stockPart(
  pool: Pool,
  part: { onHand: number; price?: number; minimum?: number; name?: string; weightG?: number },
): Promise<Part> {
  partCount += 1
  const { rows } = await pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, weight_g)
     values ($1, 'test part', '/images/none-960.webp', 'A part for a test.', $2, $3, $4) returning _id`,
    [
      part.name ?? `Test part ${partCount}`,
      part.minimum ?? 1,
      Math.round((part.price ?? 100) * 100),
      part.weightG ?? 0,
    ],
  )
  const { _id } = rows[0]
  if (part.onHand > 0) {
    await pool.query(
      `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', $2)`,
      [_id, part.onHand],
    )
  }
  return found(await findPart(drizzle(pool), _id), 'part')
}

/** The demo's first 27 parts, and its reviews. */
export async function stockDemo(pool: Pool): Promise<void> {
  await seedKinds(drizzle(pool))
  await seedDemo(drizzle(pool), [])
}

const isDeadlock = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '40P01'

const appendOnly = [
  ...['stock_movements', 'audit_log', 'refunds', 'refund_lines', 'invoices'],
  ...['tickets', 'ticket_lines', 'ticket_messages'],
]

/**
 * Removes all parts and sales, as no shop can: the triggers of the append-only tables are disabled.
 */
export async function emptyShop(pool: Pool): Promise<void> {
  const triggers = (state: string) =>
    appendOnly.map((table) => `alter table ${table} ${state} trigger user;`).join(' ')
  const statements = `${triggers('disable')} truncate parts, checkouts, invoice_counters, mail_queue, last_runs cascade; ${triggers('enable')}`
  try {
    await pool.query(statements)
  } catch (error) {
    // a job that read one of these tables and waits for another: PostgreSQL aborted this
    // transaction in its favour
    if (!isDeadlock(error)) throw error
    await emptyShop(pool)
  }
}

/** A request body for a new part, or for one to edit. */
export const partBody = (more: Partial<PartValues> & { name: string; image: string }) => ({
  ...forEachField(fieldNames, (name) => partField(name).whenMissing),
  description: 'A part for a test.',
  minimumOrderQuantity: 1,
  availableQuantity: 5,
  price: 10,
  ...more,
})

/** The body of an edit of such a part: as the form sends it, without a quantity. */
export const editBody = (part: Parameters<typeof partBody>[0]) => {
  const { availableQuantity: _, ...body } = partBody(part)
  return body
}

export async function stockOf(
  pool: Pool,
  partId: string,
): Promise<{ onHand: number; reserved: number }> {
  const { rows } = await pool.query(
    `select on_hand as "onHand", reserved from parts where _id = $1`,
    [partId],
  )
  return rows[0]
}

/** Corrects the stock of a part by this many units. */
export const adjustStock = (pool: Pool, { _id }: Pick<Part, '_id'>, units: number) =>
  pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'adjust', $2, 'counted')`,
    [_id, units],
  )

/** The names of the broken invariants; empty for a consistent shop. */
export async function brokenInvariants(pool: Pool): Promise<string[]> {
  return [...new Set((await findViolations(pool)).map(({ invariant }) => invariant))]
}

/**
 * Gives each of these accounts a paid order from long ago, so that they count as paying customers.
 * @param price what each has paid
 */
export async function havePaid(pool: Pool, emails: string[], price = 900_000): Promise<void> {
  const { _id } = await stockPart(pool, {
    onHand: emails.length,
    name: `Paid part ${randomUUID()}`,
  })
  const client = await pool.connect()
  await client.query('begin')
  await client.query(
    `with paid as (
       insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents,
         status, transaction_id, paid_at, created_at)
       select u._id, $1, 'Old part', '/i', u.name, u.email, '12345', 1, $3::int, $3::int,
         'paid', 'pi_' || gen_random_uuid(), now() - interval '60 days', now() - interval '60 days'
       from users u where u.email = any ($2) returning _id, checkout_id, transaction_id),
     payment as (
       insert into payments (intent_id, checkout_id, amount, status)
       select transaction_id, checkout_id, $3::int, 'succeeded' from paid),
     held as (
       insert into stock_movements (part_id, order_id, type, reserved_delta) select $1, _id, 'hold', 1 from paid)
     select from paid`,
    [_id, emails, price * 100],
  )
  await client.query(
    `insert into stock_movements (part_id, order_id, type)
     select part_id, _id, 'sell' from orders where part_id = $1`,
    [_id],
  )
  await client.query('commit')
  client.release()
}
