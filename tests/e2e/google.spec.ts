/** Signing in with Google, by the provider's sandbox: in a window of its own, and in the same tab. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { linkMailedTo } from '#tests/support/outbox.ts'
import { arrive, expect, freshEmail, isConfirmed, logIn, password, test } from './fixtures.ts'

const type = 'ferrite:identity'
const google = (page: Page) => page.getByRole('button', { name: 'continue with google' })
const loading = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'loading', exact: true })
const underForm = (page: Page) => page.getByRole('main').getByRole('alert')
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'))
const header = (page: Page) => page.getByRole('banner')

/** Clicks the button. @returns the window that it opens, at the provider */
async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()])
  await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  return popup
}

type Person = { name?: string; email: string; verified?: boolean }

/** Makes up an account at the provider and goes on with it. */
async function choose(at: Page, { name = 'Ada Lovelace', email, verified = true }: Person) {
  await at.getByLabel('Name').fill(name)
  await at.getByLabel('E-mail', { exact: true }).fill(email)
  await at.getByLabel('This e-mail is verified').setChecked(verified)
  await at.getByRole('button', { name: 'Continue' }).click()
}

/** Says to the shop's page what the popup's last page would, from our own origin. */
const tell = (page: Page, message: object) =>
  page.evaluate((said) => postMessage(said, location.origin), message)

const eventIdOf = (popup: Page) => popup.evaluate(() => window.name)

/** A customer whose session at the provider lasts, but whose access token this browser lost. */
async function keepOnlyTheCookie(page: Page): Promise<void> {
  await arrive(page)
  await page.evaluate(() => localStorage.removeItem('accessToken'))
}

test.describe('Google', () => {
  test('somebody new is logged in and known by name; the next time one click is enough', async ({
    page,
  }) => {
    const email = freshEmail()
    await page.goto('/login')
    await choose(await openWindow(page), { name: 'Ada Lovelace', email })
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(header(page).getByText('Ada Lovelace').first()).toBeVisible()
    expect(await tokenOf(page)).toBeTruthy()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    const popup = await openWindow(page)
    await popup.getByRole('button', { name: email }).click()
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(header(page).getByText('Ada Lovelace').first()).toBeVisible()
  })

  test('leads back to where people came from, and from Sign Up to /home', async ({ page }) => {
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await choose(await openWindow(page), { email: freshEmail() })
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goto('/register')
    await choose(await openWindow(page), { email: freshEmail() })
    await expect(page).toHaveURL(/\/home$/)
  })

  test('its window is 500 by 600 in the middle of the screen, and meanwhile the form is loading', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const open = window.open.bind(window)
      window.open = (url, name, features) => {
        document.documentElement.dataset.opened = JSON.stringify([url, name, features])
        return open(url, name, features)
      }
    })
    await page.goto('/login')
    const popup = await openWindow(page)
    const [url, name, features] = await page.evaluate<string[]>(() =>
      JSON.parse(document.documentElement.dataset.opened ?? '[]'),
    )
    expect(name).toMatch(/^[\w-]{22,64}$/)
    expect(url).toBe(`/identity/popup/google?event=${name}`)
    const middle = await page.evaluate(() => [
      Math.max((screen.availWidth - 500) / 2, 0),
      Math.max((screen.availHeight - 600) / 2, 0),
    ])
    expect(features).toContain(`width=500,height=600,left=${middle[0]},top=${middle[1]}`)
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600])
    await expect(loading(page)).toBeVisible()
    await expect(page.getByText('Continue in the window that opened.')).toBeVisible()
    await expect(google(page)).toBeEnabled()
    await popup.close()
  })

  test('an e-mail that Google did not verify makes an account without a confirmed address', async ({
    page,
  }) => {
    await page.goto('/login')
    await choose(await openWindow(page), { email: freshEmail(), verified: false })
    await expect(page).toHaveURL((url) => url.pathname === '/')
    expect(await isConfirmed(page)).toBe(false)
  })

  test('Cancel at Google is no error: nothing is red, and the button works again', async ({
    page,
  }) => {
    await page.goto('/login')
    const popup = await openWindow(page)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('The window was closed before you were logged in.')).toBeVisible()
    await expect(underForm(page)).toHaveText('')
    await expect(loading(page)).toHaveCount(0)
  })

  test('an answer with a wrong state is refused', async ({ page }) => {
    await page.goto('/login')
    const popup = await openWindow(page)
    await popup.goto('/identity/callback/google?code=stolen&state=not-the-one').catch(() => {
      // the window closes itself while it is being opened
    })
    await expect(underForm(page)).toContainText('An internal AuthError has occurred.')
    await expect.poll(() => popup.isClosed()).toBe(true)
    expect(await tokenOf(page)).toBeNull()
  })
})

