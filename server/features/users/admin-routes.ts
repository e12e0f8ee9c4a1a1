import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Modified, modified, Reason } from '#contracts/api.ts'
import { RowCount, UserFilter, UserList } from '#contracts/lists.ts'
import { Block, ByEmail, ListedUser } from '#contracts/users.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { type BlockDeps, blockAccount, unblockAccount } from './block-account.ts'
import { giveRights, takeRights } from './set-role.ts'
import { countUsers, listUsers } from './store.ts'

/** What admins do with users: list them, give and take admin rights by address, block and unblock with a reason. */
export function adminUserRoutes(deps: BlockDeps) {
  return new Hono<Env>()
    .get(
      '/user',
      requireAdmin({ summary: 'Lists the users.', answer: z.array(ListedUser) }),
      valid('query', UserList),
      (c) => {
        const query = c.req.valid('query')
        return streamList(c, query, (page) => listUsers(deps.db, { ...query, ...page }))
      },
    )
    .get(
      '/user/count',
      requireAdmin({ summary: 'Counts the users of a filter.', answer: RowCount }),
      valid('query', UserFilter),
      async (c) => c.json((await countUsers(deps.db, c.req.valid('query'))) satisfies RowCount),
    )
    .put(
      '/user/admin/:email',
      requireAdmin({
        summary: 'Gives a user admin rights.',
        answer: Modified,
        errors: ['NOT_FOUND', 'NOT_VERIFIED'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param') }
        const modifiedCount = await giveRights(deps.db, change)
        return c.json(modified(modifiedCount))
      },
    )
    .delete(
      '/user/admin/:email',
      requireAdmin({
        summary: 'Takes a user’s admin rights.',
        answer: Modified,
        errors: ['NOT_FOUND', 'LAST_ADMIN'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param') }
        const modifiedCount = await takeRights(deps.db, change)
        return c.json(modified(modifiedCount))
      },
    )
    .post(
      '/user/:id/block',
      requireAdmin({
        summary: 'Blocks an account.',
        answer: Modified,
        errors: ['NOT_FOUND', 'LAST_ADMIN'],
      }),
      valid('param', ById),
      valid('json', Block),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await blockAccount(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .post(
      '/user/:id/unblock',
      requireAdmin({ summary: 'Unblocks an account.', answer: Modified, errors: ['NOT_FOUND'] }),
      valid('param', ById),
      valid('json', Reason),
      async (c) => {
        const { id } = c.req.valid('param')
        const { reason } = c.req.valid('json')
        return c.json(modified(await unblockAccount(deps, c.var.caller, id, reason)))
      },
    )
}
