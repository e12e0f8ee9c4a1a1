import { Hono } from 'hono'
import { z } from 'zod'
import { AccountBasket, AccountDeletion, Me, SessionInfo } from '#contracts/account.ts'
import { Acknowledged, acknowledged, Deleted, deleted } from '#contracts/api.ts'
import { MyData } from '#contracts/my-data.ts'
import { dayIn } from '#contracts/shop-days.ts'
import { BySession } from '#contracts/staff.ts'
import { readTimeZone } from '#server/database/shop-days.ts'
import { AppError } from '#server/errors.ts'
import { type Env, perHour, perMinute, requireUser, valid } from '#server/http/guards.ts'
import type { DeletionTurns } from '#server/http/limits/load-shedding.ts'
import { streamed } from '#server/http/lists.ts'
import { keepBasket, readBasket } from './basket.ts'
import { type DeleteDeps, deleteAccount } from './delete-account.ts'
import { type MyDataDeps, myData } from './my-data.ts'
import { endSessions, listSessions } from './sessions.ts'
import { identityOf } from './store.ts'

/** The routes for users' own accounts: read their data, delete the account, sign out devices. */
export function meRoutes(
  deps: Omit<DeleteDeps, 'inTurn'> & MyDataDeps & { deletionTurns: DeletionTurns },
) {
  return new Hono<Env>()
    .get(
      '/me',
      requireUser({
        summary:
          'Tells whether the caller’s account has a password, a confirmed address and a second factor.',
        answer: Me,
      }),
      async (c) => {
        const { _id, emailVerified } = c.var.caller
        const account = await identityOf(deps.db, _id)
        const hasPassword = await deps.identity.hasPassword(account)
        const factor = await deps.identity.secondFactor(account, c.var.sessionId)
        const secondFactor = factor !== 'off'
        return c.json({ hasPassword, emailVerified, secondFactor } satisfies z.infer<typeof Me>)
      },
    )
    .get(
      '/me/data',
      requireUser({
        summary: 'Exports everything that the shop knows about the caller.',
        limit: perMinute(10),
        answer: MyData,
      }),
      async (c) => {
        const today = dayIn(await readTimeZone(deps.db), Date.now())
        return streamed(c, await myData(deps, c.var.caller), {
          'content-type': 'application/json',
          'content-disposition': `attachment; filename="my-data-${today}.json"`,
        })
      },
    )
    .get(
      '/me/basket',
      requireUser({ summary: 'Reads the basket of the caller’s account.', answer: AccountBasket }),
      async (c) => c.json({ parts: await readBasket(deps.db, c.var.caller._id) }),
    )
    .put(
      '/me/basket',
      requireUser({
        summary: 'Keeps a basket for the caller’s account.',
        limit: perMinute(60),
        answer: Acknowledged,
        description: 'What is no line of a basket, and what is beyond 20 parts, is left out.',
      }),
      valid('json', AccountBasket),
      async (c) => {
        await keepBasket(deps.db, c.var.caller._id, c.req.valid('json').parts)
        return c.json(acknowledged)
      },
    )
    .delete(
      '/me',
      requireUser({
        summary: 'Deletes the caller’s account.',
        asksCode: true,
        // limits guessing the password with a stolen token
        limit: { ...perHour(5), by: 'email' },
        answer: Deleted,
        errors: ['BLOCKED', 'ACCOUNT_IN_USE', 'LAST_ADMIN', 'PROVIDER_DOWN'],
        description:
          'It takes the password or, for an account without one, its e-mail address; with a provider elsewhere also an ID token.',
      }),
      valid('json', AccountDeletion),
      async (c) => {
        const inTurn = deps.deletionTurns(c)
        await deleteAccount({ ...deps, inTurn }, c.var.caller, c.req.valid('json'))
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
        if (deletedCount === 0) throw new AppError('NOT_FOUND', 'That device is already logged out')
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
