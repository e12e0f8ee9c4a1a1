/** What follows the profile, at three widths in two themes. */
import { test } from './customer-test.ts'
import { check, screens } from './screen-check.ts'
import { expect, password } from './shop-test.ts'

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    test('where one is signed in', async ({ page, customer, request }) => {
      test.slow()
      const answer = await request.post('/identity/sign-in/email', {
        headers: { origin: new URL(page.url()).origin },
        data: { email: customer.email, password },
      })
      expect(answer.status()).toBe(200)
      await page.goto('/dashboard')
      const section = page.getByRole('region', { name: 'Signed in on' })
      await expect(section.getByRole('listitem')).toHaveCount(2)
      await check(page, 'my account')
      if (width === 360) {
        await page.getByRole('button', { name: 'Delete my account' }).click()
        await expect(page.getByLabel('Your password')).toBeVisible()
        await check(page, 'deleting my account', false)
      }
    })
  })
}
