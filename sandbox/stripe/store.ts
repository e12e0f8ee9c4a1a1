import { randomInt } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { invalid, notFound } from './errors.ts'
import { type Fields, integer, text } from './form.ts'

/** The API version that the shop's SDK uses. */
export const apiVersion = '2026-10-28.endive'

/** The origin of an event, and the connection to write it with. */
export type Cause = {
  /** The connection with the open transaction. */
  db: ClientBase
  request: { id: string | null; idempotency_key: string | null }
  /** Whether test controls may change how events are delivered. */
  controls: boolean
}

/** One authenticated call. */
export type Call = Cause & { fields: Fields; path: string; publishable: boolean }

/** A pool, or the connection with the open transaction. */
export type Database = Pool | ClientBase

/** Why a charge is declined, in Stripe's terms. */
export type Decline = { code: string; decline_code?: string; message: string }

/** The outcome of a payment made with a test card. */
export type Outcome = {
  challenge?: true
  decline?: Decline
  disputed?: true
  /** How a refund ends when it does not succeed at once. */
  refund?: 'fails' | 'waits'
}

/** The hidden part of a stored object. */
export type Hidden = {
  /** The outcome of payments with a payment method, and of refunds of a charge. */
  outcome?: Outcome
  /** Identifies the open 3-D Secure challenge of an intent. */
  challenge?: string
  /** The payment method that waits for the challenge. */
  challenged?: string
  /**
   * When a refund changes its first state, or a charge gets its fee, in milliseconds since 1970.
   */
  endsAt?: number
}

export type Stored<T> = { body: T; hidden: Hidden }
type Named = { id: string; object: string; created: number }

/** Runs `work` in one transaction, committed when it returns and rolled back when it throws. */
export async function transaction<T>(pool: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  const db = await pool.connect()
  let broken: Error | undefined
  try {
    await db.query('begin')
    const result = await work(db)
    await db.query('commit')
    return result
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    db.release(broken)
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random identifier, such as `pi_3…`. */
export const newId = (prefix: string, length = 24) =>
  `${prefix}_${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`

export const nowSeconds = () => Math.floor(Date.now() / 1000)

export async function insert<T extends Named>(db: Database, body: T, hidden: Hidden = {}) {
  await db.query(
    `insert into sandbox_stripe.objects (id, kind, created, body, hidden) values ($1, $2, $3, $4, $5)`,
    [body.id, body.object, body.created, JSON.stringify(body), JSON.stringify(hidden)],
  )
  return { body, hidden }
}

export async function save<T extends Named>(db: Database, stored: Stored<T>): Promise<void> {
  await db.query('update sandbox_stripe.objects set body = $2, hidden = $3 where id = $1', [
    stored.body.id,
    JSON.stringify(stored.body),
    JSON.stringify(stored.hidden),
  ])
}

/**
 * One object, or a 404 that names the parameter. `lock` locks the row until the transaction ends.
 */
export async function find<T>(
  db: Database,
  kind: string,
  id: string,
  { lock = false, param = 'id' } = {},
): Promise<Stored<T>> {
  const { rows } = await db.query<Stored<T>>(
    `select body, hidden from sandbox_stripe.objects where id = $1 and kind = $2
      ${lock ? 'for update' : ''}`,
    [id, kind],
  )
  const row = rows[0]
  if (!row) throw notFound(kind, id, param)
  return row
}

/** How long an object keeps its first state before it changes, in milliseconds. */
export const endsAfter = 500

/** Locks one object whose first state is over. */
export async function takeDue<T>(db: Database, kind: string): Promise<Stored<T> | undefined> {
  const { rows } = await db.query<Stored<T>>(
    `select body, hidden from sandbox_stripe.objects
      where (hidden->>'endsAt')::bigint <= $1 and kind = $2 limit 1 for update skip locked`,
    [Date.now(), kind],
  )
  return rows[0]
}

/**
 * A page of a list, newest first, after Stripe's cursor and since `created[gte]`. `equal` compares
 * body fields.
 */
export async function page<T>(
  db: Database,
  kind: string,
  fields: Fields,
  equal: Record<string, string[] | undefined> = {},
): Promise<{ data: T[]; has_more: boolean }> {
  const limit = integer(fields, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('Limit must be between 1 and 100', { param: 'limit' })
  const values: unknown[] = [kind]
  const where = ['kind = $1']
  const add = (condition: string, value: unknown) => {
    if (value !== undefined) where.push(condition.replace('?', `$${values.push(value)}`))
  }
  for (const [field, allowed] of Object.entries(equal)) add(`body->>'${field}' = any(?)`, allowed)
  add('created >= ?', integer(fields, 'created[gte]'))
  add('seq < (select seq from sandbox_stripe.objects where id = ?)', text(fields, 'starting_after'))
  const { rows } = await db.query<{ body: T }>(
    `select body from sandbox_stripe.objects where ${where.join(' and ')}
      order by seq desc limit ${limit + 1}`,
    values,
  )
  return { data: rows.slice(0, limit).map(({ body }) => body), has_more: rows.length > limit }
}
