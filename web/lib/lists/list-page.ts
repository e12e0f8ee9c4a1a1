import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { RowCount } from '#contracts/lists.ts'
import type { CachedQuery } from '#web/lib/outdated.ts'

/** Rows per page of a list. One more is requested, to find out whether there is a next page. */
export const rowsPerPage = 50
export const rowsAsked = rowsPerPage + 1

export type ListPage<Row> = { rows: Row[]; hasMore: boolean }

/** The page in a response of up to `rowsAsked` rows. */
const pageOf = <Row>(answered: Row[]): ListPage<Row> => ({
  rows: answered.slice(0, rowsPerPage),
  hasMore: answered.length > rowsPerPage,
})

type Ask<Answer> = (options: { init: RequestInit }) => Promise<{ json(): Promise<Answer> }>

/**
 * One page of a list, refetched on each visit; its rows stay while others load.
 * @param ask fetches `rowsAsked` rows
 */
export const pageQuery = <Row>(list: CachedQuery, filter: object, ask: Ask<Row[]>) =>
  queryOptions({
    queryKey: [list, filter],
    queryFn: async ({ signal }) => pageOf(await (await ask({ init: { signal } })).json()),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    placeholderData: keepPreviousData,
  })

/**
 * The number of rows that match the filter. Fetched separately, so the rows never wait for it, and
 * once for all pages of a filter.
 */
export const countQuery = (list: CachedQuery, filter: object, ask: Ask<RowCount>) =>
  queryOptions({
    queryKey: ['count', list, filter],
    queryFn: async ({ signal }) => (await ask({ init: { signal } })).json(),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })

/**
 * The decimal separator of spreadsheets in the browser's language: a file with the other separator
 * opens in a single column.
 */
export const csvDecimals = (): 'point' | 'comma' =>
  new Intl.NumberFormat(navigator.language).format(1.5).includes(',') ? 'comma' : 'point'
