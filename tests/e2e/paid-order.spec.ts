import {
  arrive,
  bookPart,
  expect,
  freshEmail,
  logIn,
  onlyOrder,
  payWith,
  signUp,
  test,
} from './fixtures.ts'

test('a visitor finds a part, registers, books, pays, and the order is paid, also after a restart', async ({
  browser,
  openShop,
}) => {
  const shop = await openShop()
  const page = await browser.newPage({ baseURL: shop.origin })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Our parts' })).toBeVisible()
  await page
    .getByRole('link', { name: /^Book now/ })
    .first()
    .click()

  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.getByRole('link', { name: 'New to treatment service? Create new account' }).click()
  const email = await signUp(page)

  // back where the visitor came from
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

  expect(await shop.end('SIGTERM')).toBe(0)
  await shop.restart()
  await page.reload()
  await expect(row.getByText('paid', { exact: true })).toBeVisible()
  await expect(row.getByText(transaction as string)).toBeVisible()
  await page.close()
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
    // who does not see the button is told that it works
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

  for (const { lost, title } of [
    { lost: false, title: 'a tab closed right after paying still ends in a paid order' },
    { lost: true, title: 'and so it does when the provider’s webhook is lost too' },
  ]) {
    test(title, async ({ page, context, request }) => {
      const mode = (value: string) =>
        request.post('/sandbox/stripe/_sandbox/webhooks', { data: { mode: value } })
      if (lost) await mode('drop')
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
    })
  }

  test('a paid order can not be deleted, an unpaid one can, after being asked', async ({
    page,
  }) => {
    await payWith(page, '4242424242424242')
    await expect(page.getByText('congrats! Your payment is completed.')).toBeVisible()
    const row = await onlyOrder(page)
    await expect(row.getByRole('button', { name: /delete/i })).toBeDisabled()

    await bookPart(page)
    await page.goto('/dashboard/myOrders')
    const unpaid = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^Pay/ }) })
    await expect(unpaid.getByText(/held for (29|30):\d\d/i)).toBeVisible()
    await unpaid.getByRole('button', { name: /delete/i }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog.getByText('Are you sure you want to delete this product?')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(unpaid).toBeVisible()
    await unpaid.getByRole('button', { name: /delete/i }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('This order is deleted successfully')).toBeVisible()
    await expect(unpaid).toHaveCount(0)
  })
})

test('a session that ended elsewhere leads back to the login, and from there back', async ({
  page,
  shop,
}) => {
  const email = await arrive(page, 'Mary Jackson', freshEmail())
  // the same account signs out on another device: there the provider ends the session
  await page.request.post('/identity/sign-out', { data: {}, headers: { origin: shop.origin } })
  await page.goto(`${shop.origin}/dashboard/myOrders`)
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  await logIn(page, email)
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
})
