/**
 * Login, Sign Up, forgotten passwords, verified addresses, and sessions that are renewed, end and
 * reach other tabs.
 */
import type { BrowserContext, Dialog, Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { atLength, fullOnly } from '#tests/support/length.ts'
import { linkMailedTo, linksMailedTo } from '#tests/support/mails.ts'
import { register } from '#tests/support/people.ts'
import {
  ageToken,
  arrive,
  expect,
  freshEmail,
  isVerified,
  logIn,
  password,
  test,
} from './fixtures.ts'

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const underForm = (page: Page) => page.getByRole('main').getByRole('alert')
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'))

async function newCustomer(page: Page, name?: string): Promise<string> {
  const email = await arrive(page, name, freshEmail(), { verified: false })
  await page.goto('/')
  return email
}

/**
 * Answers the browser's next prompt.
 * @returns the prompt's message
 */
async function prompted(page: Page, press: () => Promise<void>, answer: string | null) {
  const { promise, resolve } = Promise.withResolvers<string>()
  page.once('dialog', (dialog: Dialog) => {
    resolve(`${dialog.type()} ${dialog.message()} ${dialog.defaultValue()}`.trim())
    return answer === null ? dialog.dismiss() : dialog.accept(answer)
  })
  await press()
  // a button pressed before the scripts loaded prompts once they have
  return promise
}

/** Holds back the responses to these calls until the returned function is called. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test.describe('Sign Up', () => {
  test.beforeEach(({ page }) => page.goto('/register'))

  test('says what is missing and what is wrong: at each field, in the title, and in a summary that leads there', async ({
    page,
  }) => {
    await button(page, 'Sign Up').click()
    await expect(page).toHaveTitle('Error: Sign Up · Ferrite')
    await expect(page.getByText(messages.nameRequired)).toBeVisible()
    await expect(page.getByText(messages.emailRequired)).toBeVisible()
    await expect(page.getByText(messages.passwordRequired)).toBeVisible()
    await expect(
      page.getByText('There is a problem with 3 fields: Name, Email, Password'),
    ).toBeVisible()
    await button(page, 'Password').click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.type('12345')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Email').fill('not an address')
    await button(page, 'Sign Up').click()
    await expect(page.getByText(messages.emailInvalid)).toBeVisible()
    await expect(page.getByText(messages.passwordTooShort)).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Email').fill('ada@gmial.com')
    await page.keyboard.press('Tab')
    await expect(page).toHaveTitle('Sign Up · Ferrite')
    await button(page, 'ada@gmail.com').click()
    await expect(page.getByLabel('Email')).toHaveValue('ada@gmail.com')
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByText('Did you mean')).toHaveCount(0)
  })

  test('a taken address is reported under the form, nothing typed is lost, and the login is prefilled', async ({
    page,
    shop,
  }) => {
    const { email } = await register(shop.origin)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Create new account' }).click()
    await expect(page).toHaveTitle('Sign Up · Ferrite')
    await page.getByLabel('Name', { exact: true }).fill('Somebody Else')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    const go = await holdBack(page, '**/identity/sign-up/email')
    await button(page, 'Sign Up').click()
    await expect(button(page, 'loading')).toBeDisabled()
    go()
    await expect(
      page.getByText('The email address is already in use by another account.'),
    ).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Somebody Else')
    await expect(button(page, 'Sign Up')).toBeFocused()
    await page.getByRole('link', { name: 'Log in with it' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.goto('/register')
    await page.getByRole('link', { name: 'Already have an account? Please login' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  })
})

test('Login reports what is missing, wrong, too much or in progress, and keeps what was typed', async ({
  page,
  context,
}) => {
  await page.goto('/login')
  await button(page, 'Login').click()
  await expect(page.getByText(messages.emailRequired)).toBeVisible()
  await expect(page.getByText(messages.passwordRequired)).toBeVisible()
  await logIn(page, 'not an address', '12345')
  await expect(page.getByText(messages.emailInvalid)).toBeVisible()
  await expect(page.getByText(messages.passwordTooShort)).toBeVisible()

  const email = freshEmail()
  const go = await holdBack(page, '**/identity/sign-in/email')
  await logIn(page, email)
  await expect(button(page, 'loading')).toBeDisabled()
  await expect(page.getByRole('status').filter({ hasText: 'Please wait' })).toBeAttached()
  await expect(button(page, 'Login')).toHaveCount(0)
  go()
  await expect(button(page, 'loading')).toHaveCount(0)
  await expect(underForm(page)).toContainText(/credential is incorrect.* password is wrong\./)
  await expect(button(page, 'Login')).toBeFocused()
  await expect(page).toHaveTitle('Error: Login · Ferrite')
  await page.unrouteAll()

  await page.route('**/identity/sign-in/email', (route) => route.fulfill({ status: 429 }))
  await button(page, 'Login').click()
  await expect(underForm(page)).toContainText('unusual activity')
  await page.unrouteAll()
  await context.setOffline(true)
  await button(page, 'Login').click()
  await expect(underForm(page)).toContainText('A network AuthError')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await context.setOffline(false)
})

test.describe('Forgot password?', () => {
  const press = (page: Page) => () => button(page, 'Forgot password?').click()

  test('the prompt begins with the typed address, and shows its errors and progress', async ({
    page,
    context,
  }) => {
    await page.goto('/login')
    await page.getByLabel('Email').fill('ada@example.com')
    expect(await prompted(page, press(page), 'ada@example')).toBe('prompt Email ada@example.com')
    await expect(page.getByText(messages.emailInvalid)).toBeVisible()
    await prompted(page, press(page), null)
    await expect(page.getByText(messages.resetNeedsEmail)).toBeVisible()
    const go = await holdBack(page, '**/identity/request-password-reset')
    await prompted(page, press(page), '  ADA@example.com ')
    await expect(button(page, 'loading')).toBeVisible()
    go()
    await expect(page.getByText(messages.resetSent, { exact: true })).toBeVisible()
    await page.unrouteAll()
    await context.setOffline(true)
    await prompted(page, press(page), freshEmail())
    await expect(underForm(page)).toContainText('A network AuthError')
    await context.setOffline(false)
  })

  test('a new password ends the old one with every session and token of the account, and its link works once', async ({
    page,
    shop,
    browser,
  }) => {
    const email = await newCustomer(page)
    const token = (await tokenOf(page)) as string
    const mine = { headers: { authorization: `Bearer ${token}` } }
    const orders = `/api/orders?email=${encodeURIComponent(email)}`
    expect((await page.request.get(orders, mine)).status()).toBe(200)

    const elsewhere = await browser.newPage({ baseURL: shop.origin })
    await elsewhere.goto('/login')
    await prompted(elsewhere, press(elsewhere), email)
    await expect(elsewhere.getByText(messages.resetSent, { exact: true })).toBeVisible()
    await expect.poll(() => linkMailedTo(shop, email, '/reset-password/')).toBeTruthy()
    const link = (await linkMailedTo(shop, email, '/reset-password/')) as string
    await elsewhere.goto(link)
    await elsewhere.getByLabel('Password', { exact: true }).fill('short')
    await button(elsewhere, 'Set new password').click()
    await expect(elsewhere.getByText(messages.passwordTooShort)).toBeVisible()
    await elsewhere.getByLabel('Password', { exact: true }).fill('a better one')
    await button(elsewhere, 'Set new password').click()
    await expect(elsewhere).toHaveURL(/\/login$/)
    await expect(elsewhere.getByLabel('Email')).toHaveValue(email)
    await logIn(elsewhere, email)
    await expect(underForm(elsewhere)).toContainText('credential is incorrect')
    await logIn(elsewhere, email, 'a better one')
    await expect(elsewhere).toHaveURL((url) => url.pathname === '/')

    expect((await page.request.get(orders, mine)).status()).toBe(401)
    expect((await page.request.get('/identity/token')).status()).toBe(401)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await tokenOf(page)).toBeNull()

    await elsewhere.goto(link)
    await expect(elsewhere.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
    await expect(button(elsewhere, 'Forgot password?')).toBeVisible()
    if (atLength) {
      await elsewhere.goto('/reset-password?token=nobodyknowsthisoneatall1')
      await elsewhere.getByLabel('Password', { exact: true }).fill('a better one')
      await button(elsewhere, 'Set new password').click()
      await expect(elsewhere.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
    }
    await elsewhere.close()
  })
})

test.describe('the address', () => {
  test('is verified by the mailed link, which the server knows at once', async ({ page, shop }) => {
    const email = await newCustomer(page)
    await expect.poll(() => linkMailedTo(shop, email, '/verify-email')).toBeTruthy()
    expect(await isVerified(page)).toBe(false)
    await page.goto((await linkMailedTo(shop, email, '/verify-email')) as string)
    await expect(page).toHaveURL(/\/verified$/)
    await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
    expect(await isVerified(page)).toBe(true)
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await page.getByRole('link', { name: 'See the parts' }).click()
    await expect(page).toHaveURL(/\/home/)
  })

  fullOnly(test)(
    'is verified in another browser by the password, and not by the click',
    async ({ page, shop, browser }) => {
      const email = await newCustomer(page)
      await expect.poll(() => linkMailedTo(shop, email, '/verify-email')).toBeTruthy()
      const mailApp = await browser.newPage({ baseURL: shop.origin })
      await mailApp.goto((await linkMailedTo(shop, email, '/verify-email')) as string)
      await expect(mailApp.getByRole('heading', { name: 'One more step' })).toBeVisible()
      await expect(mailApp.getByText(email)).toBeVisible()
      expect(await isVerified(page)).toBe(false)
      await page.goto('/verified')
      await expect(page.getByRole('heading', { name: 'Not confirmed yet' })).toBeVisible()

      const confirm = button(mailApp, 'Confirm my address')
      await mailApp.getByLabel('Password', { exact: true }).fill('not the right one')
      await confirm.click()
      await expect(underForm(mailApp)).toContainText('The supplied auth credential is incorrect')
      await mailApp.getByLabel('Password', { exact: true }).fill(password)
      await confirm.click()
      await expect(mailApp).toHaveURL(/\/verified$/)
      await expect(
        mailApp.getByRole('heading', { name: 'Your address is confirmed' }),
      ).toBeVisible()
      expect(await isVerified(page)).toBe(true)
      await mailApp.close()
    },
  )

  fullOnly(test)(
    'a broken link says so and another one can be had, logged in or not',
    async ({ page, shop, browser }) => {
      const email = await newCustomer(page)
      await page.goto('/identity/verify-email?token=broken&callbackURL=/verified')
      await expect(page).toHaveURL(/\/verified\?error=INVALID_TOKEN$/)
      await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
      await expect
        .poll(async () => (await linksMailedTo(shop, email, '/verify-email')).length)
        .toBe(1)
      await button(page, 'Send a new link').click()
      await expect(page.getByText(messages.verificationSent)).toBeVisible()
      await expect
        .poll(async () => (await linksMailedTo(shop, email, '/verify-email')).length)
        .toBe(2)
      // a visitor is asked for the address
      const elsewhere = await browser.newPage({ baseURL: shop.origin })
      await elsewhere.goto('/verified?error=TOKEN_EXPIRED')
      const press = () => button(elsewhere, 'Send a new link').click()
      await prompted(elsewhere, press, '')
      await expect(elsewhere.getByText(messages.resetNeedsEmail)).toBeVisible()
      await prompted(elsewhere, press, 'nobody')
      await expect(elsewhere.getByText(messages.emailInvalid)).toBeVisible()
      expect(await prompted(elsewhere, press, email)).toBe('prompt Email')
      await expect(elsewhere.getByText(messages.verificationSent)).toBeVisible()
      await expect
        .poll(async () => (await linksMailedTo(shop, email, '/verify-email')).length)
        .toBe(3)
      await elsewhere.close()

      await page.goto((await linkMailedTo(shop, email, '/verify-email')) as string)
      await page.goto('/verified?error=TOKEN_EXPIRED')
      await expect(page.getByText('It’s more than an hour old.')).toBeVisible()
      await button(page, 'Send a new link').click()
      await expect(page.getByText('This address is already confirmed.')).toBeVisible()
    },
  )
})

test.describe('the session', () => {
  test('an expired or refused access token is renewed unnoticed', async ({ page }) => {
    await newCustomer(page)
    const aged = await ageToken(page)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await expect.poll(() => tokenOf(page)).not.toBe(aged)
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    await expect(page.getByRole('alert')).toHaveCount(0)

    const refused = await page.evaluate(() => {
      const forged = (localStorage.getItem('accessToken') ?? '').replace(/[^.]+$/, 'forged')
      localStorage.setItem('accessToken', forged)
      return forged
    })
    // leaves the page, so that its last requests do not interfere
    await page.goto('/robots.txt')
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/api/orders')) statuses.push(response.status())
    })
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await expect.poll(() => statuses).toEqual([401, 200])
    expect(await tokenOf(page)).not.toBe(refused)
  })

  fullOnly(test)(
    'when it ended at the provider the way leads to the login, and back',
    async ({ page, shop }) => {
      const email = await newCustomer(page)
      await page.request.post('/identity/sign-out', { data: {}, headers: { origin: shop.origin } })
      await ageToken(page)
      await page.goto('/dashboard/myOrders')
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
      expect(await tokenOf(page)).toBeNull()
      await logIn(page, email)
      await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
      // a logged-in user is redirected at once, but never to another site
      await page.goto('/login?from=//evil.example')
      await expect(page).toHaveURL(`${shop.origin}/`)
    },
  )

  async function tabs(context: BrowserContext, ...paths: string[]): Promise<Page[]> {
    return Promise.all(
      paths.map(async (path) => {
        const tab = await context.newPage()
        await tab.goto(path)
        return tab
      }),
    )
  }

  test('Logout forgets the token, ends it at the provider and reaches every other tab, as the next login does', async ({
    page,
    context,
  }) => {
    const email = await newCustomer(page, 'Katherine Johnson')
    const [guarded, open] = (await tabs(context, '/dashboard/myOrders', '/blogs')) as [Page, Page]
    await expect(guarded.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await expect(open.getByText('Katherine Johnson').first()).toBeVisible()
    const ended = page.waitForResponse('**/identity/sign-out')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await tokenOf(page)).toBeNull()
    await expect(guarded).toHaveURL(/\/login$/)
    await expect(open.getByRole('button', { name: 'Logout' })).toBeHidden()
    await expect(open).toHaveURL(/\/blogs$/)
    expect((await ended).status()).toBe(200)
    expect((await page.request.get('/identity/token')).status()).toBe(401)
    await guarded.goBack()
    await expect(guarded.getByRole('heading', { name: 'My orders' })).toHaveCount(0)
    await guarded.goto('/dashboard/myOrders')
    await expect(guarded).toHaveURL(/\/login$/)

    await logIn(page, email)
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(guarded).toHaveURL(/\/dashboard\/myOrders$/)

    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    // what the browser does with a page in the back/forward cache when another tab removes the
    // token
    await page.evaluate(() => {
      localStorage.removeItem('accessToken')
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('when the scripts do not come nothing is sent, and the button offers to load the page again', async ({
  page,
}) => {
  // while busy, its text is part of its name
  const login = page.getByRole('main').getByRole('button', { name: /^Login/ })
  await page.route('**/*.js', (route) => route.abort())
  await page.goto('/login', { waitUntil: 'load' })
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  const offered = () => login.evaluate((element) => getComputedStyle(element, '::after').content)
  await expect.poll(offered).toBe('"load the page again"')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
  await page.unroute('**/*.js')
  await login.click()
  await expect(page.locator('html')).toHaveAttribute('data-hydrated')
  await expect(page).toHaveURL(/\/login$/)
})
