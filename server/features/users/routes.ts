import { Hono } from 'hono'
import { z } from 'zod'
import { type AdminAnswer, Email, Exchange, type Exchanged, isAdmin } from '#contracts/users.ts'
import { AppError } from '#server/errors.ts'
import { type Env, provedBy, requireUser, valid } from '#server/http.ts'
import { type ExchangeDeps, exchange } from './exchange.ts'
import { findByEmail } from './store.ts'

const ByEmail = z.object({ email: Email })

/** PUT /user/{email} (ID token for access token) and GET /admin/{email}. */
export function userRoutes(deps: ExchangeDeps) {
  return new Hono<Env>()
    .put(
      '/user/:email',
      provedBy('proof'),
      valid('param', ByEmail),
      valid('json', Exchange),
      async (c) => {
        const { email } = c.req.valid('param')
        const body = c.req.valid('json')
        if (body.email !== email) {
          throw new AppError('INVALID', 'email: differs from the address in the path', {
            email: 'differs from the address in the path',
          })
        }
        const token = await exchange(deps, email, body.idToken)
        return c.json({ acknowledged: true, token } satisfies z.infer<typeof Exchanged>)
      },
    )
    .get('/admin/:email', requireUser, valid('param', ByEmail), async (c) => {
      const { caller } = c.var
      const { email } = c.req.valid('param')
      if (email !== caller.email && !isAdmin(caller)) {
        throw new AppError('FORBIDDEN', 'You may only ask about your own address')
      }
      const admin =
        email === caller.email ? isAdmin(caller) : (await findByEmail(deps.db, email)).some(isAdmin)
      return c.json({ admin } satisfies z.infer<typeof AdminAnswer>)
    })
}
