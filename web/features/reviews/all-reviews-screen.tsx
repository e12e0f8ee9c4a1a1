import { useQuery } from '@tanstack/react-query'
import { Link, redirect } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import { shopReviewStep } from '#contracts/reviews.ts'
import { titled } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/all-reviews-screen'
import { digest, readReviews, reviewsQuery, type ShopReviews, summaryOf } from './queries.ts'
import { ReviewList } from './review-list.tsx'

export const handle: PageHandle = { query: ['after'] }

export const meta = titled('Reviews', 'What our customers say, good and bad.')

type PageData = {
  shown: ShopReviews | undefined
  /** The review that those on the page follow; null on the page of the newest. */
  after: string | null
  /** Whether more may follow. */
  isFull: boolean
}

const afterIn = ({ url }: Request) => new URL(url).searchParams.get('after')

export async function loader({ context, request }: Route.LoaderArgs): Promise<PageData> {
  const after = afterIn(request)
  const shown = await readReviews(context.get(shopContext).fetchApi, after)
  if (after && !shown) throw redirect('/reviews')
  return { shown, after, isFull: shown?.reviews.length === shopReviewStep }
}

export async function clientLoader({
  request,
  serverLoader,
}: Route.ClientLoaderArgs): Promise<PageData> {
  if (afterIn(request)) return serverLoader()
  const shown = browserQueryClient().getQueryData(reviewsQuery.queryKey)
  return { shown, after: null, isFull: false }
}

/** The page of all reviews, newest first. */
export default function AllReviewsScreen({ loaderData }: Route.ComponentProps) {
  const { shown, after, isFull } = loaderData
  const query = useQuery({
    ...reviewsQuery,
    initialData: after ? undefined : shown,
    enabled: after === null,
  })
  const data = after ? shown : query.data
  const summary = data && digest(data)
  const hasOlder = after ? isFull : summary && summary.count > (data?.reviews.length ?? 0)
  const last = hasOlder ? data?.reviews.at(-1) : undefined
  return (
    <div className="column py-12 md:py-16">
      <h1 className="max-w-[18ch] text-4xl font-bold tracking-tight md:text-5xl">
        Valuable reviews of our clients
      </h1>
      <p className="label mt-5 mb-10 min-h-5 uppercase">{summary && summaryOf(summary)}</p>
      <ReviewList reviews={data?.reviews} answer={query} />
      <p className="mt-8 flex flex-wrap gap-x-5">
        {after && (
          <Link to="/reviews" className="link inline-flex min-h-11 items-center">
            Back to the newest
          </Link>
        )}
        {last && (
          <Link
            to={`?after=${last._id}`}
            rel="nofollow"
            className="link inline-flex min-h-11 items-center"
          >
            Older reviews
          </Link>
        )}
      </p>
    </div>
  )
}
