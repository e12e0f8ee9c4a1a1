import { queryOptions } from '@tanstack/react-query'

/** All parts on sale, in the owner's order. A booking makes it stale: key `['parts']`. */
export const partsQuery = queryOptions({
  queryKey: ['parts'],
  queryFn: async ({ signal }) => {
    // the home page comes with its parts: the client is loaded only when they are asked for again
    const { api } = await import('#web/lib/api.ts')
    return (await api.part.$get({}, { init: { signal } })).json()
  },
})
