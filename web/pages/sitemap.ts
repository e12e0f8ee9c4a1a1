import { data } from 'react-router'
import type { PageHandle } from '#contracts/page-handle.ts'
import { partPath } from '#contracts/part-address.ts'
import type { PartList } from '#contracts/part-lists.ts'
import type { PartAddresses } from '#contracts/part-pages.ts'
import { pageAddresses, sitemap, sitemapIndex } from '#web/content/site-pages.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/sitemap'

export const handle: PageHandle = { pageForPath: true }

const xml = (body: string) =>
  new Response(body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })

/**
 * /sitemap.xml lists the files under /sitemaps/: one for pages, and one for every ten thousand
 * parts.
 */
export async function loader({ context, params: { file } }: Route.LoaderArgs) {
  const { fetchApi, shop } = context.get(shopContext)
  const addresses = async (page: number): Promise<PartAddresses> => {
    const answer = await fetchApi(`/api/sitemap?page=${page}`)
    if (!answer.ok) throw data(null, { status: answer.status })
    return answer.json()
  }
  if (file === undefined) return xml(sitemapIndex(shop.publicUrl, (await addresses(1)).pages))
  if (file === 'pages.xml') {
    const answer = await fetchApi('/api/parts?limit=1')
    if (!answer.ok) throw data(null, { status: answer.status })
    const { kinds }: PartList = await answer.json()
    return xml(
      sitemap(
        shop.publicUrl,
        pageAddresses(
          kinds.map(({ slug }) => slug),
          shop,
        ),
      ),
    )
  }
  const [, page] = /^parts-([1-9]\d{0,3})\.xml$/.exec(file) ?? []
  if (!page) return new Response('There is no such sitemap', { status: 404 })
  const { parts, pages } = await addresses(Number(page))
  if (Number(page) > pages) return new Response('There is no such sitemap', { status: 404 })
  return xml(
    sitemap(
      shop.publicUrl,
      parts.map((part) => ({ path: partPath(part), changedAt: part.changedAt })),
    ),
  )
}
