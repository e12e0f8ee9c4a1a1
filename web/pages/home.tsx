import { lazy, Suspense, useEffect } from 'react'
import type { HomeParts } from '#contracts/part-lists.ts'
import { type PageFacts, sampleName } from '#contracts/shop.ts'
import { homePartsQuery } from '#web/features/catalogue/queries.ts'
import { Banner, loadLaterSlides } from '#web/features/home/banner.tsx'
import { PartGrid } from '#web/features/home/part-grid.tsx'
import {
  digest,
  type ReviewDigest,
  readReviews,
  reviewsQuery,
} from '#web/features/reviews/queries.ts'
import { withTimeout } from '#web/lib/loading/load-script.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { structuredData } from '#web/lib/structured-data.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/home'

// Rendered by the server with the page; its script loads after that of the upper half.
const loadLowerHalf = withTimeout(() => import('./home-lower-half.tsx'))
const LowerHalf = lazy(loadLowerHalf)

// the reviews sent with the document: shown to a visitor who returns to this page until the browser
// has refetched
let sentReviews: ReviewDigest | undefined

type HomeData = { homeParts?: HomeParts; reviews?: ReviewDigest }

/** The sample's own, or the first sentence of what the owner says; 'St.' ends none. */
const titleOf = (facts: PageFacts | undefined) =>
  !facts || facts.name === sampleName
    ? 'Computer parts that stay honest'
    : (facts.slogan.split(/(?<!\b\p{L}{1,2})[.!?](?:\s|$)/u)[0] ?? '')

export const meta: Route.MetaFunction = ({ matches: [root], loaderData }) => [
  {
    'script:ld+json': structuredData(
      root.loaderData?.shop,
      loaderData?.homeParts?.parts ?? [],
      loaderData?.reviews,
    ),
  },
  ...pageMeta(
    root.loaderData?.shop,
    titleOf(root.loaderData?.shop.facts),
    'Graphics cards, processors, boards and more, with honest stock. Book a part and it is held for you while you pay.',
  ),
]

/** The page fails without parts but not without reviews, which the browser then requests again. */
export async function loader({ context }: Route.LoaderArgs): Promise<HomeData> {
  const { fetchApi } = context.get(shopContext)
  const [homeParts, written] = await Promise.all([
    fetchApi('/api/home-parts'),
    readReviews(fetchApi),
  ])
  if (!homeParts.ok) throw await pageError(homeParts)
  return {
    homeParts: await homeParts.json(),
    reviews: written && digest(written),
  }
}

/**
 * In the browser the page shows cached data at once and refetches it: stock changes with every
 * booking.
 */
export async function clientLoader(): Promise<HomeData> {
  const client = browserQueryClient()
  void client.invalidateQueries({ queryKey: homePartsQuery.queryKey })
  void client.prefetchQuery(reviewsQuery)
  await Promise.all([loadLaterSlides(), loadLowerHalf()])
  return {
    homeParts: client.getQueryData(homePartsQuery.queryKey),
    reviews: sentReviews,
  }
}

export default function Home({ loaderData: { homeParts, reviews } }: Route.ComponentProps) {
  const { holdMinutes } = useShop()
  useEffect(() => {
    sentReviews = reviews
  }, [reviews])
  return (
    <>
      <Banner initial={homeParts} holdMinutes={holdMinutes} />
      <PartGrid initial={homeParts} />
      <Suspense>
        <LowerHalf homeParts={homeParts} reviews={reviews} />
      </Suspense>
    </>
  )
}
