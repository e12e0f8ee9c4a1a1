/** Signing in with Google through the provider's sandbox: in a popup, and in the same tab. */
import type { Page } from '@playwright/test'
import { fullOnly } from '#tests/support/length.ts'
import { arrive, expect, freshEmail, logIn, test } from './fixtures.ts'

const type = 'ferrite:identity'
const google = (page: Page) => page.getByRole('button', { name: 'continue with google' })
const loading = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'loading', exact: true })
const underForm = (page: Page) => page.getByRole('main').getByRole('alert')
const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'))
const header = (page: Page) => page.getByRole('banner')

/**
 * Clicks the button.
 * @returns the window that it opens, at the provider
 */
async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()])
  await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
  return popup
}

/** Creates an account at the provider and continues with it. */
async function choose(
  at: Page,
  { name = 'Ada Lovelace', email }: { name?: string; email: string },
) {
  await at.getByLabel('Name').fill(name)
  await at.getByLabel('E-mail', { exact: true }).fill(email)
  await at.getByRole('button', { name: 'Continue' }).click()
}

/** Sends a message to the shop's page, like the popup's last page, from our own origin. */
const tell = (page: Page, message: object) =>
  page.evaluate((data) => postMessage(data, location.origin), message)

const eventIdOf = (popup: Page) => popup.evaluate(() => window.name)

/** Keeps the customer's session at the provider, but removes the access token from this browser. */
async function keepOnlyTheCookie(page: Page): Promise<void> {
  await arrive(page)
  await page.evaluate(() => localStorage.removeItem('accessToken'))
}

test.beforeEach(async ({ request }) => {
  // a new shop's first request to Google takes longest, and the page waits only five seconds for it
  const answers = async () => (await request.get('/identity/popup/check')).ok()
  await expect.poll(answers).toBe(true)
})

test('a new user returns to the same page, signed in by name; the next time one click is enough', async ({
  page,
}) => {
  const email = freshEmail()
  await page.addInitScript(() => {
    const open = window.open.bind(window)
    window.open = (url, name, features) => {
      document.documentElement.dataset.opened = JSON.stringify([url, name, features])
      return open(url, name, features)
    }
  })
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  const popup = await openWindow(page)

  // 500 by 600 in the middle of the screen, while the form shows that it is loading
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

  await choose(popup, { name: 'Ada Lovelace', email })
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
  await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
  await expect(header(page).getByText('Ada Lovelace').first()).toBeVisible()
  expect(await tokenOf(page)).toBeTruthy()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto('/register')
  const again = await openWindow(page)
  await again.getByRole('button', { name: email }).click()
  await expect(page).toHaveURL(/\/home$/)
  await expect(header(page).getByText('Ada Lovelace').first()).toBeVisible()
})

test('Cancel at Google is not an error, a response with a wrong state is one', async ({ page }) => {
  await page.goto('/login')
  const canceled = await openWindow(page)
  await canceled.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The window was closed before you were logged in.')).toBeVisible()
  await expect(underForm(page)).toHaveText('')
  await expect(loading(page)).toHaveCount(0)

  const popup = await openWindow(page)
  await popup.goto('/identity/callback/google?code=stolen&state=not-the-one').catch(() => {
    // the window closes itself while it opens
  })
  await expect(underForm(page)).toContainText('An internal AuthError has occurred.')
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect(await tokenOf(page)).toBeNull()
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
})

fullOnly(test)(
  'of two windows the newest wins; the first is closed and that is told',
  async ({ page }) => {
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
  },
)

test('only an answer of our own origin, with our id, counts, and only once; one that says nothing ends it', async ({
  page,
}) => {
  // every window gets the same id
  await page.addInitScript(() => {
    crypto.getRandomValues = (array) => array
  })
  await page.goto('/login')
  const popup = await openWindow(page)
  const answer = { type, eventId: '0'.repeat(32), error: 'auth/user-disabled' }
  await page.evaluate(
    (data) => dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' })),
    answer,
  )
  await tell(page, { ...answer, eventId: 'another-window-of-before' })
  await tell(page, { ...answer, type: 'something else' })
  await expect(underForm(page)).toHaveText('')
  await expect(loading(page)).toBeVisible()
  await tell(page, answer)
  await expect(underForm(page)).toContainText('disabled by an administrator')
  await expect(underForm(page)).toHaveCSS('color', 'rgb(179, 38, 30)')
  await expect(loading(page)).toHaveCount(0)
  await expect.poll(() => popup.isClosed()).toBe(true)

  const second = await openWindow(page)
  await tell(page, answer)
  await expect(underForm(page)).toHaveText('')
  await expect(loading(page)).toBeVisible()
  await tell(page, { type, eventId: null, error: null })
  await expect(underForm(page)).toContainText('The response didn’t belong to a login on this page')
  await expect.poll(() => second.isClosed()).toBe(true)
})

test.describe('an error that keeps Google from starting is explained', () => {
  fullOnly(test)('at another address the right one is named', async ({ page, shop }) => {
    const { port } = new URL(shop.origin)
    await page.goto(`http://localhost:${port}/login`)
    const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()])
    await expect(underForm(page)).toContainText('This domain is not authorized')
    await expect.poll(() => popup.isClosed()).toBe(true)
    await page.getByRole('link', { name: shop.origin }).click()
    await expect(page).toHaveURL(`${shop.origin}/login`)
    await expect(google(page)).toBeEnabled()
  })

  fullOnly(test)(
    'without a network, and without storage in the browser',
    async ({ page, context }) => {
      await page.goto('/login')
      await expect(google(page)).toBeEnabled()
      await context.setOffline(true)
      await google(page).click()
      await expect(underForm(page)).toContainText('A network AuthError')
      await context.setOffline(false)
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('denied', 'SecurityError')
        }
      })
      await google(page).click()
      await expect(underForm(page)).toContainText('3rd party cookies and data may be disabled')
    },
  )
})

test.describe('in the same tab', () => {
  test('a blocked window is reported, and this tab leads there and back', async ({ page }) => {
    // like a browser that blocks every window
    await page.addInitScript(() => {
      window.open = () => null
    })
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

  fullOnly(test)(
    'a refusal comes back to the login with its words; the way back is not lost',
    async ({ page }) => {
      const email = await arrive(page, 'Grace Hopper', freshEmail(), { verified: false })
      await page.goto('/')
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(page).toHaveURL(/\/login$/)
      await page.goto('/identity/redirect/google?from=/blogs')
      await choose(page, { email })
      await expect(page).toHaveURL(/\/login\?google=auth.+from=/)
      await expect(underForm(page)).toContainText('An account already exists with the same email')
      await logIn(page, email)
      await expect(page).toHaveURL(/\/blogs$/)
    },
  )

  fullOnly(test)(
    '`done` without a session signs no user in, and does not redirect to another site',
    async ({ page }) => {
      await page.goto('/login?google=done&from=//evil.example')
      await expect(underForm(page)).toContainText('The user must sign in again.')
      await expect(loading(page)).toHaveCount(0)
      expect(await tokenOf(page)).toBeNull()
      await keepOnlyTheCookie(page)
      await page.goto('/login?google=done&from=//evil.example/x')
      await expect(page).toHaveURL((url) => url.pathname === '/' && url.search === '')
    },
  )
})
