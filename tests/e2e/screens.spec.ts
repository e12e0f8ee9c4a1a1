/** Every screen at three widths in two themes: nothing overflows, nothing moves, axe finds nothing, Tab reaches all. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { walkByKeyboard } from './keyboard-walk.ts'
import { arrive, bookPart, expect, test } from './shop-test.ts'

/** Each width, with the theme its pages are opened in; the other theme follows on the same page. */
const screens = [
  [360, 'dark'],
  [768, 'light'],
  [1440, 'dark'],
] as const
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

/** Sum of layout shifts that no input caused, since the page was opened. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            hadRecentInput: boolean
          })[])
            if (!entry.hadRecentInput) sum += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )

/** The rules whose answer depends on the theme. */
const ofColors = ['color-contrast', 'link-in-text-block']
const otherTheme = { light: 'dark', dark: 'light' } as const

/** Fails on whatever axe finds on what is shown now. */
async function checkByAxe(page: Page, name: string, rules?: string[]): Promise<void> {
  // without preload: axe would fetch the card frame's style sheet again, which that frame forbids
  const axe = new AxeBuilder({ page }).options({ preload: false })
  // without frames, in half the time: they were looked into by the run of all rules
  if (rules) axe.withRules(rules).setLegacyMode()
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ')}`),
    name,
  ).toEqual([])
}

async function checkWidth(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name}: wider than the screen`).toBe(0)
}

/** All checks in the theme that the page was opened in, then in the other what a theme can change. */
async function check(page: Page, name: string, opened = true): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await checkWidth(page, name)
  if (opened) expect(await layoutShift(page), `${name}: layout shift`).toBeLessThan(0.001)
  await checkByAxe(page, name)
  await walkByKeyboard(page, name)
  const theme = await page.evaluate(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )
  await page.emulateMedia({ colorScheme: otherTheme[theme] })
  await expect
    .poll(() => page.evaluate(() => document.getAnimations().length), `${name}: at rest`)
    .toBe(0)
  await checkWidth(page, `${name}, ${otherTheme[theme]}`)
  await checkByAxe(page, `${name}, ${otherTheme[theme]}`, ofColors)
  await page.emulateMedia({ colorScheme: theme })
}

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    for (const path of [...visitorScreens, ...returnScreens]) {
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
