import { queryOptions } from '@tanstack/react-query'
import { loadApi } from '#web/lib/loading/late-api.ts'

/** The home page's data about parts on sale. A booking outdates it: key `['parts']`. */
export const homePartsQuery = queryOptions({
  queryKey: ['parts', 'home'],
  queryFn: async ({ signal }) => {
    // the home page includes its parts: the client is loaded only when they are refetched
    const { api } = await loadApi()
    return (await api['home-parts'].$get({}, { init: { signal } })).json()
  },
})
