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

/** The `_id` of the part to call the best seller; null in a shop without parts. */
export const bestSellerQuery = queryOptions({
  queryKey: ['parts', 'best seller'],
  queryFn: async ({ signal }) => {
    const { api } = await import('#web/lib/api.ts')
    return (await (await api.bestSeller.$get({}, { init: { signal } })).json())._id
  },
})
