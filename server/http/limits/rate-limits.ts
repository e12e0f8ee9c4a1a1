/**
 * The rate limits of the shop, counted in the table `rate_limits`: all processes share them, and
 * they survive a restart. RATE_LIMIT=off disables them. API calls declare their limit in their
 * route (`Operation` in `guards.ts`), calls of the identity provider in `identity-routes.ts`.
 *
 * The shop's business rules are elsewhere and apply whatever RATE_LIMIT is: open holds
 * (`orders/hold-rules.ts`), 20 queue places (`placesLimit` in `contracts/queue.ts`), one review a
 * day without a paid order (`reviews_one_a_day` in the database), one payment reminder a day
 * (`orders/remind-customer.ts`), mails that anybody can cause to one mailbox (`bound_mails` in the
 * database), and one query to the card provider in five seconds about an order's unknown payments
 * (`payments/report-payment.ts`).
 * `fair-share.ts` and `load-shedding.ts` limit the requests in progress, not their rate.
 */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { messages } from '#contracts/messages.ts'
import { AppError, waitText } from '#server/errors.ts'
import { hashedKey, networksOf } from '#server/http/client-address.ts'
import { type Env, guardOf, type Operation, type Rule } from '#server/http/guards.ts'

/** Allows `max` in `seconds`. */
export type Limit = {
  max: number
  seconds: number
  /** Any process may reset or decrease the counter, so no process may refuse from memory. */
  resettable?: true
  /** Replaces the default message. */
  message?: string
}
export type RateLimit = Limit & { name: string }

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/**
 * The login: wrong passwords for one account, counted for all unknown devices together and for each
 * trusted device.
 */
export const signInAttempts = {
  name: 'sign-in attempts',
  max: 10,
  seconds: 15 * minute,
  resettable: true,
} as const satisfies RateLimit

/**
 * Password prompts before a change of one account, so that nobody can guess the password in a
 * stolen session.
 */
export const passwordPrompts: RateLimit = {
  name: 'password prompts',
  max: 10,
  seconds: 15 * minute,
}

/** One-time codes and recovery codes of one account, at its sign-ins. */
export const signInCodes = {
  name: 'sign-in codes',
  max: 10,
  seconds: 15 * minute,
  resettable: true,
} as const satisfies RateLimit

/** The same in sessions: who knows the password alone cannot use up these. */
export const sessionCodes = {
  name: 'session codes',
  max: 10,
  seconds: 15 * minute,
  resettable: true,
} as const satisfies RateLimit

/** Mails that the clients of one network cause to addresses of their choice. */
export const mailsOfNetwork: RateLimit = { name: 'mails of a network', max: 30, seconds: hour }

/** Every other write of one user. */
export const otherWrites: RateLimit = { name: 'other writes', max: 300, seconds: minute }
/** All writes of one network's visitors together, because the number of paths is unlimited. */
const visitorWrites: RateLimit = { name: 'visitor writes', max: 300, seconds: minute }
/** New reviews of one customer with a paid order. */
export const reviewsOfBuyer = {
  name: 'reviews of a buyer',
  max: 5,
  seconds: hour,
  resettable: true,
  message: 'You can write 5 reviews in an hour. Try again later.',
} as const satisfies RateLimit
/**
 * New reviews of one network's users without a paid order: accounts and addresses cost nothing,
 * networks do.
 */
export const reviewsOfNetwork = {
  name: 'reviews of a network',
  max: 5,
  seconds: day,
  resettable: true,
  message: messages.reviewsFromNetwork,
} as const satisfies RateLimit

const tableName = 'rate_limits'

const tooMany = ({ message }: RateLimit, seconds: number) =>
  new AppError(
    'TOO_MANY',
    message ?? `That was too often. Try again in ${waitText(seconds)}.`,
    undefined,
    seconds,
  )

export type RateLimiter = {
  /**
   * Counts one more. @param who a user's id, a network or an account @throws AppError TOO_MANY with
   * `retryAfter`
   */
  count(limit: RateLimit, who: string): Promise<void>
  /** Subtracts one from the count. */
  giveBack(limit: RateLimit & { resettable: true }, who: string): Promise<void>
  reset(limit: RateLimit & { resettable: true }, who: string): Promise<void>
  /** Removes expired counters. */
  clear(): Promise<void>
}

