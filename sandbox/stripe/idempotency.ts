import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { ApiError, invalid } from './errors.ts'

/** An answer as it is sent, and as it is sent again under the same key. */
export type Answer = { status: number; body: string }

export type KeyedRequest = { key: string; path: string; form: string }

const fingerprintOf = ({ form }: KeyedRequest) => createHash('sha256').update(form).digest('hex')

/**
 * The stored answer of a key, or undefined for a new one. Holds the key until the transaction ends, so that the answer is
 * stored together with its effect.
 */
export async function claimKey(db: ClientBase, request: KeyedRequest): Promise<Answer | undefined> {
  const { key, path } = request
  if (key.length > 255) throw invalid('Idempotency keys can have up to 255 characters.')
  const { rows: locks } = await db.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 20)) as free',
    [`sandbox_stripe:${key}`],
  )
  if (!locks[0]?.free) throw inUse(key)
  const { rows } = await db.query<Answer & { path: string; fingerprint: string }>(
    `select path, fingerprint, status, body from sandbox_stripe.keys
      where key = $1 and created > now() - interval '1 day'`,
    [key],
  )
  const before = rows[0]
  if (!before) return undefined
  if (before.path !== path) {
    const both = `('${before.path}' vs '${path}')`
    throw reused(key, `for the same endpoint they were first used for ${both}`)
  }
  if (before.fingerprint !== fingerprintOf(request))
    throw reused(key, 'with the same parameters they were first used with')
  return { status: before.status, body: before.body }
}

const inUse = (key: string) =>
  new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })

const reused = (key: string, rule: string) =>
  new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used ${rule}. Try using a key other than '${key}' if you meant to execute a different request.`,
  })

/** Stores the first answer of a key, or the first after it expired. */
export async function rememberAnswer(db: ClientBase, request: KeyedRequest, answer: Answer) {
  await db.query(
    `insert into sandbox_stripe.keys (key, path, fingerprint, status, body)
      values ($1, $2, $3, $4, $5)
      on conflict (key) do update set path = excluded.path, fingerprint = excluded.fingerprint,
        status = excluded.status, body = excluded.body, created = now()`,
    [request.key, request.path, fingerprintOf(request), answer.status, answer.body],
  )
}
