import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile, ProfileUpdate } from '#contracts/profiles.ts'
import { api } from '#web/lib/api.ts'

/** What this user saved about themselves; nulls for what was never saved. */
export const profileQuery = (email: string) =>
  queryOptions({
    queryKey: ['profile', email],
    queryFn: async () => (await api.profile[':email'].$get({ param: { email } })).json(),
  })

/** PUT /profile/{email}; what was saved is known here at once. */
export function useUpdateProfile({ name, email }: Pick<Profile, 'name' | 'email'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (update: ProfileUpdate) => {
      const json = { name, email, ...update }
      const answer = await api.profile[':email'].$put({ param: { email }, json })
      if (!(await answer.json()).acknowledged) {
        throw new Error('Your profile was not saved. Try again.')
      }
    },
    onSuccess: (_, update) => {
      client.setQueryData(profileQuery(email).queryKey, { name, email, ...update })
    },
  })
}
