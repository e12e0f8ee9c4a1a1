import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { Link } from 'react-router'
import { whole } from '#contracts/counted.ts'
import type { RowCount } from '#contracts/lists.ts'
import { type countQuery, type ListPage, rowsPerPage } from '#web/lib/lists/list-page.ts'
import type { ListAddress, ListLink } from '#web/lib/lists/use-list-address.ts'
import { focusHeading } from '#web/lib/use-page-focus.ts'
import { Button, ButtonLink } from './button.tsx'
import { EmptyState, ErrorState, Skeleton } from './states.tsx'

type Props<Row> = {
  title: string
  /** The heading's ref, for screens that move the focus there. */
  headingRef?: Ref<HTMLHeadingElement> | undefined
  /** Actions beside the heading. */
  actions?: ReactNode
  /** Search, filters and sorting: a `ListTools`. */
  tools: ReactNode
  address: ListAddress
  list: Pick<
    UseQueryResult<ListPage<Row>>,
    'data' | 'error' | 'isPlaceholderData' | 'isFetching' | 'refetch'
  >
  /** The number of rows on all pages; fetched only if one page does not show it. */
  count: ReturnType<typeof countQuery>
  /** True while the user is leaving the screen: the list then hides errors. */
  leaving: boolean
  /** Singular and plural, such as `['order', 'orders']`. */
  noun: readonly [one: string, several: string]
  /** Shown when there are no rows at all: an `EmptyState`. */
  empty: ReactNode
  /** An element at the end of the line above the table, such as an export button. */
  end?: ReactNode
  /** Renders the table of this page's rows. */
  children: (rows: Row[]) => ReactNode
}

const outOf = (total: RowCount) => ` of ${total.isMore ? 'more than ' : ''}${whole(total.count)}`

/** Formats "23 orders" or "orders 51–100 of 312"; the total appears once it is known. */
function useHowMany<Row>({
  address,
  list,
  count,
  noun,
}: Pick<Props<Row>, 'address' | 'list' | 'count' | 'noun'>) {
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
    <div aria-hidden="true" className="border-line border-t">
      {Array.from({ length: 12 }, (_, row) => (
        <div key={row} className="flex h-15 items-center gap-6 border-line border-b">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ms-auto h-4 w-24" />
        </div>
      ))}
    </div>
  )
}

function Nothing({ address, empty }: { address: ListAddress; empty: ReactNode }) {
  if (address.previous) {
    return (
      <EmptyState
        title="Nothing on this page"
        action={<ButtonLink {...address.link({})}>First page</ButtonLink>}
      >
        The list ends before this page. It may have got shorter.
      </EmptyState>
    )
  }
  if (!address.isFiltered) return empty
  return (
    <EmptyState
      title="Nothing matches"
      action={<Button onClick={address.clear}>Clear filters</Button>}
    >
      Try fewer or different words, or clear the filters.
    </EmptyState>
  )
}

const line = 'flex flex-wrap items-center gap-x-4 gap-y-1'

/**
 * The line above a list: the number of rows, or why they may be out of date. Always rendered, so
 * that nothing moves.
 */
