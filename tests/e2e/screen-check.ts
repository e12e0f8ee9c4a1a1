/** What holds of every screen: nothing overflows, nothing moves, axe finds nothing, Tab reaches all. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { walkByKeyboard } from './keyboard-walk.ts'

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

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

/** Fails on whatever axe finds on what is shown now. @param rules all of WCAG's unless told */
async function checkByAxe(page: Page, name: string, rules?: string[]): Promise<void> {
  // a link that lies half under the bar at the top is no smaller for it
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const axe = new AxeBuilder({ page })
    // preload: axe would fetch the card frame's style sheet again, which that frame forbids
    .options({ preload: false, resultTypes: ['violations'] })
    // joining the results of frames takes a page of its own, and twice the time
    .setLegacyMode(page.frames().length === 1)
  const chosen = rules
    ? axe.withRules(rules)
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
  const { violations } = await chosen.analyze()
  expect(namesOf(violations), name).toEqual([])
}

const namesOf = (violations: Violations): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ')}`)

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

/** What only a page that was just opened can tell: whether it moved. */
export async function checkOpened(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await checkWidth(page, name)
  expect(await layoutShift(page), `${name}: layout shift`).toBeLessThan(0.001)
}

/** All checks of what is shown now. @param isOpened the page was opened at this screen, so nothing may have moved */
export async function check(page: Page, name: string, isOpened: boolean): Promise<void> {
  if (isOpened) await checkOpened(page, name)
  else await checkWidth(page, name)
  await page.evaluate(() => document.fonts.ready)
  await atRest(page, name)
  await checkByAxe(page, name)
  await walkByKeyboard(page, name)
}

/**
 * What a second look at a screen can tell that `check` has seen in the first: whether it overflows at that width, and whether
 * the contrast is enough in that theme.
 */
export async function checkLook(page: Page, name: string): Promise<void> {
  await checkWidth(page, name)
  await atRest(page, name)
  if (page.frames().length > 1) return checkByAxe(page, name, ['color-contrast'])
  // axe is in the page since its first look: reading it again takes longer than this rule
  const { violations } = await page.evaluate(() => {
    type Axe = { run(options: object): Promise<{ violations: Violations }> }
    const { axe } = window as unknown as { axe: Axe }
    return axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'], preload: false })
  })
  expect(namesOf(violations), name).toEqual([])
}
