import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Modified, modified } from '#contracts/api.ts'
import { NewPart } from '#contracts/parts.ts'
import {
  FileQueued,
  PictureMatches,
  PictureNames,
  PictureQueue,
  QueuedFile,
} from '#contracts/picture-queue.ts'
import { AddedPicture, PictureUploaded } from '#contracts/pictures.ts'
import { type Env, perMinute, requireAdmin, valid } from '#server/http/guards.ts'
import { matchPictures } from './match-pictures.ts'
import { dismissPictures, queueFile, readPictureQueue, retryPictures } from './picture-queue.ts'
import { addPicture, pictureBody, readUpload, type UploadDeps, uploadPicture } from './pictures.ts'

/**
 * Accepts a picture of this shop by its path or its full URL.
 * @returns a schema whose output is the path
 */
export const ownPicture = (publicUrl: string) =>
  z
    .string('Image is required')
    .transform((image) =>
      image.startsWith(`${publicUrl}/`) ? image.slice(publicUrl.length) : image,
    )
    .pipe(NewPart.shape.image)

/**
 * The admin routes of pictures: upload one and add it to a part, or queue pictures for many parts.
 * A job in `server/jobs.ts` adds queued pictures.
 */
export function pictureRoutes(deps: UploadDeps & { publicUrl: string }) {
  const { db } = deps
  const image = ownPicture(deps.publicUrl)
  return new Hono<Env>()
    .post(
      '/image',
      requireAdmin({
        summary: 'Uploads a picture of a part.',
        scope: 'parts:write',
        limit: {
          ...perMinute(24),
          message: 'You can upload 24 pictures in a minute. Try again later.',
        },
        ...pictureBody,
        answer: PictureUploaded,
        errors: ['UNSUPPORTED'],
        description:
          'The body is the file. The shop reads JPEG, PNG and WebP, turns the picture upright, removes what the camera wrote into it, and keeps it in several widths. A part names it by `data.url`.',
      }),
      async (c) => {
        const data = await uploadPicture(deps, c.var.caller, await readUpload(c.req.raw))
        return c.json({ success: true, data } satisfies PictureUploaded)
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
    .post(
      '/picture-queue/match',
      requireAdmin({
        summary: 'Finds the parts that names of pictures mean.',
        scope: 'parts:read',
        maxBody: { bytes: 1024 * 1024 },
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
        // a browser may send the pictures of a whole shop, three at a time
        limit: perMinute(1200),
        ...pictureBody,
        answer: FileQueued,
        errors: ['NOT_FOUND', 'UNSUPPORTED'],
        description:
          'The body is the file: JPEG, PNG or WebP. The shop adds it to the part in the background; the same file again changes nothing.',
      }),
      valid('query', QueuedFile),
      async (c) => {
        const bytes = await readUpload(c.req.raw)
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
