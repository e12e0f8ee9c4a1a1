/** Counts the limits of `rate-limits.ts` in the database: every process shares them, and they survive a restart. */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError, waitText } from '#server/errors.ts'
import { hashedKey, networkOf } from './client-address.ts'
import type { Env } from './guards.ts'
import {
  callLimits,
  countedByEmail,
  otherWrites,
  type RateLimit,
  unlimitedCalls,
  visitorWrites,
} from './rate-limits.ts'

const tableName = 'rate_limits'

const tooMany = ({ message }: RateLimit, seconds: number) =>
  new AppError(
    'TOO_MANY',
    message ?? `That was too often. Try again in ${waitText(seconds)}.`,
    undefined,
    seconds,
  )

export type RateLimiter = {
  /** Counts one more. @param who a user's id, a network or an account @throws AppError TOO_MANY with `retryAfter` */
  count(limit: RateLimit, who: string): Promise<void>
  /** Takes one count back. */
  giveBack(limit: RateLimit & { resettable: true }, who: string): Promise<void>
  reset(limit: RateLimit & { resettable: true }, who: string): Promise<void>
  /** Removes expired counters. */
  clear(): Promise<void>
}

/** @param pool of a database with the table `rate_limits` */
export function rateLimiter(pool: Pool): RateLimiter {
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiterFor = ({ name, most, seconds, resettable }: RateLimit) => {
    const known = limiters.get(name)
    if (known) return known
    const made = new RateLimiterPostgres({
      storeClient: pool,
      tableName,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: most,
      duration: seconds,
      // refuses further requests from memory, so that a flood writes nothing
      ...(!resettable && { inMemoryBlockOnConsumed: most + 1 }),
    })
    limiters.set(name, made)
    return made
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

const reading = new Set(['GET', 'OPTIONS'])

/** Applies each call's limit: to users by id, to visitors by network and path. */
export function limitCalls(limiter: RateLimiter) {
  return createMiddleware<Env>(async (c, next) => {
    // HEAD costs as much as GET
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const call = `${method} ${routePath(c, -1)}`
    const own = callLimits[call]
    if (!own && (reading.has(method) || unlimitedCalls.has(call))) return next()
    const limit = own ? { name: call, ...own } : otherWrites
    const { caller } = c.var
    if (caller) {
      await limiter.count(limit, countedByEmail.has(call) ? caller.email : caller._id)
    } else {
      const network = networkOf(c.env?.address ?? 'unknown')
      await limiter.count(visitorWrites, network)
      await limiter.count(limit, `${network} ${c.req.path}`)
    }
    await next()
  })
}
