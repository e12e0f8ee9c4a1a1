import { queryOptions } from '@tanstack/react-query'
import type { Review } from '#contracts/reviews.ts'

/** Every review, newest first. A new one makes it stale: key `['reviews']`. */
export const reviewsQuery = queryOptions({
  queryKey: ['reviews'],
  queryFn: async ({ signal }): Promise<Review[]> => {
    // pages come with the reviews they show: the client is loaded only when more are asked for
    const { api } = await import('#web/lib/api.ts')
    return (await api.review.$get({}, { init: { signal } })).json()
  },
})
