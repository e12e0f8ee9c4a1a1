import { Hono } from 'hono'
import { z } from 'zod'
import { Id, type Part } from '#contracts/parts.ts'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { anyone, type Env, requireUser, valid } from '#server/http.ts'
import { findPart, listParts } from './store.ts'

/** GET /part for everybody, GET /part/{id} for users. */
export function partRoutes(deps: { db: Database; catalogue: CatalogueCache }) {
  return new Hono<Env>()
    .get('/part', anyone, async (c) => {
      const body = await deps.catalogue.keep('parts', async () =>
        JSON.stringify(await listParts(deps.db)),
      )
      // typed by hand because the body is kept as text: serialising the whole list at each request is the cost here
      return c.body(body, 200, { 'content-type': 'application/json' }) as unknown as ReturnType<
        typeof c.json<Part[], 200>
      >
    })
    .get('/part/:id', requireUser, valid('param', z.object({ id: Id })), async (c) =>
      c.json(found(await findPart(deps.db, c.req.valid('param').id), 'part')),
    )
}
