import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SettingsEdit } from '#contracts/settings.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** What the shop says of itself, as it is saved. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async () => (await api.settings.$get()).json(),
  staleTime: 0,
})

/** PUT /settings */
export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (edit: SettingsEdit) => {
      await api.settings.$put({ json: edit })
    },
    // after a refusal, too: another admin may have saved
    onSettled: () => outdate(client, 'saveSettings'),
  })
}
