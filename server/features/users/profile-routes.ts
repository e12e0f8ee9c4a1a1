import { Hono } from 'hono'
import { z } from 'zod'
import type { Acknowledged } from '#contracts/api.ts'
import { ProfileUpdate } from '#contracts/profiles.ts'
import { Email, isAdmin } from '#contracts/users.ts'
import type { Database } from '#server/database/client.ts'
import { AppError, found } from '#server/errors.ts'
import { type Env, requireUser, valid } from '#server/http/guards.ts'
import { findProfile } from './profile-store.ts'
import { updateProfile } from './update-profile.ts'

const ByEmail = z.object({ email: Email })

/** GET and PUT /profile/{email}: the caller's own; an admin may read any. */
export function profileRoutes(deps: { db: Database }) {
  return new Hono<Env>()
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
        await updateProfile(deps.db, c.var.caller, email, c.req.valid('json'))
        return c.json({ acknowledged: true } satisfies z.infer<typeof Acknowledged>)
      },
    )
}
