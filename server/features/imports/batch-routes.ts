import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ById, Modified, modified } from '#contracts/api.ts'
import { specText } from '#contracts/kinds.ts'
import { CsvFile, PartCsv } from '#contracts/lists.ts'
import { type AdminPart, fieldText } from '#contracts/parts.ts'
import {
  Batch,
  BulkEdit,
  BulkReport,
  bulkLimit,
  type CsvColumn,
  csvColumns,
  csvMessages,
  type ImportEvent,
  ImportQuery,
  ImportReport,
  importEvents,
  importLimits,
  Supplier,
  specColumn,
  UndoReport,
} from '#contracts/parts-csv.ts'
import type { ReadSource } from '#server/database/replica.ts'
import { AppError } from '#server/errors.ts'
import { listAdminParts } from '#server/features/catalogue/admin-store.ts'
import { keysInUse } from '#server/features/catalogue/kinds.ts'
import { errorBody } from '#server/http/errors.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv } from '#server/http/lists.ts'
import { bulkEdit } from './bulk-edit.ts'
import { type ImportDeps, type ImportOptions, importParts } from './import-parts.ts'
import { listBatches, listSuppliers, saveSupplier } from './import-store.ts'
import { undoBatch } from './undo-batch.ts'

/** The accepted content types of a parts file. Its bytes decide between CSV and XLSX. */
const fileTypes =
  /^(text\/csv|application\/(octet-stream|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet))\b/i

function cellOf(part: AdminPart, name: CsvColumn) {
  const value = part[name === 'availableBefore' ? 'availableQuantity' : name]
  return Array.isArray(value) ? fieldText(value) : value
}

/** The columns of the export. @param keys the specification fields that get a column */
const columnsWith = (keys: string[]): Columns<AdminPart> =>
  Object.fromEntries([
    ...csvColumns.map((name) => [name, (part: AdminPart) => cellOf(part, name)] as const),
    ...keys.map(
      (key) => [specColumn(key), (part: AdminPart) => specText(part.specs[key])] as const,
    ),
  ])

/**
 * Streams the progress of an import while it runs. The import continues if the client disconnects.
 */
function streamImport(
  c: Context,
  failing: Parameters<typeof errorBody>[1],
  run: (onProgress: ImportOptions['onProgress']) => Promise<ImportReport>,
) {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let isConnected = true
      const send = (event: ImportEvent) => {
        try {
          controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
        } catch {
          isConnected = false
        }
      }
      const last = await run(send).then(
        (report): ImportEvent => ({ report }),
        (error: Error): ImportEvent => errorBody(error, failing),
      )
      send(last)
      if (isConnected) controller.close()
    },
  })
  // without this header, a buffering proxy would hide the progress
  return c.body(body, 200, { 'content-type': importEvents, 'x-accel-buffering': 'no' })
}

/**
 * The admin routes for many parts at once: CSV export and import, bulk edits, suppliers' plans, and
 * undo.
 */
export function batchRoutes(deps: ImportDeps & { reading: ReadSource }) {
  const { db, reading } = deps
  return new Hono<Env>()
    .get(
      '/products.csv',
      requireAdmin({
        summary: 'Exports parts as CSV.',
        scope: 'parts:read',
        limit: perMinute(10),
        answer: CsvFile,
      }),
      valid('query', PartCsv),
      async (c) => {
        const { decimals, ...query } = c.req.valid('query')
        const columns = columnsWith(await keysInUse(db))
        return streamCsv(
          c,
          { name: 'products', columns: () => columns, decimals, reading },
          (from, page) => listAdminParts(from, { ...query, ...page }),
        )
      },
    )
    .post(
      '/products/import',
      requireAdmin({
        summary: 'Adds and changes parts from a CSV or XLSX file.',
        scope: 'parts:write',
        limit: perMinute(20),
        maxBody: { bytes: importLimits.bytes, message: csvMessages.tooLarge },
        answer: ImportReport,
        errors: ['UNSUPPORTED', 'NAME_TAKEN', 'NOT_FOUND'],
        body: CsvFile,
        description:
          'The columns are those of `GET /products.csv`, or those of the supplier. A line changes the part that has its `_id`, `sku`, `gtin`, or `mpn` and brand, and adds one otherwise. XLSX is sent as `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`. With `Accept: application/x-ndjson` the answer is a line of JSON for each step, `{"done": 500, "total": 5000}`, and last `{"report": …}` or `{"error": …}`.',
      }),
      valid('query', ImportQuery),
      async (c) => {
        if (!fileTypes.test(c.req.header('content-type') ?? ''))
          throw new AppError('UNSUPPORTED', 'Send the file as text/csv or as XLSX')
        const bytes = new Uint8Array(await c.req.arrayBuffer())
        const { dryRun, ...query } = c.req.valid('query')
        const options = { ...query, dryRun: dryRun === 'true' }
        const run = (onProgress?: ImportOptions['onProgress']) =>
          importParts(deps, c.var.caller, bytes, { ...options, onProgress })
        if (c.req.header('accept') === importEvents) return streamImport(c, c.var, run)
        return c.json((await run()) satisfies ImportReport)
      },
    )
    .post(
      '/products/bulk',
      requireAdmin({
        summary: 'Changes every part that a filter shows.',
        answer: BulkReport,
        errors: ['OUTDATED', 'NAME_TAKEN'],
        description: `At most ${bulkLimit} parts. Without \`shown\` it is a preview and writes nothing.`,
      }),
      valid('json', BulkEdit),
      async (c) => {
        const report = await bulkEdit(deps, c.var.caller, c.req.valid('json'))
        return c.json(report satisfies BulkReport)
      },
    )
    .get(
      '/suppliers',
      requireAdmin({
        summary: 'Lists suppliers, with how their files are read.',
        answer: z.array(Supplier),
      }),
      async (c) => c.json((await listSuppliers(db)) satisfies Supplier[]),
    )
    .put(
      '/supplier',
      requireAdmin({
        summary: 'Remembers how the files of a supplier are read.',
        answer: Modified,
      }),
      valid('json', Supplier),
      async (c) => {
        await saveSupplier(db, c.var.caller, c.req.valid('json'))
        return c.json(modified(1))
      },
    )
    .get(
      '/batches',
      requireAdmin({
        summary: 'Lists the last imports and bulk edits.',
        answer: z.array(Batch),
      }),
      async (c) => c.json((await listBatches(db)) satisfies Batch[]),
    )
    .post(
      '/batch/:id/undo',
      requireAdmin({
        summary: 'Undoes an import or a bulk edit.',
        answer: UndoReport,
        errors: ['NOT_FOUND'],
        description:
          'Changed parts become what they were, added ones are deleted. A part that changed since stays.',
      }),
      valid('param', ById),
      async (c) => {
        const report = await undoBatch(db, c.var.caller, c.req.valid('param').id)
        return c.json(report satisfies UndoReport)
      },
    )
}
