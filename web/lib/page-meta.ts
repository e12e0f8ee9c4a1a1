import type { MetaFunction } from 'react-router'
import { logoPath } from '#contracts/logo.ts'
import { type Shop, sampleName } from '#contracts/shop.ts'

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

type MetaTag = { property?: string; name?: string; content: string }

/**
 * The picture that a link to the shop shows: the owner's logo. The sample's picture bears its name,
 * so a shop with another name has none.
 */
export function previewPicture(shop: Shop | undefined): MetaTag[] {
  if (!shop) return []
  const { publicUrl, facts } = shop
  if (facts.logo) {
    return [{ property: 'og:image', content: publicUrl + logoPath(facts.logo, 'large') }]
  }
  if (facts.name !== sampleName) return []
  return [
    { property: 'og:image', content: `${publicUrl}/og.png` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}
