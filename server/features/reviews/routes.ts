import { Hono } from 'hono'
import type { z } from 'zod'
import { NewReview, type Review, type Reviewed } from '#contracts/reviews.ts'
import { ownsOrAdmin } from '#contracts/users.ts'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import type { Database } from '#server/database/client.ts'
import { anyone, type Env, idempotencyKey, requireUser, valid } from '#server/http.ts'
import { addReview } from './add-review.ts'
import { listReviews } from './store.ts'

/** GET /review for everybody, an e-mail only for its owner and admins; POST /review for users. */
export function reviewRoutes(deps: {
  db: Database
  catalogue: CatalogueCache
  rateLimit: boolean
}) {
  return new Hono<Env>()
    .get('/review', anyone, async (c) => {
      const { caller } = c.var
      const rows = await deps.catalogue.keep('reviews', () => listReviews(deps.db))
      const seen: Review[] = rows.map(({ userId, email, ...review }) =>
        caller && ownsOrAdmin(caller, userId ?? '') ? { ...review, email } : review,
      )
      return c.json(seen)
    })
    .post('/review', requireUser, valid('json', NewReview), async (c) => {
      const insertedId = await addReview(deps.db, {
        caller: c.var.caller,
        review: c.req.valid('json'),
        key: idempotencyKey(c.req.header('idempotency-key')),
        paced: deps.rateLimit,
      })
      return c.json({ acknowledged: true, insertedId } satisfies z.infer<typeof Reviewed>)
    })
}
