import { queryOptions } from '@tanstack/react-query'

/** What the home page shows of the parts on sale. A booking makes it stale: key `['parts']`. */
export const shelfQuery = queryOptions({
  queryKey: ['parts', 'shelf'],
  queryFn: async ({ signal }) => {
    // the home page comes with its parts: the client is loaded only when they are asked for again
    const { api } = await import('#web/lib/api.ts')
    return (await api.shelf.$get({}, { init: { signal } })).json()
  },
})
