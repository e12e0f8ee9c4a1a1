import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { findCallerByToken } from '#server/features/users/store.ts'
import type { AccessTokens } from './access-token.ts'
import type { Env } from './guards.ts'

/** Longer tokens are refused unread. */
const maxTokenLength = 4096

/** Identifies the caller. A missing, expired, ended or forged token makes a visitor; the route's guard decides. */
export function authenticate(deps: { db: Database; tokens: AccessTokens }) {
  const findCaller = findCallerByToken(deps.db)
  return createMiddleware<Env>(async (c, next) => {
    c.set('caller', null)
    c.set('sessionId', null)
    const [, token] = /^Bearer ([\w.-]+)$/.exec(c.req.header('authorization') ?? '') ?? []
    if (token && token.length <= maxTokenLength) {
      const claims = await deps.tokens.read(token)
      const caller = claims && (await findCaller(claims))
      if (caller) {
        c.set('caller', caller)
        c.set('sessionId', claims.sessionId)
      }
    }
    await next()
  })
}
