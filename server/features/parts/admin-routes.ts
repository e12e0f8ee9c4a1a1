import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { specText } from '#contracts/kinds.ts'
import { CsvFile, PartCsv, PartFilter, PartList, RowCount } from '#contracts/lists.ts'
import {
  AdminPart,
  fieldText,
  LedgerPage,
  NewPart,
  PartEdit,
  PartMove,
  PartMoved,
  StockLine,
} from '#contracts/parts.ts'
import {
  Batch,
  BulkEdit,
  BulkReport,
  bulkLimit,
  type CsvColumn,
  csvColumns,
  type ImportEvent,
  ImportQuery,
  ImportReport,
  importEvents,
  Supplier,
  specColumn,
  UndoReport,
} from '#contracts/parts-csv.ts'
import {
  AddedPicture,
  MorePictures,
  PartPicture,
  PictureUpload,
  PictureUploaded,
} from '#contracts/pictures.ts'
import type { Reading } from '#server/database/replica.ts'
import { AppError, found } from '#server/errors.ts'
import { errorBody } from '#server/http/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { type Columns, streamCsv, streamList } from '#server/http/lists.ts'
import { addPart } from './add-part.ts'
import {
  countAdminParts,
  findAdminPart,
  listAdminParts,
  listStock,
  partExists,
} from './admin-store.ts'
import { bulkEdit } from './bulk-edit.ts'
import { deletePart, restorePart } from './delete-part.ts'
import { editPart } from './edit-part.ts'
import { type ImportOptions, importParts } from './import-parts.ts'
import { listBatches, listSuppliers, saveSupplier } from './import-store.ts'
import { keysInUse } from './kinds.ts'
import { movePart } from './move-part.ts'
import { addPicture, readUpload, type UploadDeps, uploadPicture } from './pictures.ts'
import { undoBatch } from './undo-batch.ts'

/** What a file of parts may be sent as. Its bytes say what it is. */
const fileTypes =
  /^(text\/csv|application\/(octet-stream|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet))\b/i

function cellOf(part: AdminPart, name: CsvColumn) {
  const value = part[name === 'availableBefore' ? 'availableQuantity' : name]
  return Array.isArray(value) ? fieldText(value) : value
}

/** @param keys of the fields of the specification that have a column */
const columnsWith = (keys: string[]): Columns<AdminPart> =>
  Object.fromEntries([
    ...csvColumns.map((name) => [name, (part: AdminPart) => cellOf(part, name)] as const),
    ...keys.map(
      (key) => [specColumn(key), (part: AdminPart) => specText(part.specs[key])] as const,
    ),
  ])

/** A picture of this shop by its path or by its whole address, which means the same. @returns its path */
const ownPicture = (publicUrl: string) =>
  z
    .string('Image is required')
    .transform((image) =>
      image.startsWith(`${publicUrl}/`) ? image.slice(publicUrl.length) : image,
    )
    .pipe(NewPart.shape.image)

/** Answers with the steps of an import while it runs. A client that hangs up does not end it. */
function streamImport(
  c: Context,
  failing: Parameters<typeof errorBody>[1],
  run: (onProgress: ImportOptions['onProgress']) => Promise<ImportReport>,
) {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let isHeard = true
      const say = (event: ImportEvent) => {
        try {
          controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
        } catch {
          isHeard = false
        }
      }
      const last = await run(say).then(
        (report): ImportEvent => ({ report }),
        (error: Error): ImportEvent => errorBody(error, failing),
      )
      say(last)
      if (isHeard) controller.close()
    },
  })
  // a proxy that collects what it passes on would show no progress
  return c.body(body, 200, { 'content-type': importEvents, 'x-accel-buffering': 'no' })
}

