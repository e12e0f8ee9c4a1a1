import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ClientBase, Pool } from 'pg'
import { createPaymentMethod } from './cards.ts'
import { nextFailure } from './controls.ts'
import { ApiError, invalid, unauthorized } from './errors.ts'
import { listEvents } from './events.ts'
import { type Fields, text } from './form.ts'
import {
  cancelIntent,
  confirmIntent,
  createIntent,
  listIntents,
  retrieveIntent,
} from './intents.ts'
import { createRefund, listRefunds } from './refunds.ts'
import { type Call, newId, transaction } from './store.ts'

/** @returns the response body; an `error` body is sent with 402, and its effects are committed */
type Handler = (call: Call, id: string) => Promise<object>

/**
 * Who may make a call: only the shop's server, its pages as well, or even the card frame with its
 * opaque origin.
 */
type Access = 'secret' | 'browser' | 'frame'

const routes: [method: 'GET' | 'POST', path: string, handler: Handler, access?: Access][] = [
  ['POST', '/payment_intents', createIntent],
  ['GET', '/payment_intents', listIntents],
  ['GET', '/payment_intents/:id', retrieveIntent, 'browser'],
  ['POST', '/payment_intents/:id/confirm', confirmIntent, 'browser'],
  ['POST', '/payment_intents/:id/cancel', cancelIntent],
  ['POST', '/payment_methods', createPaymentMethod, 'frame'],
  ['POST', '/refunds', createRefund],
  ['GET', '/refunds', listRefunds],
  ['GET', '/events', listEvents],
]

type ApiOptions = {
  pool: Pool
  secretKey: string
  publishableKey: string
  basePath: string
  controls: boolean
  log: (line: string) => void
  /** Called when there may be something to deliver. */
  wake: () => void
}

const largestBody = 64 * 1024

/** The subset of Stripe's REST calls that the shop makes, for mounting at `/v1`. */
export function apiRoutes(options: ApiOptions): Hono {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: largestBody }))
  for (const [method, path, handler, access = 'secret'] of routes) {
    app.on(method, path, (c) => answer(c, options, handler, access))
  }
  app.all('*', (c) => answer(c, options, unknownUrl, 'browser'))
  return app
}

const unknownUrl: Handler = async ({ path }) => {
  const message = `Unrecognized request URL (${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  throw new ApiError(404, { type: 'invalid_request_error', message })
}

async function answer(c: Context, options: ApiOptions, handler: Handler, access: Access) {
  const { pool, controls, log, wake } = options
  const requestId = newId('req', 14)
  if (access === 'frame') allowOpaqueOrigin(c)
  try {
    const form = c.req.method === 'GET' ? new URL(c.req.url).search.slice(1) : await c.req.text()
    if (/%00|\0/.test(form + c.req.path)) throw invalid('Invalid string: it holds a NUL character.')
    const fields = new URLSearchParams(form)
    const publishable = isPublishable(c, fields, options)
    if (publishable && access === 'secret') throw secretKeyRequired()
    const failure = controls ? await nextFailure(pool, c.req) : undefined
    if (failure && failure.status !== 'timeout') throw wantedFailure(failure.status)
    const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined
    const path = c.req.path.slice(options.basePath.length)
    const request = { id: requestId, idempotency_key: key ?? null }
    const response = await transaction(pool, (db) => {
      const call = { db, request, controls, fields, path, publishable }
      const run = () => perform(call, handler, c.req.param('id') ?? '')
      return key === undefined ? run() : once(db, { key, path, form }, run)
    })
    wake()
    if (failure) await silence(c)
    return send(c, response, requestId)
  } catch (error) {
    if (!(error instanceof ApiError)) log(`${requestId} ${String(error)}`)
    return send(c, refusal(error), requestId)
  }
}

/** Returns the same response for the same idempotency key. */
async function once(
  db: ClientBase,
  keyed: Parameters<typeof claimKey>[1],
  run: () => Promise<Answer>,
): Promise<Answer> {
  const before = await claimKey(db, keyed)
  if (before) return before
  const response = await run()
  await rememberAnswer(db, keyed, response)
  return response
}

/**
 * Runs the handler. A refusal that a key remembers becomes a response, and its effects are rolled
 * back.
 */
async function perform(call: Call, handler: Handler, id: string): Promise<Answer> {
  await call.db.query('savepoint handler')
  try {
    const body = await handler(call, id)
    return { status: 'error' in body ? 402 : 200, body: JSON.stringify(body, null, 2) }
  } catch (error) {
    if (!(error instanceof ApiError) || !error.remembered) throw error
    await call.db.query('rollback to savepoint handler')
    return refusal(error)
  }
}

/** True for the publishable key, false for the secret one; rejects any other key. */
function isPublishable(
  c: Context,
  fields: Fields,
  keys: Pick<ApiOptions, 'secretKey' | 'publishableKey'>,
): boolean {
  const bearer = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const key = bearer ?? text(fields, 'key')
  if (key === undefined) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (isSame(key, keys.secretKey)) return false
  if (isSame(key, keys.publishableKey)) return true
  throw unauthorized('Invalid API Key provided.')
}

const digest = (key: string) => createHash('sha256').update(key).digest()
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))

const secretKeyRequired = () =>
  unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  )

/** Lets the card frame, whose origin is opaque, read the response. */
export function allowOpaqueOrigin(c: Context): void {
  c.header('vary', 'Origin')
  if (c.req.header('origin') === 'null') c.header('access-control-allow-origin', 'null')
}

/** The failure that a test has requested. */
function wantedFailure(status: number): ApiError {
  const type = status < 500 && status !== 409 ? 'invalid_request_error' : 'api_error'
  return new ApiError(status, { type, message: `This call was told to fail (${status}).` })
}

/** Waits until the caller gives up: the call has taken effect, but its response never arrives. */
function silence(c: Context): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, 60_000).unref()
    c.req.raw.signal.addEventListener('abort', () => {
      clearTimeout(limit)
      resolve()
    })
  })
}

/** The response to a failed call; after an internal error, it contains no details. */
function refusal(error: unknown): Answer {
  const { status, body } =
    error instanceof ApiError
      ? error
      : { status: 500, body: { type: 'api_error', message: 'An error occurred.' } }
  return { status, body: JSON.stringify({ error: body }, null, 2) }
}

function send(c: Context, { status, body }: Answer, requestId: string): Response {
  c.header('content-type', 'application/json')
  c.header('cache-control', 'no-cache, no-store')
  c.header('request-id', requestId)
  return c.body(body, status as ContentfulStatusCode)
}

/** A response as sent, and as sent again for the same key. */
type Answer = { status: number; body: string }

type KeyedRequest = { key: string; path: string; form: string }

const fingerprintOf = ({ form }: KeyedRequest) => createHash('sha256').update(form).digest('hex')

/**
 * The stored response of a key, or undefined for a new one. Locks the key until the transaction
 * ends, so that the response is stored together with its effect.
 */
async function claimKey(db: ClientBase, request: KeyedRequest): Promise<Answer | undefined> {
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

/** Stores the first response of a key, or the first after it expired. */
async function rememberAnswer(db: ClientBase, request: KeyedRequest, answer: Answer) {
  await db.query(
    `insert into sandbox_stripe.keys (key, path, fingerprint, status, body)
      values ($1, $2, $3, $4, $5)
      on conflict (key) do update set path = excluded.path, fingerprint = excluded.fingerprint,
        status = excluded.status, body = excluded.body, created = now()`,
    [request.key, request.path, fingerprintOf(request), answer.status, answer.body],
  )
}
