import { data, redirect, useSearchParams } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { PartPage } from '#contracts/part-pages.ts'
import type { PartReviews as Reviews } from '#contracts/reviews.ts'
import { NotFound } from '#web/components/error-page.tsx'
import { partMeta } from '#web/features/catalogue/part-facts.ts'
import { GonePart, PartScreen } from '#web/features/catalogue/part-screen.tsx'
import { WaitLink } from '#web/features/queue/wait-link.tsx'
import { PartReviews } from '#web/features/reviews/part-reviews.tsx'
import { isRefusal } from '#web/lib/api-error.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/part'

export const handle: PageHandle = { pageForPath: true, ownFacts: true, query: ['stars', 'after'] }

const anId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * The number at the start of the URL's last segment, or an id in its place: some ids begin like a
 * number.
 */
const partIn = (address: string): string | undefined =>
  anId.test(address) ? address : /^([1-9]\d{0,8})(?![^-])/.exec(address)?.[1]

type Loaded = { part: PartPage | null; reviews?: Reviews }

const noReviews: Reviews = { stars: [0, 0, 0, 0, 0], reviews: [], next: null }

const reviewQueries = { stars: /^[1-5]$/, after: anId }

/**
 * The review filter in the URL. It ignores invalid values itself: the API's schema would add 50 kB
 * to the page.
 */
function reviewFilter(url: string): Record<string, string> {
  const { searchParams } = new URL(url)
  const params = Object.entries(reviewQueries).flatMap(([name, pattern]) => {
    const value = searchParams.get(name) ?? ''
    return pattern.test(value) ? [[name, value]] : []
  })
  return Object.fromEntries(params)
}

export const meta: Route.MetaFunction = ({ matches: [root], loaderData, location }) => {
  const part = loaderData?.part
  const shop = root.loaderData?.shop
  if (part?.isOnSale && shop)
    return partMeta(part, shop, loaderData?.reviews?.reviews ?? [], location.search !== '')
  const title = part ? `${part.name} is no longer sold` : messages.notFound
  return [...pageMeta(shop, title), { name: 'robots', content: 'noindex' }]
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const partNumber = partIn(params.address)
  if (!partNumber) return data<Loaded>({ part: null }, { status: 404 })
  const query = new URLSearchParams(reviewFilter(request.url))
  const [answer, written] = await Promise.all([
    fetchApi(`/api/parts/${partNumber}`),
    fetchApi(`/api/parts/${partNumber}/reviews?${query}`),
  ])
  if (answer.status >= 500) throw await pageError(answer)
  if (!answer.ok) return data<Loaded>({ part: null }, { status: 404 })
  const part: PartPage = await answer.json()
  const { pathname, search } = new URL(request.url)
  if (pathname !== partPath(part)) throw redirect(partPath(part) + search, 301)
  if (!part.isOnSale) return data<Loaded>({ part }, { status: 410 })
  return data<Loaded>({ part, ...(written.ok && { reviews: await written.json() }) })
}

export async function clientLoader({ params, request }: Route.ClientLoaderArgs): Promise<Loaded> {
  const partNumber = partIn(params.address)
  if (!partNumber) return { part: null }
  const { api } = await loadApi()
  const param = { part: partNumber }
  try {
    const [part, reviews] = await Promise.all([
      api.parts[':part'].$get({ param }),
      api.parts[':part'].reviews.$get({ param, query: reviewFilter(request.url) }),
    ])
    const found = await part.json()
    // an id in the place of the number
    const { pathname, search } = new URL(request.url)
    if (pathname !== partPath(found)) throw redirect(partPath(found) + search)
    return { part: found, reviews: await reviews.json() }
  } catch (error) {
    if (isRefusal(error)) return { part: null }
    throw error
  }
}

/** The public page of a part. */
export default function PartOfShop({ loaderData: { part, reviews } }: Route.ComponentProps) {
  const [params] = useSearchParams()
  if (!part) return <NotFound />
  if (!part.isOnSale) return <GonePart part={part} />
  const chosen = Number(params.get('stars')) || undefined
  return (
    <PartScreen
      key={part._id}
      part={part}
      wait={<WaitLink part={part} />}
      waitBar={<WaitLink part={part} inBar />}
      reviews={
        <PartReviews
          part={part}
          reviews={reviews ?? noReviews}
          chosen={chosen}
          isLater={params.has('after')}
        />
      }
    />
  )
}
