import { Hono } from 'hono'
import { z } from 'zod'
import { ById, Deleted, deleted, Inserted, inserted, Modified, modified } from '#contracts/api.ts'
import { ByPart } from '#contracts/part-pages.ts'
import {
  NewReview,
  OwnReview,
  PartReviewQuery,
  PartReviews,
  Review,
  ReviewStars,
  shopReviewStep,
  WrittenReview,
} from '#contracts/reviews.ts'
import { type Caller, ownsOrAdmin } from '#contracts/users.ts'
import type { CatalogueCache } from '#server/database/catalogue-cache.ts'
import { found } from '#server/errors.ts'
import {
  anyone,
  type Env,
  hashedNetworks,
  idempotencyKey,
  perHour,
  perMinute,
  requireUser,
  valid,
} from '#server/http/guards.ts'
import { type AddReviewDeps, addReview } from './add-review.ts'
import { editReview, removeReview } from './change-review.ts'
import {
  countShopStars,
  findPartId,
  listPartReviews,
  listReviewsBy,
  listShownReviews,
} from './store.ts'

/** The reviews as the caller sees them: with the e-mail of their own, and for admins of all. */
const visibleTo = (
  caller: Caller | null,
  rows: Awaited<ReturnType<typeof listShownReviews>>,
): Review[] =>
  rows.map(({ userId, email, ...review }) =>
    caller && ownsOrAdmin(caller, userId ?? '') ? { ...review, email } : review,
  )

/**
 * GET /review, /review/stars, /review/after/{id} and /parts/{number or id}/reviews are public, with
 * e-mails only for their owners and admins. POST, PUT and DELETE /review and GET /me/reviews are for
 * authors.
 */
export function reviewRoutes(deps: AddReviewDeps & { catalogue: CatalogueCache }) {
  const { db, catalogue } = deps
  return new Hono<Env>()
    .get(
      '/review',
      anyone({
        summary: `Lists the newest ${shopReviewStep} reviews of the shop that everybody sees.`,
        shows: 'reviews',
        // logged-in users see more of a review than visitors
        cached: 'visitors',
        // of the responses that are made for one caller: whatever token comes along, it may be wrong
        limit: perMinute(60),
        answer: z.array(Review),
        description:
          'With an access token, the caller’s own reviews carry `email`; for admins all do.',
      }),
      async (c) => {
        const { caller } = c.var
        const rows = await catalogue.getOrSet('reviews', async () => ({
          value: await listShownReviews(db),
          shows: ['reviews'],
          cacheable: true,
        }))
        return c.json(visibleTo(caller, rows))
      },
    )
    .get(
      '/review/stars',
      anyone({
        summary: 'Counts the reviews of the shop by their stars.',
        shows: 'reviews',
        cached: 'everybody',
        answer: ReviewStars,
      }),
      async (c) => c.json({ stars: await countShopStars(db) } satisfies ReviewStars),
    )
    .get(
      '/review/after/:id',
      anyone({
        summary: 'Lists the reviews of the shop that follow a review.',
        shows: 'reviews',
        limit: perMinute(60),
        answer: z.array(Review),
        description: `Up to ${shopReviewStep}, newest first.`,
      }),
      valid('param', ById),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(visibleTo(c.var.caller, await listShownReviews(db, id)))
      },
    )
    .post(
      '/review',
      requireUser({
        summary: 'Publishes a review of the shop, or of a part that the caller bought.',
        answer: Inserted,
        errors: ['NOT_VERIFIED', 'FORBIDDEN'],
        idempotencyKey: 'optional',
      }),
      valid('json', WrittenReview),
      async (c) => {
        const insertedId = await addReview(deps, {
          caller: c.var.caller,
          review: c.req.valid('json'),
          key: idempotencyKey(c.req.header('idempotency-key')),
          networks: hashedNetworks(c),
        })
        return c.json(inserted(insertedId))
      },
    )
    .get(
      '/parts/:part/reviews',
      anyone({
        summary: 'Lists the reviews of a part, newest first.',
        answer: PartReviews,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ByPart),
      valid('query', PartReviewQuery),
      async (c) => {
        const partId = found(await findPartId(db, c.req.valid('param').part), 'part')
        c.header('cache-control', 'no-cache')
        c.header('cache-tag', `part:${partId}`)
        return c.json(await listPartReviews(db, partId, c.req.valid('query')))
      },
    )
    .get(
      '/me/reviews',
      requireUser({
        summary: 'Lists the caller’s own reviews, also hidden ones.',
        answer: z.array(OwnReview),
      }),
      async (c) => c.json((await listReviewsBy(db, c.var.caller._id)) satisfies OwnReview[]),
    )
    .put(
      '/review/:id',
      requireUser({
        summary: 'Changes a review of the caller.',
        limit: perHour(20),
        answer: Modified,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      valid('json', NewReview),
      async (c) => {
        const { id } = c.req.valid('param')
        return c.json(modified(await editReview(db, c.var.caller, id, c.req.valid('json'))))
      },
    )
    .delete(
      '/review/:id',
      requireUser({
        summary: 'Removes a review of the caller.',
        limit: perHour(20),
        answer: Deleted,
        errors: ['NOT_FOUND'],
      }),
      valid('param', ById),
      async (c) => {
        const removed = await removeReview(db, c.var.caller, c.req.valid('param').id)
        return c.json(deleted(removed))
      },
    )
}
