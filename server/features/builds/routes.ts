import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted } from '#contracts/api.ts'
import { Build, NewBuild } from '#contracts/builds.ts'
import type { Database } from '#server/database/client.ts'
import {
  anyone,
  type Env,
  perMinute,
  requireAdmin,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import { keepBuild, listBuilds, removeBuild } from './store.ts'

/** Builds kept by name: the customer's own, and the shop's, which everybody may start from. */
export function buildRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/builds',
      anyone({
        summary: 'Lists the builds of the shop, to start from.',
        shows: 'parts',
        answer: z.array(Build),
      }),
      async (c) => {
        c.header('cache-control', 'no-cache')
        return c.json(await listBuilds(db, null))
      },
    )
    .post(
      '/builds',
      requireAdmin({
        summary: 'Keeps a build of the shop.',
        answer: Inserted,
        errors: ['TOO_MANY'],
      }),
      valid('json', NewBuild),
      async (c) => c.json(inserted(await keepBuild(db, c.var.caller, c.req.valid('json'), true))),
    )
    .delete(
      '/builds/:id',
      requireAdmin({
        summary: 'Removes a build of the shop.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        await removeBuild(db, c.var.caller, c.req.valid('param').id, true)
        return c.json(deleted(1))
      },
    )
    .get(
      '/me/builds',
      requireUser({ summary: 'Lists the builds that the caller keeps.', answer: z.array(Build) }),
      async (c) => c.json(await listBuilds(db, c.var.caller._id)),
    )
    .post(
      '/me/builds',
      requireUser({
        summary: 'Keeps a build for the caller.',
        limit: perMinute(30),
        answer: Inserted,
        errors: ['TOO_MANY'],
      }),
      valid('json', NewBuild),
      async (c) => c.json(inserted(await keepBuild(db, c.var.caller, c.req.valid('json')))),
    )
    .delete(
      '/me/builds/:id',
      requireUser({
        summary: 'Removes a build of the caller.',
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        await removeBuild(db, c.var.caller, c.req.valid('param').id)
        return c.json(deleted(1))
      },
    )
}
