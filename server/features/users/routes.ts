import { Hono } from 'hono'
import type { z } from 'zod'
import { Profile, ProfileUpdate } from '#contracts/account.ts'
import { Acknowledged, acknowledged } from '#contracts/api.ts'
import { AdminAnswer, ByEmail, Exchange, Exchanged, isAdmin, isPacker } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { type Env, perMinute, requireUser, valid, verifiedInHandler } from '#server/http/guards.ts'
import { type ExchangeDeps, exchange } from './exchange.ts'
import { findProfile, saveProfile } from './profiles.ts'
import { findByEmail } from './store.ts'

/**
 * The routes of users by address: exchanging an ID token for an access token, checking admin
 * rights, profiles.
 */
export function userRoutes(deps: ExchangeDeps) {
  return new Hono<Env>()
    .put(
      '/user/:email',
      verifiedInHandler('proof', {
        summary: 'Exchanges the ID token of a sign-in for an access token of one hour.',
        limit: perMinute(10),
        answer: Exchanged,
        errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'BLOCKED', 'NOT_VERIFIED', 'PROVIDER_DOWN'],
        description:
          'A browser that is signed in reads its ID token from `GET /identity/token`, or gets it from Firebase.',
      }),
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
    .get(
      '/admin/:email',
      requireUser({
        summary:
          'Tells whether an address belongs to an admin, and whether the caller is a packer.',
        answer: AdminAnswer,
        errors: ['FORBIDDEN'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const { caller } = c.var
        const { email } = c.req.valid('param')
        if (email !== caller.email && !isAdmin(caller)) {
          throw new AppError('FORBIDDEN', 'You may only ask about your own address')
        }
        const admin =
          email === caller.email
            ? isAdmin(caller)
            : (await findByEmail(deps.db, email)).some(isAdmin)
        const isOne = !admin && email === caller.email && isPacker(caller)
        return c.json({ admin, ...(isOne && { packer: true }) } satisfies z.infer<
          typeof AdminAnswer
        >)
      },
    )
    .get(
      '/profile/:email',
      requireUser({
        summary: 'Reads the caller’s profile; admins may read any.',
        answer: Profile,
        errors: ['FORBIDDEN', 'NOT_FOUND'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const { caller } = c.var
        const { email } = c.req.valid('param')
        if (email !== caller.email && !isAdmin(caller)) {
          throw new AppError('FORBIDDEN', 'You may only see your own profile')
        }
        // finds the caller's own profile by user id, which never changes, and others by address,
        // for admins
        const whose = email === caller.email ? { userId: caller._id } : { email }
        return c.json(found(await findProfile(deps.db, whose), 'profile'))
      },
    )
    .put(
      '/profile/:email',
      requireUser({
        summary: 'Saves the caller’s profile.',
        answer: Acknowledged,
        errors: ['FORBIDDEN'],
      }),
      valid('param', ByEmail),
      valid('json', ProfileUpdate),
      async (c) => {
        const { email } = c.req.valid('param')
        await saveProfile(deps.db, c.var.caller, email, c.req.valid('json'))
        return c.json(acknowledged)
      },
    )
}
