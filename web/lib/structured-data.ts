/** What search engines read about the shop, in schema.org's words. It says what the page shows, and nothing else. */
import type { Part } from '#contracts/parts.ts'
import type { Review } from '#contracts/reviews.ts'
import { isBookable } from '#contracts/stock.ts'

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

/** The mean of real reviews, of the shop as a whole: customers review the shop, not a part. */
function aggregateRating(reviews: Review[]) {
  if (reviews.length === 0) return undefined
  const mean = reviews.reduce((sum, { ratings }) => sum + ratings, 0) / reviews.length
  return {
    '@type': 'AggregateRating',
    ratingValue: Number(mean.toFixed(2)),
    reviewCount: reviews.length,
    bestRating: 5,
    worstRating: 1,
  }
}

/** The home page as linked data: the shop with its rating, and each part with its offer. For a route's `meta`. */
export function structuredData(publicUrl: string, parts: Part[], reviews: Review[]) {
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
        aggregateRating: aggregateRating(reviews),
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
