import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { PartFilter, PartList, RowCount } from '#contracts/lists.ts'
import {
  AdminPart,
  LedgerPage,
  NewPart,
  PartEdit,
  PartMove,
  PartMoved,
  StockLine,
} from '#contracts/parts.ts'
import { MorePictures, PartPicture } from '#contracts/pictures.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { ownPicture } from '#server/features/pictures/picture-routes.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { addPart } from './add-part.ts'
import {
  countAdminParts,
  findAdminPart,
  listAdminParts,
  listStock,
  partExists,
} from './admin-store.ts'
import { deletePart, restorePart } from './delete-part.ts'
import { editPart } from './edit-part.ts'
import { movePart } from './move-part.ts'

/** The admin routes of parts: list, add, edit, move, delete, restore, read the stock ledger. */
export function adminPartRoutes({ db, publicUrl }: { db: Database; publicUrl: string }) {
  const image = ownPicture(publicUrl)
  const pictures = {
    image,
    morePictures: z.array(PartPicture.extend({ image })).pipe(MorePictures),
  }
  return new Hono<Env>()
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
        summary: 'Counts the parts that match a filter.',
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
}
