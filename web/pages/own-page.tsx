import type { PageHandle } from '#contracts/page-handle.ts'
import { pagePath } from '#contracts/shop.ts'
import type { OwnPage } from '#contracts/texts.ts'
import { ownSections } from '#web/content/own-text.tsx'
import { shownPages } from '#web/content/site-pages.ts'
import { TextArticle } from '#web/content/text-article.tsx'
import { useTextFacts } from '#web/content/use-text-facts.ts'
import { loadApi } from '#web/lib/loading/late-api.ts'
import { pageError } from '#web/lib/page-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { useShop } from '#web/lib/use-shop.ts'
import type { Route } from './+types/own-page'

export const handle: PageHandle = { pageForPath: true }

export const meta: Route.MetaFunction = ({ loaderData: page, matches: [root] }) =>
  pageMeta(root.loaderData?.shop, page?.title ?? '', page?.lead)

export async function loader({ context, params }: Route.LoaderArgs): Promise<OwnPage> {
  const { fetchApi } = context.get(shopContext)
  const answer = await fetchApi(`/api/page/${encodeURIComponent(params.address)}`)
  // what is no address is no page either
  if (answer.status === 400) throw new Response(null, { status: 404 })
  if (!answer.ok) throw await pageError(answer)
  return answer.json()
}

export async function clientLoader({ params }: Route.ClientLoaderArgs): Promise<OwnPage> {
  const { api } = await loadApi()
  return (await api.page[':address'].$get({ param: params })).json()
}

/** A page of the owner's own. */
export default function OwnPageScreen({ loaderData: page }: Route.ComponentProps) {
  const facts = useTextFacts()
  const shop = useShop()
  const { pages = [] } = shownPages(shop).find(({ group }) => group === page.group) ?? {}
  return (
    <TextArticle
      {...page}
      sections={ownSections(page.sections, facts)}
      path={pagePath(page.address)}
      siblings={pages}
    />
  )
}
