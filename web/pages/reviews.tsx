import type { Review } from '#contracts/reviews.ts'
import { AllReviews } from '#web/features/reviews/all-reviews.tsx'
import { reviewsQuery } from '#web/features/reviews/queries.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/reviews'

export const meta = () => pageMeta('Reviews', 'What clients of this shop wrote, good and bad.')

export async function loader({ context }: Route.LoaderArgs): Promise<{ reviews?: Review[] }> {
  const response = await context.get(shopContext).fetchApi('/api/review')
  return { reviews: response.ok ? await response.json() : undefined }
}

export function clientLoader(): { reviews?: Review[] } {
  return { reviews: browserQueryClient().getQueryData(reviewsQuery.queryKey) }
}

export default function ReviewsPage({ loaderData }: Route.ComponentProps) {
  return <AllReviews initial={loaderData.reviews} />
}
