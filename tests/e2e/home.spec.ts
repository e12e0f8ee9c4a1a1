/** The home page, section by section, as specified. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Part } from '#contracts/parts.ts'
import type { Review } from '#contracts/reviews.ts'
import { fullOnly } from '#tests/support/length.ts'
import { arrive, expect, test } from './fixtures.ts'

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(path)).json()
}

test('the sections come in the order of the specification, headings go down one level at a time, and the words are there', async ({
  page,
}) => {
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  const order = await page.evaluate(() =>
    [...document.querySelectorAll('.carousel, main section[id], footer')].map(
      (element) => element.id || element.tagName.toLowerCase(),
    ),
  )
  expect(order).toEqual([
    'section',
    'parts',
    'best-seller',
    'reviews',
    'summary',
    'contact',
    'footer',
  ])
  for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(landmark)).toHaveCount(1)
  }
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
  expect(levels[0]).toBe(1)
  for (const [i, level] of levels.entries()) {
    expect(level - (levels[i - 1] ?? 0), `heading ${i}`).toBeLessThanOrEqual(1)
  }

  // at most eight screens of a phone
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(8 * 844)
  await page.getByRole('link', { name: 'Show more' }).click()
  const reviews = page.getByRole('region', { name: 'Valuable reviews of our clients' })
  await expect(reviews.getByRole('listitem').nth(3)).toBeVisible()

  const summary = page.getByRole('region', { name: 'Business summary' })
  for (const words of ['15+ Countries', '550+ Happy clients', '300+ feedbacks']) {
    await expect(summary.getByText(words, { exact: true })).toBeVisible()
  }
  const contact = page.getByRole('region', { name: 'Contact', exact: true })
  await expect(contact.getByRole('term')).toHaveText(['Phone', 'Address', 'Email'])
  const phone = contact.getByRole('link', { name: /^\+/ })
  const number = ((await phone.textContent()) ?? '').replaceAll(' ', '')
  await expect(phone).toHaveAttribute('href', `tel:${number}`)
  const mail = contact.getByRole('link', { name: /@/ })
  await expect(mail).toHaveAttribute('href', `mailto:${await mail.textContent()}`)
})

test('cards, best seller, reviews and the data for machines say what the shop knows of its parts', async ({
  page,
}) => {
  const all = await read<Part[]>(page, '/api/part')
  const parts = all.slice(0, 12)
  const reviews = await read<Review[]>(page, '/api/review')
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Our parts' })
  const cards = section.getByRole('listitem')
  await expect(cards).toHaveCount(parts.length)
  const dollars = (price: number) => `$${price.toLocaleString('en-US')}`
  await expect(cards.getByRole('heading')).toHaveText(parts.map(({ name }) => name))
  const cardContents = await cards.evaluateAll((all) =>
    all.map((card) => ({
      texts: [...card.querySelectorAll('*')].map(({ textContent }) => textContent),
      terms: [...card.querySelectorAll('dt')].map(({ textContent }) => textContent),
      figures: [...card.querySelectorAll('dd')].map(({ textContent }) => textContent),
      alt: card.querySelector('img')?.alt,
    })),
  )
  for (const [i, part] of parts.entries()) {
    const { texts, terms, figures, alt } = cardContents[i] as (typeof cardContents)[number]
    expect(texts).toEqual(expect.arrayContaining([part.description, dollars(part.price)]))
    expect(alt).toContain(part.name)
    expect(terms).toEqual(expect.arrayContaining(['Minimum order quantity', 'Available quantity']))
    expect([figures[0], figures.at(-1)]).toEqual([
      String(part.minimumOrderQuantity),
      String(part.availableQuantity),
    ])
  }
  for (const [width, columns] of [
    [360, 2],
    [900, 2],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    const lefts = await cards.evaluateAll((all) =>
      all.map((card) => card.getBoundingClientRect().left),
    )
    expect(new Set(lefts).size, `columns at ${width}`).toBe(columns)
  }

  // an earlier story may have sold it
  const best = page.getByRole('region', { name: /^(Our pick|Best-selling product)$/ })
  const name = (await best.getByRole('heading', { level: 3 }).textContent()) ?? ''
  const part = all.find((one) => one.name === name)
  expect(part?.kind).toBe('monitor')
  await expect(best.getByRole('img', { name: new RegExp(name) })).toHaveCount(1)
  await expect(best.getByText(`$${part?.price}`, { exact: true })).toBeVisible()
  await expect(best.getByRole('definition').nth(1)).toHaveText(String(part?.availableQuantity))
  await expect(best.getByRole('link', { name: /^Book now/ })).toHaveAttribute(
    'href',
    `/purchase/${part?._id}`,
  )

  expect(reviews.length).toBeGreaterThanOrEqual(8)
  const valuable = page.getByRole('region', { name: 'Valuable reviews of our clients' })
  for (const { name, review, ratings, createdAt } of reviews) {
    const card = valuable.getByRole('listitem').filter({ hasText: review })
    await expect(card.getByText(name)).toBeVisible()
    const stars = card.getByRole('img', { name: `${ratings} of 5 stars` })
    await expect(stars.locator('.rating-star')).toHaveCount(5)
    await expect(stars.locator('.rating-star[data-full]')).toHaveCount(ratings)
    await expect(card.getByText(`${ratings} of 5`, { exact: true })).toBeVisible()
    await expect(card.locator(`time[datetime="${createdAt}"]`)).toHaveText(
      /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/,
    )
  }
  await expect(valuable.getByRole('link', { name: 'Show more' })).toHaveCount(0)

  const raw = await page.locator('script[type="application/ld+json"]').textContent()
  const [store, list] = JSON.parse(raw as string)['@graph']
  const addresses = await cards
    .getByRole('heading')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  expect(list.itemListElement.map(({ url }: { url: string }) => url)).toEqual(addresses)
  if (all.length > parts.length) {
    const more = section.getByRole('link', { name: `See all ${all.length} parts` })
    await expect(more).toHaveAttribute('href', '/parts')
  }
  const mean = reviews.reduce((sum, { ratings }) => sum + ratings, 0) / reviews.length
  expect(store.aggregateRating.reviewCount).toBe(reviews.length)
  expect(store.aggregateRating.ratingValue).toBeCloseTo(mean, 1)
})

test('a picture of the whole page has every card drawn, however far it is from the window', async ({
  page,
}) => {
  await page.goto('/')
  const cards = page.getByRole('region', { name: 'Our parts' }).getByRole('listitem')
  // pictures load when they come near the viewport: load all at once here
  await cards.getByRole('img').evaluateAll((all) =>
    Promise.all(
      all.map((image) => {
        const picture = image as HTMLImageElement
        picture.loading = 'eager'
        return picture.decode()
      }),
    ),
  )
  const boxes = await cards.evaluateAll((all) =>
    all.map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      const [left, top] = [Math.round(x), Math.round(y)]
      return { left, top, width: Math.floor(width), height: Math.floor(height / 2) }
    }),
  )
  expect(boxes.length).toBe(12)
  const screenshot = sharp(await page.screenshot({ fullPage: true })).greyscale()
  const { data: pixels, info: raw } = await screenshot.raw().toBuffer({ resolveWithObject: true })
  for (const [i, upper] of boxes.entries()) {
    const lower = { ...upper, top: upper.top + upper.height }
    for (const [part, half] of Object.entries({ picture: upper, text: lower })) {
      const greys = await sharp(pixels, { raw }).extract(half).raw().toBuffer()
      const mean = greys.reduce((sum, grey) => sum + grey, 0) / greys.length
      const inked = greys.filter((grey) => Math.abs(grey - mean) > 50).length / greys.length
      expect.soft(inked, `${part} of card ${i + 1}`).toBeGreaterThan(0.01)
    }
  }
})

test('Book now leads to the purchase of that part, with a bar while the page is on its way', async ({
  page,
}) => {
  await arrive(page)
  await page.goto('/home')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/assets\/purchase-/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/')
  const book = page
    .getByRole('region', { name: 'Our parts' })
    .getByRole('link', { name: /^Book now/ })
    .first()
  const path = await book.getAttribute('href')
  expect(path).toMatch(/^\/purchase\/[\w-]{36}$/)
  await book.click()
  const pending = page.getByRole('progressbar', { name: 'Loading the page' })
  await expect(pending).toHaveCSS('opacity', '1')
  letGo()
  await expect(page).toHaveURL(path ?? '')
  await expect(pending).toHaveCount(0)
})

test('Contact us goes to the contact block, clear of the header, and Back returns; Give Feedback to the review form by way of the login', async ({
  page,
}) => {
  await page.goto('/')
  await page.locator('#summary').evaluate((summary) => summary.scrollIntoView())
  const before = await page.evaluate(() => scrollY)
  await page.getByRole('link', { name: 'Contact us' }).click()
  await expect(page).toHaveURL(/#contact$/)
  const heading = page.getByRole('heading', { name: 'Contact', exact: true })
  await expect(heading).toBeInViewport()
  const header = await page.getByRole('banner').boundingBox()
  const box = await heading.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  const feedback = page.getByRole('link', { name: 'Give Feedback' })
  await expect(feedback).toHaveAttribute('href', '/dashboard/addReview')
  await feedback.click()
  await expect(page).toHaveURL(/\/login$/)
})

fullOnly(test)('jumps land clear of the header', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const id of ['parts', 'reviews', 'contact']) {
    await page.goto('about:blank')
    await page.goto(`/#${id}`)
    const title = page.locator(`#${id}-title`)
    await expect(title).toBeInViewport()
    const top = (await title.boundingBox())?.y ?? 0
    expect(top, id).toBeGreaterThanOrEqual(72)
  }
})
