/**
 * One suite for the identity providers, through the screens: the embedded one with the sandbox for
 * Google, Firebase with its emulator.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  chromium,
  expect as expectIn,
  type Page,
} from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { messages } from '#contracts/messages.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { linksMailedTo } from '#tests/support/mails.ts'
import { awaitScripts } from '#tests/support/page-scripts.ts'
import { call } from '#tests/support/people.ts'
import { giveToken } from '#tests/support/sandbox-token.ts'
import { emulatorProgram, startEmulator } from '#tests/support/servers/auth-emulator.ts'
import { describeServer, NotHere } from '#tests/support/servers/real-server.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { program } from '#tests/support/shop-process.ts'

/** Only a hang takes that long. */
const expect = expectIn.configure({ timeout: 60_000 })

type MailedLink = 'verify' | 'change' | 'reset'
type Provider = {
  settings: Record<string, string>
  /** The link in the newest such mail; undefined until it arrives. */
  mailedLink(shop: TestShop, email: string, type: MailedLink): Promise<string | undefined>
  /** The actions of an address's owner after opening the link that sets a password. */
  setPassword(page: Page, link: string, password: string): Promise<void>
  /** Continues with an account at Google. */
  choose(popup: Page, person: { name: string; email: string }): Promise<void>
  stop(): Promise<void>
}

const subjects = {
  verify: 'Confirm your email address',
  change: 'Confirm your new email address',
  reset: 'Set a new password',
}
const requests = {
  verify: 'VERIFY_EMAIL',
  change: 'VERIFY_AND_CHANGE_EMAIL',
  reset: 'PASSWORD_RESET',
}

const embedded = async (): Promise<Provider> => ({
  settings: {},
  mailedLink: async (shop, email, type) =>
    (await linksMailedTo(shop, email, subjects[type])).at(-1),
  async setPassword(page, link, password) {
    await page.goto(link)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.waitForURL('**/login')
  },
  async choose(popup, { name, email }) {
    await popup.getByLabel('Name').fill(name)
    await popup.getByLabel('E-mail', { exact: true }).fill(email)
    await popup.getByRole('button', { name: 'Continue' }).click()
  },
  stop: async () => {},
})

async function firebase(installed: string): Promise<Provider> {
  const emulator = await startEmulator(installed)
  return {
    ...emulator,
    mailedLink: (_, email, type) => emulator.linkMailedTo(email, requests[type]),
    async setPassword(page, link, password) {
      await page.goto(`${link}&newPassword=${encodeURIComponent(password)}`)
      await page.waitForURL('**/login')
    },
    async choose(popup, { name, email }) {
      await popup.locator('#add-account-button').click()
      await popup.locator('#email-input').fill(email)
      await popup.locator('#display-name-input').fill(name)
      await popup.locator('#sign-in').click()
    },
  }
}

const password = 'correct horse'
const gapi = join(import.meta.dirname, '../support/browser/gapi.js')
let people = 0

/** @throws NotHere */
function findBrowser(): string {
  const found = process.env.CHROMIUM_PATH
  if (!found) throw new NotHere('no Chromium: apt-get install chromium')
  return found
}

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title })
const underForm = (page: Page) => page.getByRole('main').getByRole('alert').first()
const tokenOf = (page: Page) => page.evaluate<string | null>(`localStorage.getItem('accessToken')`)
const google = (page: Page) => page.getByRole('button', { name: 'continue with google' })

/** Makes the browser's token expire soon: the next call gets a new one. */
const expireToken = `{
  const [head, body, signature] = localStorage.getItem('accessToken').split('.')
  const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
  const old = btoa(JSON.stringify({ ...claims, exp: 1 })).replaceAll('=', '')
  localStorage.setItem('accessToken', [head, old, signature].join('.'))
}`

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text)
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
}

async function logIn(page: Page, email: string, typed = password): Promise<void> {
  await page.goto(new URL('/login', page.url()).href)
  await fillIn(page, { Email: email, Password: typed })
  await button(page, 'Login').click()
}

async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()])
  await popup.waitForLoadState()
  return popup
}

/** Closes a browser's context, even with requests in flight. */
async function closed(context: BrowserContext): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

