import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { type ErrorBody, type ErrorCode, errorStatus } from '#contracts/errors.ts'
import type { MailStatus } from '#contracts/mail.ts'
import { csvMessages, importLimits } from '#contracts/parts-csv.ts'
import { pictureLimits, pictureMessages } from '#contracts/pictures.ts'
import type { Identity } from '#server/adapters/identity/port.ts'
import type { EncodePicture, Images } from '#server/adapters/images/port.ts'
import type { Mailer } from '#server/adapters/mail/port.ts'
import type { Payments } from '#server/adapters/payments/port.ts'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import { type Database, isUnavailable, refusedBy, sqlState } from '#server/database/client.ts'
import { AppError, PriceChanged } from '#server/errors.ts'
import { auditRoutes } from '#server/features/audit/routes.ts'
import { mailRoutes } from '#server/features/mail/routes.ts'
import { adminOrderRoutes } from '#server/features/orders/admin-routes.ts'
import { orderRoutes } from '#server/features/orders/routes.ts'
import { overviewRoutes } from '#server/features/overview/routes.ts'
import { adminPartRoutes } from '#server/features/parts/admin-routes.ts'
import { partsCsvRoutes } from '#server/features/parts/csv-routes.ts'
import { partRoutes } from '#server/features/parts/routes.ts'
import { paymentRoutes } from '#server/features/payments/routes.ts'
import { reconciliationRoutes } from '#server/features/reconciliation/routes.ts'
import { adminReviewRoutes } from '#server/features/reviews/admin-routes.ts'
import { reviewRoutes } from '#server/features/reviews/routes.ts'
import { accountRoutes } from '#server/features/users/account-routes.ts'
import { blockRoutes } from '#server/features/users/block-routes.ts'
import { profileRoutes } from '#server/features/users/profile-routes.ts'
import { userRoutes } from '#server/features/users/routes.ts'
import { sessionRoutes } from '#server/features/users/session-routes.ts'
import type { AccessTokens } from './access-token.ts'
import { authenticate } from './auth.ts'
import { bodyLimit } from './body-limit.ts'
import { setCatalogueCookie } from './catalogue-cookie.ts'
import type { DiskGuard } from './disk-guard.ts'
import { declaredRule, type Env } from './guards.ts'
import { busyForAMoment, isShed, loadShedding } from './load-shedding.ts'
import type { Metrics } from './metrics.ts'
import { limitCalls, type RateLimiter } from './rate-limiter.ts'

export type AppDeps = {
  db: Database
  catalogue: CatalogueCache
  identity: Identity
  payments: Payments
  images: Images
  mailer: Mailer
  /** How mail leaves, as the page Mail shows it. */
  sender: MailStatus['sender']
  encodePicture: EncodePicture
  tokens: AccessTokens
  metrics: Metrics
  disk: DiskGuard
  holdMinutes: number
  holdMaxMinutes: number
  openHolds: number
  openHoldsUnconfirmed: number
  /** Origin without a trailing slash, for links in mails. */
  publicUrl: string
  /** OWNER_MAIL; null for the first admin. */
  ownerMail: string | null
  rateLimiter: RateLimiter
  log: Logger
}

const maxBody = 64 * 1024
const maxWebhookBody = 256 * 1024
/** Bytes of a form besides its picture. */
const maxFormAround = 512 * 1024

