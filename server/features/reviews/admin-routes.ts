import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Modified, modified, Reason } from '#contracts/api.ts'
import { ReviewFilter, ReviewList, RowCount } from '#contracts/lists.ts'
import { OwnReview } from '#contracts/reviews.ts'
import type { Database } from '#server/database/client.ts'
import { type Env, requireAdmin, valid } from '#server/http/guards.ts'
import { streamList } from '#server/http/lists.ts'
import { hideReview, showReview } from './change-review.ts'
import { countAllReviews, listAllReviews } from './store.ts'

/** The admin routes of reviews: list them, and hide or show them with a reason. */
export function adminReviewRoutes({ db }: { db: Database }) {
  return new Hono<Env>()
    .get(
      '/reviews',
      requireAdmin({ summary: 'Lists all reviews, also hidden ones.', answer: z.array(OwnReview) }),
      valid('query', ReviewList),
      (c) => {
        const query = c.req.valid('query')
        return streamList(c, query, (page) => listAllReviews(db, { ...query, ...page }))
      },
    )
    .get(
      '/reviews/count',
      requireAdmin({ summary: 'Counts the reviews that match a filter.', answer: RowCount }),
      valid('query', ReviewFilter),
      async (c) => c.json((await countAllReviews(db, c.req.valid('query'))) satisfies RowCount),
    )
    .post(
      '/review/:id/hide',
      requireAdmin({
        summary: 'Hides a review from everybody but its author and admins.',
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', Reason),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), ...c.req.valid('json') }
        return c.json(modified(await hideReview(db, change)))
      },
    )
    .post(
      '/review/:id/show',
      requireAdmin({
        summary: 'Shows a hidden review again.',
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', Reason),
      async (c) => {
        const change = { caller: c.var.caller, ...c.req.valid('param'), ...c.req.valid('json') }
        return c.json(modified(await showReview(db, change)))
      },
    )
}
