import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccountDeletion, Profile, ProfileUpdate, SessionInfo } from '#contracts/account.ts'
import type { Role } from '#contracts/users.ts'
import { api } from '#web/lib/api.ts'
import { provider } from '#web/lib/identity/provider.ts'
import { outdate } from '#web/lib/outdated.ts'

/** The role of the user with this address. */
export const roleQuery = (email: string) =>
  queryOptions({
    queryKey: ['admin', email],
    queryFn: async (): Promise<Role> => {
      const answer = await api.admin[':email'].$get({ param: { email } })
      const { admin, packer } = await answer.json()
      if (admin) return 'admin'
      return packer ? 'packer' : 'customer'
    },
  })

/** The user's profile; null for fields that were never saved. */
export const profileQuery = (email: string) =>
  queryOptions({
    queryKey: ['profile', email],
    queryFn: async () => (await api.profile[':email'].$get({ param: { email } })).json(),
  })

/** PUT /profile/{email}. Shows the saved profile at once. */
export function useUpdateProfile({ name, email }: Pick<Profile, 'name' | 'email'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (update: ProfileUpdate) => {
      const json = { name, email, ...update }
      const answer = await api.profile[':email'].$put({ param: { email }, json })
      if (!(await answer.json()).acknowledged) {
        throw new Error('Your profile wasn’t saved. Try again.')
      }
    },
    onSuccess: (_, update) => {
      client.setQueryData(profileQuery(email).queryKey, { name, email, ...update })
    },
  })
}

/**
 * The user's sessions. Refetched on each visit, because an old response could hide a stranger's
 * session.
 */
export const sessionsQuery = (email: string) =>
  queryOptions({
    queryKey: ['sessions', email],
    queryFn: async () => (await api.sessions.$get()).json(),
    staleTime: 0,
  })

/**
 * Ends one session or, without an argument, all but this one; updates the list at once.
 * @returns how many ended
 */
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
    // the session may have ended elsewhere, or a new one begun
    onError: () => outdate(client, 'endSessionsRefused'),
  })
}

/**
 * Whether this account has a password that the shop can check, and whether its address is verified.
 */
export const meQuery = (email: string) =>
  queryOptions({
    queryKey: ['me', email],
    queryFn: async () => (await api.me.$get()).json(),
  })

/**
 * The same, refetched until the address is verified: the link may be opened in another tab or on
 * another device.
 */
export const verifiedQuery = (email: string) =>
  queryOptions({
    ...meQuery(email),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data?.emailVerified === false ? 5000 : false),
  })

/** Whether this user logs in with a password, according to the provider. */
export const hasPasswordQuery = (email: string) =>
  queryOptions({
    queryKey: ['has password', email],
    queryFn: async ({ client }) =>
      (await (await provider()).hasPassword()) ??
      (await client.ensureQueryData(meQuery(email))).hasPassword,
  })

/**
 * DELETE /me: deletes the account.
 * @param elsewhere whether an external provider, which requires its own proof, keeps the account
 */
export function useDeleteAccount(elsewhere: boolean) {
  return useMutation({
    mutationFn: async (input: AccountDeletion) => {
      const proof = elsewhere && { idToken: await (await provider()).idToken() }
      return (await api.me.$delete({ json: { ...input, ...proof } })).json()
    },
  })
}
