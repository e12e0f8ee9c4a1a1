import type { Review } from '#contracts/reviews.ts'
import { EmptyState, ErrorState, Skeleton } from '#web/components/states.tsx'
import { utcDay } from '#web/lib/moments.ts'

/** A customer's review, its date, and whether they bought here. */
export function ReviewCard({ review }: { review: Omit<Review, 'email'> }) {
  const { name, review: text, ratings, boughtHere, createdAt, editedAt } = review
  return (
    <li>
      <figure className="card review">
        <Stars ratings={ratings} />
        <blockquote className="review-text">{text}</blockquote>
        <figcaption className="review-author">
          <span className="review-name">{name}</span>
          {boughtHere && <span className="review-bought">Bought here</span>}
          <span className="review-date">
            <time dateTime={createdAt}>{utcDay(createdAt)}</time>
            {editedAt && ', edited'}
          </span>
        </figcaption>
      </figure>
    </li>
  )
}

type Answer = {
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/** Reviews as cards, or why there are none. */
export function ReviewList({ reviews, answer }: { reviews?: Review[]; answer: Answer }) {
  const { error, isFetching, refetch } = answer
  if (!reviews && error) {
    return (
      <ErrorState message={error.message} retrying={isFetching} onRetry={() => void refetch()} />
    )
  }
  if (!reviews) {
    return (
      <div className="review-grid" aria-busy="true">
        {['one', 'two', 'three'].map((key) => (
          <Skeleton key={key} className="h-56" />
        ))}
      </div>
    )
  }
  if (reviews.length === 0) {
    return <EmptyState title="No reviews yet">Yours could be the first.</EmptyState>
  }
  return (
    <ul className="review-grid">
      {reviews.map((review) => (
        <ReviewCard key={review._id} review={review} />
      ))}
    </ul>
  )
}

const points = [1, 2, 3, 4, 5]

/** Five stars, filled up to the rating, with the rating as text for screen readers. */
export function Stars({ ratings }: { ratings: number }) {
  return (
    <p className="rating">
      <span role="img" aria-label={`${ratings} of 5 stars`} className="rating-stars">
        {points.map((point) => (
          <span key={point} className="rating-star" data-full={point <= ratings || undefined} />
        ))}
      </span>
      <span aria-hidden="true" className="label">
        {ratings} of 5
      </span>
    </p>
  )
}
