import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccountDeletion, SessionInfo } from '#contracts/account.ts'
import { api } from '#web/lib/api.ts'

/** Where this user is signed in. Asked anew at each visit: what is old here may be a stranger's. */
export const sessionsQuery = (email: string) =>
  queryOptions({
    queryKey: ['sessions', email],
    queryFn: async () => (await api.sessions.$get()).json(),
    staleTime: 0,
  })

/** Ends one sign-in or, without one, all but this; the list knows at once. @returns how many ended */
export function useEndSessions(email: string) {
  const client = useQueryClient()
  const { queryKey } = sessionsQuery(email)
  return useMutation({
    mutationFn: async (session: SessionInfo | null) => {
      const answer = session
        ? await api.sessions[':id'].$delete({ param: { id: session._id } })
        : await api.sessions.$delete()
      return (await answer.json()).deletedCount
    },
    onSuccess: (_, session) => {
      client.setQueryData(queryKey, (all) =>
        all?.filter(({ _id, current }) => current || (session !== null && _id !== session._id)),
      )
    },
    // somebody else may have ended it, or signed in
    onError: () => client.invalidateQueries({ queryKey }),
  })
}

/** Whether this account has a password. */
export const meQuery = (email: string) =>
  queryOptions({
    queryKey: ['me', email],
    queryFn: async () => (await api.me.$get()).json(),
  })

/** DELETE /me: afterwards there is no such user. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: async (said: AccountDeletion) => (await api.me.$delete({ json: said })).json(),
  })
}
