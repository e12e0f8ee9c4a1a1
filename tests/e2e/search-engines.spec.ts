/** What machines read: search engines, link previews, phones with the shop on their home screen. */
import type { APIRequestContext } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const sitemapPaths = async (request: APIRequestContext, origin: string): Promise<string[]> => {
  const addressesIn = async (path: string) => {
    const response = await request.get(path)
    expect(response.headers()['content-type']).toContain('application/xml')
    return [...(await response.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => `${url}`)
  }
  const [pages, parts] = await addressesIn('/sitemap.xml')
  // the test of the part pages checks more parts
  const urls = [...(await addressesIn(`${pages}`)), ...(await addressesIn(`${parts}`)).slice(0, 2)]
  expect(urls.every((url) => url.startsWith(`${origin}/`))).toBe(true)
  return urls.map((url) => new URL(url).pathname)
}

test('robots.txt names the sitemap and closes what needs a login', async ({ request, shop }) => {
  const text = await (await request.get('/robots.txt')).text()
  expect(text).toContain(`Sitemap: ${shop.origin}/sitemap.xml`)
  for (const closed of ['/api/', '/identity/', '/dashboard', '/purchase/', '/purchase?', '/basket'])
    expect(text).toContain(`Disallow: ${closed}\n`)
})

test('every page of the sitemap is there and has its own title, description and address', async ({
  request,
  shop,
}) => {
  const paths = await sitemapPaths(request, shop.origin)
  const texts = new Set<string>()
  for (const path of paths) {
    const response = await request.get(path)
    expect(response.status(), path).toBe(200)
    const html = await response.text()
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1]
    const description = /<meta name="description" content="(.*?)"/.exec(html)?.[1]
    expect(title, path).toBeTruthy()
    expect(description?.length, path).toBeGreaterThan(20)
    expect(html).toContain(`<link rel="canonical" href="${shop.origin}${path}"/>`)
    expect(html).toContain(`<meta property="og:url" content="${shop.origin}${path}"/>`)
    expect(html, path).not.toContain('noindex')
    expect(texts.has(`${title}`) || texts.has(`${description}`), path).toBe(false)
    texts.add(`${title}`).add(`${description}`)
  }
})

test('/home is known as /, and what needs a login or does not exist is left out', async ({
  request,
  shop,
}) => {
  expect(await (await request.get('/home')).text()).toContain(
    `<link rel="canonical" href="${shop.origin}/"/>`,
  )
  for (const path of ['/dashboard', '/no/such/page', '/reset-password']) {
    const html = await (await request.get(path)).text()
    expect(html, path).toContain('<meta name="robots" content="noindex"/>')
    expect(html, path).not.toContain('rel="canonical"')
  }
})

test('pictures for previews and icons for phones are there and as large as they say', async ({
  page,
  shop,
}) => {
  await page.goto('/')
  const og = await page.locator('meta[property="og:image"]').getAttribute('content')
  const manifest = await (await page.request.get('/site.webmanifest')).json()
  const icons = (manifest.icons as { src: string; sizes: string }[]).map(({ src, sizes }) => ({
    url: new URL(src, shop.origin).href,
    size: sizes,
  }))
  for (const { url, size } of [{ url: `${og}`, size: '1200x630' }, ...icons]) {
    const drawn = await page.evaluate(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, url)
    if (size !== 'any') expect(drawn, url).toBe(size)
  }
  expect((await page.request.get('/favicon.ico')).status()).toBe(200)
  expect((await page.request.get('/apple-touch-icon.png')).status()).toBe(200)
})
