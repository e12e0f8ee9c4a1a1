/** The shop's test for somebody who is logged in, with the shop's database at hand. */
import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { arrive, test as shopTest } from './shop-test.ts'

type Fixtures = { customer: { name: string; email: string } }
type WorkerFixtures = { pool: Pool }

export const test = shopTest.extend<Fixtures, WorkerFixtures>({
  pool: [
    async ({ shop }, use) => {
      const pool = await shopDatabase(shop)
      await use(pool)
      await pool.end()
    },
    { scope: 'worker' },
  ],
  /** Whoever uses the page: signed up a moment ago. */
  customer: [
    async ({ page }, use) => {
      const email = await arrive(page)
      await use({ name: 'Grace Hopper', email })
    },
    { auto: true },
  ],
})

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
