/** A user without admin rights sees no admin page: they are signed out and sent to the login. */
import type { Page, Request } from '@playwright/test'
import type { Pool } from 'pg'
import { enterAs, expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { atLength } from '#tests/support/length.ts'
import { type Person, register } from '#tests/support/people.ts'

const rooms = [
  'overview',
  'users',
  'addProduct',
  'manageProducts',
  'deliveries',
  'manageOrders',
  'manageReviews',
  'audit',
  'health',
]
const setUser = (pool: Pool, { email }: Person, change: string) =>
  pool.query(`update users set ${change} where email = $1`, [email])

/**
 * Records the admin-only responses to requests that the page sends from now on: earlier requests
 * may still be answered.
 */
function ownersAnswers(page: Page): string[] {
  const asked = new Set<Request>()
  const answers: string[] = []
  page.on('request', (request) => asked.add(request))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (
      /^\/api\/(user|product|allOrders|audit|overview|health|image|reviews)/.test(pathname) &&
      asked.has(response.request()) &&
      response.ok()
    )
      if (response.request().method() === 'GET') answers.push(pathname)
  })
  return answers
}

async function expectOut(page: Page, room: string): Promise<void> {
  await page.goto(`/dashboard/${room}`)
  await expect(page.getByRole('heading', { name: 'Login' }), room).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.getItem('accessToken')), room).toBeNull()
}

// one guard covers all admin pages: the gate tests one of them, the full run all
test('a customer is sent away from every admin page, without a loop, and has only My Profile at /dashboard', async ({
  page,
  shop,
}) => {
  const answers = ownersAnswers(page)
  const customer = await register(shop.origin)
  for (const room of atLength ? rooms : rooms.slice(0, 1)) {
    await enterAs(page, customer)
    await expectOut(page, room)
    await expect(page.getByText('Only admins may open that page.')).toBeVisible()
    expect(await page.evaluate(() => history.state?.usr ?? null)).toBeNull()
  }
  await enterAs(page, customer)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'My orders' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Manage all orders' })).toHaveCount(0)
  expect(answers).toEqual([])
})

test('an admin who lost the rights is signed out despite the old token; an admin with an unverified address never gets in', async ({
  page,
  shop,
  pool,
}) => {
  const demoted = await register(shop.origin, 'Demoted Admin')
  await setUser(pool, demoted, `role = 'admin', email_verified = true`)
  await enterAs(page, demoted)
  await page.goto('/dashboard/overview')
  // shown once the rights are known: the next visit must check them again
  await expect(page.getByText('Days start at midnight')).toBeVisible()
  await setUser(pool, demoted, `role = 'customer'`)
  // the open page checks again when it becomes visible
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()

  const answers = ownersAnswers(page)
  await enterAs(page, demoted)
  await expectOut(page, 'manageOrders')
  const unverified = await register(shop.origin, 'Unverified Admin', { verified: false })
  await setUser(pool, unverified, `role = 'admin'`)
  await enterAs(page, unverified)
  await expectOut(page, 'users')
  expect(answers).toEqual([])
  for (const path of ['/api/overview', '/api/allOrders', '/api/user', '/api/products'])
    for (const person of [demoted, unverified])
      expect((await person.call('GET', path)).status, path).toBe(403)
})
