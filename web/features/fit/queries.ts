import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

/** The rules of fit, and the parts that lack what they read. */
export const fitDeskQuery = queryOptions({
  queryKey: ['fit'],
  queryFn: async ({ signal }) => (await api.fit.$get({}, { init: { signal } })).json(),
  staleTime: 0,
})
