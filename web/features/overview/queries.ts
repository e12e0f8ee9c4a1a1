import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'

const refreshMs = 30_000

/** Where this browser is: its days begin at midnight there. */
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The overview, with days of this time zone; fetched again every 30 s while the page is visible. */
export const overviewQuery = (timeZone: string) =>
  queryOptions({
    queryKey: ['overview', timeZone],
    queryFn: async () => (await api.overview.$get({ query: { timeZone } })).json(),
    staleTime: 0,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: 'always',
  })
