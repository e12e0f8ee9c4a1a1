/** Every screen at three widths in two themes: nothing overflows, nothing moves, axe finds nothing, Tab reaches all. */
import { check, layoutShift, screens } from './screen-check.ts'
import { arrive, bookPart, expect, test } from './shop-test.ts'

const visitorScreens = [
  '/',
  '/#slide2',
  '/blogs',
  '/portfolio',
  '/reviews',
  '/contact',
  '/privacy',
  '/login',
  '/register',
  '/reset-password?token=x',
  '/no/such/page',
]
/** What mailed links and Google lead back to. */
const returnScreens = [
  '/login?google=auth/account-exists-with-different-credential',
  '/reset-password?error=INVALID_TOKEN',
  '/verified',
  '/verified?error=TOKEN_EXPIRED',
]

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    // between a phone and a desk these only grow wider
    const paths =
      width === 768
        ? ['/', '/#slide2', '/portfolio', '/reviews', '/login']
        : [...visitorScreens, ...returnScreens]
    for (const path of paths) {
      test(`what visitors see at ${path}`, async ({ page }) => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await check(page, path)
      })
    }

    test('what customers see in their own rooms', async ({ page }) => {
      test.slow()
      await arrive(page)
      await page.goto('/dashboard')
      await expect(page.getByLabel('Education')).toBeVisible()
      await check(page, 'my profile')
      await page.getByRole('button', { name: 'Update profile' }).click()
      await expect(page.getByText('Education is required')).toBeVisible()
      await check(page, 'my profile with what is missing', false)
      await page.goto('/dashboard/addReview')
      const rooms = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
      await expect(rooms).toHaveCount(3)
      await check(page, 'add a review')
      await page.getByRole('radio', { name: '4 stars' }).press('Space')
      await check(page, 'a review with stars', false)
      await bookPart(page)
      await page.goto(page.url().replace('/payment/', '/order/'))
      await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
      await check(page, 'an order')
    })

    test('what customers see', async ({ page }) => {
      test.slow()
      await arrive(page)
      await page.goto('/dashboard/myOrders')
      await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
      await check(page, 'no orders yet')
      await bookPart(page)
      await expect(
        page.frameLocator('iframe[title*="card" i]').locator('[name=cardnumber]'),
      ).toBeVisible()
      await page
        .getByRole('status')
        .filter({ hasText: 'Your order is processing' })
        .getByRole('button', { name: 'close' })
        .click()
      await expect(page.getByText('Your order is processing')).toHaveCount(0)
      await check(page, 'payment', false)
      await page.goto('/dashboard/myOrders')
      await expect(page.getByRole('link', { name: /^Pay/ })).toBeVisible()
      await check(page, 'my orders')
      await page.goto('/')
      await page
        .getByRole('link', { name: /^Book now/ })
        .nth(1)
        .click()
      await expect(page.getByLabel('Phone')).toBeVisible()
      await check(page, 'purchase', false)
    })
  })
}

test('nothing moves on a slow device either, where a page is painted while it is read', async ({
  page,
}) => {
  const device = await page.context().newCDPSession(page)
  await device.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/contact']) {
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready)
      expect(await layoutShift(page), `${path} at ${width}`).toBeLessThan(0.0001)
    }
  }
})

test('a page that does not exist says so with 404', async ({ page }) => {
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Error Not found' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('img')).toBeVisible()
})

test('the home page is all there without scripts: parts, prices, pictures, links', async ({
  browser,
  shop,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: shop.origin })
  await page.goto('/')
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

test('the content policy blocks nothing of ours and allows nothing inline', async ({ page }) => {
  const response = await page.goto('/')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  await expect(page.getByRole('heading', { name: 'Our parts' })).toBeVisible()
})
