/**
 * Structured data about one part for search engines and link previews, in schema.org's vocabulary.
 * It matches the content of the page.
 */
import { altOf, isBookable, meanOf } from '#contracts/catalogue.ts'
import { money } from '#contracts/money.ts'
import { partPath } from '#contracts/part-address.ts'
import type { PartOnSale } from '#contracts/part-pages.ts'
import type { Shop } from '#contracts/shop.ts'
import { pageMeta } from '#web/lib/page-meta.ts'

/** A picture on a part's page. `alt` is never empty. */
export type PagePicture = PartOnSale['morePictures'][number]

/** A part's pictures in order, each with its alternative text. */
export const picturesOf = (part: PartOnSale): PagePicture[] => [
  { image: part.image, alt: altOf(part), picture: part.picture },
  ...part.morePictures.map(({ alt, ...more }, i) => ({
    ...more,
    alt: alt || `${part.name}, ${part.kind}, picture ${i + 2}`,
  })),
]

/** limits the size of the page: more would double it */
const maxReviews = 3

type Written = { name: string; review: string; ratings: number; createdAt: string }

const rated = (part: PartOnSale) =>
  part.ratingCount === 0
    ? undefined
    : {
        '@type': 'AggregateRating',
        ratingValue: Number(meanOf(part)),
        reviewCount: part.ratingCount,
        bestRating: 5,
        worstRating: 1,
      }

const reviewed = ({ name, review, ratings, createdAt }: Written) => ({
  '@type': 'Review',
  author: { '@type': 'Person', name },
  datePublished: createdAt.slice(0, 10),
  reviewBody: review,
  reviewRating: { '@type': 'Rating', ratingValue: ratings, bestRating: 5, worstRating: 1 },
})

type SellingShop = Pick<Shop, 'publicUrl' | 'currency' | 'facts'>

function product(
  part: PartOnSale,
  url: string,
  { publicUrl, currency }: SellingShop,
  reviews: Written[],
) {
  return {
    '@type': 'Product',
    '@id': url,
    name: part.name,
    sku: part.sku || String(part.number),
    mpn: part.mpn || undefined,
    gtin: part.gtin || undefined,
    brand: part.brand ? { '@type': 'Brand', name: part.brand } : undefined,
    category: part.kind,
    description: part.description,
    image: [part, ...part.morePictures].map(({ image }) => publicUrl + image),
    aggregateRating: rated(part),
    review: reviews.length > 0 ? reviews.slice(0, maxReviews).map(reviewed) : undefined,
    offers: {
      '@type': 'Offer',
      url,
      price: part.price,
      priceCurrency: currency,
      availability: `https://schema.org/${isBookable(part) ? 'InStock' : 'OutOfStock'}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: part.minimumOrderQuantity },
    },
  }
}

function breadcrumbs({ kind, kindSlug, name }: PartOnSale, url: string, publicUrl: string) {
  const crumbs = [
    { name: 'Parts', item: `${publicUrl}/parts` },
    { name: kind, item: `${publicUrl}/parts/${encodeURIComponent(kindSlug)}` },
    { name, item: url },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map((crumb, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      ...crumb,
    })),
  }
}

const longest = 155

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/\s+\S*$/, '')}…`
}

/**
 * The `meta` of the part's page.
 * @param reviews the reviews shown on the page
 */
export function partMeta(part: PartOnSale, shop: SellingShop, reviews: Written[], isList: boolean) {
  const { publicUrl, currency, facts } = shop
  const url = publicUrl + partPath(part)
  const picture = publicUrl + part.image
  const title = [part.name, part.brand, part.kind].filter(Boolean).join(', ')
  const og = {
    url,
    type: 'product',
    site_name: facts.name,
    image: picture,
    'image:alt': altOf(part),
  }
  return [
    ...pageMeta(shop, title, shortened(`${money(part.price, currency)}. ${part.description}`)),
    { tagName: 'link' as const, rel: 'canonical', href: url },
    ...(isList ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ...Object.entries(og).map(([name, content]) => ({ property: `og:${name}`, content })),
    { property: 'product:price:amount', content: String(part.price) },
    { property: 'product:price:currency', content: currency },
    { name: 'twitter:card', content: 'summary_large_image' },
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@graph': [product(part, url, shop, reviews), breadcrumbs(part, url, publicUrl)],
      },
    },
  ]
}
