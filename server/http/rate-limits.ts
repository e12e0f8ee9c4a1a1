/**
 * The rate limits of the shop, counted in the table `rate_limits`: every process shares them, and they survive a restart.
 * RATE_LIMIT=off switches them off.
 *
 * Rules of the shop are elsewhere and hold whatever RATE_LIMIT says: open holds (`orders/hold-rules.ts`), 20 places in queues
 * (`placesLimit` in `contracts/queue.ts`), one review a day
 * without a paid order (`reviews_one_a_day` in the database), one payment reminder a day (`orders/remind-customer.ts`), five
 * booking mails an hour to an unverified address (`orders/booking-store.ts`), and one question to the card provider in five
 * seconds about unknown payments of an order (`payments/report-payment.ts`).
 * `fair-share.ts` and `load-shedding.ts` bound the requests in progress, not their rate.
 */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { messages } from '#contracts/messages.ts'
import { AppError, waitText } from '#server/errors.ts'
import { hashedKey, networksOf } from './client-address.ts'
import type { Env } from './guards.ts'

/** Allows `max` in `seconds`. */
type Limit = {
  max: number
  seconds: number
  /** Any process may reset the counter or give a count back, so that no process refuses from memory. */
  resettable?: true
  /** Replaces the usual refusal. */
  message?: string
}
export type RateLimit = Limit & { name: string }

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The login: wrong passwords for one account, of all unknown devices together and of each trusted device. */
export const signInAttempts = {
  name: 'sign-in attempts',
  max: 10,
  seconds: 15 * minute,
  resettable: true,
} as const satisfies RateLimit

/** Password prompts before a change of one account, so that a stolen session cannot guess. */
export const passwordPrompts: RateLimit = {
  name: 'password prompts',
  max: 10,
  seconds: 15 * minute,
}

const often = { max: 100, seconds: 10 }
const password = { max: 20, seconds: minute }
const mailing = { max: 3, seconds: minute }
const google = { max: 30, seconds: minute }

/** Calls of the identity provider below `/identity`, of one network. The provider's own rate limits are off. */
export const identityLimits = {
  'POST /sign-in/email': { max: 3, seconds: 10 },
  'POST /sign-up/email': { max: 3, seconds: 10 },
  'POST /sign-out': often,
  'GET /token': often,
  'POST /update-user': password,
  'POST /change-password': password,
  'POST /reset-password': password,
  'POST /change-email': mailing,
  'POST /send-verification-email': mailing,
  'POST /request-password-reset': mailing,
  'GET /verify-email': often,
  'GET /reset-password/:token': often,
  'GET /jwks': often,
  'GET /popup/check': often,
  'GET /popup/google': google,
  'GET /popup/done': often,
  'GET /redirect/google': google,
  'GET /redirect/done': often,
  'GET /callback/google': often,
} as const satisfies Record<`${'GET' | 'POST'} /${string}`, Limit>

/** Mails that the clients of one network cause to addresses of their choice. */
export const mailsOfNetwork: RateLimit = { name: 'mails of a network', max: 30, seconds: hour }

/** Mails of one template to one mailbox, from any client. */
export const mailsToMailbox = (template: string): RateLimit => ({
  name: `mails to a mailbox: ${template}`,
  max: 5,
  seconds: hour,
})

const csv = { max: 10, seconds: minute }
const reviewChange = { max: 20, seconds: hour }

