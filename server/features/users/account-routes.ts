import { Hono } from 'hono'
import type { z } from 'zod'
import { AccountDeletion, type Me } from '#contracts/account.ts'
import type { Deleted } from '#contracts/api.ts'
import { type Env, requireUser, valid } from '#server/http/guards.ts'
import { streamed } from '#server/http/lists.ts'
import { type DeleteDeps, deleteAccount } from './delete-account.ts'
import { myData } from './my-data.ts'
import { identityOf } from './store.ts'

/** GET /me, GET /me/data (everything about the caller as a file), DELETE /me. Not even admins get another's. */
export function accountRoutes(deps: DeleteDeps) {
  return new Hono<Env>()
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
}
