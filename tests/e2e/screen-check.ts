/** What holds of every screen, whoever sees it: nothing overflows, nothing moves, axe finds nothing, Tab reaches all. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { walkByKeyboard } from './keyboard-walk.ts'
import { expect } from './shop-test.ts'

/** Each width, with the theme its pages are opened in; the other theme follows on the same page. */
export const screens = [
  [360, 'dark'],
  [768, 'light'],
  [1440, 'dark'],
] as const

/** Sum of layout shifts that no input caused, since the page was opened. */
export const layoutShift = (page: Page) =>
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

/** Waits until nothing fades any more: what is half gone has half its contrast. */
async function atRest(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.getAnimations().length), `${name}: at rest`)
    .toBe(0)
}

/** All checks in the theme that the page was opened in, then in the other what a theme can change. */
export async function check(page: Page, name: string, opened = true): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await checkWidth(page, name)
  if (opened) expect(await layoutShift(page), `${name}: layout shift`).toBeLessThan(0.001)
  await atRest(page, name)
  await checkByAxe(page, name)
  await walkByKeyboard(page, name)
  const theme = await page.evaluate(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )
  await page.emulateMedia({ colorScheme: otherTheme[theme] })
  await atRest(page, name)
  await checkWidth(page, `${name}, ${otherTheme[theme]}`)
  await checkByAxe(page, `${name}, ${otherTheme[theme]}`, ofColors)
  await page.emulateMedia({ colorScheme: theme })
}
