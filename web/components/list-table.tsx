import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ListAddress } from '#web/lib/use-list-address.ts'

type Props = {
  /** What the table lists, for screen readers. */
  caption: string
  /** The cells of the head. */
  head: ReactNode
  /** A class for rows that are laid out as no other list's. */
  className?: string
  /** The rows. Where there is little room each is a card, whose grid is the row's own. */
  children: ReactNode
}

/** The rows of a list: a table, or cards where there is no room for columns. */
export function ListTable({ caption, head, className = '', children }: Props) {
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
  /** The two values of `sort` in the address; '' for the order that a list has by itself. */
  ascending: string
  descending: string
  /** Which of them the first click gives. */
  first?: 'ascending' | 'descending'
  className?: string
}

/** A column's name that sorts by it: a link, so that Back undoes it and it can be shared. */
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