/** Parts for admins: upload a picture, list, add, edit, delete, restore, read the stock ledger, CSV out and in. */
export function adminPartRoutes(deps: UploadDeps & { publicUrl: string; reading: Reading }) {
  const { db, reading } = deps
  const image = ownPicture(deps.publicUrl)
  const pictures = {
    image,
    morePictures: z.array(PartPicture.extend({ image })).pipe(MorePictures),
  }
  return (
    new Hono<Env>()
      .post(
        '/image',
        requireAdmin({
          summary: 'Uploads a picture of a part.',
          scope: 'parts:write',
          answer: PictureUploaded,
          errors: ['UNSUPPORTED'],
          body: PictureUpload,
          description:
            'The shop reads JPEG, PNG and WebP, turns the picture upright, removes what the camera wrote into it, and keeps it in several widths. A part names it by `data.url`.',
        }),
        async (c) => {
          const data = await uploadPicture(deps, c.var.caller, await readUpload(c.req.raw))
          return c.json({ success: true, data } satisfies PictureUploaded)
        },
      )
      .get(
        '/products',
        requireAdmin({
          summary: 'Lists all parts, also deleted ones.',
          scope: 'parts:read',
          answer: z.array(AdminPart),
        }),
        valid('query', PartList),
        (c) => {
          const query = c.req.valid('query')
          return streamList(c, query, (page) => listAdminParts(db, { ...query, ...page }))
        },
      )
      .get(
        '/products/count',
        requireAdmin({
          summary: 'Counts the parts of a filter.',
          scope: 'parts:read',
          answer: RowCount,
        }),
        valid('query', PartFilter),
        async (c) => c.json((await countAdminParts(db, c.req.valid('query'))) satisfies RowCount),
      )
      .post(
        '/product',
        requireAdmin({
          summary: 'Adds a part with its first stock.',
          scope: 'parts:write',
          answer: Inserted,
          errors: ['NAME_TAKEN'],
        }),
        valid(
          'json',
          NewPart.extend({ ...pictures, morePictures: pictures.morePictures.default([]) }).meta(
            NewPart.meta() ?? {},
          ),
        ),
        async (c) => {
          const insertedId = await addPart(db, c.var.caller, c.req.valid('json'))
          return c.json(inserted(insertedId))
        },
      )
      .get(
        '/product/:id',
        requireAdmin({
          summary: 'Reads a part, also a deleted one.',
          scope: 'parts:read',
          answer: AdminPart,
          errors: ['NOT_FOUND'],
        }),
        valid('param', ById),
        async (c) => c.json(found(await findAdminPart(db, c.req.valid('param').id), 'part')),
      )
      .put(
        '/product/:id',
        requireAdmin({
          summary: 'Changes a part, and corrects its stock.',
          scope: 'parts:write',
          answer: Modified,
          errors: ['NOT_FOUND', 'OUTDATED', 'NAME_TAKEN', 'STOCK_GONE'],
          description:
            '`version` is that of the part as it was read: a part that was changed since is refused.',
        }),
        valid('param', ById),
        valid('json', PartEdit.extend(pictures).meta(PartEdit.meta() ?? {})),
        async (c) => {
          await editPart(db, c.var.caller, c.req.valid('param').id, c.req.valid('json'))
          return c.json(modified(1))
        },
      )
      .post(
        '/product/:id/pictures',
        requireAdmin({
          summary: 'Adds a picture to a part.',
          scope: 'parts:write',
          answer: Modified,
          errors: ['NOT_FOUND'],
          description:
            'It becomes the last picture, or the first of a part that showed a drawing. `PUT /product/{id}` orders, describes and removes pictures.',
        }),
        valid('param', ById),
        valid('json', AddedPicture.extend({ image }).meta(AddedPicture.meta() ?? {})),
        async (c) => {
          const { id } = c.req.valid('param')
          const added = await db.transaction((tx) =>
            addPicture(tx, c.var.caller, id, c.req.valid('json')),
          )
          return c.json(modified(added))
        },
      )
      .put(
        '/product/:id/position',
        requireAdmin({
          summary: 'Moves a part in the order of the shop.',
          answer: PartMoved,
          errors: ['NOT_FOUND'],
        }),
        valid('param', ById),
        valid('json', PartMove),
        async (c) => {
          const { id } = c.req.valid('param')
          const back = await movePart(db, c.var.caller, id, c.req.valid('json'))
          return c.json({ ...modified(1), back } satisfies PartMoved)
        },
      )
      .delete(
        '/adminProduct/:id',
        requireAdmin({
          summary: 'Takes a part off sale.',
          answer: Deleted,
          errors: ['NOT_FOUND'],
          description: 'Its orders stay. `POST /product/{id}/restore` brings it back.',
        }),
        valid('param', ById),
        async (c) => {
          return c.json(deleted(await deletePart(db, c.var.caller, c.req.valid('param').id)))
        },
      )
      .post(
        '/product/:id/restore',
        requireAdmin({
          summary: 'Puts a deleted part on sale again.',
          answer: Modified,
          errors: ['NOT_FOUND', 'NAME_TAKEN'],
        }),
        valid('param', ById),
        async (c) => {
          return c.json(modified(await restorePart(db, c.var.caller, c.req.valid('param').id)))
        },
      )
      .get(
        '/product/:id/stock',
        requireAdmin({
          summary: 'Lists the movements of a part’s stock, newest first.',
          scope: 'parts:read',
          answer: z.array(StockLine),
          errors: ['NOT_FOUND'],
        }),
        valid('param', ById),
        valid('query', LedgerPage),
        async (c) => {
          const { id } = c.req.valid('param')
          found((await partExists(db, id)) || null, 'part')
          return c.json(await listStock(db, id, c.req.valid('query')))
        },
      )
      .get(
        '/products.csv',
        requireAdmin({ summary: 'Exports parts as CSV.', scope: 'parts:read', answer: CsvFile }),
        valid('query', PartCsv),
        async (c) => {
          const { decimals, ...query } = c.req.valid('query')
          const columns = columnsWith(await keysInUse(db))
          return streamCsv(
            c,
            { name: 'ferrite-products', columns, decimals, reading },
            (from, page) => listAdminParts(from, { ...query, ...page }),
          )
        },
      )
      // reads what the route before writes
      .post(
        '/products/import',
        requireAdmin({
          summary: 'Adds and changes parts from a CSV or XLSX file.',
          scope: 'parts:write',
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
            importParts(db, c.var.caller, bytes, { ...options, onProgress })
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
          const report = await bulkEdit(db, c.var.caller, c.req.valid('json'))
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
  )
}
