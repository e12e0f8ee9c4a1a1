/**
 * The theme is the system's until the visitor chooses; the choice applies before the first paint,
 * even to the browser's bars.
 */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The colour for the browser's own bars: the first that matches. */
const barColour = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
        ({ media }) => !media || matchMedia(media).matches,
      )?.content,
  )
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const paper = { bar: '#f5f2ec', ground: 'rgb(245, 242, 236)' }
const night = { bar: '#131517', ground: 'rgb(19, 21, 23)' }

async function expectTheme(page: Page, { bar, ground: colour }: typeof paper): Promise<void> {
  expect(await barColour(page)).toBe(bar)
  expect(await ground(page)).toBe(colour)
}

test.use({ colorScheme: 'dark', contextOptions: { reducedMotion: 'no-preference' } })

test('goes round system, light and dark, and the browser around the page goes with it', async ({
  page,
}) => {
  await page.goto('/')
  await expectTheme(page, night)
  await page.getByRole('button', { name: 'Theme: system. Change to light' }).click()
  await expectTheme(page, paper)
  await page.getByRole('button', { name: 'Theme: light. Change to dark' }).click()
  await expectTheme(page, night)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectTheme(page, night)
  await page.getByRole('button', { name: 'Theme: dark. Change to system' }).click()
  await expectTheme(page, paper)
})

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`all that is read has the other colours at once, outside the window too (${reducedMotion})`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/')
    const main = page.getByRole('main')
    const inks = () =>
      main
        .locator('.part-card h3')
        .evaluateAll((all) => [...new Set(all.map((name) => getComputedStyle(name).color))])
    expect(await inks()).toEqual(['rgb(241, 237, 230)'])
    await main.evaluate((element) => {
      element.addEventListener('transitionrun', () => element.toggleAttribute('data-moved', true))
    })
    await page.getByRole('button', { name: 'Theme: system. Change to light' }).click()
    expect(await inks()).toEqual(['rgb(23, 25, 27)'])
    // the events of a frame arrive with the next
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
    await expect(main).not.toHaveAttribute('data-moved')
    const moving = () => main.evaluate((all) => all.getAnimations({ subtree: true }).length)
    expect(await moving()).toBe(0)
    // with motion enabled, the button under the pointer fades in
    if (reducedMotion === 'reduce')
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })
}

test('a chosen theme is there before any script of ours has loaded', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'light'))
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/', { waitUntil: 'load' })
  await expectTheme(page, paper)
})
