import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Released } from '#contracts/queue.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** Selects the holdings of a part or of a user. */
export type HoldingsOf = { part: string } | { user: string }

/** The holds, offers and places of a part or of an account. Refetched on each visit. */
export const holdingsQuery = (of: HoldingsOf) =>
  queryOptions({
    queryKey: ['holdings', of],
    queryFn: async () =>
      'part' in of
        ? (await api.product[':id'].holders.$get({ param: { id: of.part } })).json()
        : (await api.user[':id'].holdings.$get({ param: { id: of.user } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/** The account with this id; null if there is none. */
export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'account', id],
    queryFn: async () => {
      const users = await (
        await api.user.$get({ query: { q: id, sort: 'newest', limit: 1 } })
      ).json()
      return users.find(({ _id }) => _id === id) ?? null
    },
  })

/** POST /user/{id}/release: ends the account's holds, offers and places. */
export function useReleaseAccount(onReleased: (released: Released) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) =>
      (await api.user[':id'].release.$post({ param: { id } })).json(),
    onSuccess: onReleased,
    onSettled: () => outdate(client, 'releaseAccount'),
  })
}