/** @param pool of a database with the table `rate_limits` */
export function rateLimiter(pool: Pool): RateLimiter {
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiterFor = ({ name, max, seconds, resettable }: RateLimit) => {
    const existing = limiters.get(name)
    if (existing) return existing
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: max,
      duration: seconds,
      // refuses further requests from memory, so that a flood causes no writes
      ...(!resettable && { inMemoryBlockOnConsumed: max + 1 }),
    })
    limiters.set(name, limiter)
    return limiter
  }
  return {
    async count(limit, who) {
      await limiterFor(limit)
        .consume(hashedKey(who))
        .catch((refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          throw tooMany(limit, Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
        })
    },
    async giveBack(limit, who) {
      await limiterFor(limit).reward(hashedKey(who))
    },
    async reset(limit, who) {
      await limiterFor(limit).delete(hashedKey(who))
    },
    async clear() {
      await pool.query(`delete from ${tableName} where expire < $1`, [Date.now()])
    },
  }
}

/** RATE_LIMIT=off: counts nothing and refuses nothing. */
export const noRateLimits: RateLimiter = {
  count: async () => {},
  giveBack: async () => {},
  reset: async () => {},
  clear: async () => {},
}

/**
 * The limit of a network, and those of the wider networks that contain it: a /56 may do four times
 * as much, a /48 sixteen times. Count in this order, so that a refused network does not use up the
 * limit of its neighbours.
 * @param networks narrowest first, as from `networksOf`
 */
export const limitsOfNetworks = <L extends RateLimit>(
  limit: L,
  networks: readonly string[],
): [limit: L, who: string][] =>
  networks.map((network, level) => {
    const times = 4 ** level
    const wider = { ...limit, name: `${limit.name} × ${times}`, max: limit.max * times }
    return [level === 0 ? limit : wider, network]
  })

/** Counts one more for a client without an account. @throws AppError TOO_MANY with `retryAfter` */
export async function countNetworks(
  limiter: Pick<RateLimiter, 'count'>,
  limit: RateLimit,
  networks: readonly string[],
): Promise<void> {
  for (const [each, network] of limitsOfNetworks(limit, networks))
    await limiter.count(each, network)
}

const reading = new Set(['GET', 'OPTIONS'])
const needsLogin = new Set<Rule | undefined>(['user', 'packer', 'admin'])

type Call = { method: string; path: string; operation?: Operation | undefined }

/**
 * The limit of a call; undefined for calls that are not counted. @param path as the route declares
 * it
 */
export function limitOf({ method, path, operation }: Call): RateLimit | undefined {
  const own = operation?.limit
  if (own === 'none') return undefined
  if (own) return { name: `${method} ${path}`, ...own }
  return reading.has(method) ? undefined : otherWrites
}

/**
 * Applies each call's limit: to users and API keys by id, to visitors by network, and their writes
 * by path as well. Where visitors may call, so are accounts without a confirmed address: anybody
 * makes them by the hundred. What the guard refuses a visitor costs nothing, so it is not counted: a path
 * with any id would be a row each. Neither are the calls that the shop makes itself, without an
 * address, to render a page: all visitors would share one limit.
 */
export function limitCalls(limiter: RateLimiter) {
  return createMiddleware<Env>(async (c, next) => {
    // HEAD costs as much as GET
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const path = routePath(c, -1)
    const { operation, rule } = guardOf(c) ?? {}
    const limit = limitOf({ method, path, operation })
    if (!limit) return next()
    const isByEmail = operation?.limit !== 'none' && operation?.limit?.by === 'email'
    const { caller, apiKey } = c.var
    const address = c.env?.address
    if (apiKey) {
      await limiter.count(limit, apiKey._id)
    } else if (caller && (caller.emailVerified || needsLogin.has(rule))) {
      await limiter.count(limit, isByEmail ? caller.email : caller._id)
    } else if (address && !needsLogin.has(rule)) {
      const networks = networksOf(address)
      if (reading.has(method)) {
        await countNetworks(limiter, limit, networks)
      } else {
        await countNetworks(limiter, visitorWrites, networks)
        const atPath = networks.map((network) => `${network} ${c.req.path}`)
        await countNetworks(limiter, limit, atPath)
      }
    }
    await next()
  })
}
