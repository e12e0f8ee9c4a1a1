import type { MetaFunction } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

/**
 * The title and description of a page, for a route's `meta`.
 * @param shop from the data of the root route, which every page has unless it failed
 */
export function pageMeta(
  shop: Pick<Shop, 'facts'> | undefined,
  title: string,
  description?: string,
) {
  const full = [title, shop?.facts.name].filter(Boolean).join(' · ')
  return [
    { title: full },
    { property: 'og:title', content: full },
    ...(description
      ? [
          { name: 'description', content: description },
          { property: 'og:description', content: description },
        ]
      : []),
  ]
}

/** The `meta` of a route whose title is always the same. */
export const titled =
  (title: string, description?: string): MetaFunction =>
  ({ matches: [root] }) =>
    pageMeta((root?.loaderData as { shop?: Shop } | undefined)?.shop, title, description)
