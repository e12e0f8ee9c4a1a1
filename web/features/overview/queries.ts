import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

const refreshMs = 30_000

/** The overview; refetched every 30 s while the page is visible. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async () => (await api.overview.$get()).json(),
  staleTime: 0,
  refetchInterval: refreshMs,
  refetchOnWindowFocus: 'always',
})
