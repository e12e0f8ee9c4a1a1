import { Hono } from 'hono'
import { z } from 'zod'
import { Deleted, deleted, Modified, modified } from '#contracts/api.ts'
import {
  BySlug,
  KindAdded,
  KindEdit,
  KindMove,
  KindPage,
  KindRow,
  NewKind,
} from '#contracts/kind-edits.ts'
import type { Database } from '#server/database/client.ts'
import { found } from '#server/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { addKind, removeKind } from './add-kind.ts'
import { editKind } from './edit-kind.ts'
import { findKindPage, listKinds } from './kinds.ts'
import { moveKind } from './move-kind.ts'

/** The admin routes of kinds and their fields: list, read, add, edit, move, remove. */
export function kindRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/kinds',
      requireAdmin({
        summary: 'Lists the kinds of parts, with the fields that their parts may state.',
        scope: 'parts:read',
        answer: z.array(KindRow),
      }),
      async (c) => c.json((await listKinds(db)) satisfies KindRow[]),
    )
    .post(
      '/kinds',
      requireAdmin({
        summary: 'Adds a kind of parts, without fields.',
        answer: KindAdded,
        errors: ['NAME_TAKEN'],
      }),
      valid('json', NewKind),
      async (c) => {
        const slug = await addKind(db, c.var.caller, c.req.valid('json'))
        return c.json({ acknowledged: true, slug } satisfies KindAdded)
      },
    )
    .get(
      '/kinds/:slug',
      requireAdmin({
        summary: 'Reads a kind, and how many of its parts state which field.',
        scope: 'parts:read',
        answer: KindPage,
        errors: ['NOT_FOUND'],
      }),
      valid('param', BySlug),
      async (c) => c.json(found(await findKindPage(db, c.req.valid('param').slug), 'kind')),
    )
    .put(
      '/kinds/:slug',
      requireAdmin({
        summary: 'Changes a kind and its fields.',
        answer: Modified,
        errors: ['NOT_FOUND', 'OUTDATED', 'NAME_TAKEN', 'IN_USE'],
        description:
          '`version` is that of the kind as it was read. A renamed value changes all parts that state it, in the same transaction. A new name leaves the slug as it is, and the name before becomes another name.',
      }),
      valid('param', BySlug),
      valid('json', KindEdit),
      async (c) => {
        await editKind(db, c.var.caller, c.req.valid('param').slug, c.req.valid('json'))
        return c.json(modified(1))
      },
    )
    .put(
      '/kinds/:slug/position',
      requireAdmin({
        summary: 'Moves a kind in the order in which visitors see the kinds.',
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', BySlug),
      valid('json', KindMove),
      async (c) => {
        await moveKind(db, c.var.caller, c.req.valid('param').slug, c.req.valid('json'))
        return c.json(modified(1))
      },
    )
    .delete(
      '/kinds/:slug',
      requireAdmin({
        summary: 'Removes a kind that no part has.',
        answer: Deleted,
        errors: ['NOT_FOUND', 'IN_USE'],
      }),
      valid('param', BySlug),
      async (c) => {
        await removeKind(db, c.var.caller, c.req.valid('param').slug)
        return c.json(deleted(1))
      },
    )
}
