import { Hono } from 'hono'
import { Deleted, deleted, Modified, modified } from '#contracts/api.ts'
import {
  FileQueued,
  PictureFile,
  PictureMatches,
  PictureNames,
  PictureQueue,
  QueuedFile,
} from '#contracts/picture-queue.ts'
import { pictureMessages, uploadFormatOf } from '#contracts/pictures.ts'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { matchPictures } from './match-pictures.ts'
import { dismissPictures, queueFile, readPictureQueue, retryPictures } from './picture-queue.ts'

/** Pictures of many parts at once, for admins. `server/jobs.ts` adds what is queued here. */
export function pictureRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .post(
      '/picture-queue/match',
      requireAdmin({
        summary: 'Finds the parts that names of pictures mean.',
        scope: 'parts:read',
        answer: PictureMatches,
        description:
          'Writes nothing. An end such as `-2` or ` (2)` says which picture of its part it is; in a ZIP the folder may be named by the part.',
      }),
      valid('json', PictureNames),
      async (c) => {
        const { names } = c.req.valid('json')
        return c.json((await matchPictures(db, names)) satisfies PictureMatches)
      },
    )
    .post(
      '/picture-queue',
      requireAdmin({
        summary: 'Queues a picture for a part.',
        scope: 'parts:write',
        answer: FileQueued,
        errors: ['NOT_FOUND', 'UNSUPPORTED'],
        body: PictureFile,
        description:
          'The body is the file: JPEG, PNG or WebP. The shop adds it to the part in the background; the same file again changes nothing.',
      }),
      valid('query', QueuedFile),
      async (c) => {
        const bytes = new Uint8Array(await c.req.arrayBuffer())
        if (!uploadFormatOf(bytes)) throw new AppError('UNSUPPORTED', pictureMessages.unsupported)
        const answer = await queueFile(db, c.var.caller, c.req.valid('query'), bytes)
        return c.json(answer satisfies FileQueued)
      },
    )
    .get(
      '/picture-queue',
      requireAdmin({
        summary: 'Tells how far queued pictures are, and which failed.',
        scope: 'parts:read',
        answer: PictureQueue,
      }),
      async (c) => c.json((await readPictureQueue(db)) satisfies PictureQueue),
    )
    .post(
      '/picture-queue/retry',
      requireAdmin({
        summary: 'Tries again the pictures that failed, as far as the shop can.',
        scope: 'parts:write',
        answer: Modified,
      }),
      async (c) => c.json(modified(await retryPictures(db))),
    )
    .delete(
      '/picture-queue/failures',
      requireAdmin({
        summary: 'Forgets the pictures that failed.',
        scope: 'parts:write',
        answer: Deleted,
      }),
      async (c) => c.json(deleted(await dismissPictures(db))),
    )
}
