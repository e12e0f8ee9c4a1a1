import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

/** All parts on sale, in the owner's order. A booking makes it stale: key `['parts']`. */
export const partsQuery = queryOptions({
  queryKey: ['parts'],
  queryFn: async ({ signal }) => (await api.part.$get({}, { init: { signal } })).json(),
})
