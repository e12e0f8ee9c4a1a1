import { useSearchParams } from 'react-router'
import { AddReviewScreen } from '#web/features/reviews/add-review-screen.tsx'
import { ResendVerification } from '#web/features/users/mailed-links.tsx'
import { titled } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session/session.ts'

export const meta = titled('Add a review')

export default function AddReview() {
  const { user } = useSession()
  const [params] = useSearchParams()
  const number = params.get('part') || undefined
  return (
    user && (
      <AddReviewScreen
        key={`${user.email} ${number}`}
        reviewer={user}
        number={number}
        verification={<ResendVerification />}
      />
    )
  )
}
