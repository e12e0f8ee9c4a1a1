import type { MetaFunction } from 'react-router'
import type { Shop } from '#contracts/shop.ts'

type RootMatch = { loaderData?: unknown } | undefined

/** The shop's name, from the data of the root route, which every page has. */
const nameIn = (root: RootMatch): string =>
  (root?.loaderData as { shop?: Shop } | undefined)?.shop?.facts.name ?? ''

/**
 * The title and description of a page, for a route's `meta`.
 * @param root the first of its `matches`
 */
export function pageMeta(root: RootMatch, title: string, description?: string) {
  const full = [title, nameIn(root)].filter(Boolean).join(' · ')
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
    pageMeta(root, title, description)
