/**
 * The pages that the server caches (they have an ETag), and content that must never be cached for
 * others.
 */
import type { APIRequestContext } from '@playwright/test'
import { expect, busyTest as test } from './fixtures.ts'

const isKept = async (request: APIRequestContext, path: string) => {
  const answer = await request.get(path)
  expect(answer.status(), path).toBe(200)
  return 'etag' in answer.headers()
}

test('the shop’s own addresses are cached', async ({ request }) => {
  for (const path of ['/', '/home', '/blogs', '/dashboard', '/dashboard/myOrders', '/api/part'])
    await expect.poll(() => isKept(request, path), { message: path }).toBe(true)
})

test('invented addresses are not cached', async ({ request }) => {
  for (const path of ['/purchase/made-up', '/BLOGS', '/blogs/', '/verified?error=made-up'])
    expect(await isKept(request, path), path).toBe(false)
})

test('addresses that show the same share one page', async ({ request }) => {
  const etagOf = async (path: string) => (await request.get(path)).headers().etag
  for (const [path, same] of [
    ['/blogs', '/blogs?from=here'],
    ['/dashboard/order/made-up', '/dashboard/order/another'],
    ['/dashboard/payment/made-up', '/dashboard/payment/another?x=1'],
    ['/login', '/login?from=/dashboard'],
    ['/no/such/page', '/nor-this'],
  ] as const) {
    await expect.poll(() => etagOf(path), { message: path }).toBeTruthy()
    expect(await etagOf(same), same).toBe(await etagOf(path))
  }
})

test('a page rendered for all its addresses comes alive at each of them', async ({ page }) => {
  await page.goto('/no/such/page?at=all')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard/order/made-up?x=1')
  await expect(page).toHaveURL('/login')
  await page.goto('/login?from=/dashboard/myOrders&x=1')
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
})

test('a page that lacks its reviews is shown, and not cached for the next visitor', async ({
  request,
  pool,
}) => {
  const someReview = 'class="review-text"'
  await pool.query('alter table reviews rename to reviews_away')
  try {
    await pool.query(`insert into catalogue_changes (topic) values ('reviews')`)
    for (const path of ['/', '/reviews']) {
      await expect
        .poll(async () => (await (await request.get(path)).text()).includes(someReview))
        .toBe(false)
      expect(await isKept(request, path), path).toBe(false)
    }
  } finally {
    await pool.query('alter table reviews_away rename to reviews')
  }
  for (const path of ['/', '/reviews']) {
    expect(await (await request.get(path)).text(), path).toContain(someReview)
    expect(await isKept(request, path), path).toBe(true)
  }
})
