import { fullOnly } from '#tests/support/length.ts'
import { arrive, bookPart, expect, onlyOrder, payWith, signUp, test } from './fixtures.ts'

test('a visitor finds a part, registers, books, pays, and the order is paid', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Our parts' })).toBeVisible()
  await page
    .getByRole('link', { name: /^Book now/ })
    .first()
    .click()

  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.getByRole('link', { name: 'New here? Create new account' }).click()
  const email = await signUp(page)

  // back on the page where the visitor started
  await expect(page).toHaveURL(/\/purchase\//)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace Hopper')
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByRole('button', { name: 'Book now' }).click()
  await expect(page.getByText('Your order is processing. please pay to confirm.')).toBeVisible()

  await payWith(page, '4242424242424242')
  await expect(page.getByText('congrats! Your payment is completed.')).toBeVisible()
  const transaction = await page
    .getByText(/^pi_\w+$/)
    .first()
    .textContent()
  const row = await onlyOrder(page)
  await expect(row.getByText('paid', { exact: true })).toBeVisible()
  await expect(row.getByText(transaction as string)).toBeVisible()
})

test.describe('paying', () => {
  test.beforeEach(async ({ page }) => {
    await arrive(page)
    await bookPart(page)
  })

  test('a declined card shows the provider’s message, the order stays unpaid, another card pays', async ({
    page,
  }) => {
    await payWith(page, '4000000000000002')
    await expect(page.getByText('Your card was declined.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Pay/ })).toBeFocused()
    await expect(page).toHaveTitle(/^Error: Payment of F-\d+, Cinder RX 7800 XT · Ferrite$/)
    const payment = page.url()
    const row = await onlyOrder(page)
    await expect(row.getByRole('link', { name: /^Pay/ })).toBeVisible()
    await page.goto(payment)
    await payWith(page, '5555555555554444')
    await expect(page.getByText('congrats! Your payment is completed.')).toBeVisible()
  })

  test('a 3-D Secure card asks: failing leaves the order unpaid, completing pays it', async ({
    page,
  }) => {
    await payWith(page, '4000002500003155')
    const challenge = page.frameLocator('iframe[title="Card authentication"]')
    await expect(challenge.getByRole('button', { name: 'Fail authentication' })).toBeVisible()
    // screen readers announce that the button is busy
    await expect(page.getByRole('status').filter({ hasText: 'Confirming…' })).toHaveCount(1)
    await challenge.getByRole('button', { name: 'Fail authentication' }).click()
    await expect(
      page.getByText(
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      ),
    ).toBeVisible()
    await page.getByRole('button', { name: /^Pay/ }).click()
    await challenge.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(page.getByText('congrats! Your payment is completed.')).toBeVisible()
  })

  fullOnly(test)(
    'a tab closed right after paying still ends in a paid order, also when the provider’s webhook is lost',
    async ({ page, context, request }) => {
      const mode = (value: string) =>
        request.post('/sandbox/stripe/_sandbox/webhooks', { data: { mode: value } })
      await mode('drop')
      await page.route('**/api/order/*', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      )
      const charged = page.waitForResponse(
        (response) => response.url().includes('/confirm') && response.ok(),
      )
      await payWith(page, '4242424242424242')
      await charged
      await page.close()
      const later = await context.newPage()
      const row = await onlyOrder(later)
      await expect(async () => {
        await later.reload()
        await expect(row.getByText('paid', { exact: true })).toBeVisible({ timeout: 1_000 })
      }).toPass({ timeout: 30_000 })
      await mode('normal')
    },
  )
})
