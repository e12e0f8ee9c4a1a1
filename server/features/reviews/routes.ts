import { Hono } from 'hono'
import type { Review } from '#contracts/reviews.ts'
import { ownsOrAdmin } from '#contracts/users.ts'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import type { Database } from '#server/database/client.ts'
import { anyone, type Env } from '#server/http.ts'
import { listReviews } from './store.ts'

/** GET /review for everybody: an e-mail only for its owner and admins. */
export function reviewRoutes(deps: { db: Database; catalogue: CatalogueCache }) {
  return new Hono<Env>().get('/review', anyone, async (c) => {
    const { caller } = c.var
    const rows = await deps.catalogue.keep('reviews', () => listReviews(deps.db))
    const seen: Review[] = rows.map(({ userId, email, ...review }) =>
      caller && ownsOrAdmin(caller, userId ?? '') ? { ...review, email } : review,
    )
    return c.json(seen)
  })
}
