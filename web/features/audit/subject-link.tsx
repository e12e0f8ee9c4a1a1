import { Link } from 'react-router'
import { subjectOf } from '#contracts/audit.ts'

const kinds = { order: 'Order', part: 'Part', user: 'User', review: 'Review by' } as const

function pageOf(about: string): string | null {
  const subject = subjectOf(about)
  if (subject?.kind === 'order') return `/dashboard/order/${subject.key}`
  if (subject?.kind === 'part') return `/dashboard/products/${subject.key}`
  if (subject?.kind === 'review') return `/dashboard/manageReviews?q=${subject.key}`
  return subject && `/dashboard/users?q=${encodeURIComponent(subject.key)}`
}

/** What a deed was about: its kind and name, leading to where it is looked after. */
export function SubjectLink({ about, name }: { about: string; name: string }) {
  const kind = subjectOf(about)?.kind
  const page = pageOf(about)
  return (
    <>
      {kind && <span className="text-dim">{kinds[kind]} </span>}
      {page ? (
        <Link to={page} className="row-link">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  )
}