/** Calls of the API, of one user, or of one network's visitors at one path. */
const callLimits: Record<string, Limit> = {
  'PUT /api/user/:email': { max: 10, seconds: minute },
  'POST /api/order': { max: 20, seconds: minute },
  'POST /api/queue': { max: 30, seconds: minute },
  'POST /api/queue/:id/order': { max: 20, seconds: minute },
  'POST /api/create-payment-intent': { max: 10, seconds: minute },
  // may ask the card provider
  'PATCH /api/order/:id': { max: 30, seconds: minute },
  'PUT /api/review/:id': reviewChange,
  'DELETE /api/review/:id': reviewChange,
  // a stolen token must not guess passwords here
  'DELETE /api/me': { max: 5, seconds: hour },
  'GET /api/me/data': { max: 10, seconds: minute },
  'GET /api/allOrders.csv': csv,
  'GET /api/products.csv': csv,
  'GET /api/payments.csv': csv,
  'GET /api/audit.csv': csv,
  'GET /api/money': { max: 30, seconds: minute },
  // a fast typist asks twice a second
  'GET /api/search': { max: 120, seconds: minute },
  // a browser sends the pictures of a whole shop, three at a time
  'POST /api/picture-queue': { max: 1200, seconds: minute },
  'POST /api/products/import': { max: 20, seconds: minute },
  // each waits for a server of others
  'POST /api/webhook/:id/test': { max: 10, seconds: minute },
  'POST /api/webhook/message/:id/resend': { max: 30, seconds: minute },
  'POST /api/image': {
    max: 24,
    seconds: minute,
    message: 'You can upload 24 pictures in a minute. Try again later.',
  },
}
/** Every other write of one user. */
export const otherWrites: RateLimit = { name: 'other writes', max: 300, seconds: minute }
/** All writes of one network's visitors: there is no end of paths. */
const visitorWrites: RateLimit = { name: 'visitor writes', max: 300, seconds: minute }
/** Counted by e-mail address: registering again makes a new user and sends another mail. */
const countedByEmail = new Set(['DELETE /api/me'])
/** The card provider's webhook carries a signature instead. */
const unlimitedCalls = new Set(['POST /api/stripe/webhook'])

/** New reviews of one customer with a paid order. */
export const reviewsOfBuyer = {
  name: 'reviews of a buyer',
  max: 5,
  seconds: hour,
  resettable: true,
  message: 'You can write 5 reviews in an hour. Try again later.',
} as const satisfies RateLimit
/** New reviews of one network's users without a paid order: accounts and addresses cost nothing, networks do. */
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
      // refuses further requests from memory, so that a flood writes nothing
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
 * The limit of a network, and those of the wider ones that it is in: a /56 may do four times, a /48 sixteen times as much.
 * To be counted in this order, so that a network that is refused uses up nothing of its neighbours'.
 * @param networks narrowest first, as `networksOf` says
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

/** Counts one more of a client without an account. @throws AppError TOO_MANY with `retryAfter` */
export async function countNetworks(
  limiter: Pick<RateLimiter, 'count'>,
  limit: RateLimit,
  networks: readonly string[],
): Promise<void> {
  for (const [each, network] of limitsOfNetworks(limit, networks))
    await limiter.count(each, network)
}

const reading = new Set(['GET', 'OPTIONS'])

/** The limit of a call; undefined where calls are not counted. @param path as the route declares it */
export function limitOf(method: string, path: string): RateLimit | undefined {
  const call = `${method} ${path}`
  const own = callLimits[call]
  if (own) return { name: call, ...own }
  return reading.has(method) || unlimitedCalls.has(call) ? undefined : otherWrites
}

/** Applies each call's limit: to users and API keys by id, to visitors by network and path. */
export function limitCalls(limiter: RateLimiter) {
  return createMiddleware<Env>(async (c, next) => {
    // HEAD costs as much as GET
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const path = routePath(c, -1)
    const limit = limitOf(method, path)
    if (!limit) return next()
    const { caller, apiKey } = c.var
    if (apiKey) {
      await limiter.count(limit, apiKey._id)
    } else if (caller) {
      await limiter.count(
        limit,
        countedByEmail.has(`${method} ${path}`) ? caller.email : caller._id,
      )
    } else {
      const networks = networksOf(c.env?.address ?? 'unknown')
      if (!reading.has(method)) await countNetworks(limiter, visitorWrites, networks)
      const atPath = networks.map((network) => `${network} ${c.req.path}`)
      await countNetworks(limiter, limit, atPath)
    }
    await next()
  })
}
