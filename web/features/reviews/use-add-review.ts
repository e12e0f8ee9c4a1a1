import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { NewReview } from '#contracts/reviews.ts'
import { api } from '#web/lib/api.ts'

export type Reviewer = { name: string; email: string }

/** POST /review. One idempotency key a try: the same review sent twice is one. */
export function useAddReview(reviewer: Reviewer) {
  const client = useQueryClient()
  const key = useRef<string>(null)
  const add = useMutation({
    mutationFn: async (review: NewReview) => {
      key.current ??= crypto.randomUUID()
      const headers = { 'Idempotency-Key': key.current }
      const answer = await api.review.$post({ json: { ...reviewer, ...review } }, { headers })
      if (!(await answer.json()).acknowledged) {
        throw new Error('Your review was not saved. Try again.')
      }
    },
    onSuccess: () => {
      key.current = null
      void client.invalidateQueries({ queryKey: ['own-reviews'] })
      // whatever shows reviews asks again when it is next looked at
      return client.invalidateQueries({ refetchType: 'none' })
    },
  })

  /** After a refusal a changed form is another review. */
  function changed() {
    key.current = null
    if (!add.isPending) add.reset()
  }

  return { add, changed }
}
