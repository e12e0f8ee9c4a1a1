import { messages } from '#contracts/messages.ts'
import { linkMailedTo } from '#tests/support/outbox.ts'
import { arrive, expect, freshEmail, logIn, password, signUp, test } from './fixtures.ts'

test.describe('Sign Up', () => {
  test.beforeEach(({ page }) => page.goto('/register'))

  test('says what is missing and what is wrong, in the shop’s words', async ({ page }) => {
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByText(messages.nameRequired)).toBeVisible()
    await expect(page.getByText(messages.emailRequired)).toBeVisible()
    await expect(page.getByText(messages.passwordRequired)).toBeVisible()
    await page.getByLabel('Email').fill('not an address')
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page.getByText(messages.emailInvalid)).toBeVisible()
    await expect(page.getByText(messages.passwordTooShort)).toBeVisible()
  })

  test('an address that has an account is told so under the form, nothing typed is lost', async ({
    page,
  }) => {
    const email = await signUp(page)
    await expect(page).toHaveURL(/\/home$/)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goto('/register')
    await page.getByLabel('Name', { exact: true }).fill('Somebody Else')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(
      page.getByText('The email address is already in use by another account.'),
    ).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Somebody Else')
    await expect(page.getByRole('button', { name: 'Sign Up' })).toBeFocused()
    await page.getByRole('link', { name: 'Log in with it' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(email)
  })

  test('what is wrong is in the title and in a summary that leads to each field', async ({
    page,
  }) => {
    await page.getByRole('button', { name: 'Sign Up' }).click()
    await expect(page).toHaveTitle('Error: Sign Up · Ferrite')
    await expect(
      page.getByText('There is a problem with 3 fields: Name, Email, Password'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Password', exact: true }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.type(password)
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Email').fill('ada@gmial.com')
    await page.keyboard.press('Tab')
    await expect(page).toHaveTitle('Sign Up · Ferrite')
    await page.getByRole('button', { name: 'ada@gmail.com' }).click()
    await expect(page.getByLabel('Email')).toHaveValue('ada@gmail.com')
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByText('Did you mean')).toHaveCount(0)
  })

  test('links to the login', async ({ page }) => {
    await page.getByRole('link', { name: 'Already have an account? Please login' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  })
})

test.describe('Login', () => {
  test('a wrong password is told under the form in red', async ({ page }) => {
    await page.goto('/login')
    await logIn(page, freshEmail(), 'wrong password')
    const error = page.getByText(/credential is incorrect.* E-mail or password is wrong\./)
    await expect(error).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: 'Login' })).toBeFocused()
    await expect(page).toHaveTitle('Error: Login · Ferrite')
    await page.getByRole('link', { name: 'Create new account' }).click()
    await expect(page).toHaveTitle('Sign Up · Ferrite')
  })

  test('Forgot password asks for an address and answers with a toast', async ({ page }) => {
    await page.goto('/login')
    page.once('dialog', (dialog) => dialog.accept(''))
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText(messages.resetNeedsEmail)).toBeVisible()
    page.once('dialog', (dialog) => dialog.accept(freshEmail()))
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText(messages.resetSent, { exact: true })).toBeVisible()
  })

  test('the mail after Forgot password leads to a new password; the old one is dead', async ({
    page,
    shop,
  }) => {
    const email = await arrive(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Logout' }).click()
    page.once('dialog', (dialog) => dialog.accept(email))
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByText(messages.resetSent, { exact: true })).toBeVisible()
    await expect
      .poll(() => linkMailedTo(shop, email, '/reset-password/'), { timeout: 15_000 })
      .toBeTruthy()
    await page.goto((await linkMailedTo(shop, email, '/reset-password/')) as string)
    await page.getByLabel('Password', { exact: true }).fill('a better one')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await logIn(page, email)
    await expect(page.getByText(/credential is incorrect/)).toBeVisible()
    await logIn(page, email, 'a better one')
    await expect(page).toHaveURL((url) => url.pathname === '/')
  })

  test('returns to where the visitor came from; another site is no such place', async ({
    page,
  }) => {
    const email = await arrive(page)
    await page.goto('/')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await logIn(page, email)
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    const { origin } = new URL(page.url())
    // who is logged in already is led on at once
    await page.goto('/login?from=//evil.example')
    await expect(page).toHaveURL(`${origin}/`)
  })

  test('signing out in one tab signs out the others', async ({ page, context }) => {
    await page.goto('/register')
    await signUp(page)
    const second = await context.newPage()
    await second.goto('/dashboard/myOrders')
    await expect(second.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(second).toHaveURL(/\/login$/)
  })
})

test.describe('booking', () => {
  test('quantity limits are live, the total follows, and the disabled button says why', async ({
    page,
  }) => {
    await arrive(page)
    const parts: {
      name: string
      _id: string
      price: number
      minimumOrderQuantity: number
      availableQuantity: number
    }[] = await (await page.request.get('/api/part')).json()
    const part = parts.find((p) => p.minimumOrderQuantity >= 2 && p.availableQuantity >= 6)
    if (!part) throw new Error('the demo shop has no part with a minimum quantity')
    await page.goto(`/purchase/${part._id}`)
    const quantity = page.getByLabel('Quantity', { exact: true })
    const submit = page.getByRole('button', { name: 'Book now' })
    await expect(quantity).toHaveValue(String(part.minimumOrderQuantity))
    await quantity.fill(String(part.minimumOrderQuantity - 1))
    await expect(page.getByText(messages.quantityTooLow).first()).toBeVisible()
    await expect(submit).toBeDisabled()
    await quantity.fill(String(part.availableQuantity + 1))
    await expect(page.getByText(messages.quantityTooHigh).first()).toBeVisible()
    await expect(submit).toBeDisabled()
    await quantity.fill(String(part.minimumOrderQuantity + 1))
    const total = (part.minimumOrderQuantity + 1) * part.price
    await expect(page.getByLabel('Total price')).toHaveValue(`$${total.toLocaleString('en-US')}`)
    await expect(submit).toBeEnabled()
    await submit.click()
    await expect(page.getByText(/phone is required/i).first()).toBeVisible()
  })
})
