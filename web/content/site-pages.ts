/** The footer's groups with their pages, in the order shown. The texts themselves are in the files beside. */
export const sitePages = [
  {
    group: 'Services',
    pages: [
      { to: '/how-booking-works', text: 'How booking works' },
      { to: '/card-payment', text: 'Card payment' },
      { to: '/delivery', text: 'Delivery' },
      { to: '/returns', text: 'Returns and refunds' },
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

/** Every page that search engines may show, by its one true address. `/home` is `/`. */
const publicPages = [
  '/',
  '/parts',
  '/reviews',
  '/login',
  '/register',
  ...sitePages.flatMap(({ pages }) => pages.map(({ to }) => to)),
]

/** The address by which search engines should know a page, or null to keep it from them. */
export function canonicalUrl(publicUrl: string, pathname: string): string | null {
  const plain = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const path = plain === '/home' ? '/' : plain
  return publicPages.includes(path) ? publicUrl + path : null
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const protocol = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Names the sitemaps. Source of their form: https://www.sitemaps.org/protocol.html */
export function sitemapIndex(publicUrl: string, pagesOfParts: number): string {
  const parts = Array.from({ length: pagesOfParts }, (_, i) => `parts-${i + 1}`)
  const files = ['pages', ...parts].map(
    (name) => `  <sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>\n`,
  )
  return `${head}<sitemapindex ${protocol}>\n${files.join('')}</sitemapindex>\n`
}

type Address = { path: string; changedAt?: string }

/** What the sitemap of pages names. @param kinds their slugs */
export const pageAddresses = (kinds: string[]): Address[] =>
  [...publicPages, ...kinds.map((slug) => `/parts/${encodeURIComponent(slug)}`)].map((path) => ({
    path,
  }))

export function sitemap(publicUrl: string, addresses: Address[]): string {
  const urls = addresses.map(
    ({ path, changedAt }) =>
      `  <url><loc>${publicUrl}${path}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>\n`,
  )
  return `${head}<urlset ${protocol}>\n${urls.join('')}</urlset>\n`
}

/** What crawlers may read: the pages, not the calls, not what needs a login. */
export function robots(publicUrl: string): string {
  const closed = [
    '/api/',
    '/identity/',
    '/sandbox/',
    '/dashboard',
    '/purchase',
    '/basket',
    '/reset-password',
    '/compare',
  ]
  // filtered lists: one order of parameters and no link to them, and still endless
  const narrowed = ['q=', 'sort=', 'price-', 'stock='].map((name) => `/*?*${name}`)
  return `User-agent: *
${[...closed, ...narrowed].map((path) => `Disallow: ${path}\n`).join('')}
Sitemap: ${publicUrl}/sitemap.xml
`
}
