/** The search field of every page. */
import { expect, test } from './fixtures.ts'

test('typing suggests parts, which the keyboard can open', async ({ page }) => {
  await page.goto('/about')
  const requestPaths: string[] = []
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname))
  const field = page.getByLabel('Find parts')
  await expect(field).toHaveAttribute('aria-keyshortcuts', '/')
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '')
  expect(requestPaths.filter((path) => path.includes('search'))).toEqual([])

  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.type('marow')
  const box = page.getByRole('combobox', { name: 'Find parts' })
  await expect(box).toHaveAttribute('aria-expanded', 'true')
  const options = page.getByRole('option')
  await expect(options.nth(0)).toHaveText(/^in power supply, \d+$/)
  await expect(options.nth(1)).toHaveText(/Marrow 750.*\$99.*19 in stock/)
  await expect(options.nth(1).locator('b')).toHaveText('750')
  await expect(page.getByRole('status').filter({ hasText: 'suggestions' })).toContainText(
    'Showing results for “marrow”',
  )

  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(box).toHaveValue('marow')
  await expect(box).toHaveAttribute('aria-expanded', 'false')

  // the response for fewer letters arrives later, and must be ignored
  const late = Promise.withResolvers<void>()
  await page.route(/search\?q=pa$/, async (route) => {
    await late.promise
    await route.continue().catch(() => {})
  })
  await box.fill('pa')
  await page.waitForRequest(/search\?q=pa$/)
  await box.fill('cinder')
  await expect(page.getByRole('option', { name: /Cinder RX 7600/ })).toBeVisible()
  late.resolve()
  await box.fill('cinder rx 7600 card')
  await expect(options.first()).toContainText('Cinder RX 7600')
  await page.keyboard.press('ArrowDown')
  await expect(box).toHaveAttribute('aria-activedescendant', 'site-search-list-0')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/part\/\d+-cinder-rx-7600$/)
  await expect(options).toHaveCount(0)
})

test('on a phone the field opens above the page, and answers a sentence', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/about')
  await expect(page.getByLabel('Find parts')).toBeHidden()
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByLabel('Find parts')).toBeFocused()
  await page.keyboard.type('b650 itx')
  await page.getByRole('option', { name: /Basalt B650I ITX/ }).click()
  await expect(page).toHaveURL(/\/part\/\d+-basalt-b650i-itx$/)
  await expect(page.getByLabel('Find parts')).toBeHidden()

  await page.getByRole('button', { name: 'Search' }).click()
  await page
    .getByRole('combobox', { name: 'Find parts' })
    .fill('a quiet 650 W supply under 90 dollars that fits a small case')
  await expect(page.getByRole('option').first()).toContainText('Marrow 650 Quiet')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Remove Price: to $90' })).toBeVisible()
  await expect(page.locator('.part-card').first()).toContainText('Marrow 650 Quiet')
})
