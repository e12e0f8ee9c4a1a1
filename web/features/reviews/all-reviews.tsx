import { useQuery } from '@tanstack/react-query'
import type { Review } from '#contracts/reviews.ts'
import { reviewsQuery } from './queries.ts'
import { digest, summaryOf } from './review-digest.ts'
import { ReviewList } from './review-list.tsx'

/** Every review, newest first, on a page of its own. */
export function AllReviews({ initial }: { initial?: Review[] }) {
  const answer = useQuery({ ...reviewsQuery, initialData: initial })
  const { data } = answer
  return (
    <div className="column py-12 md:py-16">
      <h1 className="max-w-[18ch] text-5xl font-bold tracking-tight md:text-6xl">
        Valuable reviews of our clients
      </h1>
      <p className="label mt-5 mb-10 min-h-5 uppercase">{data && summaryOf(digest(data))}</p>
      <ReviewList reviews={data} answer={answer} />
    </div>
  )
}
