import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SlideEdit } from '#contracts/slides.ts'
import { api } from '#web/lib/api.ts'
import { outdate } from '#web/lib/outdated.ts'

/** The slides of the home page, as they are stored. */
export const slidesQuery = queryOptions({
  queryKey: ['slides'],
  queryFn: async () => (await api.slides.$get()).json(),
  staleTime: 0,
})

/** PUT /slides/{place} */
export function useSaveSlide(place: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (edit: SlideEdit) => {
      await api.slides[':place'].$put({ param: { place: String(place) }, json: edit })
    },
    // after a refusal, too: another admin may have saved
    onSettled: () => outdate(client, 'saveSlide'),
  })
}
