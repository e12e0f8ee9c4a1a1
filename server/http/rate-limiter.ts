/** Rate limits, counted in the database: every process shares them, and they survive a restart. */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#server/errors.ts'
import { networkOf } from './network.ts'

export { networkOf }

/** Allows `most` in `seconds`. */
export type RateLimit = {
  name: string
  most: number
  seconds: number
  /** Any process may reset it or give a count back, so that no process refuses from memory. */
  forgettable?: true
}

const tableName = 'rate_limits'

/** The hashed key of a user, network or account: the table holds no address and no e-mail. */
const keyOf = (who: string) => createHash('sha256').update(who).digest('base64url')

/** The hashed key of an address's network. */
export const networkKey = (address: string): string => keyOf(networkOf(address))

const tooMany = (seconds: number) =>
  new AppError(
    'TOO_MANY',
    `That was too often. Try again in ${inWords(seconds)}.`,
    undefined,
    seconds,
  )

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** @param pool of a database with the table `rate_limits` */
export function rateLimiter(pool: Pool) {
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiterFor = ({ name, most, seconds, forgettable }: RateLimit) => {
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
      ...(!forgettable && { inMemoryBlockOnConsumed: most + 1 }),
    })
    limiters.set(name, made)
    return made
  }
  return {
    /** Counts one more. @param who a user's id, a network or an account @throws AppError TOO_MANY with `retryAfter` */
    async count(pace: RateLimit, who: string): Promise<void> {
      await limiterFor(pace)
        .consume(keyOf(who))
        .catch((refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          throw tooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
        })
    },
    /** Takes one count back. Only for forgettable limits: others may be refused from memory. */
    async giveBack(pace: RateLimit & { forgettable: true }, who: string): Promise<void> {
      await limiterFor(pace).reward(keyOf(who))
    },
    /** Resets the counter. */
    async forget(pace: RateLimit, who: string): Promise<void> {
      await limiterFor(pace).delete(keyOf(who))
    },
    /** Removes expired counters. */
    async clear(): Promise<void> {
      await pool.query(`delete from ${tableName} where expire < $1`, [Date.now()])
    },
  }
}
export type RateLimiter = ReturnType<typeof rateLimiter>
