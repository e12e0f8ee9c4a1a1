import { Hono } from 'hono'
import { z } from 'zod'
import {
  AccountDeletion,
  Me,
  MyData,
  Profile,
  ProfileUpdate,
  SessionInfo,
} from '#contracts/account.ts'
import { Acknowledged, acknowledged, Deleted, deleted } from '#contracts/api.ts'
import { AdminAnswer, ByEmail, Exchange, Exchanged, isAdmin } from '#contracts/users.ts'
import { AppError, found } from '#server/errors.ts'
import { type Env, requireUser, valid, verifiedInHandler } from '#server/http/guards.ts'
import { streamed } from '#server/http/lists.ts'
import { type DeleteDeps, deleteAccount } from './delete-account.ts'
import { type ExchangeDeps, exchange } from './exchange.ts'
import { myData } from './my-data.ts'
import { findProfile, saveProfile } from './profiles.ts'
import { endSessions, listSessions } from './sessions.ts'
import { findByEmail, identityOf } from './store.ts'

const BySession = z.object({ id: z.string().min(1).max(160) })

/**
 * What users do with their own account: PUT /user/{email} (ID token for access token), GET /admin/{email}, /profile/{email}
 * (admins may read every profile), /me with its data and deletion, /sessions.
 */
export function userRoutes(deps: ExchangeDeps & DeleteDeps) {
  return new Hono<Env>()
    .put(
      '/user/:email',
      verifiedInHandler('proof', {
        summary: 'Exchanges the ID token of a sign-in for an access token of one hour.',
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
        summary: 'Tells whether an address belongs to an admin.',
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
        return c.json({ admin } satisfies z.infer<typeof AdminAnswer>)
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
        // the caller's own by user id, which never changes; an admin's request by address
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
    .get(
      '/me',
      requireUser({ summary: 'Tells whether the caller’s account has a password.', answer: Me }),
      async (c) => {
        const account = await identityOf(deps.db, c.var.caller._id)
        const hasPassword = await deps.identity.hasPassword(account)
        return c.json({ hasPassword } satisfies z.infer<typeof Me>)
      },
    )
    .get(
      '/me/data',
      requireUser({
        summary: 'Exports everything that the shop knows about the caller.',
        answer: MyData,
      }),
      async (c) => {
        const today = new Date().toISOString().slice(0, 10)
        return streamed(c, await myData(deps, c.var.caller), {
          'content-type': 'application/json',
          'content-disposition': `attachment; filename="my-data-${today}.json"`,
        })
      },
    )
    .delete(
      '/me',
      requireUser({
        summary: 'Deletes the caller’s account.',
        answer: Deleted,
        errors: ['BLOCKED', 'ACCOUNT_IN_USE', 'LAST_ADMIN', 'PROVIDER_DOWN'],
        description:
          'It takes the password or, for an account without one, its e-mail address; with a provider elsewhere also an ID token.',
      }),
      valid('json', AccountDeletion),
      async (c) => {
        await deleteAccount(deps, c.var.caller, c.req.valid('json'))
        return c.json(deleted(1))
      },
    )
    .get(
      '/sessions',
      requireUser({
        summary: 'Lists the devices that the caller is signed in on.',
        answer: z.array(SessionInfo),
      }),
      async (c) => {
        const sessions = await listSessions(deps, c.var.caller, c.var.sessionId)
        return c.json(sessions satisfies SessionInfo[])
      },
    )
    .delete(
      '/sessions/:id',
      requireUser({
        summary: 'Signs the caller out on one device.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', BySession),
      async (c) => {
        const { id } = c.req.valid('param')
        const deletedCount = await endSessions(deps, c.var.caller, c.var.sessionId, id)
        if (deletedCount === 0) throw new AppError('NOT_FOUND', 'That device is signed out already')
        return c.json(deleted(deletedCount))
      },
    )
    .delete(
      '/sessions',
      requireUser({ summary: 'Signs the caller out on every other device.', answer: Deleted }),
      async (c) => {
        const deletedCount = await endSessions(deps, c.var.caller, c.var.sessionId)
        return c.json(deleted(deletedCount))
      },
    )
}
