/**
 * `/identity`: the calls of the identity provider that the shop uses, each with its limits. Every
 * other call gets a 404 and never reaches the provider's library: it reads no body and makes no
 * query.
 */
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Identity } from '#server/adapters/identity/port.ts'
import { AppError } from '#server/errors.ts'
import { bodyLimit } from '#server/http/limits/body-limit.ts'
import { refuseOnFullDisk } from '#server/http/limits/disk-guard.ts'
import { limitConcurrency, loadShedding } from '#server/http/limits/load-shedding.ts'
import {
  countNetworks,
  type Limit,
  mailsOfNetwork,
  type RateLimit,
} from '#server/http/limits/rate-limits.ts'
import {
  type GuardSettings,
  limitSignIn,
  trustAfterReset,
  trustAfterSignUp,
} from '#server/http/limits/sign-in-limits.ts'
import { clientAddressHeader, type Deps } from '#server/wiring.ts'
import { networksOf } from './client-address.ts'

type IdentityCall = {
  /** How often one network may make it. */
  limit: Limit
  /** Middleware against guessing passwords. */
  guard?: (deps: GuardSettings) => MiddlewareHandler
  /** Refused without the provider's session cookie. */
  needsSession?: true
  /** May mail an address that the caller chose, so it counts toward the network's mails, too. */
  mails?: true
  /** Replaces the call's own `callbackURL`. */
  callbackURL?: string
  /** A step of the Google sign-in: on a refusal, the popup shows its last page. */
  window?: true
  /**
   * Hashes a password. Only a few such calls run at a time, so that they use few database
   * connections.
   */
  hashes?: true
  /** The `Cache-Control` of the response; by default, nothing may cache it. */
  cache?: string
  /** Redirects to the provider's site, at the URL of its discovery document. */
  leavesSite?: true
}

const often = { max: 100, seconds: 10 }
const withPassword = { max: 20, seconds: 60 }
const mailing = { max: 3, seconds: 60 }
const toGoogle = { limit: { max: 30, seconds: 60 }, window: true, leavesSite: true } as const

/** By method and path below `/identity`. The provider's own rate limits are off. */
const identityCalls: Record<`${'GET' | 'POST'} /${string}`, IdentityCall> = {
  'POST /sign-up/email': {
    limit: { max: 3, seconds: 10 },
    mails: true,
    hashes: true,
    guard: trustAfterSignUp,
  },
  'POST /sign-in/email': { limit: { max: 3, seconds: 10 }, hashes: true, guard: limitSignIn },
  'POST /sign-out': { limit: often },
  // each guess counts for its account as well
  'POST /two-factor/verify-totp': { limit: withPassword },
  'POST /two-factor/verify-backup-code': { limit: withPassword },
  'POST /two-factor/enable': { limit: withPassword, needsSession: true, hashes: true },
  'POST /two-factor/disable': { limit: withPassword, needsSession: true, hashes: true },
  'POST /two-factor/generate-backup-codes': {
    limit: withPassword,
    needsSession: true,
    hashes: true,
  },
  'GET /token': { limit: often, needsSession: true },
  'POST /update-user': { limit: withPassword, needsSession: true },
  'POST /change-password': { limit: withPassword, needsSession: true, hashes: true },
  'POST /change-email': { limit: mailing, needsSession: true, mails: true, hashes: true },
  'POST /send-verification-email': { limit: mailing, mails: true },
  'GET /verify-email': { limit: often, callbackURL: '/verified' },
  'POST /request-password-reset': { limit: mailing, mails: true },
  'GET /reset-password/:token': { limit: often, callbackURL: '/reset-password' },
  'POST /reset-password': { limit: withPassword, hashes: true, guard: trustAfterReset },
  // the keys that verify ID tokens
  'GET /jwks': { limit: often, cache: 'public, max-age=300' },
  'GET /popup/check': { limit: often },
  'GET /popup/google': toGoogle,
  'GET /popup/done': { limit: often },
  'GET /redirect/google': toGoogle,
  'GET /redirect/done': { limit: often },
  'GET /callback/google': { limit: often, window: true },
}

/** `leavesSite`: the response may redirect to another site. */
export type SiteEnv = { Bindings: HttpBindings; Variables: { leavesSite?: true } }

export type IdentityRoutesOptions = {
  deps: Deps
  https: boolean
  /** The client's address, as read by `client-address.ts`. */
  addressOf: (c: Context<SiteEnv>) => string
}

