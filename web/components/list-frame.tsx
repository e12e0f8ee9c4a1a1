import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RowCount } from '#contracts/lists.ts'
import { type countQuery, type ListPage, rowsPerPage } from '#web/lib/list-page.ts'
import type { ListAddress } from '#web/lib/use-list-address.ts'
import { Button, ButtonLink } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { ListPager } from './list-pager.tsx'
import { Skeleton } from './skeleton.tsx'

type Row = { _id: string | number }

type Props = {
  address: ListAddress
  list: Pick<
    UseQueryResult<ListPage<Row>>,
    'data' | 'error' | 'isPlaceholderData' | 'isFetching' | 'refetch'
  >
  /** How many rows there are on all pages; asked only where one page does not say it. */
  count: ReturnType<typeof countQuery>
  /** True while the screen is being left: a refusal is no fault to show. */
  leaving: boolean
  /** One row and several, as in `['order', 'orders']`. */
  noun: readonly [one: string, several: string]
  /** What is shown when there is nothing at all. */
  empty: ReactNode
  /** Something at the end of the line above the table, such as an export. */
  end?: ReactNode
  children: ReactNode
}

const outOf = (total: RowCount) =>
  ` of ${total.isMore ? 'more than ' : ''}${total.count.toLocaleString('en-US')}`

/** "23 orders", "orders 51–100 of 312": in all under this filter, as soon as it is known. */
function useHowMany({
  address,
  list,
  count,
  noun,
}: Pick<Props, 'address' | 'list' | 'count' | 'noun'>) {
  const { data } = list
  const isWhole = address.pagesBefore === 0 && data?.hasMore === false
  const { data: total } = useQuery({ ...count, enabled: data !== undefined && !isWhole })
  if (!data || data.rows.length === 0) return null
  const { length } = data.rows
  if (isWhole) return `${length} ${length === 1 ? noun[0] : noun[1]}`
  const all = total ? outOf(total) : ''
  if (address.pagesBefore === undefined) return `${length}${all} ${noun[1]} on this page`
  const first = address.pagesBefore * rowsPerPage + 1
  return `${noun[1]} ${first}–${first + length - 1}${all}`
}

function ListSkeleton() {
  return (
    <div aria-hidden="true" className="list-skeleton">
      {Array.from({ length: 12 }, (_, row) => (
        <div key={row} className="list-skeleton-row">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ms-auto h-4 w-24" />
        </div>
      ))}
    </div>
  )
}

function Nothing({ address, empty }: Pick<Props, 'address' | 'empty'>) {
  if (address.previous) {
    return (
      <EmptyState
        title="No more rows"
        action={<ButtonLink {...address.link({})}>First page</ButtonLink>}
      >
        The list ends before this page. It may have become shorter.
      </EmptyState>
    )
  }
  if (!address.isFiltered) return empty
  return (
    <EmptyState
      title="Nothing matches"
      action={<Button onClick={address.clear}>Clear filters</Button>}
    >
      Try fewer or other words, or show everything again.
    </EmptyState>
  )
}

/** The line over a list: how much is shown, or why it may be out of date. Always there, so that nothing moves. */
function ListLine({ leaving, end, ...props }: Omit<Props, 'empty' | 'children'>) {
  const { address, list } = props
  const { data, error } = list
  const howMany = useHowMany(props)
  return (
    <div className="list-line">
      <p role="status" className="label">
        {howMany}
      </p>
      {data && error && !leaving && (
        <p role="alert" className="text-danger text-sm">
          Not up to date: {error.message}{' '}
          <button
            type="button"
            className="link min-h-6 cursor-pointer"
            onClick={() => list.refetch()}
          >
            Retry
          </button>
        </p>
      )}
      <div className="list-line-end">
        {address.isFiltered && (
          <button
            type="button"
            className="link min-h-6 cursor-pointer text-sm"
            onClick={address.clear}
          >
            Clear filters
          </button>
        )}
        {end}
      </div>
    </div>
  )
}

/** A list in all its states: coming, wrong, empty, nothing found, there; earlier rows stay while others come. */
export function ListFrame({ children, empty, ...props }: Props) {
  const { address, list, leaving } = props
  const { data, error, isFetching, isPlaceholderData } = list
  const isWrong = !data && error && !leaving && !isFetching
  return (
    <div className="list">
      <ListLine {...props} />
      {isWrong && <ErrorState message={error.message} onRetry={() => list.refetch()} />}
      {!data && !isWrong && <ListSkeleton />}
      {data?.rows.length === 0 && <Nothing address={address} empty={empty} />}
      {data && data.rows.length > 0 && (
        <div aria-busy={isPlaceholderData} className="list-body">
          {children}
          <ListPager
            address={address}
            lastId={data.hasMore ? String(data.rows.at(-1)?._id) : undefined}
          />
        </div>
      )}
    </div>
  )
}
