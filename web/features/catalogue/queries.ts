import { queryOptions } from '@tanstack/react-query'
import { loadApi } from '#web/lib/late-api.ts'

/** What the home page shows of the parts on sale. A booking makes it stale: key `['parts']`. */
export const homePartsQuery = queryOptions({
  queryKey: ['parts', 'home'],
  queryFn: async ({ signal }) => {
    // the home page comes with its parts: the client is loaded only when they are asked for again
    const { api } = await loadApi()
    return (await api['home-parts'].$get({}, { init: { signal } })).json()
  },
})
