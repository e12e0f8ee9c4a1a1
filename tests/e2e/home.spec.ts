/** The home page, section by section, as the specification says it. */
import type { Page } from '@playwright/test'
import type { Part } from '#contracts/parts.ts'
import type { Review } from '#contracts/reviews.ts'
import { arrive, expect, test } from './fixtures.ts'

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(path)).json()
}

test('the sections come in the order of the specification', async ({ page }) => {
  for (const path of ['/', '/home']) {
    await page.goto(path)
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
  }
})

test('headings go down one level at a time', async ({ page }) => {
  await page.goto('/')
  const levels = await page
    .locator('h1, h2, h3, h4')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
  expect(levels[0]).toBe(1)
  for (const [i, level] of levels.entries()) {
    expect(level - (levels[i - 1] ?? 0), `heading ${i}`).toBeLessThanOrEqual(1)
  }
})

test.describe('Our parts', () => {
  test('every card says what the shop knows of its part', async ({ page }) => {
    const parts = await read<Part[]>(page, '/api/part')
    await page.goto('/')
    const section = page.getByRole('region', { name: 'Our parts' })
    await expect(section.getByRole('listitem')).toHaveCount(parts.length)
    for (const part of parts) {
      const card = section
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: part.name, exact: true }) })
      await expect(card.getByText(part.description)).toBeVisible()
      await expect(
        card.getByText(`$${part.price.toLocaleString('en-US')}`, { exact: true }),
      ).toBeVisible()
      await expect(card.getByRole('definition').first()).toHaveText(
        String(part.minimumOrderQuantity),
      )
      await expect(card.getByRole('definition').last()).toHaveText(String(part.availableQuantity))
      await expect(card.getByText('Minimum order quantity')).toBeVisible()
      await expect(card.getByText('Available quantity')).toBeVisible()
      await expect(card.getByRole('img')).toHaveAttribute('alt', new RegExp(part.name))
    }
  })

  for (const [width, columns] of [
    [1440, 3],
    [900, 2],
    [360, 1],
  ] as const) {
    test(`has ${columns} columns at ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/')
      const lefts = await page
        .getByRole('region', { name: 'Our parts' })
        .getByRole('listitem')
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().left))
      expect(new Set(lefts).size).toBe(columns)
    })
  }

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
})

test('the best-selling product is a monitor of the shop, with its figures', async ({ page }) => {
  const parts = await read<Part[]>(page, '/api/part')
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Best-selling product' })
  const name = (await section.getByRole('heading', { level: 3 }).textContent()) ?? ''
  const part = parts.find((known) => known.name === name)
  expect(part?.kind).toBe('monitor')
  await expect(section.getByRole('img', { name: new RegExp(name) })).toHaveCount(1)
  await expect(section.getByText(`$${part?.price}`, { exact: true })).toBeVisible()
  await expect(section.getByRole('definition').nth(1)).toHaveText(String(part?.availableQuantity))
  await expect(section.getByRole('link', { name: /^Book now/ })).toHaveAttribute(
    'href',
    `/purchase/${part?._id}`,
  )
})

test('every review has its name, its day, its words and one full star of five for each point', async ({
  page,
}) => {
  const reviews = await read<Review[]>(page, '/api/review')
  expect(reviews.length).toBeGreaterThanOrEqual(8)
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Valuable reviews of our clients' })
  for (const { name, review, ratings, createdAt } of reviews) {
    const card = section.getByRole('listitem').filter({ hasText: review })
    await expect(card.getByText(name)).toBeVisible()
    const stars = card.getByRole('img', { name: `${ratings} of 5 stars` })
    await expect(stars.locator('.rating-star')).toHaveCount(5)
    await expect(stars.locator('.rating-star[data-full]')).toHaveCount(ratings)
    await expect(card.getByText(`${ratings} of 5`, { exact: true })).toBeVisible()
    await expect(card.locator(`time[datetime="${createdAt}"]`)).toHaveText(
      /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/,
    )
  }
  await expect(section.getByRole('link', { name: 'Show more' })).toHaveCount(0)
})

test.describe('the business summary', () => {
  test('has its three figures, word for word', async ({ page }) => {
    await page.goto('/')
    const section = page.getByRole('region', { name: 'Business summary' })
    for (const words of ['15+ Countries', '550+ Happy clients', '300+ feedbacks']) {
      await expect(section.getByText(words, { exact: true })).toBeVisible()
    }
  })

  test('Contact us goes to the contact block, clear of the header, and Back returns', async ({
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
  })

  test('Give Feedback goes to the review form, visitors by way of the login', async ({ page }) => {
    await page.goto('/')
    const link = page.getByRole('link', { name: 'Give Feedback' })
    await expect(link).toHaveAttribute('href', '/dashboard/addReview')
    await link.click()
    await expect(page).toHaveURL(/\/(login|dashboard\/addReview)$/)
  })
})

test('the contact block has a phone, an address and an e-mail that dial and write', async ({
  page,
}) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Contact', exact: true })
  await expect(section.getByRole('term')).toHaveText(['Phone', 'Address', 'E-mail'])
  const phone = section.getByRole('link', { name: /^\+/ })
  const number = ((await phone.textContent()) ?? '').replaceAll(' ', '')
  await expect(phone).toHaveAttribute('href', `tel:${number}`)
  const mail = section.getByRole('link', { name: /@/ })
  await expect(mail).toHaveAttribute('href', `mailto:${await mail.textContent()}`)
})

test('jumps land clear of the header', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  for (const id of ['parts', 'best-seller', 'reviews', 'summary', 'contact']) {
    await page.goto('about:blank')
    await page.goto(`/#${id}`)
    const title = page.locator(`#${id}-title`)
    await expect(title).toBeInViewport()
    const top = (await title.boundingBox())?.y ?? 0
    expect(top, id).toBeGreaterThanOrEqual(72)
  }
})

test('without scripts every section is there', async ({ browser, shop }) => {
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: shop.origin })
  await page.goto('/')
  for (const name of [
    'Our parts',
    'Best-selling product',
    'Valuable reviews of our clients',
    'Business summary',
    'Contact',
  ]) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  await expect(page.getByRole('img', { name: '2 of 5 stars' })).toBeVisible()
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading') })
  expect(await cards.count()).toBeGreaterThanOrEqual(24)
  await expect(cards.first().getByText(/^\$[\d,]+$/)).toBeVisible()
  const picture = cards.first().getByRole('img')
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('link', { name: /^Book now/ }).first()).toHaveAttribute(
    'href',
    /\/purchase\//,
  )
  await page.close()
})
