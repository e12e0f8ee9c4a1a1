import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router'
import { digest, type ReviewDigest, reviewStep, reviewsQuery, summaryOf } from './queries.ts'
import { ReviewList } from './review-list.tsx'

type MoreProps = {
  /** Whether a wide screen shows all: then only a phone has more. */
  isAll: boolean
  shownCount: number
  count: number
  state: string
  /** Null when the others are only on the page of all reviews. */
  onMore: (() => void) | null
}

/** A real link to all reviews; with scripts it shows the next few of the newest in place. */
function More({ isAll, shownCount, count, state, onMore }: MoreProps) {
  const more = (event: MouseEvent) => {
    if (!onMore) return
    event.preventDefault()
    onMore()
  }
  return (
    <div className="reviews-more" data-all={isAll || undefined}>
      <p role="status" className="label">
        {state || `${shownCount} of ${count} shown`}
      </p>
      {(shownCount < count || isAll) && (
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
  // on a phone the first three
  const [isFolded, setFolded] = useState(true)
  const answer = useQuery({ ...reviewsQuery, enabled: !initial || maxCount > reviewStep })
  const { data, error, isFetching, refetch } = answer
  const reviewDigest = data ? digest(data) : initial
  const shownReviews = (data?.reviews ?? initial?.newest)?.slice(0, maxCount)
  const isAtEnd = data !== undefined && maxCount >= data.reviews.length
  const isAll = reviewDigest !== undefined && reviewDigest.count <= reviewStep
  function showMore() {
    setFolded(false)
    if (isFolded && matchMedia('(width < 44rem)').matches) return
    if (error) void refetch()
    else setMaxCount((now) => now + reviewStep)
  }
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="column pt-12 md:pt-20">
      <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="reviews-title" className="section-title">
          Valuable reviews of our clients
        </h2>
        <p className="label min-h-5 uppercase">{reviewDigest && summaryOf(reviewDigest)}</p>
      </div>
      <div className={isFolded ? 'reviews-folded' : undefined}>
        <ReviewList reviews={shownReviews} answer={answer} />
        {reviewDigest && shownReviews && (!isAll || isFolded) && reviewDigest.count > 3 && (
          <More
            isAll={isAll}
            shownCount={shownReviews.length}
            count={reviewDigest.count}
            state={isFetching ? 'loading' : (error?.message ?? '')}
            onMore={isAtEnd && !isFolded ? null : showMore}
          />
        )}
      </div>
    </section>
  )
}
