import { queryOptions, useQuery } from '@tanstack/react-query'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { api } from '#web/lib/api.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { useSignedOutBy } from '#web/lib/use-signed-out.ts'
import { OverviewBody } from './overview-body.tsx'

const refreshMs = 30_000

/** Where this browser is: its days begin at midnight there. */
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The overview, with days of this time zone; fetched again every 30 s while the page is visible. */
const overviewQuery = (timeZone: string) =>
  queryOptions({
    queryKey: ['overview', timeZone],
    queryFn: async () => (await api.overview.$get({ query: { timeZone } })).json(),
    staleTime: 0,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: 'always',
  })

export const meta = () => pageMeta('Overview')

/** As tall as what follows it on a screen of that width. */
function OverviewSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-6">
      <Skeleton className="h-175 md:h-66" />
      <div className="grid gap-6 md:grid-cols-2">
        {['to ship', 'holds', 'revenue', 'orders'].map((panel) => (
          <Skeleton key={panel} className="h-96" />
        ))}
      </div>
    </div>
  )
}

/** How the shop is doing, and what is to be done. */
export default function OverviewScreen() {
  const timeZone = browserZone()
  const query = useQuery(overviewQuery(timeZone))
  const { data, error, refetch, isFetching, dataUpdatedAt } = query
  const leaving = useSignedOutBy(error, [401, 403])
  const failed = !data && error && !leaving
  return (
    <>
      <h1 tabIndex={-1} className="text-4xl font-bold tracking-tight">
        Overview
      </h1>
      <p className="mt-2 mb-6 max-w-[56ch] text-pretty text-dim">
        Days begin at midnight in {timeZone.replaceAll('_', ' ')}. What is not over yet is compared
        up to the same time of day.
      </p>
      {failed && (
        <ErrorState message={error.message} onRetry={() => refetch()} retrying={isFetching} />
      )}
      {!failed && !data && <OverviewSkeleton />}
      {data && <OverviewBody overview={data} now={Math.max(serverTime(), dataUpdatedAt)} />}
    </>
  )
}
