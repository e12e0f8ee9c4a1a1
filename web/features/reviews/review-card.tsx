import type { Review } from '#contracts/reviews.ts'
import { utcDay } from '#web/lib/moments.ts'
import { Stars } from './stars.tsx'

/** What one client wrote, when, and whether they bought here. */
export function ReviewCard({ review }: { review: Review }) {
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
