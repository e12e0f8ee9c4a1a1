import { robots } from '#web/content/site-pages.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import type { Route } from './+types/robots'

export function loader({ context }: Route.LoaderArgs) {
  return new Response(robots(context.get(shopContext).shop.publicUrl), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
