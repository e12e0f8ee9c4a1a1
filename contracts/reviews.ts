import { z } from 'zod'
import { Id } from './api.ts'
import { messages } from './messages.ts'

/** Characters of `text`. */
export const reviewLimits = { text: 2000 } as const

export const Review = z
  .strictObject({
    _id: Id,
    name: z.string(),
    email: z.string().optional(),
    review: z.string(),
    ratings: z.int().min(1).max(5),
    boughtHere: z.boolean(),
    createdAt: z.iso.datetime(),
    editedAt: z.iso.datetime().nullable(),
  })
  .describe(
    'A review as visitors see it. Only its author and admins get `email`. `boughtHere`: the author had a paid order, and did not cancel all of them before they were sent. Times are ISO 8601.',
  )
export type Review = z.infer<typeof Review>

/** Reviews of the shop in one answer of GET /review and GET /review/after/{id}. */
export const shopReviewStep = 100

/** How many shown reviews have one star, two, and so on. */
const Stars = z
  .array(z.int().min(0))
  .length(5)
  .describe('How many shown reviews have one star, two, and so on.')
/** GET /review/stars */
export const ReviewStars = z.strictObject({ stars: Stars }).describe('The reviews of the shop.')
export type ReviewStars = z.infer<typeof ReviewStars>

export const OwnReview = Review.required()
  .extend({
    part: z
      .strictObject({ _id: Id, number: z.int().min(1), name: z.string() })
      .nullable()
      .describe('The part that it is about; null when it is about the shop.'),
    hiddenAt: z.iso.datetime().nullable(),
    hiddenReason: z.string().nullable(),
  })
  .describe('A review as its author and admins see it. `hiddenReason` is null while it is public.')
export type OwnReview = z.infer<typeof OwnReview>

/**
 * POST /review and PUT /review/{id}. Name and e-mail come from the account; values in the request
 * are ignored.
 */
export const NewReview = z
  .object({
    review: z
      .string(messages.reviewRequired)
      .trim()
      .min(1, messages.reviewRequired)
      .max(reviewLimits.text, messages.reviewTooLong),
    ratings: z
      .int(messages.ratingOutOfRange)
      .min(1, messages.ratingOutOfRange)
      .max(5, messages.ratingOutOfRange),
  })
  .meta({ examples: [{ review: 'Quiet, and here in two days.', ratings: 5 }] })
export type NewReview = z.infer<typeof NewReview>

/** POST /review: a review of a part that the caller bought or, without `partId`, of the shop. */
export const WrittenReview = NewReview.extend({
  partId: Id.optional().describe(
    'A part of a paid order of the caller. A second review of it changes the first.',
  ),
}).meta({ examples: [{ review: 'Quiet, and here in two days.', ratings: 5 }] })

export type WrittenReview = z.infer<typeof WrittenReview>

/** How many reviews the page of a part shows at first, and how many each 'Show more' adds. */
export const partReviewStep = 5
export const PartReviewQuery = z.object({
  stars: z.coerce.number('must be a number').int().min(1).max(5).optional(),
  after: Id.optional().describe('`_id` of the last review read.'),
})

export const PartReviews = z
  .strictObject({
    stars: Stars,
    reviews: z.array(Review.omit({ email: true })),
    next: Id.nullable().describe('`after` of the reviews that follow.'),
  })
  .describe('What buyers of a part wrote, newest first.')
export type PartReviews = z.infer<typeof PartReviews>
