import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Modified, modified, Reason } from '#contracts/api.ts'
import { ApiKey, MadeKey, NewKey } from '#contracts/api-keys.ts'
import { RowCount, UserFilter, UserList } from '#contracts/lists.ts'
import { BySession, StaffSession } from '#contracts/staff.ts'
import { Block, ByEmail, ListedUser } from '#contracts/users.ts'
import { checkCode, type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { type KeyDeps, listKeys, makeKey, revokeKey } from './api-keys.ts'
import { type BlockDeps, blockAccount, unblockAccount } from './block-account.ts'
import { endStaffSession, listStaffSessions } from './sessions.ts'
import { giveRole, takeRole } from './set-role.ts'
import { countUsers, isStaff, listUsers } from './store.ts'

/**
 * The admin routes of users: list them, grant and remove admin rights by address, block and unblock
 * accounts with a reason, list and end sessions of the staff, and manage API keys.
 */
export function adminUserRoutes(deps: BlockDeps & KeyDeps) {
  return new Hono<Env>()
    .get(
      '/keys',
      requireAdmin({ summary: 'Lists the API keys of all admins.', answer: z.array(ApiKey) }),
      async (c) => c.json((await listKeys(deps.db)) satisfies ApiKey[]),
    )
    .post(
      '/key',
      requireAdmin({
        summary: 'Makes an API key that acts for the caller.',
        asksCode: true,
        answer: MadeKey,
        description:
          'It ends on its last day, when it is revoked, and when its admin loses the role or the account.',
      }),
      valid('json', NewKey),
      async (c) =>
        c.json((await makeKey(deps, c.var.caller, c.req.valid('json'))) satisfies MadeKey),
    )
    .delete(
      '/key/:id',
      requireAdmin({
        summary: 'Revokes an API key of any admin, at once.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        await revokeKey(deps.db, c.var.caller, c.req.valid('param').id)
        return c.json(deleted(1))
      },
    )
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
      requireAdmin({ summary: 'Counts the users that match a filter.', answer: RowCount }),
      valid('query', UserFilter),
      async (c) => c.json((await countUsers(deps.db, c.req.valid('query'))) satisfies RowCount),
    )
    .put(
      '/user/admin/:email',
      requireAdmin({
        summary: 'Gives a user admin rights.',
        asksCode: true,
        answer: Modified,
        errors: ['NOT_FOUND', 'NOT_VERIFIED'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), role: 'admin' } as const
        return c.json(modified(await giveRole(deps.db, change)))
      },
    )
    .delete(
      '/user/admin/:email',
      requireAdmin({
        summary: 'Takes a user’s admin rights.',
        asksCode: true,
        answer: Modified,
        errors: ['NOT_FOUND', 'LAST_ADMIN'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), role: 'admin' } as const
        return c.json(modified(await takeRole(deps.db, change)))
      },
    )
    .put(
      '/user/packer/:email',
      requireAdmin({
        summary: 'Makes a user a packer, who sees what is to be shipped and ships it.',
        asksCode: true,
        answer: Modified,
        errors: ['NOT_FOUND', 'NOT_VERIFIED'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), role: 'packer' } as const
        return c.json(modified(await giveRole(deps.db, change)))
      },
    )
    .delete(
      '/user/packer/:email',
      requireAdmin({
        summary: 'Takes a packer’s rights.',
        asksCode: true,
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ByEmail),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), role: 'packer' } as const
        return c.json(modified(await takeRole(deps.db, change)))
      },
    )
    .get(
      '/staff-sessions',
      requireAdmin({
        summary: 'Lists the devices that admins and packers are signed in on.',
        answer: z.array(StaffSession),
      }),
      async (c) =>
        c.json((await listStaffSessions(deps, c.var.sessionId)) satisfies StaffSession[]),
    )
    .delete(
      '/staff-sessions/:id',
      requireAdmin({
        summary: 'Signs an admin or a packer out on one device.',
        asksCode: true,
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', BySession),
      async (c) => {
        await endStaffSession(deps, c.var.caller, c.req.valid('param').id)
        return c.json(deleted(1))
      },
    )
    .post(
      '/user/:id/block',
      requireAdmin({
        summary: 'Blocks an account.',
        answer: Modified,
        errors: ['NOT_FOUND', 'LAST_ADMIN', 'CONFIRM_FIRST'],
        description: 'Accounts of admins and packers need a one-time code, as giving roles does.',
      }),
      valid('param', ById),
      valid('json', Block),
      async (c) => {
        const { id } = c.req.valid('param')
        if (await isStaff(deps.db, id)) await checkCode(c)
        return c.json(modified(await blockAccount(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .post(
      '/user/:id/unblock',
      requireAdmin({
        summary: 'Unblocks an account.',
        answer: Modified,
        errors: ['NOT_FOUND', 'CONFIRM_FIRST'],
        description: 'Accounts of admins and packers need a one-time code.',
      }),
      valid('param', ById),
      valid('json', Reason),
      async (c) => {
        const { id } = c.req.valid('param')
        const { reason } = c.req.valid('json')
        if (await isStaff(deps.db, id)) await checkCode(c)
        return c.json(modified(await unblockAccount(deps, c.var.caller, id, reason)))
      },
    )
}
