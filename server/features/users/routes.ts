import { Hono } from 'hono'
import { z } from 'zod'
import { AccountDeletion, type Me, type SessionInfo } from '#contracts/account.ts'
import type { Acknowledged, Deleted } from '#contracts/api.ts'
import { ProfileUpdate } from '#contracts/profiles.ts'
import { type AdminAnswer, Email, Exchange, type Exchanged, isAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { type Env, requireUser, valid, verifiedInHandler } from '#server/http/guards.ts'
import { streamed } from '#server/http/lists.ts'
import { type DeleteDeps, deleteAccount } from './delete-account.ts'
import { type ExchangeDeps, exchange } from './exchange.ts'
import { myData } from './my-data.ts'
import { findProfile, saveProfile } from './profiles.ts'
import { endSessions, listSessions } from './sessions.ts'
import { findByEmail, identityOf } from './store.ts'

const ByEmail = z.object({ email: Email })
const BySession = z.object({ id: z.string().min(1).max(64) })

/**
 * What users do with their own account: PUT /user/{email} (ID token for access token), GET /admin/{email}, /profile/{email}
 * (admins may read every profile), /me with its data and deletion, /sessions.
 */
export function userRoutes(deps: ExchangeDeps & DeleteDeps) {
  return new Hono<Env>()
    .put(
      '/user/:email',
      verifiedInHandler('proof'),
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
    .get('/profile/:email', requireUser, valid('param', ByEmail), async (c) => {
      const { caller } = c.var
      const { email } = c.req.valid('param')
      if (email !== caller.email && !isAdmin(caller)) {
        throw new AppError('FORBIDDEN', 'You may only see your own profile')
      }
      // the caller's own by user id, which never changes; an admin's request by address
      const whose = email === caller.email ? { userId: caller._id } : { email }
      return c.json(found(await findProfile(deps.db, whose), 'profile'))
    })
    .put(
      '/profile/:email',
      requireUser,
      valid('param', ByEmail),
      valid('json', ProfileUpdate),
      async (c) => {
        const { email } = c.req.valid('param')
        await saveProfile(deps.db, c.var.caller, email, c.req.valid('json'))
        return c.json({ acknowledged: true } satisfies z.infer<typeof Acknowledged>)
      },
    )
    .get('/me', requireUser, async (c) => {
      const account = await identityOf(deps.db, c.var.caller._id)
      const hasPassword = await deps.identity.hasPassword(account)
      return c.json({ hasPassword } satisfies z.infer<typeof Me>)
    })
    .get('/me/data', requireUser, async (c) => {
      const today = new Date().toISOString().slice(0, 10)
      return streamed(c, await myData(deps, c.var.caller), {
        'content-type': 'application/json',
        'content-disposition': `attachment; filename="my-data-${today}.json"`,
      })
    })
    .delete('/me', requireUser, valid('json', AccountDeletion), async (c) => {
      await deleteAccount(deps, c.var.caller, c.req.valid('json'))
      return c.json({ acknowledged: true, deletedCount: 1 } satisfies z.infer<typeof Deleted>)
    })
    .get('/sessions', requireUser, async (c) => {
      const sessions = await listSessions(deps, c.var.caller, c.var.sessionId)
      return c.json(sessions satisfies SessionInfo[])
    })
    .delete('/sessions/:id', requireUser, valid('param', BySession), async (c) => {
      const { id } = c.req.valid('param')
      const deletedCount = await endSessions(deps, c.var.caller, (sessionId) => sessionId === id)
      if (deletedCount === 0) throw new AppError('NOT_FOUND', 'That device is signed out already')
      return c.json({ acknowledged: true, deletedCount } satisfies z.infer<typeof Deleted>)
    })
    .delete('/sessions', requireUser, async (c) => {
      const current = c.var.sessionId
      const deletedCount = await endSessions(deps, c.var.caller, (id) => id !== current)
      return c.json({ acknowledged: true, deletedCount } satisfies z.infer<typeof Deleted>)
    })
}
