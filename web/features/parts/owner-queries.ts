import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '#contracts/messages.ts'
import type { NewPart } from '#contracts/owned-parts.ts'
import { api } from '#web/lib/api.ts'

/** POST /product → the new part's id. */
export function useAddPart() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (part: NewPart) => {
      const answer = await (await api.product.$post({ json: part })).json()
      if (!answer.insertedId) throw new Error(messages.partFailed)
      return { _id: answer.insertedId, name: part.name }
    },
    // whatever shows parts asks again when it is next looked at
    onSuccess: () => client.invalidateQueries({ refetchType: 'none' }),
  })
}

/** One part as its owner works on it, deleted ones too. Somebody else may be at it, so it is asked again on focus. */
export const ownedPartQuery = (id: string) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: async () => (await api.product[':id'].$get({ param: { id } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
