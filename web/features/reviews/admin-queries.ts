import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReviewFilter, ReviewList } from '#contracts/lists.ts'
import { api } from '#web/lib/api.ts'
import { countQuery, pageQuery, rowsAsked } from '#web/lib/list-page.ts'

/** One page of all reviews; fetched again whenever an admin looks at it. */
export const adminReviewsQuery = (filter: ReviewList) =>
  pageQuery('admin-reviews', filter, (options) =>
    api.reviews.$get({ query: { ...filter, limit: rowsAsked } }, options),
  )

export const adminReviewsCountQuery = (filter: ReviewFilter) =>
  countQuery('admin-reviews', filter, (options) =>
    api.reviews.count.$get({ query: filter }, options),
  )

export type Moderation = { id: string; action: 'hide' | 'show'; reason: string }

/** POST /review/{id}/hide or /show */
export function useModerateReview() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, action, reason }: Moderation) => {
      const call = { param: { id }, json: { reason } }
      const { hide, show } = api.review[':id']
      await (action === 'hide' ? hide.$post(call) : show.$post(call))
    },
    onSettled: () => {
      for (const queryKey of [['admin-reviews'], ['count'], ['audit-log']])
        void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: ['reviews'], refetchType: 'none' })
    },
  })
}
