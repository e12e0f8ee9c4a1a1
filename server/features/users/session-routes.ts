import { Hono } from 'hono'
import { z } from 'zod'
import type { SessionInfo } from '#contracts/account.ts'
import type { Deleted } from '#contracts/api.ts'
import { AppError } from '#server/errors.ts'
import { type Env, requireUser, valid } from '#server/http/guards.ts'
import { endSessions, listSessions, type SessionDeps } from './sessions.ts'

const BySession = z.object({ id: z.string().min(1).max(64) })

/** GET /sessions lists the caller's sessions; DELETE /sessions/{id} ends one, DELETE /sessions all but this one. */
export function sessionRoutes(deps: SessionDeps) {
  return new Hono<Env>()
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
      const mine = c.var.sessionId
      const deletedCount = await endSessions(deps, c.var.caller, (id) => id !== mine)
      return c.json({ acknowledged: true, deletedCount } satisfies z.infer<typeof Deleted>)
    })
}
