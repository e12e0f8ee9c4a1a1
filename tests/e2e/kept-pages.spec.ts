/** What the server keeps of its pages (it says so by an ETag), and what must never be kept for others. */
import type { APIRequestContext } from '@playwright/test'
import type { Pool } from 'pg'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { test as base, expect } from './shop-test.ts'

const test = base.extend<object, { pool: Pool }>({
  pool: [
    async ({ shop }, use) => {
      const pool = await shopDatabase(shop)
      await use(pool)
      await pool.end()
    },
    { scope: 'worker' },
  ],
})

const isKept = async (request: APIRequestContext, path: string) => {
  const answer = await request.get(path)
  expect(answer.status(), path).toBe(200)
  return 'etag' in answer.headers()
}

test('the shop’s own addresses are kept', async ({ request }) => {
  for (const path of ['/', '/home', '/blogs', '/dashboard', '/dashboard/myOrders', '/api/part'])
    await expect.poll(() => isKept(request, path), { message: path }).toBe(true)
})

test('an address that anybody can make up takes no place among them', async ({ request }) => {
  for (const path of [
    '/purchase/made-up',
    '/dashboard/payment/made-up',
    '/dashboard/order/made-up',
    '/BLOGS',
    '/blogs/',
    '/blogs?from=here',
  ])
    expect(await isKept(request, path), path).toBe(false)
})

test('a page that lacks its reviews is shown, and not kept for who comes next', async ({
  request,
  pool,
}) => {
  const someReview = 'review-text'
  await pool.query('alter table reviews rename to reviews_away')
  try {
    await pool.query('notify catalogue')
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
