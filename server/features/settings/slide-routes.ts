import { Hono } from 'hono'
import { z } from 'zod'
import { Modified, modified } from '#contracts/api.ts'
import { SlideEdit, SlideParams, StoredSlide } from '#contracts/slides.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { listSlides, saveSlide } from './slides.ts'

/** The owner's own slides of the home page; `GET /home-parts` has them for visitors. */
export function slideRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/slides',
      requireAdmin({
        summary: 'Lists the slides of the home page, each with the owner’s own as it is stored.',
        answer: z.array(StoredSlide),
      }),
      async (c) => c.json((await listSlides(db)) satisfies StoredSlide[]),
    )
    .put(
      '/slides/:place',
      requireAdmin({
        summary:
          'Saves the owner’s own slide of a place; without a title, the standard one is back.',
        answer: Modified,
        errors: ['OUTDATED'],
        description:
          '`version` is that of the slide as it was read. `POST /image` uploads a picture.',
      }),
      valid('param', SlideParams),
      valid('json', SlideEdit),
      async (c) => {
        const { place } = c.req.valid('param')
        return c.json(modified(await saveSlide(db, c.var.caller, place, c.req.valid('json'))))
      },
    )
}
