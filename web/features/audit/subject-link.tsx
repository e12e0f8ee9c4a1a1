import { Link } from 'react-router'
import { subjectOf } from '#contracts/audit.ts'

const kinds = { order: 'Order', part: 'Part', user: 'User', review: 'Review by' } as const

function pageOf(about: string): string | null {
  const subject = subjectOf(about)
  if (subject?.type === 'order') return `/dashboard/order/${subject.key}`
  if (subject?.type === 'part') return `/dashboard/products/${subject.key}`
  if (subject?.type === 'review') return `/dashboard/manageReviews?q=${subject.key}`
  return subject && `/dashboard/users?q=${encodeURIComponent(subject.key)}`
}

/** What an action concerned: its type and name, leading to where it is looked after. */
export function SubjectLink({ about, name }: { about: string; name: string }) {
  const type = subjectOf(about)?.type
  const page = pageOf(about)
  return (
    <>
      {type && <span className="text-dim">{kinds[type]} </span>}
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
