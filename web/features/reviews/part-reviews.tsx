import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { meanOf } from '#contracts/catalogue.ts'
import { counted } from '#contracts/counted.ts'
import type { PartOnSale } from '#contracts/part-pages.ts'
import type { PartReviews as Reviews } from '#contracts/reviews.ts'
import { useSession } from '#web/lib/session/session.ts'
import { ownReviewsQuery } from './queries.ts'
import { ReviewCard } from './review-list.tsx'

type BarsProps = { stars: number[]; chosen: number | undefined }

/** The number of reviews for each rating. Each bar links to the reviews with that rating. */
function Bars({ stars, chosen }: BarsProps) {
  const max = Math.max(...stars, 1)
  return (
    <ul className="max-w-md" aria-label="Reviews by stars">
      {[5, 4, 3, 2, 1].map((star) => {
        const count = stars[star - 1] ?? 0
        return (
          <li key={star}>
            <Link
              to={star === chosen ? '?' : `?stars=${star}`}
              rel="nofollow"
              preventScrollReset
              aria-current={star === chosen ? 'true' : undefined}
              className="flex min-h-11 items-center gap-3 font-mono text-sm hover:text-copper aria-[current]:text-copper"
            >
              <span className="w-18">{counted(star, 'star')}</span>
              <progress aria-hidden="true" max={max} value={count} className="review-bar" />
              <span className="w-10 text-right tabular-nums">
                {count}
                <span className="sr-only">{count === 1 ? ' review' : ' reviews'}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** A link to review the part, or to change the user's review of it. */
function ReviewLink({ part }: { part: PartOnSale }) {
  const { user } = useSession()
  const { data: own } = useQuery({
    ...ownReviewsQuery(user?.email ?? ''),
    enabled: user !== null,
  })
  const isReviewed = own?.some((review) => review.part?._id === part._id)
  return (
    <p className="mt-4">
      <Link
        to={`/dashboard/addReview?part=${part.number}`}
        className="link inline-flex min-h-11 items-center"
      >
        {isReviewed ? 'You’ve reviewed this. Edit your review' : 'Bought it here? Write a review'}
      </Link>
    </p>
  )
}

type Props = {
  part: PartOnSale
  reviews: Reviews
  /** The rating that filters the list. */
  chosen: number | undefined
  isLater: boolean
}

/** The reviews of a part. */
export function PartReviews({ part, reviews: { stars, reviews, next }, chosen, isLater }: Props) {
  const filter = chosen ? `stars=${chosen}&` : ''
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="part-section">
      <h2 id="reviews-title" className="text-2xl font-semibold tracking-tight">
        Reviews by buyers
      </h2>
      <div className="min-w-0">
        {part.ratingCount === 0 ? (
          <p>No reviews yet.</p>
        ) : (
          <>
            <p className="mb-2 font-semibold">
              {`${meanOf(part)} of 5 stars · ${counted(part.ratingCount, 'review')}`}
            </p>
            <Bars stars={stars} chosen={chosen} />
            <p role="status" className="my-3 min-h-6 text-dim">
              {chosen && (
                <>
                  Only reviews with {counted(chosen, 'star')}.{' '}
                  <Link to="?" preventScrollReset className="link">
                    Show all
                  </Link>
                </>
              )}
            </p>
            <ul className="review-grid">
              {reviews.map((review) => (
                <ReviewCard key={review._id} review={review} />
              ))}
            </ul>
            <p className="mt-4 flex flex-wrap gap-x-5">
              {isLater && (
                <Link
                  to={`?${filter}`.slice(0, -1) || '?'}
                  preventScrollReset
                  className="link inline-flex min-h-11 items-center"
                >
                  Back to the newest
                </Link>
              )}
              {next && (
                <Link
                  to={`?${filter}after=${next}`}
                  rel="nofollow"
                  preventScrollReset
                  className="link inline-flex min-h-11 items-center"
                >
                  Show older reviews
                </Link>
              )}
            </p>
          </>
        )}
        <ReviewLink part={part} />
      </div>
    </section>
  )
}
