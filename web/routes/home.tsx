import { data, useRouteLoaderData } from 'react-router'
import type { Part } from '#contracts/parts.ts'
import type { Shop } from '#contracts/shop.ts'
import { Hero } from '#web/features/parts/hero.tsx'
import { HowBookingWorks } from '#web/features/parts/how-booking-works.tsx'
import { PartGrid } from '#web/features/parts/part-grid.tsx'
import { partsQuery } from '#web/features/parts/queries.ts'
import { errorFrom } from '#web/lib/api-error.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { browserQueryClient } from '#web/lib/query.ts'
import { shopContext } from '#web/lib/shop-context.ts'
import { structuredData } from '#web/lib/structured-data.ts'
import type { Route } from './+types/home'

export const meta: Route.MetaFunction = ({ matches: [root], loaderData }) => [
  {
    'script:ld+json': structuredData(
      root.loaderData?.shop.publicUrl ?? '',
      loaderData?.parts ?? [],
      [],
    ),
  },
  ...pageMeta(
    'Computer parts that stay honest',
    'Graphics cards, processors, boards and more, with honest stock. Book a part and it is held for you while you pay.',
  ),
]

export async function loader({ context }: Route.LoaderArgs): Promise<{ parts?: Part[] }> {
  const response = await context.get(shopContext).fetchApi('/api/part')
  if (!response.ok) {
    const { message, requestId } = await errorFrom(response)
    throw data({ message, requestId }, { status: response.status })
  }
  return { parts: await response.json() }
}

/** In the browser the page shows what is known at once, while the grid asks anew: stock moves with every booking. */
export function clientLoader(): { parts?: Part[] } {
  const client = browserQueryClient()
  void client.invalidateQueries({ queryKey: partsQuery.queryKey })
  return { parts: client.getQueryData(partsQuery.queryKey) }
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const holdMinutes = useRouteLoaderData<{ shop: Shop }>('root')?.shop.holdMinutes ?? 30
  return (
    <>
      <Hero initial={loaderData.parts} holdMinutes={holdMinutes} />
      <PartGrid initial={loaderData.parts} />
      <HowBookingWorks holdMinutes={holdMinutes} />
    </>
  )
}
