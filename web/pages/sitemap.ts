import { sitemap } from '#web/content/site-pages.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/sitemap'

export function loader({ context }: Route.LoaderArgs) {
  return new Response(sitemap(context.get(shopContext).shop.publicUrl), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  })
}
