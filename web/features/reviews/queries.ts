import { queryOptions } from '@tanstack/react-query'
import { counted } from '#contracts/counted.ts'
import type { Review } from '#contracts/reviews.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'

/** Every review, newest first. A new review outdates it: key `['reviews']`. */
export const reviewsQuery = queryOptions({
  queryKey: ['reviews'],
  queryFn: async ({ signal }): Promise<Review[]> => {
    // pages include the reviews that they show: the client is loaded only for more
    const { api } = await loadApi()
    return (await api.review.$get({}, { init: { signal } })).json()
  },
})

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

export function digest(reviews: Review[]): ReviewDigest {
  const stars = reviews.reduce((sum, { ratings }) => sum + ratings, 0)
  return {
    newest: reviews.slice(0, reviewStep),
    count: reviews.length,
    average: reviews.length === 0 ? 0 : stars / reviews.length,
  }
}

/** Formats "8 reviews · 4.1 of 5 stars". */
export function summaryOf({ count, average }: ReviewDigest): string {
  if (count === 0) return ''
  return `${counted(count, 'review')} · ${average.toFixed(1)} of 5 stars`
}
