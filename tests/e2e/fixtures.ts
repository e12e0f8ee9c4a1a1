/** Playwright's test with one shop per worker, and helpers that act as users. */
import { test as base, expect, type Page } from '@playwright/test'
import type { Pool } from 'pg'
import type { Part } from '#contracts/parts.ts'
import { dataFolder } from '#tests/support/data-folder.ts'
import { awaitScripts } from '#tests/support/page-scripts.ts'
import {
  bookingOf,
  call,
  confirmCard,
  controlSandbox,
  intentFor,
  login,
  type Person,
  register,
  verificationLink,
} from '#tests/support/people.ts'
import { giveToken } from '#tests/support/sandbox-token.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import {
  quickPasswords,
  type ShopEnvironment,
  type ShopProcess,
  startShop,
} from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

export const password = 'correct horse'
let people = 0

/** An unused e-mail address. */
export const freshEmail = () => {
  people += 1
  return `visitor.${process.pid}.${people}.${Date.now()}@example.com`
}

type Fixtures = {
  quiet: undefined
  /** Starts another shop for this test. */
  openShop: (environment?: ShopEnvironment) => Promise<ShopProcess>
}
type WorkerFixtures = { shop: ShopProcess }
type BusyFixtures = {
  /** The shop's database. */
  pool: Pool
  /** A customer who books and pays through the API. */
  buyer: Person
  /**
   * Makes a paid order of the buyer.
   * @returns its id
   */
  sell: (part: Part, quantity?: number, card?: string) => Promise<string>
}

/** The test for a visitor, in an unchanged demo shop. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      // one customer books in all stories of the owner
      const shop = await startShop({ ...quickPasswords, OPEN_HOLDS: '10000' })
      await use(shop)
      await shop.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  openShop: async ({ context }, use) => {
    const shops: ShopProcess[] = []
    await use(async (environment) => {
      // the folder that other shops copy has the demo
      const folder = environment?.DEMO === 'off' ? await dataFolder() : undefined
      const shop = await startShop({ ...quickPasswords, ...environment }, folder)
      shops.push(shop)
      await giveToken(context, shop)
      return shop
    })
    for (const shop of shops) await shop.remove()
  },
  baseURL: ({ shop }, use) => use(shop.origin),
  context: async ({ context, shop }, use) => {
    await giveToken(context, shop)
    // The shop closes an idle connection after six seconds. A request sent at that moment is
    // repeated, as a browser does.
    const { request } = context
    const fetch = request.fetch.bind(request)
    request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options })
    await use(context)
  },
  /**
   * Scripts load after the page. A story continues once they have loaded, unless it waits for
   * something else.
   */
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) awaitScripts(page)
    await use(page)
  },
  /**
   * Checks every page of every story: no error in the console, no blocked resource, no failed
   * script.
   */
  quiet: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('console', (message) => {
        const text = message.text()
        // the browser itself logs each refusal (4xx) that a story causes
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

async function publishableKeyOf(origin: string): Promise<string> {
  const home = await (await fetch(origin)).text()
  return /pk_test_\w+/.exec(home)?.[0] ?? ''
}

/** Pays an order of this customer through the API. */
export async function payOrder(
  origin: string,
  customer: Person,
  orderId: string,
  card = 'pm_card_visa',
): Promise<void> {
  const payment = await intentFor(customer, orderId)
  await confirmCard({ origin, publishableKey: await publishableKeyOf(origin) }, payment, card)
  const paymentReport = { transactionId: payment.intentId }
  const { status } = await customer.call('PATCH', `/api/order/${orderId}`, paymentReport)
  expect(status).toBe(200)
}

/** The test for all other stories, in a shop whose stories add their own parts and orders. */
export const busyTest = test.extend<object, BusyFixtures>({
  pool: [
    async ({ shop }, use) => {
      const pool = await shopDatabase(shop)
      await use(pool)
      await pool.end()
    },
    { scope: 'worker' },
  ],
  buyer: [({ shop }, use) => register(shop.origin).then(use), { scope: 'worker' }],
  sell: [
    async ({ shop, buyer }, use) => {
      await use(async (part, quantity = 1, card) => {
        const id = await bookingOf(buyer, part, { quantity })
        await payOrder(shop.origin, buyer, id, card)
        return id
      })
    },
    { scope: 'worker' },
  ],
})

/** The test for the shop's owner. */
export const ownerTest = busyTest.extend<{ owner: Person }>({
  /** The page's user: the owner, logged in. */
  owner: async ({ shop, page }, use) => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    await enterAs(page, owner)
    await use(owner)
  },
})

/** The test for a customer. */
export const customerTest = busyTest.extend<{ customer: { name: string; email: string } }>({
  /** The page's user: just signed up. */
  customer: [
    async ({ page }, use) => {
      const email = await arrive(page)
      await use({ name: 'Grace Hopper', email })
    },
    { auto: true },
  ],
})

/** Logs that person in on this page. */
export async function enterAs(page: Page, person: Person): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('accessToken', token), person.token)
}

