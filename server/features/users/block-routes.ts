import { Hono } from 'hono'
import type { z } from 'zod'
import { ById, type Modified } from '#contracts/api.ts'
import { Reason } from '#contracts/reason.ts'
import { Block } from '#contracts/users.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { type BlockDeps, blockAccount, unblockAccount } from './block-account.ts'

const modified = (isChanged: boolean) =>
  ({ acknowledged: true, modifiedCount: isChanged ? 1 : 0 }) satisfies z.infer<typeof Modified>

/** POST /user/{id}/block and /unblock, with a reason for the audit log. */
export function blockRoutes(deps: BlockDeps) {
  return new Hono<Env>()
    .post(
      '/user/:id/block',
      requireAdmin,
      valid('param', ById),
      valid('json', Block),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await blockAccount(deps, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .post(
      '/user/:id/unblock',
      requireAdmin,
      valid('param', ById),
      valid('json', Reason),
      async (c) => {
        const { id } = c.req.valid('param')
        const { reason } = c.req.valid('json')
        return c.json(modified(await unblockAccount(deps, c.var.caller, id, reason)))
      },
    )
}