const maxBody = 16 * 1024
/** Node hashes on as many threads; the queue empties within seconds. */
const hashesAtOnce = 4
const hashesWaiting = 200
const sessionCookie = /(^|; )(__Secure-)?ferrite\.session_token=./

const notThere = () => {
  throw new AppError('NOT_FOUND', 'There is no such call')
}

/** Logs POST calls such as sign-ins, without personal data. */
const logged = ({ log, logCall }: Deps, method: string, route: string) =>
  createMiddleware(async (c, next) => {
    await next()
    if (method === 'POST') logCall({ method, route, status: c.res.status }, log)
  })

/**
 * Refuses requests that need no query to reject: HEAD, and calls without the session cookie that
 * they need.
 */
const plausible = ({ needsSession }: IdentityCall) =>
  createMiddleware(async (c, next) => {
    if (c.req.method === 'HEAD') notThere()
    if (needsSession && !sessionCookie.test(c.req.header('cookie') ?? '')) {
      throw new AppError('UNAUTHENTICATED', 'Log in first')
    }
    await next()
  })

/** Applies the call's rate limits to the network. */
function counted(
  limit: RateLimit,
  call: IdentityCall,
  { deps: { rateLimiter }, addressOf }: IdentityRoutesOptions,
) {
  return createMiddleware<SiteEnv>(async (c, next) => {
    const networks = networksOf(addressOf(c))
    try {
      await countNetworks(rateLimiter, limit, networks)
      if (call.mails) await countNetworks(rateLimiter, mailsOfNetwork, networks)
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'TOO_MANY'
      if (!isRefused || !call.window) throw error
      return c.redirect('/identity/popup/done?error=too_many_requests')
    }
    await next()
  })
}

/** Passes a call to the provider. Replaces the client's address headers with `addressOf`. */
function handOver(
  call: IdentityCall,
  handle: NonNullable<Identity['handle']>,
  { deps, addressOf }: IdentityRoutesOptions,
) {
  return async (c: Context<SiteEnv>) => {
    const headers = new Headers(c.req.raw.headers)
    headers.set(clientAddressHeader, addressOf(c))
    const url = new URL(c.req.raw.url)
    if (call.callbackURL) url.searchParams.set('callbackURL', call.callbackURL)
    const request = call.callbackURL
      ? new Request(url, { headers })
      : new Request(c.req.raw, { headers })
    const response = await handle(request)
    // without a database, the library reports no session, which would log users out
    const isRefused = response.status >= 400 || response.headers.get('location')?.includes('error=')
    if (isRefused && !(await deps.catalogue.databaseAnswers('now'))) {
      throw new AppError('UNAVAILABLE', 'The shop is busy for a moment. Try again.')
    }
    const answer = new Response(response.body, response)
    answer.headers.set('cache-control', call.cache ?? 'no-store')
    // keeps the popup's link to the window that opened it
    answer.headers.set('cross-origin-opener-policy', 'unsafe-none')
    if (call.leavesSite) c.set('leavesSite', true)
    return answer
  }
}

/** Reads the body before the request waits for its turn. */
const readBody = createMiddleware(async (c, next) => {
  if (c.req.raw.body) {
    c.req.raw = new Request(c.req.raw, { body: await c.req.raw.arrayBuffer() })
  }
  await next()
})

/** For mounting at `/identity`. */
export function identityRoutes(options: IdentityRoutesOptions) {
  const { deps } = options
  const { handle } = deps.identity
  if (!handle) return new Hono<SiteEnv>().all('*', notThere)
  const { db, rateLimiter, deviceSecret: secret } = deps
  const guardDeps = { db, secret, https: options.https, rateLimiter }
  const { check } = loadShedding(deps)
  const bodyLimited = bodyLimit(deps.openBodies, maxBody)
  const hashing = limitConcurrency<SiteEnv>(hashesAtOnce, hashesWaiting, (c) =>
    networksOf(options.addressOf(c)),
  )
  const app = new Hono<SiteEnv>()
  for (const [key, call] of Object.entries(identityCalls)) {
    const [method = '', path = ''] = key.split(' ')
    const steps: MiddlewareHandler[] = [
      logged(deps, method, `/identity${path}`),
      plausible(call),
      check,
      counted({ name: `identity ${key}`, ...call.limit }, call, options),
      ...(call.mails ? [refuseOnFullDisk(deps.disk)] : []),
      bodyLimited,
      ...(call.guard ? [call.guard(guardDeps)] : []),
      ...(call.hashes ? [readBody, hashing] : []),
    ]
    app.on([method], [path], ...steps, handOver(call, handle, options))
  }
  app.all('*', notThere)
  return app
}
