import { queryOptions } from '@tanstack/react-query'
import { counted } from '#contracts/counted.ts'
import type { Review, ReviewStars } from '#contracts/reviews.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'

/** The newest reviews of the shop, and how many of all have one star, two, and so on. */
export type ShopReviews = { reviews: Review[]; stars: number[] }

/** A new review outdates it: key `['reviews']`. */
export const reviewsQuery = queryOptions({
  queryKey: ['reviews'],
  queryFn: async ({ signal }): Promise<ShopReviews> => {
    // pages include the reviews that they show: the client is loaded only for more
    const { api } = await loadApi()
    const options = { init: { signal } }
    const [reviews, { stars }] = await Promise.all([
      api.review.$get({}, options).then((answer) => answer.json()),
      api.review.stars.$get({}, options).then((answer) => answer.json()),
    ])
    return { reviews, stars }
  },
})

/**
 * Reads the same for a page that is rendered; undefined when it cannot be read.
 * @param after the id of the review that the reviews follow; null for the newest ones
 */
export async function readReviews(
  fetchApi: (path: string) => Promise<Response>,
  after: string | null = null,
): Promise<ShopReviews | undefined> {
  const [reviews, stars] = await Promise.all([
    fetchApi(after ? `/api/review/after/${encodeURIComponent(after)}` : '/api/review'),
    fetchApi('/api/review/stars'),
  ])
  if (!reviews.ok || !stars.ok) return undefined
  return { reviews: await reviews.json(), ...((await stars.json()) as ReviewStars) }
}

/** This user's reviews, newest first, including hidden ones. */
export const ownReviewsQuery = (email: string) =>
  queryOptions({
    queryKey: ['own-reviews', email],
    queryFn: async ({ signal }) => {
      const { api } = await loadApi()
      return (await api.me.reviews.$get({}, { init: { signal } })).json()
    },
    staleTime: 0,
  })

/** The number of reviews shown at first and added each time: three rows of three. */
export const reviewStep = 9

/** The reviews sent with a page: the newest ones, their total number, and the average rating. */
export type ReviewDigest = { newest: Review[]; count: number; average: number }

export function digest({ reviews, stars }: ShopReviews): ReviewDigest {
  const count = stars.reduce((sum, each) => sum + each, 0)
  const points = stars.reduce((sum, each, i) => sum + each * (i + 1), 0)
  return {
    newest: reviews.slice(0, reviewStep),
    count,
    average: count === 0 ? 0 : points / count,
  }
}

/** Formats "8 reviews · 4.1 of 5 stars". */
export function summaryOf({ count, average }: ReviewDigest): string {
  if (count === 0) return ''
  return `${counted(count, 'review')} · ${average.toFixed(1)} of 5 stars`
}