/** Tests all of a user's account actions, for either provider. */
function describeIdentity(open: () => Promise<Provider>): void {
  let provider: Provider
  let shop: TestShop
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    await program('main')
    provider = await open()
    shop = await openTestShop(
      { ...provider.settings, LOG_LEVEL: 'silent' },
      { web: await builtWeb() },
    )
    browser = await chromium.launch({ executablePath: findBrowser() })
  })
  afterAll(async () => {
    await browser.close()
    await shop.close()
    await provider.stop()
  })
  beforeEach(async () => {
    problems.length = 0
    context = await browser.newContext({ baseURL: shop.origin })
    await giveToken(context, shop)
    const script = await readFile(gapi, 'utf8')
    await context.route(/^https:/, (route) =>
      route.request().url().startsWith('https://apis.google.com/js/api.js')
        ? route.fulfill({ body: script, contentType: 'text/javascript' })
        : route.abort(),
    )
    page = await context.newPage()
    awaitScripts(page)
    page.on('console', (message) => {
      const isOfPolicy = /Content.Security.Policy|Trusted/i.test(message.text())
      if (message.type() === 'error' && isOfPolicy) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
  })
  afterEach(async () => {
    await closed(context)
    expect(problems).toEqual([])
  })

  const freshEmail = () => {
    people += 1
    return `visitor.${people}@example.com`
  }
  async function signUp(name = 'Ada Lovelace', email = freshEmail()): Promise<string> {
    await page.goto('/register')
    await fillIn(page, { Name: name, Email: email, Password: password })
    await button(page, 'Sign Up').click()
    await expect(page.getByText(messages.verificationSent)).toBeVisible()
    await page.waitForURL('**/home')
    return email
  }
  async function linkFor(email: string, type: MailedLink): Promise<string> {
    const read = () => provider.mailedLink(shop, email, type)
    await expect.poll(read, { timeout: 20_000 }).toBeTruthy()
    return String(await read())
  }
  const rowOf = async (email: string) => {
    const { rows } = await shop.pool.query(
      'select name, email_verified as verified from users where email = $1 and deleted_at is null',
      [email],
    )
    return rows
  }

  test('an account is made, known by name, and verified by the mailed link', async () => {
    const email = await signUp()
    await expect(page.getByRole('banner').getByText('Ada Lovelace').first()).toBeVisible()
    expect(await rowOf(email)).toEqual([{ name: 'Ada Lovelace', verified: false }])
    await page.goto('/verified')
    await expect(page.getByRole('heading', { name: 'Not confirmed yet' })).toBeVisible()
    await button(page, 'Send a new link').click()
    await expect(page.getByText(messages.verificationSent)).toBeVisible()
    await page.goto(await linkFor(email, 'verify'))
    await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
    expect(await rowOf(email)).toEqual([{ name: 'Ada Lovelace', verified: true }])
  })

  test('the address of an account is refused to a second one', async () => {
    const email = await signUp()
    await logOut(page)
    await page.goto('/register')
    await fillIn(page, { Name: 'Eve', Email: email, Password: password })
    await button(page, 'Sign Up').click()
    await expect(underForm(page)).toContainText(
      'The email address is already in use by another account.',
    )
  })

  test('a login takes the password, lasts over a reload, and ends with Logout', async () => {
    const email = await signUp()
    await logOut(page)
    await logIn(page, email, 'not the password')
    await expect(underForm(page)).toContainText(
      'The supplied auth credential is incorrect, malformed or has expired.',
    )
    await logIn(page, freshEmail())
    await expect(underForm(page)).toContainText('The supplied auth credential is incorrect')
    await logIn(page, email)
    await page.waitForURL((url) => url.pathname === '/')
    await page.evaluate(expireToken)
    await page.goto('/dashboard')
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
    const token = await tokenOf(page)
    const me = () => call(shop.origin, 'GET', '/api/me', { token: String(token) })
    expect((await me()).status).toBe(200)
    await logOut(page)
    expect(await tokenOf(page)).toBeNull()
    await expect.poll(async () => (await me()).status).toBe(401)
    await page.goto('/dashboard')
    await page.waitForURL('**/login')
  })

  test('a forgotten password is reset by the mailed link, also of an address without an account', async () => {
    const email = await signUp()
    await logOut(page)
    for (const address of [freshEmail(), email]) {
      page.once('dialog', (prompt) => prompt.accept(address))
      await button(page, 'Forgot password?').click()
      // the newest message is the first
      await expect(page.getByText(messages.resetSent).first()).toBeVisible()
    }
    await provider.setPassword(page, await linkFor(email, 'reset'), 'another horse')
    await logIn(page, email)
    await expect(underForm(page)).toContainText('The supplied auth credential is incorrect')
    await logIn(page, email, 'another horse')
    await page.waitForURL((url) => url.pathname === '/')
  })

  test('name, address and password can be changed with the password', async () => {
    const email = await signUp()
    const newEmail = freshEmail()
    await page.goto('/dashboard')
    const change = (what: string) => page.getByRole('button', { name: `Change ${what}` }).click()
    await change('name')
    await dialog(page, 'Change your name').getByLabel('Name').fill('Augusta')
    await dialog(page, 'Change your name').getByRole('button', { name: 'Change name' }).click()
    await expect(page.getByText('Your name has been changed.')).toBeVisible()
    expect(await rowOf(email)).toMatchObject([{ name: 'Augusta' }])

    await change('password')
    const passwords = dialog(page, 'Change your password')
    await passwords.getByLabel('Current password').fill('not the password')
    await passwords.getByLabel('New password').fill('another horse')
    await passwords.getByRole('button', { name: 'Change password' }).click()
    await expect(passwords.getByText('The password is invalid or the user')).toBeVisible()
    await passwords.getByLabel('Current password').fill(password)
    await passwords.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Your password has been changed.')).toBeVisible()

    await change('e-mail')
    const addresses = dialog(page, 'Change your email')
    await addresses.getByLabel('New email').fill(newEmail)
    await addresses.getByLabel('Your password').fill('another horse')
    await addresses.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByText(messages.verificationSent)).toBeVisible()
    await page.goto(await linkFor(newEmail, 'change'))
    await page.waitForURL('**/verified')
    await page.evaluate(`localStorage.removeItem('accessToken')`)
    await logIn(page, newEmail, 'another horse')
    await expect.poll(() => rowOf(newEmail)).toEqual([{ name: 'Augusta', verified: true }])
  })

  test('an account that is deleted is gone at the provider too', async () => {
    const email = await signUp()
    await page.goto('/dashboard')
    await button(page, 'Delete my account').click()
    const leaving = dialog(page, 'Delete my account')
    const field = leaving.getByRole('textbox').or(leaving.getByLabel('Your password'))
    await field.fill((await field.getAttribute('type')) === 'password' ? password : email)
    await leaving.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByText('Your account has been deleted.')).toBeVisible()
    await logIn(page, email)
    await expect(underForm(page)).toContainText('The supplied auth credential is incorrect')
    await signUp('Ada again', email)
  })

  test('Google opens a window, whose end brings the login back', async () => {
    const email = freshEmail()
    await page.goto('/login')
    const popup = await openWindow(page)
    expect(await popup.evaluate('[innerWidth, innerHeight]')).toEqual([500, 600])
    await provider.choose(popup, { name: 'Grace Hopper', email })
    await page.waitForURL((url) => url.pathname === '/')
    await expect(page.getByRole('banner').getByText('Grace Hopper').first()).toBeVisible()
    expect(await rowOf(email)).toEqual([{ name: 'Grace Hopper', verified: true }])
    await page.goto('/dashboard')
    await expect(page.getByText('You log in with Google.')).toBeVisible()
  })

  test('a window that is closed ends the login two seconds after that was seen; a newer one ends the older', async () => {
    await page.goto('/login')
    const older = await openWindow(page)
    const newer = await openWindow(page)
    await expect.poll(() => older.isClosed()).toBe(true)
    await expect(underForm(page)).toContainText(
      'This operation has been cancelled due to another conflicting popup being opened.',
    )
    const closed = Date.now()
    await newer.close()
    const note = page.getByText('The window was closed before you were logged in.')
    await expect(note).toBeVisible({ timeout: 7_500 })
    // polled every 2000 ms, acted on 2000 ms later; Firebase's SDK alone would wait for 8000
    expect(Date.now() - closed).toBeGreaterThan(1_900)
  })

  test('a browser that opens no window is told so', async () => {
    await page.addInitScript('window.open = () => null')
    await page.goto('/login')
    await google(page).click()
    await expect(underForm(page)).toContainText('Unable to establish a connection with the popup.')
  })
}

