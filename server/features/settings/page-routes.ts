import { Hono } from 'hono'
import { z } from 'zod'
import { Deleted, deleted, Modified, modified } from '#contracts/api.ts'
import { OwnPage, PageEdit, PageParams, PageRemoval, StoredPage } from '#contracts/texts.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { anyone, type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { listPages, readPage, removePage, savePage } from './page-store.ts'

/** Pages of the owner's own, with links in the footer. */
export function pageRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/page/:address',
      anyone({
        summary: 'Reads a page of the owner’s own.',
        shows: 'settings',
        cached: 'everybody',
        answer: OwnPage,
        errors: ['NOT_FOUND'],
      }),
      valid('param', PageParams),
      async (c) => {
        c.header('cache-control', 'no-cache')
        const page = found(await readPage(db, c.req.valid('param').address), 'page')
        return c.json(page satisfies OwnPage)
      },
    )
    .get(
      '/pages',
      requireAdmin({
        summary: 'Lists the owner’s own pages as they are stored.',
        answer: z.array(StoredPage),
      }),
      async (c) => c.json((await listPages(db)) satisfies StoredPage[]),
    )
    .put(
      '/pages/:address',
      requireAdmin({
        summary: 'Makes or saves a page of the owner’s own.',
        maxBody: { bytes: 256 * 1024 },
        answer: Modified,
        errors: ['OUTDATED', 'NAME_TAKEN', 'TOO_MANY'],
        description:
          'It is at `/pages/{address}`, and in the footer under its group. `version` is that of the page as it was read; 0 makes it.',
      }),
      valid('param', PageParams),
      valid('json', PageEdit),
      async (c) => {
        const { address } = c.req.valid('param')
        return c.json(modified(await savePage(db, c.var.caller, address, c.req.valid('json'))))
      },
    )
    .delete(
      '/pages/:address',
      requireAdmin({
        summary: 'Removes a page of the owner’s own.',
        answer: Deleted,
        errors: ['OUTDATED'],
      }),
      valid('param', PageParams),
      valid('query', PageRemoval),
      async (c) => {
        const { address } = c.req.valid('param')
        const { version } = c.req.valid('query')
        return c.json(deleted((await removePage(db, c.var.caller, address, version)) === 1))
      },
    )
}
