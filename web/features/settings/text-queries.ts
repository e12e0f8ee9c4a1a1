import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PageEdit, TextEdit, TextPageName } from '#contracts/texts.ts'
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

/** The owner's own pages as they are stored. */
export const ownPagesQuery = queryOptions({
  queryKey: ['own-pages'],
  queryFn: async () => (await api.pages.$get()).json(),
  staleTime: 0,
})

/** PUT /pages/{address} */
export function useSaveOwnPage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ address, edit }: { address: string; edit: PageEdit }) => {
      await api.pages[':address'].$put({ param: { address }, json: edit })
    },
    onSettled: () => outdate(client, 'saveOwnPage'),
  })
}

/** DELETE /pages/{address} */
export function useRemoveOwnPage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ address, version }: { address: string; version: number }) => {
      const query = { version: String(version) }
      await api.pages[':address'].$delete({ param: { address }, query })
    },
    onSettled: () => outdate(client, 'saveOwnPage'),
  })
}
