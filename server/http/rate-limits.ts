import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Env } from './guards.ts'
import { networkOf, type RateLimit, type RateLimiter } from './rate-limiter.ts'

/** Counted by address: who comes back after it is somebody new, and each coming sends a mail there. */
const leaving = 'DELETE /api/me'

/** Calls with a pace of their own, by method and route; reviews and pictures count their rows instead. */
const own: Record<string, Omit<RateLimit, 'name'>> = {
  'PUT /api/user/:email': { most: 10, seconds: 60 },
  'POST /api/order': { most: 20, seconds: 60 },
  'POST /api/create-payment-intent': { most: 10, seconds: 60 },
  // each may be a question to the card provider
  'PATCH /api/order/:id': { most: 30, seconds: 60 },
  'PUT /api/review/:id': { most: 20, seconds: 3600 },
  'DELETE /api/review/:id': { most: 20, seconds: 3600 },
  // whoever holds a stolen token guesses no password here
  [leaving]: { most: 5, seconds: 3600 },
  'GET /api/me/data': { most: 10, seconds: 60 },
  'GET /api/allOrders.csv': { most: 10, seconds: 60 },
  'GET /api/products.csv': { most: 10, seconds: 60 },
  'GET /api/payments.csv': { most: 10, seconds: 60 },
  'GET /api/audit.csv': { most: 10, seconds: 60 },
  'GET /api/money': { most: 30, seconds: 60 },
  'POST /api/products/import': { most: 20, seconds: 60 },
}
/** Every other change; the provider's webhook proves itself by its signature. */
const anyChange: RateLimit = { name: 'change', most: 300, seconds: 60 }
/** And all that the visitors of a network change. */
const anyVisitor: RateLimit = { name: 'visitor', most: 300, seconds: 60 }
const unpaced = new Set(['POST /api/stripe/webhook'])
const reading = new Set(['GET', 'OPTIONS'])

/** Keeps callers to the pace of each call: users by who they are, visitors by their network and what they ask for. */
export function limitRate(paces: RateLimiter) {
  return createMiddleware<Env>(async (c, next) => {
    // the head of an answer is as much work as all of it
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    const call = `${method} ${routePath(c, -1)}`
    const pace = own[call] ? { name: call, ...own[call] } : anyChange
    const counts = own[call] || !(reading.has(method) || unpaced.has(call))
    const { caller } = c.var
    if (counts && caller) await paces.count(pace, call === leaving ? caller.email : caller._id)
    if (counts && !caller) {
      const network = networkOf(c.env?.address ?? 'unknown')
      // of addresses to ask at there is no end
      await paces.count(anyVisitor, network)
      await paces.count(pace, `${network} ${c.req.path}`)
    }
    await next()
  })
}
