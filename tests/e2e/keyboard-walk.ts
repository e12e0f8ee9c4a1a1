import { expect, type Page } from '@playwright/test'
import { atLength } from '#tests/support/length.ts'

/** Counts the elements reachable by Tab: focusable, visible, and not excluded. */
const countStops = (page: Page) =>
  page.evaluate(() => {
    // nothing outside the dialog that opened last can be focused
    const room = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
    const all = [...room.querySelectorAll<HTMLElement>('a[href], button, input, textarea, iframe')]
    const groups = new Set<string>()
    return all.filter((element) => {
      const { disabled, type, name } = element as HTMLInputElement
      if (disabled || element.tabIndex < 0 || element.closest('[inert]')) return false
      if (!element.checkVisibility({ visibilityProperty: true })) return false
      // Tab reaches one button of a radio group
      if (type !== 'radio') return true
      return !groups.has(name) && groups.add(name)
    }).length
  })

type Walk = { reached: number; faults: string[] }

/**
 * Puts the focus before the first control, and records for each focused element whether it has a
 * visible ring and whether something covers it.
 * @returns ends the recording
 */
const watchFocus = (page: Page) =>
  page.evaluateHandle(() => {
    const labelOf = (element: Element) => (element as HTMLInputElement).labels?.[0]
    const isRinged = (element: Element) => {
      // a hidden control (such as a radio button under its star) shows its focus on an element
      // around it
      return [element, labelOf(element), element.parentElement].some((candidate) => {
        if (!candidate) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(candidate)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
    }
    const isSeen = (element: Element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return Boolean(
        hit && (element.contains(hit) || hit.contains(element) || labelOf(element)?.contains(hit)),
      )
    }
    // blurring a control is not enough: Tab would continue from there
    const dialogs = document.querySelectorAll<HTMLElement>('dialog:modal')
    const start = [...dialogs].at(-1) ?? document.body
    start.tabIndex = -1
    start.focus()
    start.removeAttribute('tabindex')
    scrollTo(0, 0)

    const reached = new Set<HTMLElement>()
    const ringless = new Set<HTMLElement>()
    const covered = new Set<HTMLElement>()
    const look = () => {
      const element = document.activeElement as HTMLElement
      if (element === document.body || element === start) return
      reached.add(element)
      // a frame shows the focus inside
      if (element.tagName !== 'IFRAME' && !isRinged(element)) ringless.add(element)
      if (!isSeen(element)) covered.add(element)
    }
    // before React, which delays events of elements it has not hydrated yet
    addEventListener('focusin', look, true)
    // a frame that gets the focus fires no focusin here: the surrounding page only gets a blur
    addEventListener('blur', look, true)
    const nameOf = (element: Element) =>
      `${element.tagName} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
    /**
     * An element that scrolls smoothly into view has two seconds to arrive, because a busy machine
     * draws late.
     */
    const staysCovered = async (element: HTMLElement) => {
      element.focus()
      const end = performance.now() + 2000
      while (!isSeen(element) && performance.now() < end)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return !isSeen(element)
    }
    const end = async (): Promise<Walk> => {
      removeEventListener('focusin', look, true)
      removeEventListener('blur', look, true)
      const faults = [...ringless].map((element) => `${nameOf(element)}: no ring`)
      for (const element of covered)
        if (await staysCovered(element)) faults.push(`${nameOf(element)}: covered`)
      return { reached: reached.size, faults }
    }
    return { end, reached: () => reached.size }
  })

/**
 * Tabs through a page, or the dialog open on it, from start to end: every control is reached, its
 * focus is visible, and nothing covers it. The page itself records this, because querying it at
 * each stop takes three times as long.
 * @param name the screen's name, for failure messages
 */
export async function walkByKeyboard(page: Page, name: string): Promise<void> {
  const expected = await countStops(page)
  const watch = await watchFocus(page)
  // leaving a required field may have disabled the form's button
  const countReachable = async () => Math.min(expected, await countStops(page))
  // charts and scrolling elements are stops too, and a frame has its own stops
  const more = page.frames().length > 1 || atLength ? 20 : 6
  // the focus leaves an out-of-process frame late, and key presses meanwhile move nothing
  const turns = page.frames().length > 1 ? 3 : 1
  for (let turn = 0; turn < turns; turn += 1) {
    // held down, because each key release would be another message
    await Promise.all(Array.from({ length: expected + more }, () => page.keyboard.down('Tab')))
    if ((await watch.evaluate((walk) => walk.reached())) >= (await countReachable())) break
  }
  await page.keyboard.up('Tab')
  const { reached, faults } = await watch.evaluate((walk) => walk.end())
  expect(faults, name).toEqual([])
  const reachable = await countReachable()
  expect(reached, `${name}: controls that Tab reaches`).toBeGreaterThanOrEqual(reachable)
}
