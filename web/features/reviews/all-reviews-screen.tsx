import { useQuery } from '@tanstack/react-query'
import type { Review } from '#contracts/reviews.ts'
import { titled } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/all-reviews-screen'
import { digest, reviewsQuery, summaryOf } from './queries.ts'
import { ReviewList } from './review-list.tsx'

export const meta = titled('Reviews', 'What clients of this shop wrote, good and bad.')

export async function loader({ context }: Route.LoaderArgs): Promise<{ reviews?: Review[] }> {
  const response = await context.get(shopContext).fetchApi('/api/review')
  return { reviews: response.ok ? await response.json() : undefined }
}

export function clientLoader(): { reviews?: Review[] } {
  return { reviews: browserQueryClient().getQueryData(reviewsQuery.queryKey) }
}

/** The page of all reviews, newest first. */
export default function AllReviewsScreen({ loaderData }: Route.ComponentProps) {
  const query = useQuery({ ...reviewsQuery, initialData: loaderData.reviews })
  const { data } = query
  return (
    <div className="column py-12 md:py-16">
      <h1 className="max-w-[18ch] text-5xl font-bold tracking-tight md:text-6xl">
        Valuable reviews of our clients
      </h1>
      <p className="label mt-5 mb-10 min-h-5 uppercase">{data && summaryOf(digest(data))}</p>
      <ReviewList reviews={data} answer={query} />
    </div>
  )
}
