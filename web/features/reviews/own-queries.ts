import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewReview } from '#contracts/reviews.ts'
import { api } from '#web/lib/api.ts'

/** What this user wrote, hidden reviews too, newest first. */
export const ownReviewsQuery = (email: string) =>
  queryOptions({
    queryKey: ['own-reviews', email],
    queryFn: async ({ signal }) => (await api.me.reviews.$get({}, { init: { signal } })).json(),
    staleTime: 0,
  })

function useOwnReviewAction<Variables>(action: (variables: Variables) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['own-reviews'] })
      // what shows reviews elsewhere asks again when it is next looked at
      void client.invalidateQueries({ queryKey: ['reviews'], refetchType: 'none' })
    },
  })
}

/** PUT /review/{id} */
export const useEditReview = () =>
  useOwnReviewAction(({ id, json }: { id: string; json: NewReview }) =>
    api.review[':id'].$put({ param: { id }, json }),
  )

/** DELETE /review/{id} */
export const useRemoveReview = () =>
  useOwnReviewAction((id: string) => api.review[':id'].$delete({ param: { id } }))
