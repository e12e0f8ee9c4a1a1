import { pagePath, type Shop, type ShopFacts, sampleOwner } from '#contracts/shop.ts'

/**
 * The footer's groups and their pages, in display order. The texts are in the files beside this
 * one.
 */
export const sitePages = [
  {
    group: 'Services',
    pages: [
      { to: '/how-booking-works', text: 'How booking works' },
      { to: '/card-payment', text: 'Card payment' },
      { to: '/delivery', text: 'Delivery' },
      { to: '/returns', text: 'Returns and refunds' },
      { to: '/withdraw', text: 'Withdraw from a purchase' },
    ],
  },
  {
    group: 'Company',
    pages: [
      { to: '/about', text: 'About us' },
      { to: '/contact', text: 'Contact' },
      { to: '/portfolio', text: 'My portfolio' },
      { to: '/blogs', text: 'Blogs' },
    ],
  },
  {
    group: 'Legal',
    pages: [
      { to: '/terms', text: 'Terms of use' },
      { to: '/privacy', text: 'Privacy policy' },
      { to: '/storage', text: 'Cookies and storage' },
      { to: '/imprint', text: 'Imprint' },
    ],
  },
]

type Choices = Pick<ShopFacts, 'blogs' | 'portfolio' | 'owner'>

/**
 * Whether the page of this path is hidden: by choice or, because it is the sample's, in a shop of
 * another owner.
 */
export function isHidden(path: string, { blogs, portfolio, owner }: Choices): boolean {
  const choice = { '/blogs': blogs, '/portfolio': portfolio }[path]
  return choice === 'hidden' || (choice === 'sample' && owner !== sampleOwner)
}

/** The groups with the pages that the owner shows, and with the owner's own. */
export const shownPages = ({ facts, ownPages }: Pick<Shop, 'facts' | 'ownPages'>) =>
  sitePages.map(({ group, pages }) => ({
    group,
    pages: [
      ...pages.filter(({ to }) => !isHidden(to, facts)),
      ...ownPages
        .filter((page) => page.group === group)
        .map(({ address, title }) => ({ to: pagePath(address), text: title })),
    ],
  }))

/** Every page that search engines may index, by its canonical path. `/home` is `/`. */
const publicPages = [
  '/',
  '/parts',
  '/build',
  '/reviews',
  '/login',
  '/register',
  ...sitePages.flatMap(({ pages }) => pages.map(({ to }) => to)),
]

type Named = Pick<Shop, 'publicUrl' | 'ownPages'>

/** The canonical URL of a page for search engines, or null if they should not index it. */
export function canonicalUrl({ publicUrl, ownPages }: Named, pathname: string): string | null {
  const plain = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const path = plain === '/home' ? '/' : plain
  const isOwn = ownPages.some(({ address }) => pagePath(address) === path)
  return isOwn || publicPages.includes(path) ? publicUrl + path : null
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const protocol = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Lists the sitemaps. Format: https://www.sitemaps.org/protocol.html */
export function sitemapIndex(publicUrl: string, pagesOfParts: number): string {
  const parts = Array.from({ length: pagesOfParts }, (_, i) => `parts-${i + 1}`)
  const files = ['pages', ...parts].map(
    (name) => `  <sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>\n`,
  )
  return `${head}<sitemapindex ${protocol}>\n${files.join('')}</sitemapindex>\n`
}

type Address = { path: string; changedAt?: string }

/**
 * The URLs in the sitemap of pages.
 * @param kinds the slugs of the kinds
 */
export const pageAddresses = (
  kinds: string[],
  { facts, ownPages }: Pick<Shop, 'facts' | 'ownPages'>,
): Address[] =>
  [
    ...publicPages.filter((path) => !isHidden(path, facts)),
    ...ownPages.map(({ address }) => pagePath(address)),
    ...kinds.map((slug) => `/parts/${encodeURIComponent(slug)}`),
  ].map((path) => ({ path }))

export function sitemap(publicUrl: string, addresses: Address[]): string {
  const urls = addresses.map(
    ({ path, changedAt }) =>
      `  <url><loc>${publicUrl}${path}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>\n`,
  )
  return `${head}<urlset ${protocol}>\n${urls.join('')}</urlset>\n`
}

/** The robots.txt: crawlers may read the pages, but not the API or pages that need a login. */
export function robots(publicUrl: string): string {
  const closed = [
    '/api/',
    '/identity/',
    '/sandbox/',
    '/dashboard',
    '/purchase/',
    '/purchase?',
    '/basket',
    '/reset-password',
    '/compare',
  ]
  // filtered lists: even with canonical URLs and nofollow links there are endless combinations
  const narrowed = ['q=', 'sort=', 'price-', 'stock=', 'fits=', 'parts='].map(
    (name) => `/*?*${name}`,
  )
  return `User-agent: *
${[...closed, ...narrowed].map((path) => `Disallow: ${path}\n`).join('')}
Sitemap: ${publicUrl}/sitemap.xml
`
}
