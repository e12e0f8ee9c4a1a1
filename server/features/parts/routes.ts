import { Hono } from 'hono'
import { z } from 'zod'
import { Id } from '#contracts/parts.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { anyone, type Env, requireUser, valid } from '#server/http.ts'
import { findPart, listParts } from './store.ts'

/** GET /part for everybody, GET /part/{id} for users. */
export function partRoutes(deps: { db: Database }) {
  return new Hono<Env>()
    .get('/part', anyone, async (c) => {
      c.header('cache-control', 'no-cache')
      return c.json(await listParts(deps.db))
    })
    .get('/part/:id', requireUser, valid('param', z.object({ id: Id })), async (c) =>
      c.json(found(await findPart(deps.db, c.req.valid('param').id), 'part')),
    )
}
