import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { OwnReviews } from './own-reviews.tsx'
import { ReviewForm } from './review-form.tsx'
import type { Reviewer } from './use-add-review.ts'

type Props = { reviewer: Reviewer; confirmation: ReactNode }

/** Add a review: what a customer thinks of the shop, for the home page; and what they wrote before. */
export function AddReviewScreen({ reviewer, confirmation }: Props) {
  const [added, setAdded] = useState(false)
  return (
    <>
      <section aria-labelledby="add-review">
        <h1 id="add-review" tabIndex={-1} className="text-4xl font-bold tracking-tight">
          Add a review
        </h1>
        <p className="mt-2 mb-6 max-w-[60ch] text-pretty text-dim">
          Your name, stars and words appear on the home page, with ‘Bought here’ if you did. Your
          email does not.
        </p>
        <div className="card max-w-3xl p-6 sm:p-8">
          <ReviewForm
            reviewer={reviewer}
            confirmation={confirmation}
            onAdded={() => setAdded(true)}
          />
          <p role="status" className="pt-3 text-sm empty:pt-0">
            {added && (
              <>
                Your review is on the home page now.{' '}
                <Link to="/#reviews" className="link">
                  See the reviews
                </Link>
              </>
            )}
          </p>
        </div>
      </section>
      <OwnReviews email={reviewer.email} />
    </>
  )
}
