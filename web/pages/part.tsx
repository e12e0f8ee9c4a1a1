import { data, redirect } from 'react-router'
import { messages } from '#contracts/messages.ts'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { PartPage } from '#contracts/part-pages.ts'
import { NotFound } from '#web/components/error-page.tsx'
import { partMeta } from '#web/features/parts/part-facts.ts'
import { GonePart, PartScreen } from '#web/features/parts/part-screen.tsx'
import { ApiError, errorFrom } from '#web/lib/api-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/part'

export const handle: PageHandle = { pageForPath: true, ownFacts: true }

/** The number before the words of the address, or an id that was typed in its place. */
const partIn = (address: string): string | undefined =>
  /^([1-9]\d{0,8})(?![^-])/.exec(address)?.[1] ?? /^[0-9a-f-]{36}$/i.exec(address)?.[0]

type Loaded = { part: PartPage | null }

export const meta: Route.MetaFunction = ({ matches: [root], loaderData }) => {
  const part = loaderData?.part
  const publicUrl = root.loaderData?.shop.publicUrl ?? ''
  if (part?.isOnSale) return partMeta(part, publicUrl, [], false)
  const title = part ? `${part.name} is no longer sold` : messages.notFound
  return [...pageMeta(title), { name: 'robots', content: 'noindex' }]
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { fetchApi } = context.get(shopContext)
  const wanted = partIn(params.address)
  const answer = wanted ? await fetchApi(`/api/parts/${wanted}`) : undefined
  if (answer && !answer.ok && answer.status >= 500) {
    const { message, requestId } = await errorFrom(answer)
    throw data({ message, requestId }, { status: answer.status })
  }
  if (!answer?.ok) return data<Loaded>({ part: null }, { status: 404 })
  const part: PartPage = await answer.json()
  const { pathname, search } = new URL(request.url)
  if (pathname !== partPath(part)) throw redirect(partPath(part) + search, 301)
  return data<Loaded>({ part }, { status: part.isOnSale ? 200 : 410 })
}

export async function clientLoader({ params }: Route.ClientLoaderArgs): Promise<Loaded> {
  const wanted = partIn(params.address)
  if (!wanted) return { part: null }
  const { api } = await import('#web/lib/api.ts')
  try {
    return { part: await (await api.parts[':part'].$get({ param: { part: wanted } })).json() }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { part: null }
    throw error
  }
}

/** The page of a part, for everybody. */
export default function PartOfShop({ loaderData: { part } }: Route.ComponentProps) {
  if (!part) return <NotFound />
  if (!part.isOnSale) return <GonePart part={part} />
  return <PartScreen key={part._id} part={part} reviews={null} />
}