/** Gives each request an id and a log line, and forbids caching its response. */
function trace({ log, metrics }: AppDeps) {
  return createMiddleware<Env>(async (c, next) => {
    const requestId = randomUUID()
    c.set('requestId', requestId)
    c.set('log', log.child({ requestId }))
    c.header('x-request-id', requestId)
    c.header('cache-control', 'no-store')
    c.header('vary', 'Authorization, Origin')
    const start = performance.now()
    await next()
    const ms = Math.round(performance.now() - start)
    // the route's pattern, not the path: paths carry e-mail addresses
    const call = { method: c.req.method, route: routePath(c, -1), status: c.res.status, ms }
    metrics.observeCall(call)
    c.var.log.info(call, 'request')
  })
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses writes while the disk is nearly full: failing half-way would cost more. */
function refuseOnFullDisk(disk: DiskGuard) {
  return createMiddleware<Env>(async (c, next) => {
    if (disk.isLow() && !reading.has(c.req.method)) throw storageLow()
    await next()
  })
}

const bodyLimits: Record<string, ReturnType<typeof bodyLimit>> = {
  '/api/stripe/webhook': bodyLimit(maxWebhookBody),
  '/api/image': bodyLimit(pictureLimits.bytes + maxFormAround, pictureMessages.tooLarge),
  '/api/products/import': bodyLimit(importLimits.bytes, csvMessages.tooLarge),
}
const usualBodyLimit = bodyLimit(maxBody)

const storageLow = () =>
  new AppError(
    'STORAGE_LOW',
    'The shop is out of disk space. Nothing was changed; try again later.',
  )

/** Constraints that refuse a write or a session of an account that is being deleted. */
const goneAccount = new Set(['users_not_deleted', 'session_user_id_user_id_fk'])

/** Whether the client hung up before its body was read. A broken database connection has another message. */
const isAborted = (error: Error & { code?: unknown }): boolean =>
  error.code === 'ECONNRESET' && error.message === 'aborted'

/** The public part of a failure: a refusal's sentence; of a fault nothing but the request id. */
export function describeFailure(error: Error): {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  /** The current total in whole dollars. */
  totalPrice?: number
  /** Seconds. */
  retryAfter?: number
} {
  if (error instanceof AppError) {
    const { code, message, fields, retryAfter } = error
    return {
      code,
      message,
      ...(fields && { fields }),
      ...(error instanceof PriceChanged && { totalPrice: error.totalPrice }),
      ...(retryAfter && { retryAfter }),
    }
  }
  if (error instanceof HTTPException && error.status < 500) {
    return { code: error.status === 413 ? 'TOO_LARGE' : 'INVALID', message: error.message }
  }
  // the client is gone: nobody reads the answer, and nothing is broken
  if (isAborted(error)) return { code: 'INVALID', message: 'The request ended before it was whole' }
  if (sqlState(error) === '53100') {
    const { code, message } = storageLow()
    return { code, message }
  }
  // PostgreSQL stores every character but NUL
  if (sqlState(error) === '22021') {
    return { code: 'INVALID', message: 'The text holds a character that can not be kept' }
  }
  if (goneAccount.has(refusedBy(error) ?? '')) {
    return { code: 'UNAUTHENTICATED', message: 'This account was deleted' }
  }
  if (isUnavailable(error)) return describeFailure(busyForAMoment())
  return {
    code: 'INTERNAL',
    message: 'Something went wrong on our side. Nothing to do with you; try again.',
  }
}

/** @throws Error at start when a route has no guard: nobody decided who may call it */
export function checkRules(app: Pick<Hono<Env>, 'routes'>): void {
  const ruled = new Map<string, boolean>()
  for (const { method, path, handler } of app.routes) {
    if (method === 'ALL') continue
    const key = `${method} ${path}`
    ruled.set(key, (ruled.get(key) ?? false) || declaredRule(handler) !== undefined)
  }
  const bare = [...ruled].filter(([, ok]) => !ok).map(([key]) => key)
  if (bare.length > 0) throw new Error(`routes without a rule: ${bare.join(', ')}`)
}

/** The API under `/api`: the calls of the specification's section 7, and ours. */
export function createApp(deps: AppDeps) {
  const base = new Hono<Env>().basePath('/api')
  base.use(trace(deps))
  const { door, inside } = loadShedding(deps)
  base.use(door)
  base.use(refuseOnFullDisk(deps.disk))
  base.use(setCatalogueCookie(deps.catalogue, deps.publicUrl.startsWith('https:')))
  base.use(authenticate(deps))
  base.use(inside)
  base.use(limitCalls(deps.rateLimiter))
  base.use((c, next) => (bodyLimits[c.req.path] ?? usualBodyLimit)(c, next))
  const app = base
    .route('/', partRoutes(deps))
    .route('/', adminPartRoutes(deps))
    .route('/', partsCsvRoutes(deps))
    .route('/', orderRoutes(deps))
    .route('/', adminOrderRoutes(deps))
    .route('/', paymentRoutes(deps))
    .route('/', reviewRoutes(deps))
    .route('/', adminReviewRoutes(deps))
    .route('/', userRoutes(deps))
    .route('/', profileRoutes(deps))
    .route('/', accountRoutes(deps))
    .route('/', sessionRoutes(deps))
    .route('/', blockRoutes(deps))
    .route('/', overviewRoutes(deps))
    .route('/', auditRoutes(deps))
    .route('/', reconciliationRoutes(deps))
    .route('/', mailRoutes(deps))
  app.notFound(() => {
    throw new AppError('NOT_FOUND', 'There is no such call')
  })
  app.onError((error, c) => {
    const { retryAfter, ...refusal } = describeFailure(error)
    const { requestId } = c.var
    const status = errorStatus[refusal.code]
    if (status >= 500 && !isShed(error)) c.var.log.error({ err: error }, 'request_failed')
    if (retryAfter) c.header('retry-after', String(retryAfter))
    return c.json({ error: { ...refusal, requestId } } satisfies ErrorBody, status)
  })
  checkRules(app)
  return app
}

/** The browser's client derives from this type. */
export type Api = ReturnType<typeof createApp>