/** The frame of Firebase's page, which reports whether it has storage. */
const frame = (hasStorage: boolean) => `<!doctype html><script>
  window.gapi_onload = () => gapi.iframes.getContext().getParentIframe()
    .register('webStorageSupport', () => ({ status: 'ACK', webStorageSupport: ${hasStorage} }))
</script><script src="https://apis.google.com/js/api.js"></script>`

const json = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  headers: { 'access-control-allow-origin': '*' },
  body: JSON.stringify(body),
})
type Answers = { script?: string; frame?: string; domains: string[] }

/** Responds to the SDK's requests to Google, as configured. */
async function answerFor(context: BrowserContext, { script, frame: page, domains }: Answers) {
  const html = { contentType: 'text/html', body: page ?? '' }
  const wrongKey = {
    error: { code: 400, message: 'API key not valid. Please pass a valid API key.' },
  }
  await context.route(/^https:/, (route) => {
    const { hostname, pathname } = new URL(route.request().url())
    if (hostname === 'apis.google.com' && script)
      return route.fulfill({ contentType: 'text/javascript', body: script })
    if (pathname === '/__/auth/iframe') return page ? route.fulfill(html) : undefined
    // the window may be closed by now
    if (pathname === '/__/auth/handler')
      return route.fulfill({ ...html, body: 'Google' }).catch(() => {})
    if (pathname === '/v1/projects')
      return route.fulfill(json({ projectId: 'shop', authorizedDomains: domains }))
    if (pathname.startsWith('/v1/accounts')) return route.fulfill(json(wrongKey, 400))
    return route.abort()
  })
}

