import { expect, type Page } from '@playwright/test'

type Stop = { what: string; ringed: boolean; seen: boolean; last: boolean }

/** What can be reached by Tab: everything that can have the focus, is shown, and is not taken out of the way. */
const countStops = (page: Page) =>
  page.evaluate(() => {
    // nothing outside an open dialog can have it
    const room = document.querySelector('dialog:modal') ?? document
    const all = [...room.querySelectorAll<HTMLElement>('a[href], button, input, textarea, iframe')]
    const groups = new Set<string>()
    return all.filter((element) => {
      const { disabled, type, name } = element as HTMLInputElement
      if (disabled || element.tabIndex < 0 || element.closest('[inert]')) return false
      if (!element.checkVisibility({ visibilityProperty: true })) return false
      // of a group of radio buttons Tab reaches one
      if (type !== 'radio') return true
      return !groups.has(name) && groups.add(name)
    }).length
  })

/**
 * Where the focus is, whether it has a ring, and whether anything covers it. What scrolls into view has two seconds to
 * arrive: a busy machine draws a smooth scroll late.
 */
const stopHere = (page: Page): Promise<Stop> =>
  page.evaluate(async () => {
    const element = document.activeElement as HTMLElement
    const [label] = (element as HTMLInputElement).labels ?? []
    const ringOf = (shown: Element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    // what is hidden on purpose (a radio button under its star, a frame) shows its focus around it
    const around = [element, label, element.parentElement]
    const isSeen = () => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return Boolean(
        hit && (element.contains(hit) || hit.contains(element) || label?.contains(hit)),
      )
    }
    const end = performance.now() + 2000
    while (!isSeen() && performance.now() < end) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return {
      what: `${element.tagName} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`,
      ringed: element.tagName === 'IFRAME' || around.some((shown) => shown && ringOf(shown)),
      seen: isSeen(),
      last: element === document.body,
    }
  })

/**
 * Walks a page, or the dialog that is open on it, by Tab from its top to its end: every control is reached, its focus is seen, and nothing lies over it.
 * @param name of the screen, for complaints
 */
export async function walkByKeyboard(page: Page, name: string): Promise<void> {
  const expected = await countStops(page)
  await page.evaluate(() => {
    // leaving a control is not enough: Tab would go on from there
    const start = document.querySelector<HTMLElement>('dialog:modal') ?? document.body
    start.tabIndex = -1
    start.focus()
    start.removeAttribute('tabindex')
    scrollTo(0, 0)
  })
  const wrong: string[] = []
  let stops = 0
  for (; stops <= expected + 20; stops += 1) {
    await page.keyboard.press('Tab')
    const { what, ringed, seen, last } = await stopHere(page)
    if (last) break
    if (!ringed) wrong.push(`${what}: no ring`)
    if (!seen) wrong.push(`${what}: covered`)
  }
  expect(wrong, name).toEqual([])
  // leaving a field that must not be empty may have disabled the form's button
  const reachable = Math.min(expected, await countStops(page))
  expect(stops, `${name}: controls that Tab reaches`).toBeGreaterThanOrEqual(reachable)
}