function ListLine<Row>(props: Omit<Props<Row>, 'children'>) {
  const { address, list, leaving, end } = props
  const { data, error } = list
  const howMany = useHowMany(props)
  return (
    <div className={`${line} min-h-12 py-2`}>
      {/* on its own line on a phone, so that the count moves nothing when it arrives */}
      <p role="status" className="label min-h-6 shrink-0 grow-0 basis-full sm:basis-auto">
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
      <div className={`${line} ms-auto`}>
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

function PageLink({ link, text }: { link: ListLink | null; text: string }) {
  if (!link) {
    return (
      <span
        className="button button-quiet button-small pointer-events-none border-line text-dim"
        aria-hidden="true"
      >
        {text}
      </span>
    )
  }
  return (
    <Link {...link} className="button button-quiet button-small">
      {text}
    </Link>
  )
}

type PagerProps = {
  address: ListAddress
  /** The id of the last row shown, if more rows follow. */
  lastId: string | undefined
}

/** Links to the previous and the next page. Following one moves the focus to the heading. */
function ListPager({ address, lastId }: PagerProps) {
  const before = useRef(address.after)
  const pager = useRef<HTMLElement>(null)
  useEffect(() => {
    if (before.current === address.after) return
    before.current = address.after
    const focused = document.activeElement
    if (!focused || focused === document.body || pager.current?.contains(focused)) focusHeading()
  }, [address.after])
  if (!address.previous && !lastId) return null
  const leadsToFirst = address.pagesBefore === undefined
  return (
    <nav ref={pager} aria-label="Pages" className="flex justify-end gap-3 pt-5">
      <PageLink link={address.previous} text={leadsToFirst ? 'First page' : 'Previous'} />
      <PageLink link={lastId ? address.next(lastId) : null} text="Next" />
    </nav>
  )
}

/**
 * The frame of every list: heading, tools, row count, and the rows in each state (loading, failed,
 * empty, no match, loaded). Earlier rows stay while others load.
 */
export function ListFrame<Row extends { _id: string | number }>(props: Props<Row>) {
  const { title, address, list, leaving, actions } = props
  const { data, error, isFetching, isPlaceholderData } = list
  const id = useId()
  const isWrong = !data && error && !leaving && !isFetching
  return (
    <section aria-labelledby={id}>
      <div
        className={
          actions ? 'mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-5' : 'mb-5'
        }
      >
        <h1
          id={id}
          ref={props.headingRef}
          tabIndex={-1}
          className="text-4xl/[1.15] font-bold tracking-tight"
        >
          {title}
        </h1>
        {actions}
      </div>
      {props.tools}
      <div className="@container/list">
        <ListLine {...props} />
        {isWrong && <ErrorState message={error.message} onRetry={() => list.refetch()} />}
        {!data && !isWrong && <ListSkeleton />}
        {data?.rows.length === 0 && <Nothing address={address} empty={props.empty} />}
        {data && data.rows.length > 0 && (
          <div
            aria-busy={isPlaceholderData}
            // a fast response causes no flicker
            className="aria-busy:opacity-55 aria-busy:transition-opacity aria-busy:delay-200"
          >
            {props.children(data.rows)}
            <ListPager
              address={address}
              lastId={data.hasMore ? String(data.rows.at(-1)?._id) : undefined}
            />
          </div>
        )}
      </div>
    </section>
  )
}

type ListTableProps = {
  /** The table's caption, for screen readers. */
  caption: string
  /** The header cells. */
  head: ReactNode
  /** A class for rows with their own layout. */
  className?: string
  /** The rows. On narrow screens each row is a card with its own grid. */
  children: ReactNode
}

/** The rows of a list: a table, or cards on narrow screens. */
export function ListTable({ caption, head, className = '', children }: ListTableProps) {
  return (
    <table className={`list-table ${className}`}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

type SortProps = {
  address: ListAddress
  label: string
  /** The two values of `sort` in the URL; '' is the list's default order. */
  ascending: string
  descending: string
  /** The order that the first click selects. */
  first?: 'ascending' | 'descending'
  className?: string
}

/**
 * A column header that sorts by its column. It is a link, so Back undoes the sort and the URL can
 * be shared.
 */
export function SortHeader({ address, label, ascending, descending, first, className }: SortProps) {
  const sort = address.read('sort')
  const now = sort === ascending ? 'ascending' : sort === descending ? 'descending' : undefined
  const orders = { ascending, descending }
  const next =
    now === undefined ? (first ?? 'ascending') : now === 'ascending' ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={now} className={className}>
      <Link {...address.link({ sort: orders[next] })} preventScrollReset className="sort-link">
        {label}
        <span aria-hidden="true" className="sort-icon" data-sorted={now} />
      </Link>
    </th>
  )
}