await describeServer('Firebase Auth, answered at the network', findBrowser, (executablePath) => {
  let shop: TestShop
  let browser: Browser
  let script: string
  beforeAll(async () => {
    await program('main')
    const settings = { FIREBASE_PROJECT_ID: 'shop', FIREBASE_API_KEY: 'a-key' }
    shop = await openTestShop(settings, { web: await builtWeb() })
    browser = await chromium.launch({ executablePath })
    script = await readFile(gapi, 'utf8')
  })
  afterAll(async () => {
    await browser.close()
    await shop.close()
  })
  const here = ['127.0.0.1']

  /** Opens the login in a browser that gets these responses. */
  async function loginWith(answers: (script: string) => Answers): Promise<Page> {
    const page = await browser.newPage({ baseURL: shop.origin })
    await answerFor(page.context(), answers(script))
    await page.goto('/login')
    return page
  }

  test.each<[string, (script: string) => Answers, string]>([
    [
      'a shop at a domain that the project does not list',
      (script) => ({ script, frame: frame(true), domains: ['elsewhere.example'] }),
      'This domain is not authorized',
    ],
    [
      'a browser that keeps nothing for other sites',
      (script) => ({ script, frame: frame(false), domains: here }),
      'This browser is not supported or 3rd party cookies and data may be disabled.',
    ],
    [
      'a frame that does not load within five seconds',
      (script) => ({ script, domains: here }),
      'A network AuthError (such as timeout, interrupted connection or unreachable host)',
    ],
    [
      'a script that does not come',
      () => ({ frame: frame(true), domains: here }),
      'An internal AuthError has occurred.',
    ],
  ])('%s is told in words', async (_, answers, words) => {
    const page = await loginWith(answers)
    await google(page).click()
    await expect(underForm(page)).toContainText(words, { timeout: 15_000 })
    await closed(page.context())
  })

  test('a wrong key and a missing network are explained', async () => {
    const page = await loginWith((script) => ({ script, domains: here }))
    await logIn(page, 'ada@example.com')
    await expect(underForm(page)).toContainText('Your API key is invalid')
    await page.context().unrouteAll()
    await page.context().route(/^https:/, (route) => route.abort())
    await button(page, 'Login').click()
    await expect(underForm(page)).toContainText('A network AuthError')
    await closed(page.context())
  })
})

await describeServer('the embedded identity provider', findBrowser, () =>
  describeIdentity(embedded),
)

await describeServer(
  'Firebase Auth, by its emulator',
  () => findBrowser() && emulatorProgram(),
  (installed) => describeIdentity(() => firebase(installed)),
)
