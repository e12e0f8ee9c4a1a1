/** Without JavaScript nothing waits for ever, and nothing is there that could not work. */
import { expect, test } from './fixtures.ts'

test.use({ javaScriptEnabled: false })

for (const path of ['/dashboard', '/purchase/any'])
  test(`${path} says that it needs JavaScript, instead of turning for ever`, async ({ page }) => {
    await page.goto(path)
    const sentence = page.locator('main noscript p')
    await expect(sentence).toBeVisible()
    await expect(sentence).toContainText('This page needs JavaScript.')
    await expect(page.getByRole('status')).toBeHidden()
  })

test('the theme switch is not there, the pages are', async ({ page }) => {
  await page.goto('/')
  await expect(
    page.getByRole('navigation').getByRole('link', { name: 'Blogs' }).first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Theme/ })).toHaveCount(0)
})
