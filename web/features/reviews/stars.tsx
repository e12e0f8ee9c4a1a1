const points = [1, 2, 3, 4, 5]

/** Five stars, as many of them full as the rating has points, and the same in words. */
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
