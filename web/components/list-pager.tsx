import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { ListAddress, ListLink } from '#web/lib/use-list-address.ts'

type Props = {
  address: ListAddress
  /** The id of the last row shown, when more follow. */
  lastId: string | undefined
}

function PageLink({ link, words }: { link: ListLink | null; words: string }) {
  if (!link) {
    return (
      <span className="button button-quiet button-small" aria-hidden="true" data-off="">
        {words}
      </span>
    )
  }
  return (
    <Link {...link} className="button button-quiet button-small">
      {words}
    </Link>
  )
}

/** The ways to the page before and the next one. After a turn, reading goes on at the heading of the list. */
export function ListPager({ address, lastId }: Props) {
  const before = useRef(address.after)
  useEffect(() => {
    if (before.current === address.after) return
    before.current = address.after
    const focused = document.activeElement
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!focused || focused === document.body || focused.closest('.list-pager'))
      heading?.focus({ preventScroll: true })
  }, [address.after])
  if (!address.previous && !lastId) return null
  const leadsToFirst = address.pagesBefore === undefined
  return (
    <nav aria-label="Pages" className="list-pager">
      <PageLink link={address.previous} words={leadsToFirst ? 'First page' : 'Previous'} />
      <PageLink link={lastId ? address.next(lastId) : null} words="Next" />
    </nav>
  )
}
