import { randomInt } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { invalid, notFound } from './faults.ts'
import { integer, nested, type Params, text } from './form.ts'

/** A pool, or the connection that holds the open transaction. */
export type Database = Pool | ClientBase

/** What a stored object knows but never shows. */
export type Hidden = {
  /** The row of the test-card table that a payment method follows. */
  outcome?: string
  /** A payment method without a customer pays once. */
  used?: boolean
  /** Names the open 3-D Secure challenge of an intent. */
  challenge?: string
  /** The payment method that waits for the challenge. */
  challenged?: string
  /** The signing secret of a webhook endpoint. */
  secret?: string
}

export type Stored<T> = { body: T; hidden: Hidden }
type Named = { id: string; object: string; created: number }

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
  return body
}

export async function save<T extends Named>(db: Database, stored: Stored<T>): Promise<void> {
  await db.query('update sandbox_stripe.objects set body = $2, hidden = $3 where id = $1', [
    stored.body.id,
    JSON.stringify(stored.body),
    JSON.stringify(stored.hidden),
  ])
}

/** One object, or a 404 that names the parameter. `lock` holds the row until the transaction ends. */
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

/** Looks an id up in all kinds; used to expand references. */
export async function findAny(db: Database, id: string): Promise<unknown> {
  const { rows } = await db.query<{ body: unknown }>(
    'select body from sandbox_stripe.objects where id = $1',
    [id],
  )
  return rows[0]?.body
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** One page, newest first, with Stripe's cursors and `created` ranges. `equal` compares body fields. */
export async function page(
  db: Database,
  kind: string,
  params: Params,
  equal: Record<string, string | string[] | undefined> = {},
) {
  const limit = integer(params, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('Limit must be between 1 and 100', { param: 'limit' })
  const values: (string | number | string[])[] = [kind]
  const where = ['kind = $1']
  const add = (condition: string, value: string | number | string[]) =>
    where.push(condition.replace('?', `$${values.push(value)}`))
  for (const [field, value] of Object.entries(equal)) {
    if (value !== undefined) add(`body->>'${field}' = any(?)`, [value].flat())
  }
  const range = nested(params, 'created')
  for (const [name, sign] of Object.entries(comparisons)) {
    const value = integer(range, name)
    if (value !== undefined) add(`created ${sign} ?`, value)
  }
  const after = text(params, 'starting_after')
  const before = text(params, 'ending_before')
  const cursor = '(select seq from sandbox_stripe.objects where id = ?)'
  if (after) add(`seq < ${cursor}`, after)
  if (before) add(`seq > ${cursor}`, before)
  const { rows } = await db.query<{ body: unknown }>(
    `select body from sandbox_stripe.objects where ${where.join(' and ')}
      order by seq ${before ? 'asc' : 'desc'} limit ${limit + 1}`,
    values,
  )
  const data = rows.slice(0, limit).map((row) => row.body)
  return { data: before ? data.reverse() : data, has_more: rows.length > limit }
}
