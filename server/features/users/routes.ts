import { Hono } from 'hono'
import { z } from 'zod'
import type { Modified } from '#contracts/api.ts'
import { type RowCount, UserFilter, UserList } from '#contracts/lists.ts'
import { type AdminAnswer, Email, Exchange, type Exchanged, isAdmin } from '#contracts/users.ts'
import { AppError } from '#server/errors.ts'
import { type Env, provedBy, requireAdmin, requireUser, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { type ExchangeDeps, exchange } from './exchange.ts'
import { giveRights, takeRights } from './set-role.ts'
import { countUsers, findByEmail, listUsers } from './store.ts'

const ByEmail = z.object({ email: Email })

/** PUT /user/{email} (ID token for access token), GET /admin/{email}; for admins GET /user and the rights of an address. */
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
        if (!body.idToken) {
          throw new AppError('UNAUTHENTICATED', 'Send the ID token of your sign-in as proof')
        }
        const token = await exchange(deps, email, body.idToken)
        return c.json({ acknowledged: true, token } satisfies z.infer<typeof Exchanged>)
      },
    )
    .get('/user', requireAdmin, valid('query', UserList), (c) => {
      const query = c.req.valid('query')
      return streamList(c, query, (piece) => listUsers(deps.db, { ...query, ...piece }))
    })
    .get('/user/count', requireAdmin, valid('query', UserFilter), async (c) =>
      c.json((await countUsers(deps.db, c.req.valid('query'))) satisfies RowCount),
    )
    .put('/user/admin/:email', requireAdmin, valid('param', ByEmail), async (c) => {
      const change = { caller: c.var.caller, ...c.req.valid('param') }
      const modifiedCount = await giveRights(deps.db, change)
      return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
    })
    .delete('/user/admin/:email', requireAdmin, valid('param', ByEmail), async (c) => {
      const change = { caller: c.var.caller, ...c.req.valid('param') }
      const modifiedCount = await takeRights(deps.db, change)
      return c.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof Modified>)
    })
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
