/**
 * Checks for every screen: nothing overflows, nothing moves, axe finds nothing, Tab reaches
 * everything.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { walkByKeyboard } from './keyboard-walk.ts'

/** The sum of layout shifts without input since the page was opened. */
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

/** All WCAG rules that axe has. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const contrast = ['color-contrast']
// preload: axe would fetch the card frame's style sheet again, which that frame forbids
const options = { preload: false, resultTypes: ['violations'] } satisfies Parameters<
  AxeBuilder['options']
>[0]

/** Half as long as the source that AxeBuilder reads on its own. */
const axeSource = await readFile(
  join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'),
  'utf8',
)

/**
 * Runs axe in a page of one frame. AxeBuilder would inject it twice, and send all passed checks.
 */
const runAxe = (page: Page, runOnly: string[]): Promise<Violations> =>
  page.evaluate(
    async (chosen) => {
      type Axe = { run(options: object): Promise<{ violations: Violations }> }
      const { axe } = window as unknown as { axe: Axe }
      return (await axe.run(chosen)).violations
    },
    { ...options, runOnly },
  )

/** Joins the violations that axe finds in each frame. */
const axeOfFrames = (page: Page): AxeBuilder => new AxeBuilder({ page, axeSource }).options(options)

/** A link half under the top bar must not count as smaller. */
const toTop = (page: Page): Promise<void> =>
  page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))

/** Fails on any violation that axe finds on the current screen. */
async function checkByAxe(page: Page, name: string): Promise<void> {
  await toTop(page)
  if (page.frames().length > 1) {
    const { violations } = await axeOfFrames(page).withTags(tags).analyze()
    return expectNone(violations, name)
  }
  await page.evaluate(axeSource)
  expectNone(await runAxe(page, tags), name)
}

const expectNone = (violations: Violations, name: string): void =>
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join(', ')}`),
    name,
  ).toEqual([])

async function checkWidth(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name}: wider than the screen`).toBe(0)
}

/** Waits until nothing fades: half-faded elements have half their contrast. */
async function atRest(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.getAnimations().length), `${name}: at rest`)
    .toBe(0)
}

/** The check that only a newly opened page allows: whether it moved. */
export async function checkOpened(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await checkWidth(page, name)
  expect(await layoutShift(page), `${name}: layout shift`).toBeLessThan(0.001)
}

/**
 * All checks of the current screen.
 * @param isOpened the page was opened at this screen, so nothing may have moved
 */
export async function check(page: Page, name: string, isOpened: boolean): Promise<void> {
  if (isOpened) await checkOpened(page, name)
  else await checkWidth(page, name)
  await page.evaluate(() => document.fonts.ready)
  await atRest(page, name)
  await checkByAxe(page, name)
  await walkByKeyboard(page, name)
}

/**
 * The checks that a second look can add after `check`: whether the screen overflows at that width,
 * and whether the contrast is sufficient in that theme.
 */
export async function checkLook(page: Page, name: string): Promise<void> {
  await checkWidth(page, name)
  await atRest(page, name)
  if (page.frames().length > 1) {
    await toTop(page)
    const { violations } = await axeOfFrames(page).withRules(contrast).analyze()
    return expectNone(violations, name)
  }
  // axe is in the page since its first run
  expectNone(await runAxe(page, contrast), name)
}
