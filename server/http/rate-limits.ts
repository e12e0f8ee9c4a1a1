import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Env } from './guards.ts'
import { networkOf, type RateLimit, type RateLimiter } from './rate-limiter.ts'

/** Account deletion is counted by e-mail address: registering again makes a new user and sends another mail. */
const leaving = 'DELETE /api/me'

/** Calls with a limit of their own, by method and route; reviews and pictures count their rows instead. */
const own: Record<string, Omit<RateLimit, 'name'>> = {
  'PUT /api/user/:email': { most: 10, seconds: 60 },
  'POST /api/order': { most: 20, seconds: 60 },
  'POST /api/create-payment-intent': { most: 10, seconds: 60 },
  // may ask the card provider
  'PATCH /api/order/:id': { most: 30, seconds: 60 },
  'PUT /api/review/:id': { most: 20, seconds: 3600 },
  'DELETE /api/review/:id': { most: 20, seconds: 3600 },
  // a stolen token must not guess passwords here
  [leaving]: { most: 5, seconds: 3600 },
  'GET /api/me/data': { most: 10, seconds: 60 },
  'GET /api/allOrders.csv': { most: 10, seconds: 60 },
  'GET /api/products.csv': { most: 10, seconds: 60 },
  'GET /api/payments.csv': { most: 10, seconds: 60 },
  'GET /api/audit.csv': { most: 10, seconds: 60 },
  'GET /api/money': { most: 30, seconds: 60 },
  'POST /api/products/import': { most: 20, seconds: 60 },
}
/** Every other write of a user; the card provider's webhook has a signature instead. */
const anyChange: RateLimit = { name: 'change', most: 300, seconds: 60 }
/** All writes of one network's visitors. */
const anyVisitor: RateLimit = { name: 'visitor', most: 300, seconds: 60 }
const unpaced = new Set(['POST /api/stripe/webhook'])
const reading = new Set(['GET', 'OPTIONS'])

/** Applies each call's limit: to users by id, to visitors by network and path. */
export function limitRate(paces: RateLimiter) {
  return createMiddleware<Env>(async (c, next) => {
    // HEAD costs as much as GET
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const call = `${method} ${routePath(c, -1)}`
    const pace = own[call] ? { name: call, ...own[call] } : anyChange
    const counts = own[call] || !(reading.has(method) || unpaced.has(call))
    const { caller } = c.var
    if (counts && caller) await paces.count(pace, call === leaving ? caller.email : caller._id)
    if (counts && !caller) {
      const network = networkOf(c.env?.address ?? 'unknown')
      // paths are endless, so all of them count together too
      await paces.count(anyVisitor, network)
      await paces.count(pace, `${network} ${c.req.path}`)
    }
    await next()
  })
}
