import { readFile } from 'node:fs/promises'
import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import { linkMailedTo } from '#tests/support/mails.ts'
import { arrive, expect, logIn, password, customerTest as test } from './fixtures.ts'

fullOnly(test)(
  'a customer ends a sign-in elsewhere, which is out at once',
  async ({ page, browser, customer, shop }) => {
    const elsewhere = await browser.newContext({
      baseURL: shop.origin,
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
    })
    const phone = await elsewhere.newPage()
    await phone.goto('/login')
    await logIn(phone, customer.email)
    await expect(phone).toHaveURL((url) => url.pathname === '/')

    await phone.goto('/dashboard')
    const takeAlong = phone.getByRole('button', { name: 'Download my data' })
    await expect(takeAlong).toBeVisible()

    await page.goto('/dashboard')
    const signedIn = page.getByRole('region', { name: 'Devices you’re logged in on' })
    const devices = signedIn.getByRole('listitem')
    await expect(devices).toHaveCount(2)
    await expect(devices.first()).toContainText('This device')
    await expect(devices.first().getByRole('button')).toHaveCount(0)
    await signedIn.getByRole('button', { name: 'Log out: Safari on iPhone' }).click()
    await expect(devices).toHaveCount(1)
    await expect(signedIn.getByRole('status')).toHaveText('Safari on iPhone has been logged out.')
    await expect(signedIn.getByRole('heading')).toBeFocused()
    await expect(signedIn.getByRole('button', { name: 'Log out all others' })).toHaveCount(0)

    await takeAlong.click()
    await expect(phone).toHaveURL(/\/login$/)
    await logIn(phone, customer.email)
    await expect(phone).toHaveURL(/\/dashboard$/)
    await page.reload()
    await signedIn.getByRole('button', { name: 'Log out all others' }).click()
    await expect(signedIn.getByRole('status')).toHaveText('All your other devices are logged out.')
    await expect(devices).toHaveCount(1)
    await elsewhere.close()
    await page.getByLabel('Education').fill('Yale')
    await page.getByLabel('Location').fill('New York')
    await page.getByLabel('Phone').fill('+1 555 0199')
    await page.getByLabel('LinkedIn').fill('linkedin.com/in/grace')
    await page.getByRole('button', { name: 'Update profile' }).click()
    await expect(page.getByText(messages.profileThanks)).toBeVisible()
  },
)

test('a customer takes their data along and deletes the account', async ({
  page,
  customer,
  pool,
}) => {
  await page.goto('/dashboard')
  const otherTab = await page.context().newPage()
  await otherTab.goto('/dashboard/myOrders')
  await expect(otherTab.getByRole('heading', { name: 'My orders' })).toBeVisible()
  await expect(page.getByText('You’re not logged in anywhere else.')).toBeVisible()
  const section = page.getByRole('region', { name: 'Your data' })
  const coming = page.waitForEvent('download')
  await section.getByRole('button', { name: 'Download my data' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/)
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data.account.email).toBe(customer.email)

  await section.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  const typed = dialog.getByLabel('Your password')
  await expect(typed).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(section.getByRole('button', { name: 'Delete my account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(typed).toHaveAccessibleDescription('Enter your password')
  await typed.fill('not this one')
  await page.keyboard.press('Enter')
  await expect(typed).toHaveAccessibleDescription('That’s not your password')
  await expect(typed).toBeFocused()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(otherTab).toHaveURL(/\/login$/)
  await logIn(page, customer.email)
  await expect(page.getByRole('alert').getByText(/invalid|incorrect/i)).toBeVisible()
  await arrive(page, 'Grace Again', customer.email)
  await page.goto('/dashboard')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace Again')

  // turns the account into a Google user
  await pool.query(
    `update identity.account set password = null
     where user_id = (select id from identity.user where email = $1)`,
    [customer.email],
  )
  await page.reload()
  await section.getByRole('button', { name: 'Delete my account' }).click()
  const address = dialog.getByLabel('Your email')
  await address.fill('somebody@example.com')
  await page.keyboard.press('Enter')
  await expect(address).toHaveAccessibleDescription('Enter your account’s email address')
  await address.fill(customer.email)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

test('name, e-mail and password are changed on the profile, and the orders stay', async ({
  page,
  shop,
  customer,
}) => {
  const section = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await page.goto('/dashboard')
  await section.getByRole('button', { name: 'Change name' }).click()
  await dialog.getByLabel('Name').fill('Grace Murray')
  await dialog.getByRole('button', { name: 'Change name' }).click()
  await expect(section.getByLabel('Name', { exact: true }).first()).toHaveValue('Grace Murray')
  await expect(page.getByRole('banner').getByText('Grace Murray').first()).toBeVisible()
  await expect(section.getByRole('button', { name: 'Change name' })).toBeFocused()

  const next = 'a better horse'
  await section.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByLabel('Current password').fill('wrong horse')
  await dialog.getByLabel('New password').fill(next)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(dialog.getByText('Type your current password.')).toBeVisible()
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password has been changed.')).toBeVisible()

  const email = `new.${customer.email}`
  await section.getByRole('button', { name: 'Change email' }).click()
  await dialog.getByLabel('New email').fill(email)
  await dialog.getByLabel('Your password').fill(next)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText('We emailed a link to')).toBeVisible()
  await expect.poll(() => linkMailedTo(shop, email, '/verify-email')).toBeTruthy()
  await page.goto((await linkMailedTo(shop, email, '/verify-email')) as string)
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard' }).last().click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
})
