/** Playwright's test with a shop of its own for each worker, and people who do what people do. */
import { test as base, expect, type Page } from '@playwright/test'
import { confirmationLink } from '#tests/support/people.ts'
import { type ShopEnvironment, type ShopProcess, startShop } from '#tests/support/shop-process.ts'

export const password = 'correct horse'
let people = 0

/** An address nobody used yet. */
export const freshEmail = () => {
  people += 1
  return `visitor.${process.pid}.${people}.${Date.now()}@example.com`
}

type Fixtures = {
  quiet: undefined
  /** Starts one more shop, for this test alone. */
  openShop: (environment?: ShopEnvironment) => Promise<ShopProcess>
}
type WorkerFixtures = { shop: ShopProcess }

export const test = base.extend<Fixtures, WorkerFixtures>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      // one customer books for all stories of the owner
      const shop = await startShop({ OPEN_HOLDS: '10000' })
      await use(shop)
      await shop.remove()
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  openShop: async ({}, use) => {
    const shops: ShopProcess[] = []
    await use(async (environment) => {
      const shop = await startShop(environment)
      shops.push(shop)
      return shop
    })
    for (const shop of shops) await shop.remove()
  },
  baseURL: ({ shop }, use) => use(shop.origin),
  /** Every page of every story: no error in the console, no blocked resource, no failed script. */
  quiet: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('console', (message) => {
        const text = message.text()
        // the browser itself logs every refused answer (4xx) that a story asks for
        if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
          complaints.push(text)
      })
      await use(undefined)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** Fills the Sign Up screen, wherever it was reached from. @returns the new customer's e-mail */
export async function signUp(
  page: Page,
  name = 'Grace Hopper',
  email = freshEmail(),
): Promise<string> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('verification email sent')).toBeVisible()
  return email
}

/**
 * A new customer who is logged in already and, unless told otherwise, confirmed: made by the calls that the Sign Up
 * screen and the mail lead to, for stories about what comes after. Ends on an address of the shop without a screen.
 * @returns the new customer's e-mail
 */
export async function arrive(
  page: Page,
  name = 'Grace Hopper',
  email = freshEmail(),
  { confirmed = true }: { confirmed?: boolean } = {},
): Promise<string> {
  await page.goto('/robots.txt')
  const { origin } = new URL(page.url())
  const made = await page.request.post('/identity/sign-up/email', {
    headers: { origin },
    data: { name, email, password, callbackURL: '/verified' },
  })
  expect(made.status()).toBe(200)
  if (confirmed) {
    const link = await confirmationLink(origin, email)
    const answer = await page.request.get(link, { maxRedirects: 0 })
    expect(answer.headers().location).toMatch(/\/verified$/)
  }
  const { token: idToken } = await (await page.request.get('/identity/token')).json()
  const answer = await page.request.put(`/api/user/${email}`, { data: { email, idToken } })
  const { token } = await answer.json()
  await page.evaluate((fresh) => localStorage.setItem('accessToken', fresh), token)
  return email
}

export async function logIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}

/** Whether the provider says that this customer's address is confirmed. */
export async function isConfirmed(page: Page): Promise<boolean> {
  const { token } = await (await page.request.get('/identity/token')).json()
  const [, claims = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).email_verified
}

/** From the home page to a booked order, as a customer who is logged in. Ends on the payment page. */
export async function bookPart(page: Page, part = 'Cinder RX 7800 XT'): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: part }) })
    .getByRole('link', { name: /^Book now/ })
    .click()
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByRole('button', { name: 'Book now' }).click()
  await expect(page.getByText('Your order is processing. please pay to confirm.')).toBeVisible()
  await expect(page.getByText(/^Please pay \$[\d,]+ to confirm order/)).toBeVisible()
}

/** Types a card into the provider's own frame and presses Pay. */
export async function payWith(page: Page, number: string): Promise<void> {
  const card = page.frameLocator('iframe[title*="card" i]')
  await card.locator('[name=cardnumber]').fill(number)
  await card.locator('[name=exp-date]').fill('12 / 34')
  await card.locator('[name=cvc]').fill('123')
  const postal = card.locator('[name=postal]')
  if (await postal.isVisible()) await postal.fill('94102')
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** The row of the only order on My orders. */
export async function onlyOrder(page: Page) {
  await page.goto('/dashboard/myOrders')
  const row = page.getByRole('row').nth(1)
  await expect(row).toBeVisible()
  return row
}
