/** Playwright's test with a shop for each worker, and people who do what people do. */
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

/** An unused address. */
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
type BusyFixtures = {
  /** The shop's database. */
  pool: Pool
  /** A customer who books and pays by calls. */
  buyer: Person
  /** A paid order of the buyer's. @returns its id */
  sell: (part: Part, quantity?: number, card?: string) => Promise<string>
}

/** The test for a visitor, in the demo shop as it comes. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      // one customer books for all stories of the owner
      const shop = await startShop({ ...quickPasswords, OPEN_HOLDS: '10000' })
      await use(shop)
      await shop.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  openShop: async ({ context }, use) => {
    const shops: ShopProcess[] = []
    await use(async (environment) => {
      // the folder that others copy has the demo
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
    // The shop ends an idle connection after six seconds. A request that is sent at that moment is sent again, as a page's is.
    const { request } = context
    const fetch = request.fetch.bind(request)
    request.fetch = (url, options) => fetch(url, { maxRetries: 2, ...options })
    await use(context)
  },
  /** The scripts of a page come after it. A story continues once they have loaded, unless it says what else to wait for. */
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) awaitScripts(page)
    await use(page)
  },
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

async function publishableKeyOf(origin: string): Promise<string> {
  const home = await (await fetch(origin)).text()
  return /pk_test_\w+/.exec(home)?.[0] ?? ''
}

/** For all other stories, in a shop whose stories add parts and orders of their own. */
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
      const publishableKey = await publishableKeyOf(shop.origin)
      await use(async (part, quantity = 1, card = 'pm_card_visa') => {
        const id = await bookingOf(buyer, part, { quantity })
        const payment = await intentFor(buyer, id)
        await confirmCard({ origin: shop.origin, publishableKey }, payment, card)
        const paymentReport = { transactionId: payment.intentId }
        const { status } = await buyer.call('PATCH', `/api/order/${id}`, paymentReport)
        expect(status).toBe(200)
        return id
      })
    },
    { scope: 'worker' },
  ],
})

/** The test for the shop's owner. */
export const ownerTest = busyTest.extend<{ owner: Person }>({
  /** The user of the page: the owner, logged in. */
  owner: async ({ shop, page }, use) => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    await enterAs(page, owner)
    await use(owner)
  },
})

/** The test for a customer. */
export const customerTest = busyTest.extend<{ customer: { name: string; email: string } }>({
  /** The user of the page: signed up a moment ago. */
  customer: [
    async ({ page }, use) => {
      const email = await arrive(page)
      await use({ name: 'Grace Hopper', email })
    },
    { auto: true },
  ],
})

/** Logs this page in as that person. */
export async function enterAs(page: Page, person: Person): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('accessToken', token), person.token)
}

/** Parts made for stories show a picture that was never there: here they show one of the demo's. */
export async function givePictures(pool: Pool): Promise<void> {
  const real = `(select min(image) from parts where image not like '%/none-%')`
  for (const table of ['parts', 'orders'])
    await pool.query(`update ${table} set image = ${real} where image like '%/none-%'`)
}

/** A payment of two new parts of that name that was made, and that no webhook tells of. */
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
 * A new customer who is logged in already and, unless told otherwise, verified: made by the calls that the Sign Up
 * screen and the mail lead to, for stories about what comes after. Ends on an address of the shop without a screen.
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

/** Whether the provider says that this customer's address is confirmed. */
export async function isVerified(page: Page): Promise<boolean> {
  const { token } = await (await page.request.get('/identity/token')).json()
  const [, claims = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).email_verified
}

/** Books by a call, as the customer of this page. @returns the order's id */
export async function book(page: Page, part: Part, quantity = 1): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const answer = await page.request.post('/api/order', {
    headers: { authorization: `Bearer ${token}` },
    data: { partId: part._id, quantity, phone: '+1 555 0100' },
  })
  expect(answer.status()).toBe(200)
  return (await answer.json()).insertedId
}

/** Pays an order by calls, as the customer of this page. */
export async function payByCalls(page: Page, orderId: string): Promise<void> {
  const { origin } = new URL(page.url())
  const token = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? undefined
  const customer = {
    call: (method: string, path: string, body?: unknown) =>
      call(origin, method, path, { token, body }),
  } as Person
  const payment = await intentFor(customer, orderId)
  await confirmCard({ origin, publishableKey: await publishableKeyOf(origin) }, payment)
  const paymentReport = { transactionId: payment.intentId }
  const { status } = await customer.call('PATCH', `/api/order/${orderId}`, paymentReport)
  expect(status).toBe(200)
}

/** Books a part of the demo by a call, and opens its payment. @returns the order's id */
export async function bookPart(page: Page, name = 'Cinder RX 7800 XT'): Promise<string> {
  const parts: Part[] = await (await page.request.get('/api/part')).json()
  const id = await book(page, parts.find((part) => part.name === name) as Part)
  await page.goto(`/dashboard/payment/${id}`)
  await expect(page.getByText(/^Please pay \$[\d,]+ to confirm order/)).toBeVisible()
  return id
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

/** The customer's session ends at the provider, as by a sign-out on another device; this page does not know it yet. */
export async function endSessionElsewhere(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.post('/identity/sign-out', { data: {}, headers: { origin } })
}

/** The stored token as it is when its hour has passed: the claims say so, and the signature fits no longer. */
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

/** A refusal as the shop words it, for `route.fulfill`. */
export const refusal = (status: number, code: string, message: string) => ({
  status,
  json: { error: { code, message, requestId: 'a-request' } },
})
