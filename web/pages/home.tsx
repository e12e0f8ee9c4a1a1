import { lazy, Suspense, useEffect } from 'react'
import { data } from 'react-router'
import type { BestSellingPart, Part } from '#contracts/parts.ts'
import type { Review } from '#contracts/reviews.ts'
import { Banner, loadLaterSlides } from '#web/features/parts/banner.tsx'
import { PartGrid } from '#web/features/parts/part-grid.tsx'
import { bestSellerQuery, partsQuery } from '#web/features/parts/queries.ts'
import { digest, type ReviewDigest, reviewsQuery } from '#web/features/reviews/queries.ts'
import { errorFrom } from '#web/lib/api-error.ts'
import { withTimeout } from '#web/lib/load-script.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { structuredData } from '#web/lib/structured-data.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/home'

// The server renders it with the page; its script loads after that of the upper half.
const loadLowerHalf = withTimeout(() => import('./home-lower-half.tsx'))
const LowerHalf = lazy(loadLowerHalf)

// what the document came with: a visitor who comes back to this page sees it until the browser has asked again
let sentReviews: ReviewDigest | undefined

type HomeData = { parts?: Part[]; bestSeller?: string | null; reviews?: ReviewDigest }

export const meta: Route.MetaFunction = ({ matches: [root], loaderData }) => [
  {
    'script:ld+json': structuredData(
      root.loaderData?.shop.publicUrl ?? '',
      loaderData?.parts ?? [],
      loaderData?.reviews,
    ),
  },
  ...pageMeta(
    'Computer parts that stay honest',
    'Graphics cards, processors, boards and more, with honest stock. Book a part and it is held for you while you pay.',
  ),
]

/** Without parts there is no shop; without reviews there is, and the browser asks for them again. */
export async function loader({ context }: Route.LoaderArgs): Promise<HomeData> {
  const { fetchApi } = context.get(shopContext)
  const [parts, best, reviews] = await Promise.all([
    fetchApi('/api/part'),
    fetchApi('/api/bestSeller'),
    fetchApi('/api/review'),
  ])
  if (!parts.ok) {
    const { message, requestId } = await errorFrom(parts)
    throw data({ message, requestId }, { status: parts.status })
  }
  const written: Review[] | undefined = reviews.ok ? await reviews.json() : undefined
  return {
    parts: await parts.json(),
    ...(best.ok && { bestSeller: ((await best.json()) as BestSellingPart)._id }),
    reviews: written && digest(written),
  }
}

/** In the browser the page shows what is known at once, while it asks anew: stock moves with every booking. */
export async function clientLoader(): Promise<HomeData> {
  const client = browserQueryClient()
  void client.invalidateQueries({ queryKey: partsQuery.queryKey })
  void client.prefetchQuery(reviewsQuery)
  await Promise.all([loadLaterSlides(), loadLowerHalf()])
  return {
    parts: client.getQueryData(partsQuery.queryKey),
    bestSeller: client.getQueryData(bestSellerQuery.queryKey),
    reviews: sentReviews,
  }
}

export default function Home({ loaderData: { parts, bestSeller, reviews } }: Route.ComponentProps) {
  const { holdMinutes } = useShop()
  useEffect(() => {
    sentReviews = reviews
  }, [reviews])
  return (
    <>
      <Banner initial={parts} holdMinutes={holdMinutes} />
      <PartGrid initial={parts} />
      <Suspense>
        <LowerHalf parts={parts} bestSeller={bestSeller} reviews={reviews} />
      </Suspense>
    </>
  )
}
