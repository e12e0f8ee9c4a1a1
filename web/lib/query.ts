import { type InvalidateQueryFilters, notifyManager, QueryClient } from '@tanstack/react-query'
import { isRefusal } from './api-error.ts'

const fiveMinutes = 5 * 60_000
/**
 * On the server a client lives only as long as its rendering: a timer would keep it, and its data,
 * in memory for minutes.
 */
const gcTime = typeof document === 'undefined' ? Number.POSITIVE_INFINITY : fiveMinutes

/** A refused call would be refused again. */
const worthRetrying = (failures: number, error: Error) => !isRefusal(error) && failures < 3

class ShopQueryClient extends QueryClient {
  /**
   * A first load in flight may return data from before the change, so a second one follows it.
   * TanStack's own method counts the first one as fresh:
   * https://github.com/TanStack/query/issues/8530
   */
  override invalidateQueries(filters: InvalidateQueryFilters = {}): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      const { queryKey, state } = query
      if (state.data !== undefined || state.fetchStatus === 'idle') continue
      const again = () => super.invalidateQueries({ ...filters, queryKey, exact: true })
      query.fetch().then(again, () => {})
    }
    return super.invalidateQueries(filters)
  }
}

/**
 * Responses are cached for 5 minutes; failures are retried 3 times after 1, 2 and 4 s, never more
 * than 30 s apart.
 */
export function makeQueryClient(): QueryClient {
  return new ShopQueryClient({
    defaultOptions: {
      queries: {
        staleTime: fiveMinutes,
        gcTime,
        retry: worthRetrying,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // offline, a mutation fails with an error instead of silently waiting for the network
      mutations: { networkMode: 'always' },
    },
  })
}

// A button must know that its request has begun before the second click of a double click, which
// can come before a timer, TanStack's default.
notifyManager.setScheduler(queueMicrotask)

let client: QueryClient | undefined

/** The single cache of this tab. On the server every request creates its own. */
export function browserQueryClient(): QueryClient {
  client ??= makeQueryClient()
  return client
}