/**
 * Parts made for stories have a picture that does not exist: replaces it with one of the demo's.
 */
export async function givePictures(pool: Pool): Promise<void> {
  const real = `(select min(image) from parts where image not like '%/none-%')`
  for (const table of ['parts', 'orders'])
    await pool.query(`update ${table} set image = ${real} where image like '%/none-%'`)
}

/** Pays for two new parts of that name without any webhook. */
export async function payUnheard(
  { origin }: ShopProcess,
  pool: Pool,
  buyer: Person,
  name: string,
): Promise<void> {
  const part = await stockPart(pool, { onHand: 9, price: 1999, name })
  const payment = await intentFor(buyer, await bookingOf(buyer, part, { quantity: 2 }))
  await controlSandbox(origin, 'webhooks', { mode: 'drop' })
  await confirmCard({ origin, publishableKey: await publishableKeyOf(origin) }, payment)
  await controlSandbox(origin, 'webhooks', { mode: 'normal' })
}

/**
 * Fills in the Sign Up screen, however it was reached.
 * @returns the new customer's e-mail
 */
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
 * Creates a new customer, logged in and by default verified, for stories about later steps. It
 * makes the same calls as the Sign Up screen and the mailed link. Ends on a URL of the shop without
 * a screen.
 * @returns the new customer's e-mail
 */
export async function arrive(
  page: Page,
  name = 'Grace Hopper',
  email = freshEmail(),
  { verified = true }: { verified?: boolean } = {},
): Promise<string> {
  await page.goto('/robots.txt')
  const { origin } = new URL(page.url())
  const signUpResponse = await page.request.post('/identity/sign-up/email', {
    headers: { origin },
    data: { name, email, password, callbackURL: '/verified' },
  })
  expect(signUpResponse.status()).toBe(200)
  if (verified) {
    const link = await verificationLink(origin, email)
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

/** Whether this customer's address is verified at the provider. */
export async function isVerified(page: Page): Promise<boolean> {
  const { token } = await (await page.request.get('/identity/token')).json()
  const [, claims = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).email_verified
}

/**
 * Books through the API, as the customer of this page.
 * @returns the order's id
 */
export async function book(page: Page, part: Part, quantity = 1): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const answer = await page.request.post('/api/order', {
    headers: { authorization: `Bearer ${token}` },
    data: { partId: part._id, quantity, phone: '+1 555 0100' },
  })
  expect(answer.status()).toBe(200)
  return (await answer.json()).insertedId
}

/** Pays an order through the API, as the customer of this page. */
export async function payByCalls(page: Page, orderId: string): Promise<void> {
  const { origin } = new URL(page.url())
  const token = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? undefined
  const customer = {
    call: (method: string, path: string, body?: unknown) =>
      call(origin, method, path, { token, body }),
  } as Person
  await payOrder(origin, customer, orderId)
}

/**
 * Books a demo part through the API, and opens its payment page.
 * @returns the order's id
 */
export async function bookPart(page: Page, name = 'Cinder RX 7800 XT'): Promise<string> {
  const parts: Part[] = await (await page.request.get('/api/part')).json()
  const id = await book(page, parts.find((part) => part.name === name) as Part)
  await page.goto(`/dashboard/payment/${id}`)
  await expect(page.getByText(/^Please pay \$[\d,]+ to confirm order/)).toBeVisible()
  return id
}

/** Types a card into the provider's frame and clicks Pay. */
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

/**
 * Ends the customer's session at the provider, as a sign-out on another device does; this page does
 * not notice yet.
 */
export async function endSessionElsewhere(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.post('/identity/sign-out', { data: {}, headers: { origin } })
}

/** Makes the stored token look expired: its claims say so, and its signature no longer matches. */
export const ageToken = (page: Page) =>
  page.evaluate(() => {
    const [head, body = '', signature] = (localStorage.getItem('accessToken') ?? '').split('.')
    const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))
    const old = btoa(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }))
    const aged = [
      head,
      old.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
      signature,
    ]
    localStorage.setItem('accessToken', aged.join('.'))
    return aged.join('.')
  })

/** A refusal in the shop's format, for `route.fulfill`. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  json: { error: { code, message, requestId: 'a-request' } },
})
