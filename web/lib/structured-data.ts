/**
 * Structured data about the shop for search engines, in schema.org's vocabulary. It contains only
 * what the page shows.
 */

import { logoPath } from '#contracts/logo.ts'
import { partPath } from '#contracts/part-address.ts'
import type { HomePart } from '#contracts/part-lists.ts'
import { type Shop, sampleName } from '#contracts/shop.ts'

/** The customers' rating of the shop as a whole, from reviews of the shop rather than of parts. */
type Rating = { count: number; average: number }

function aggregateRating({ count, average }: Rating) {
  if (count === 0) return undefined
  return {
    '@type': 'AggregateRating',
    ratingValue: Number(average.toFixed(1)),
    reviewCount: count,
    bestRating: 5,
    worstRating: 1,
  }
}

const iconOf = (shop: Shop | undefined) =>
  shop?.facts.logo ? logoPath(shop.facts.logo, 'large') : '/icon-512.png'

/**
 * The home page as linked data: the shop with its rating, and links to its parts. For a route's
 * `meta`.
 */
export function structuredData(shop: Shop | undefined, parts: HomePart[], rating?: Rating) {
  const publicUrl = shop?.publicUrl ?? ''
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'OnlineStore',
        '@id': `${publicUrl}/#shop`,
        name: shop?.facts.name,
        url: `${publicUrl}/`,
        logo: publicUrl + iconOf(shop),
        image: shop?.facts.name === sampleName ? `${publicUrl}/og.png` : publicUrl + iconOf(shop),
        aggregateRating: rating && aggregateRating(rating),
      },
      {
        '@type': 'ItemList',
        itemListElement: parts.map((part, i) => ({
          '@type': 'ListItem',
          position: i + 1,
          url: publicUrl + partPath(part),
        })),
      },
    ],
  }
}