test.describe('the window', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install()
  })

  const freeze = (page: Page) =>
    page.evaluate(() => Date.now()).then((now) => page.clock.pauseAt(now + 1000))

  test('closed by hand: looked for every 2000 ms, acted on 2000 ms later', async ({ page }) => {
    await page.goto('/login')
    await expect(google(page)).toBeEnabled()
    await freeze(page)
    const popup = await openWindow(page)
    await popup.close()
    await page.clock.runFor(2_000)
    await page.clock.runFor(1_999)
    await expect(loading(page)).toBeVisible()
    await expect(underForm(page)).toHaveText('')
    await page.clock.runFor(1)
    await expect(page.getByText('The window was closed before you were logged in.')).toBeVisible()
    await expect(underForm(page)).toHaveText('')
    await expect(loading(page)).toHaveCount(0)
  })

  test('closed, but its answer comes within the 2000 ms: that counts', async ({ page }) => {
    await keepOnlyTheCookie(page)
    await page.goto('/login')
    await expect(google(page)).toBeEnabled()
    await freeze(page)
    const popup = await openWindow(page)
    const eventId = await eventIdOf(popup)
    await popup.close()
    await page.clock.runFor(3_900)
    await tell(page, { type, eventId, error: null })
    await page.clock.resume()
    await expect(page).toHaveURL((url) => url.pathname === '/')
    expect(await tokenOf(page)).toBeTruthy()
  })

  test('an answer counts once; after 600000 ms it is forgotten that it came', async ({ page }) => {
    // every window gets the same id
    await page.addInitScript(() => {
      crypto.getRandomValues = (array) => array
    })
    await page.goto('/login')
    await expect(google(page)).toBeEnabled()
    await freeze(page)
    const answer = { type, eventId: '0'.repeat(32), error: 'auth/user-disabled' }
    await openWindow(page)
    await tell(page, answer)
    await expect(underForm(page)).toContainText('disabled by an administrator')
    const second = await openWindow(page)
    await expect(underForm(page)).toHaveText('')
    await tell(page, answer)
    await page.clock.fastForward(599_999)
    await tell(page, answer)
    await expect(loading(page)).toBeVisible()
    await expect(underForm(page)).toHaveText('')
    await page.clock.fastForward(1)
    await tell(page, answer)
    await expect(underForm(page)).toContainText('disabled by an administrator')
    await expect.poll(() => second.isClosed()).toBe(true)
  })
})

test('of two windows the newest wins; the first is closed and that is told', async ({ page }) => {
  await page.goto('/login')
  const first = await openWindow(page)
  const second = await openWindow(page)
  await expect.poll(() => first.isClosed()).toBe(true)
  await expect(underForm(page)).toContainText(
    'This operation has been cancelled due to another conflicting popup being opened.',
  )
  await expect(loading(page)).toBeVisible()
  await choose(second, { email: freshEmail() })
  await expect(page).toHaveURL((url) => url.pathname === '/')
})

test('only an answer of our own origin, with our id, counts; one that says nothing ends it', async ({
  page,
}) => {
  await page.goto('/login')
  const popup = await openWindow(page)
  const eventId = await eventIdOf(popup)
  await page.evaluate(
    (data) => dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' })),
    { type, eventId, error: 'auth/internal-error' },
  )
  await tell(page, { type, eventId: 'another-window-of-before', error: 'auth/internal-error' })
  await tell(page, { type: 'something else', eventId, error: 'auth/internal-error' })
  await expect(underForm(page)).toHaveText('')
  await expect(loading(page)).toBeVisible()
  await tell(page, { type, eventId: null, error: null })
  await expect(underForm(page)).toContainText('The answer belongs to no login of this page')
  await expect.poll(() => popup.isClosed()).toBe(true)
})

test.describe('each refusal is told in red under the form', () => {
  for (const [code, words] of [
    ['auth/invalid-api-key', 'Your API key is invalid'],
    ['auth/auth-domain-config-required', 'Be sure to include authDomain'],
    ['auth/network-request-failed', 'A network AuthError'],
    ['auth/internal-error', 'An internal AuthError has occurred. Try again'],
    ['auth/nobody-knows-this', 'An internal AuthError has occurred. Try again'],
    ['auth/invalid-auth-event', 'The answer belongs to no login of this page'],
    ['auth/unauthorized-domain', 'This domain is not authorized'],
    ['auth/user-disabled', 'The user account has been disabled by an administrator.'],
    ['auth/account-exists-with-different-credential', 'Log in with your password, or use'],
  ] as const) {
    test(code, async ({ page }) => {
      await page.goto('/login')
      const popup = await openWindow(page)
      await tell(page, { type, eventId: await eventIdOf(popup), error: code })
      await expect(underForm(page)).toContainText(words)
      await expect(underForm(page)).toHaveCSS('color', 'rgb(179, 38, 30)')
      await expect(loading(page)).toHaveCount(0)
      await expect.poll(() => popup.isClosed()).toBe(true)
    })
  }

  test('at another address the right one is named', async ({ page, shop }) => {
    const { port } = new URL(shop.origin)
    await page.goto(`http://localhost:${port}/login`)
    const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()])
    await expect(underForm(page)).toContainText('This domain is not authorized')
    await expect.poll(() => popup.isClosed()).toBe(true)
    await page.getByRole('link', { name: shop.origin }).click()
    await expect(page).toHaveURL(`${shop.origin}/login`)
    await expect(google(page)).toBeEnabled()
  })

  test('without storage in the browser', async ({ page }) => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('denied', 'SecurityError')
      }
    })
    await page.goto('/login')
    await google(page).click()
    await expect(underForm(page)).toContainText('3rd party cookies and data may be disabled')
  })

  test('without a network', async ({ page, context }) => {
    await page.goto('/login')
    await expect(google(page)).toBeEnabled()
    await context.setOffline(true)
    await google(page).click()
    await expect(underForm(page)).toContainText('A network AuthError')
    await context.setOffline(false)
  })

  test('when Google can not be reached', async ({ browser, openShop }) => {
    const shop = await openShop({
      GOOGLE_CLIENT_ID: 'ferrite',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_ISSUER: 'http://127.0.0.1:9',
    })
    const page = await browser.newPage({ baseURL: shop.origin })
    await page.goto('/register')
    await google(page).click()
    await expect(underForm(page)).toContainText('A network AuthError')
    await page.close()
  })
})

