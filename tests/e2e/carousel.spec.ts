/** The banner of the home page: three slides that move only on user action. */
import type { Page } from '@playwright/test'
import type { Part } from '#contracts/parts.ts'
import { atLength } from '#tests/support/length.ts'
import { expect, test } from './fixtures.ts'

const carousel = (page: Page) => page.getByRole('region', { name: 'What Ferrite is' })
const slide = (page: Page, number: number) => page.locator(`#slide${number}`)
const next = (page: Page) => carousel(page).getByRole('link', { name: 'Next slide' })
const previous = (page: Page) => carousel(page).getByRole('link', { name: 'Previous slide' })
const bar = (page: Page, number: number) =>
  carousel(page).getByRole('link', { name: new RegExp(`^Slide ${number}:`) })

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/**
 * Expects the slide to be in place: it fills the carousel, is usable, and is marked in the bars.
 */
async function expectInPlace(page: Page, number: number): Promise<void> {
  await expect(bar(page, number)).toHaveAttribute('aria-current', 'true')
  await expect(carousel(page).locator('[aria-current="true"]')).toHaveCount(1)
  await expect
    .poll(async () => {
      const [inner, outer] = [
        await slide(page, number).boundingBox(),
        await carousel(page).boundingBox(),
      ]
      return Math.abs((inner?.x ?? 1e9) - (outer?.x ?? 0))
    })
    .toBeLessThan(4)
  for (const other of [1, 2, 3]) {
    await expect(slide(page, other)).toHaveJSProperty('inert', other !== number)
  }
}

test('rotates by arrows, which are anchors, by a quick double click, by a swipe, and moves nothing else', async ({
  page,
}) => {
  // jumps are instant; a glide would be drawn sixty times a second
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/blogs')
  await page.goto('/#slide3')
  await expectInPlace(page, 3)
  await page.evaluate(() => scrollTo({ top: 60, behavior: 'instant' }))
  for (const number of [1, 2, 3]) {
    await expect(next(page)).toHaveAttribute('href', `#slide${number}`)
    await next(page).click()
    await expectInPlace(page, number)
    await expect(page).toHaveURL(new RegExp(`#slide${number}$`))
  }
  for (const number of atLength ? [2, 1, 3] : [2]) {
    await expect(previous(page)).toHaveAttribute('href', `#slide${number}`)
    await previous(page).click()
    await expectInPlace(page, number)
  }
  await bar(page, 1).click()
  await expectInPlace(page, 1)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await next(page).dblclick()
  await expectInPlace(page, 3)
  await page.locator('.carousel-track').evaluate((track) => {
    track.scrollTo({ left: track.clientWidth, behavior: 'instant' })
  })
  await expectInPlace(page, 2)
  await expect(next(page)).toHaveAttribute('href', '#slide3')
  expect(await page.locator('[id^=slide]').count()).toBe(3)
  expect(await page.evaluate(() => scrollY)).toBe(60)
  // a slide is not a page: Back leaves the home page
  await page.goBack()
  await expect(page).toHaveURL(/\/blogs$/)
})

test('what was reached by Tab before the script came keeps its place and the focus', async ({
  page,
}) => {
  let scripts = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  const reached = [
    [3, slide(page, 3).getByRole('link').first()],
    [2, next(page)],
  ] as const
  for (const [number, link] of atLength ? reached : reached.slice(1)) {
    scripts = Promise.withResolvers()
    await page.goto('about:blank')
    await page.goto('/#slide2', { waitUntil: 'commit' })
    // the style sheet shows only the arrows of the slide named by the URL
    await expect(next(page)).toHaveCount(1)
    await expect(next(page)).toHaveAttribute('href', '#slide3')
    await link.focus()
    scripts.resolve()
    await expectInPlace(page, number)
    await expect(link).toBeFocused()
  }
})

test('is walked by keyboard: the focus stays on the arrow, and slides out of view are skipped', async ({
  page,
}) => {
  await page.goto('/')
  await expectInPlace(page, 1)
  await next(page).focus()
  await page.keyboard.press('Enter')
  await expectInPlace(page, 2)
  await expect(next(page)).toBeFocused()
  await expect(carousel(page).getByRole('status')).toHaveText(/^Slide 2 of 3: /)
  // back from the controls: only the second slide's links are reachable
  await page.keyboard.press('Shift+Tab')
  await expect(previous(page)).toBeFocused()
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[id^=slide]')?.id)).toBe(
    'slide2',
  )
})

test('has slides of one height with a part each that can be booked, never moves by itself, and glides unless less motion is wanted', async ({
  page,
}) => {
  const track = page.locator('.carousel-track')
  const behaviour = () => track.evaluate((element) => getComputedStyle(element).scrollBehavior)
  await page.clock.install()
  await page.goto('/')
  await expectInPlace(page, 1)
  expect(await behaviour()).toBe('smooth')
  const parts: Part[] = await (await page.request.get('/api/part')).json()
  for (const number of [1, 2, 3]) {
    const link = slide(page, number).locator('a[href^="/purchase/"]').first()
    const id = (await link.getAttribute('href'))?.split('/').at(-1)
    const part = parts.find(({ _id }) => _id === id)
    expect(part?.availableQuantity).toBeGreaterThanOrEqual(part?.minimumOrderQuantity ?? 1e9)
  }
  await page.clock.runFor('05:00')
  await expectInPlace(page, 1)
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const heights = await page
      .locator('[id^=slide]')
      .evaluateAll((all) => all.map((element) => element.clientHeight))
    expect(new Set(heights).size).toBe(1)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await behaviour()).toBe('auto')
  await next(page).click()
  expect(await track.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
  await expectInPlace(page, 2)
})
