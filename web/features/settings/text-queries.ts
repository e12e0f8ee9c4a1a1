import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { TextEdit, TextPageName } from '#contracts/texts.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** The pages of text, with the owner's own texts as they are stored. */
export const textsQuery = queryOptions({
  queryKey: ['texts'],
  queryFn: async () => (await api.texts.$get()).json(),
  staleTime: 0,
})

/** POST /texts/preview */
export const useTextPreview = () =>
  useMutation({
    mutationFn: async (text: string) => (await api.texts.preview.$post({ json: { text } })).json(),
  })

/** PUT /texts/{page} */
export function useSaveText(page: TextPageName) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (edit: TextEdit) => {
      await api.texts[':page'].$put({ param: { page }, json: edit })
    },
    // after a refusal, too: another admin may have saved
    onSettled: () => outdate(client, 'saveText'),
  })
}
