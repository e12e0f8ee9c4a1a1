/**
 * Input before the scripts have loaded is kept, shown as pending, and handled once; and when the
 * scripts load.
 */

import type { Page } from '@playwright/test'
import { fullOnly } from '#tests/support/length.ts'
import { arrive, expect, password, test } from './fixtures.ts'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
/** The button's text while it waits for the scripts. */
const busyTextOf = (page: Page, name: string) =>
  button(page, name).evaluate((element) => getComputedStyle(element, '::after').content)

/** Holds back every script of the shop until the returned function is called. */
async function withoutScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('a page asks for its scripts once it is painted as it was loaded', async ({ page }) => {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1_000)
  const scriptUrls: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scriptUrls.push(request.url())
  })
  await page.goto('/blogs', { waitUntil: 'load' })
  // one frame of this clock
  await page.clock.runFor(16)
  expect(scriptUrls).toEqual([])
  await page.clock.runFor(16)
  await expect.poll(() => scriptUrls.length).toBeGreaterThan(0)
})

test('Login, by a click or Enter, before the scripts came says ‘loading’ at once and goes once they are there', async ({
  page,
  context,
}) => {
  const email = await arrive(page)
  const signInMethods: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/identity/sign-in/email')) signInMethods.push(request.method())
  })
  for (const way of ['a click', 'Enter']) {
    await page.evaluate(() => localStorage.clear())
    await context.clearCookies()
    const come = await withoutScripts(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    if (way === 'Enter') await page.keyboard.press('Enter')
    else await button(page, 'Login').click()
    await button(page, 'Login').click({ force: true })
    expect(await busyTextOf(page, 'Login')).toBe('"loading"')
    await expect(button(page, 'Login')).toHaveAttribute('aria-busy', 'true')
    expect(page.url()).toMatch(/\/login$/)
    come()
    await expect(page, way).toHaveURL((url) => url.pathname === '/')
    await page.unrouteAll()
  }
  expect(signInMethods).toEqual(['POST', 'POST'])
})

fullOnly(test)(
  'the theme button and Logout do what was asked of them as soon as they can',
  async ({ page }) => {
    await arrive(page)
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    const come = await withoutScripts(page)
    await page.goto('/blogs', { waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Theme/ }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    come()
    await expect(page).toHaveURL(/\/login$/)
    // dark is the last of three
    await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  },
)

test('continue with google goes through this tab when the press was too long ago for a window', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } }),
  )
  const come = await withoutScripts(page)
  await page.goto('/register', { waitUntil: 'commit' })
  await button(page, 'continue with google').click()
  come()
  await expect(page).toHaveURL(/\/sandbox\/google\//)
})

test('two parts added before the scripts came, the second before the basket of the first was there, are both in it', async ({
  page,
}) => {
  const come = await withoutScripts(page)
  await page.goto('/parts/graphics-card?stock=in', { waitUntil: 'commit' })
  const add = page.getByRole('link', { name: /^Add to basket: / })
  await expect(add.nth(1)).toBeVisible()
  // Playwright's own second click would wait for the page that the first asked for
  const names = await add.evaluateAll((links: HTMLElement[]) =>
    links.slice(0, 2).map((link) => {
      link.click()
      return link.ariaLabel?.replace('Add to basket: ', '') ?? ''
    }),
  )
  for (const name of names)
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible()
  // with scripts it becomes the stored basket
  come()
  await expect(page.getByRole('link', { name: 'Basket, 2 parts' })).toBeVisible()
})

test('a filter ticked, a price typed and an order chosen before the scripts came count once they are there; a next page’s script then comes by itself', async ({
  page,
}) => {
  const come = await withoutScripts(page)
  await page.goto('/parts/graphics-card', { waitUntil: 'commit' })
  const stock = page.getByRole('checkbox', { name: 'In stock' })
  await stock.check()
  await page.getByLabel('Price to, $').fill('900')
  await page.getByLabel('Sort').selectOption('price')
  come()
  await expect(page).toHaveURL(/\?(?=.*price-max=900)(?=.*sort=price)(?=.*stock=in)/)
  await expect(stock).toBeChecked()
  await expect(page.getByLabel('Price to, $')).toHaveValue('900')
  await expect(page.locator('link[rel="modulepreload"][href*="login-screen"]')).toBeAttached()
})
