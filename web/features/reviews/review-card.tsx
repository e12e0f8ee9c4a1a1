import type { Review } from '#contracts/reviews.ts'

/** One star for each point of a rating, read out as "4 of 5 stars". */
function Stars({ ratings }: { ratings: number }) {
  return (
    <p role="img" aria-label={`${ratings} of 5 stars`} className="rating">
      {Array.from({ length: ratings }, (_, i) => (
        <span key={i} className="rating-star" />
      ))}
    </p>
  )
}

/** What one client wrote. */
export function ReviewCard({ review: { name, review, ratings } }: { review: Review }) {
  return (
    <li>
      <figure className="card review">
        <Stars ratings={ratings} />
        <blockquote className="review-text">{review}</blockquote>
        <figcaption className="review-name">{name}</figcaption>
      </figure>
    </li>
  )
}
