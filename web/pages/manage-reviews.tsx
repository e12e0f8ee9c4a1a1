import { ManageReviewsScreen } from '#web/features/reviews/manage-reviews-screen.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import '#web/styles/admin-reviews.css'

export const meta = () => pageMeta('Manage all reviews')

export default function ManageReviews() {
  return <ManageReviewsScreen />
}
