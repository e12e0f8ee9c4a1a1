import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router'
import { digest, type ReviewDigest, reviewStep, reviewsQuery, summaryOf } from './queries.ts'
import { ReviewList } from './review-list.tsx'

type MoreProps = {
  shownCount: number
  count: number
  state: string
  /** Null when the others are only on the page of all reviews. */
  onMore: (() => void) | null
}

/** A real link to all reviews; with scripts it shows the next few of the newest in place. */
function More({ shownCount, count, state, onMore }: MoreProps) {
  const more = (event: MouseEvent) => {
    if (!onMore) return
    event.preventDefault()
    onMore()
  }
  return (
    <div className="mt-8 flex min-h-11 flex-wrap items-center justify-center gap-x-5 gap-y-3">
      <p role="status" className="label">
        {state || `${shownCount} of ${count} shown`}
      </p>
      {shownCount < count && (
        <Link to="/reviews" className="button button-quiet" onClick={more}>
          Show more
        </Link>
      )}
    </div>
  )
}

/**
 * 'Valuable reviews of our clients', newest first; shows the `initial` ones until more are
 * requested.
 */
export function ReviewSection({ initial }: { initial?: ReviewDigest }) {
  const [maxCount, setMaxCount] = useState(reviewStep)
  const answer = useQuery({ ...reviewsQuery, enabled: !initial || maxCount > reviewStep })
  const { data, error, isFetching, refetch } = answer
  const reviewDigest = data ? digest(data) : initial
  const shownReviews = (data?.reviews ?? initial?.newest)?.slice(0, maxCount)
  const isAtEnd = data !== undefined && maxCount >= data.reviews.length
  const showMore = () => (error ? void refetch() : setMaxCount((now) => now + reviewStep))
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="column pt-20 md:pt-28">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2
          id="reviews-title"
          className="max-w-[18ch] text-4xl font-bold tracking-tight md:text-5xl"
        >
          Valuable reviews of our clients
        </h2>
        <p className="label min-h-5 uppercase">{reviewDigest && summaryOf(reviewDigest)}</p>
      </div>
      <ReviewList reviews={shownReviews} answer={answer} />
      {reviewDigest && shownReviews && reviewDigest.count > reviewStep && (
        <More
          shownCount={shownReviews.length}
          count={reviewDigest.count}
          state={isFetching ? 'loading' : (error?.message ?? '')}
          onMore={isAtEnd ? null : showMore}
        />
      )}
    </section>
  )
}