/** A port of this machine that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a shop that others reach has no such button until Google is configured', async ({
  browser,
  openShop,
}) => {
  const PORT = String(await freePort())
  await openShop({ PORT, PUBLIC_URL: 'http://shop.example', ALLOW_SANDBOX: '1' })
  const page = await browser.newPage({ baseURL: `http://127.0.0.1:${PORT}` })
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(google(page)).toHaveCount(0)
  }
  const check = await page.request.get('/identity/popup/check')
  expect(check.status()).toBe(404)
  expect(await check.json()).toEqual({ code: 'auth/auth-domain-config-required' })
  await page.close()
})

test('an address that somebody else took is not handed out, and its owner gets it back', async ({
  page,
  shop,
}) => {
  const email = freshEmail()
  await arrive(page, 'Mallory', email, { confirmed: false })
  const squatter = await tokenOf(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await choose(await openWindow(page), { name: 'Alice', email })
  await expect(underForm(page)).toContainText('An account already exists with the same email')
  expect(await tokenOf(page)).toBeNull()

  page.once('dialog', (dialog) => dialog.accept(email))
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByText('email sent', { exact: true })).toBeVisible()
  await expect(underForm(page)).toHaveText('')
  await expect.poll(() => linkMailedTo(shop, email, '/reset-password/')).toBeTruthy()
  await page.goto((await linkMailedTo(shop, email, '/reset-password/')) as string)
  await page.getByLabel('Password', { exact: true }).fill('only alice knows')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page).toHaveURL(/\/login$/)

  const popup = await openWindow(page)
  await popup.getByRole('button', { name: email }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  const refused = await page.request.get(`/api/orders?email=${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${squatter}` },
  })
  expect(refused.status()).toBe(401)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, email, password)
  await expect(page.getByText(/credential is incorrect/)).toBeVisible()
})

test.describe('in the same tab', () => {
  /** As a browser that blocks every window. */
  const blockWindows = (page: Page) =>
    page.addInitScript(() => {
      window.open = () => null
    })

  test('a blocked window is told, and this tab leads there and back', async ({ page }) => {
    await blockWindows(page)
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await google(page).click()
    await expect(underForm(page)).toContainText(
      'Unable to establish a connection with the popup. It may have been blocked by the browser.',
    )
    await page.getByRole('link', { name: 'Use this tab instead' }).click()
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    await choose(page, { name: 'Annie Easley', email: freshEmail() })
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await expect(header(page).getByText('Annie Easley').first()).toBeVisible()
  })

  test('from Sign Up it ends on /home', async ({ page }) => {
    await blockWindows(page)
    await page.goto('/register')
    await google(page).click()
    await page.getByRole('link', { name: 'Use this tab instead' }).click()
    await choose(page, { email: freshEmail() })
    await expect(page).toHaveURL(/\/home$/)
  })

  test('a refusal comes back to the login with its words; the way back is not lost', async ({
    page,
  }) => {
    const email = await arrive(page, 'Grace Hopper', freshEmail(), { confirmed: false })
    await page.goto('/')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goto('/identity/redirect/google?from=/blogs')
    await choose(page, { email })
    await expect(page).toHaveURL(/\/login\?google=auth.+from=/)
    await expect(underForm(page)).toContainText('An account already exists with the same email')
    await logIn(page, email)
    await expect(page).toHaveURL(/\/blogs$/)
  })

  test('`done` without a session at the provider logs nobody in', async ({ page }) => {
    await page.goto('/login?google=done&from=//evil.example')
    await expect(underForm(page)).toContainText('The user must sign in again.')
    await expect(loading(page)).toHaveCount(0)
    expect(await tokenOf(page)).toBeNull()
  })

  test('another site is no place to go back to', async ({ page }) => {
    await keepOnlyTheCookie(page)
    await page.goto('/login?google=done&from=//evil.example/x')
    await expect(page).toHaveURL((url) => url.pathname === '/' && url.search === '')
  })
})
