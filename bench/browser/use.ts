/**
 * How fast a page responds to its user: real Chromium with a quarter of the processor, and clicks
 * also on a slow network.
 */
import type { Browser, Page } from '@playwright/test'
import { register } from '#tests/support/people.ts'
import { middle } from '../measure.ts'
import type { Look } from './lighthouse.ts'

/** The width from which a screen uses the desktop layout. */
const wideFrom = 1024

type Options = Look & { origin: string; slowLine?: boolean; token?: string }

/** A new visitor's page, throttled like Lighthouse's phone. */
async function openPage(browser: Browser, options: Options) {
  const { origin, theme, width = 390, slowLine, token } = options
  const isMobile = width < wideFrom
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    isMobile,
    hasTouch: isMobile || slowLine === true,
    colorScheme: theme,
    baseURL: origin,
  })
  const page = await context.newPage()
  if (token) await page.addInitScript((value) => localStorage.setItem('accessToken', value), token)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  if (slowLine) {
    const bytes = (megabits: number) => (megabits * 1_000_000) / 8
    const line = { latency: 150, downloadThroughput: bytes(1.6), uploadThroughput: bytes(0.75) }
    await session.send('Network.emulateNetworkConditions', { offline: false, ...line })
  }
  return { page, session, close: () => context.close() }
}

/** Opens the page, and waits until scripts run and it has been idle for a moment. */
async function arrive(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset)
  await page.waitForLoadState('networkidle')
}

type Action = {
  name: string
  path: string
  /** Whether only wide or only narrow screens have it. */
  wide?: boolean
  isForUser?: boolean
  act: (page: Page) => Promise<void>
}

const actions: Action[] = [
  {
    name: 'theme',
    path: '/',
    // from the system's theme to light, then to dark: one of the two changes all colours
    async act(page) {
      const button = page.getByRole('button', { name: /^Theme/ })
      await button.click()
      await page.waitForTimeout(500)
      await button.click()
    },
  },
  {
    name: 'menu',
    path: '/',
    wide: false,
    act: (page) => page.getByRole('button', { name: 'Menu' }).click(),
  },
  {
    name: 'carousel',
    path: '/',
    act: (page) => page.getByRole('link', { name: 'Next slide' }).click(),
  },
  {
    name: 'a filter',
    path: '/parts/graphics-card',
    wide: true,
    act: (page) => page.getByRole('checkbox').first().check(),
  },
  {
    name: 'typing in search',
    path: '/',
    wide: true,
    act: (page) => page.getByLabel('Find parts').pressSequentially('ryzen', { delay: 120 }),
  },
  {
    name: 'opening a dialog',
    path: '/dashboard',
    isForUser: true,
    act: (page) => page.getByRole('button', { name: /^Delete/ }).click(),
  },
]

/** Milliseconds from the slowest input of an action to the frame with its result. */
async function slowestInput(page: Page, act: Action['act']): Promise<number> {
  await page.evaluate(() => {
    const durations: number[] = []
    Object.assign(window, { durations })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ((entry as PerformanceEventTiming).interactionId) durations.push(entry.duration)
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await act(page)
  // an entry appears with the next frame; input below 16 ms has none
  await page.waitForTimeout(1000)
  return page.evaluate(() =>
    Math.max(0, ...(window as unknown as { durations: number[] }).durations),
  )
}

type Place = Look & { origin: string }

/** Interaction to next paint of each action, the median of `rounds`. */
export async function inputDelays(browser: Browser, place: Place, rounds: number) {
  const { token } = await register(place.origin, 'Bench User')
  const rows: { name: string; ms: number }[] = []
  const { width } = place
  for (const { name, path, act, wide, isForUser } of actions) {
    if (width && wide !== undefined && wide !== width >= wideFrom) continue
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const options = { width: wide ? 1280 : 390, ...place, ...(isForUser && { token }) }
      const { page, close } = await openPage(browser, options)
      await arrive(page, path)
      times.push(await slowestInput(page, act))
      await close()
    }
    rows.push({ name, ms: middle(times) })
  }
  return rows
}

/**
 * From one page to another: the selector to tap, and what the next page shows once it has loaded.
 */
const ways: { from: string; tap: string; to: string; shows: string }[] = [
  { from: '/', tap: 'main a[href^="/part/"]', to: '/part/', shows: 'main h1' },
  {
    from: '/',
    tap: '.part-card a[href^="/purchase/"].button',
    to: '/login',
    shows: '[type=password]',
  },
  { from: '/', tap: 'main a[href="/parts"]', to: '/parts', shows: '.kind-tile' },
  { from: '/', tap: 'footer a[href="/blogs"]', to: '/blogs', shows: 'main h1' },
  { from: '/parts', tap: 'main a[href="/parts/case"]', to: '/parts/case', shows: '.part-card' },
  { from: '/parts/case', tap: '.part-card h2 a', to: '/part/', shows: 'main h1' },
]

/**
 * Waits like a visitor who looks before tapping: meanwhile, an idle page preloads the next ones.
 */
async function haveNextPages(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const next = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')]
    const isThere = ({ href }: HTMLLinkElement) => performance.getEntriesByName(href).length > 0
    return next.some(({ href }) => href.includes('/purchase-')) && next.every(isThere)
  })
}

/** Milliseconds from a tap that lasts a tenth of a second to the frame that shows the next page. */
async function tapToContent(
  browser: Browser,
  place: Place,
  { from, tap, to, shows }: (typeof ways)[number],
): Promise<number> {
  const { page, session, close } = await openPage(browser, { ...place, slowLine: true })
  await arrive(page, from)
  await haveNextPages(page)
  await page.evaluate(
    ([path, selector]) => {
      const come = () =>
        location.pathname.startsWith(path as string) && document.querySelector(selector as string)
      const arrival = new Promise<number>((resolve) => {
        const look = (since: number) => () =>
          come()
            ? requestAnimationFrame(() => resolve(performance.now() - since))
            : requestAnimationFrame(look(since))
        addEventListener('click', ({ timeStamp }) => look(timeStamp)(), { capture: true })
      })
      Object.assign(window, { arrival })
    },
    [to, shows],
  )
  const link = page.locator(tap).first()
  await link.scrollIntoViewIfNeeded()
  // cards get their layout as they scroll into view
  await (await link.elementHandle())?.waitForElementState('stable')
  const box = await link.boundingBox()
  if (!box) throw new Error(`${from} has no ${tap}`)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.waitForTimeout(100)
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const ms = await page.evaluate(() => (window as unknown as { arrival: Promise<number> }).arrival)
  await close()
  return ms
}

/** Tap to content for each path, the median of `rounds`. */
export async function waysToContent(browser: Browser, place: Place, rounds: number) {
  const rows: { name: string; ms: number }[] = []
  for (const way of ways) {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push(await tapToContent(browser, place, way))
    rows.push({ name: `${way.from} → ${way.shows} of ${way.to}`, ms: middle(times) })
  }
  return rows
}
