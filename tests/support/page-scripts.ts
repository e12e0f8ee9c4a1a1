import type { Page } from '@playwright/test'

/**
 * From now on a navigation waits for the page's scripts, which load after the page and ignore what
 * is typed before.
 */
export function awaitScripts(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    if (options?.waitUntil) return answer
    const whole = page.locator('html[data-hydrated], html:not(:has(#page-end))')
    await whole.waitFor({ state: 'attached' })
    return answer
  }
}
