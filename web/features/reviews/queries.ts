import { queryOptions } from '@tanstack/react-query'
import { counted } from '#contracts/counted.ts'
import type { Review } from '#contracts/reviews.ts'
import { loadApi } from '#web/lib/late-api.ts'

/** Every review, newest first. A new one makes it stale: key `['reviews']`. */
export const reviewsQuery = queryOptions({
  queryKey: ['reviews'],
  queryFn: async ({ signal }): Promise<Review[]> => {
    // pages come with the reviews they show: the client is loaded only when more are asked for
    const { api } = await loadApi()
    return (await api.review.$get({}, { init: { signal } })).json()
  },
})

/** What this user wrote, hidden reviews too, newest first. */
export const ownReviewsQuery = (email: string) =>
  queryOptions({
    queryKey: ['own-reviews', email],
    queryFn: async ({ signal }) => {
      const { api } = await loadApi()
      return (await api.me.reviews.$get({}, { init: { signal } })).json()
    },
    staleTime: 0,
  })

/** How many reviews are shown at first, and how many more each time: three rows of three. */
export const reviewStep = 9

/** What a page is sent with: the newest reviews, how many there are, and the mean of all their stars. */
export type ReviewDigest = { newest: Review[]; count: number; average: number }

export function digest(reviews: Review[]): ReviewDigest {
  const stars = reviews.reduce((sum, { ratings }) => sum + ratings, 0)
  return {
    newest: reviews.slice(0, reviewStep),
    count: reviews.length,
    average: reviews.length === 0 ? 0 : stars / reviews.length,
  }
}

/** "8 reviews · 4.1 of 5 stars" */
export function summaryOf({ count, average }: ReviewDigest): string {
  if (count === 0) return ''
  return `${counted(count, 'review')} · ${average.toFixed(1)} of 5 stars`
}
