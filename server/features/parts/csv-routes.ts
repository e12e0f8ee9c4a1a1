import { Hono } from 'hono'
import { PartCsv } from '#contracts/lists.ts'
import type { AdminPart } from '#contracts/parts.ts'
import { csvColumns, ImportQuery, type ImportReport } from '#contracts/parts-csv.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv } from '#server/http/lists.ts'
import { listAdminParts } from './admin-store.ts'
import { importParts } from './import-parts.ts'

const columns: Columns<AdminPart> = Object.fromEntries(
  csvColumns.map((name) => [
    name,
    (part) => part[name === 'availableBefore' ? 'availableQuantity' : name],
  ]),
)

/** GET /products.csv and POST /products/import, which reads what the first writes. */
export function partsCsvRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get('/products.csv', requireAdmin, valid('query', PartCsv), (c) => {
      const { decimals, ...query } = c.req.valid('query')
      return streamCsv(c, { name: 'ferrite-products', columns, decimals }, (page) =>
        listAdminParts(db, { ...query, ...page }),
      )
    })
    .post('/products/import', requireAdmin, valid('query', ImportQuery), async (c) => {
      if (!/^text\/csv\b/i.test(c.req.header('content-type') ?? '')) {
        throw new AppError('UNSUPPORTED', 'Send the file as text/csv')
      }
      const bytes = new Uint8Array(await c.req.arrayBuffer())
      const dryRun = c.req.valid('query').dryRun === 'true'
      const report = await importParts(db, c.var.caller, bytes, { dryRun })
      return c.json(report satisfies ImportReport)
    })
}
