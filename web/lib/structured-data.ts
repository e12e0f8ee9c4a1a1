/** What search engines read about the shop, in schema.org's words. It says what the page shows, and nothing else. */

import { isBookable } from '#contracts/catalogue.ts'
import type { Part } from '#contracts/parts.ts'

/** Where a part is on the home page. */
export const anchorOf = (part: Pick<Part, '_id'>) => `part-${part._id}`

function product(part: Part, publicUrl: string) {
  const url = `${publicUrl}/#${anchorOf(part)}`
  return {
    '@type': 'Product',
    '@id': url,
    name: part.name,
    category: part.kind,
    description: part.description,
    image: publicUrl + part.image,
    offers: {
      '@type': 'Offer',
      url,
      price: part.price,
      priceCurrency: 'USD',
      availability: `https://schema.org/${isBookable(part) ? 'InStock' : 'OutOfStock'}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: part.minimumOrderQuantity },
    },
  }
}

/** What customers think of the shop as a whole: they review the shop, not a part. */
type Rating = { count: number; average: number }

function aggregateRating({ count, average }: Rating) {
  if (count === 0) return undefined
  return {
    '@type': 'AggregateRating',
    ratingValue: Number(average.toFixed(2)),
    reviewCount: count,
    bestRating: 5,
    worstRating: 1,
  }
}

/** The home page as linked data: the shop with its rating, and each part with its offer. For a route's `meta`. */
export function structuredData(publicUrl: string, parts: Part[], rating?: Rating) {
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'OnlineStore',
        '@id': `${publicUrl}/#shop`,
        name: 'Ferrite',
        url: `${publicUrl}/`,
        logo: `${publicUrl}/icon-512.png`,
        image: `${publicUrl}/og.png`,
        aggregateRating: rating && aggregateRating(rating),
      },
      {
        '@type': 'ItemList',
        itemListElement: parts.map((part, i) => ({
          '@type': 'ListItem',
          position: i + 1,
          item: product(part, publicUrl),
        })),
      },
    ],
  }
}
