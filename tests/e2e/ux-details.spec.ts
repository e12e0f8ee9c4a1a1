/**
 * How screens call the shop: how often, how long they cache a response, and what they show offline.
 */
import type { Page } from '@playwright/test'
import { fullOnly } from '#tests/support/length.ts'
import { stockPart } from '#tests/support/stock.ts'
import { book, expect, refusal, customerTest as test } from './fixtures.ts'

const offlineNotice =
  'You’re offline. This page stays as it is, and updates once you’re back online.'

/** Counts the calls to a URL; with `answer`, they get that response. */
async function count(page: Page, url: string, answer?: ReturnType<typeof refusal>) {
  const calls = { number: 0 }
  await page.route(url, (route) => {
    calls.number += 1
    return answer ? route.fulfill(answer) : route.continue()
  })
  return calls
}

test('a failed request is repeated after 1, 2 and 4 seconds, then the error is shown; a refused one is not repeated', async ({
  page,
}) => {
  await page.clock.install()
  const calls = await count(page, '**/api/orders?*', refusal(404, 'NOT_FOUND', 'No such orders'))
  await page.goto('/dashboard/myOrders')
  await expect(page.getByText('No such orders')).toBeVisible()
  await page.clock.runFor(60_000)
  expect(calls.number).toBe(1)
  await page.unrouteAll()

  const sentence = 'The shop is busy for a moment. Nothing was changed; try again.'
  const busy = await count(page, '**/api/orders?*', refusal(503, 'UNAVAILABLE', sentence))
  let answered = 0
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/orders?')) answered += 1
  })
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await page.reload()
  const ticked = async () => {
    await page.clock.runFor(10)
    return busy.number
  }
  await expect.poll(ticked, { intervals: [10] }).toBe(1)
  for (const [wait, requestCount] of [
    [1000, 2],
    [2000, 3],
    [4000, 4],
  ] as const) {
    // the fake clock stands while the machine works: the wait begins when the response has been
    // read
    await expect.poll(() => answered).toBe(requestCount - 1)
    await expect(page.getByText(sentence)).toBeHidden()
    let waited = 0
    // ticks also pass while a busy page still reads the response
    for (; busy.number < requestCount && waited < wait + 4000; waited += 100)
      await page.clock.runFor(100)
    expect(busy.number).toBe(requestCount)
    // ticks pass until the story notices a request, and are missing from the next wait
    expect(waited).toBeGreaterThan(wait - 500)
  }
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(page.getByText(sentence)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.clock.runFor(60_000)
  expect(busy.number).toBe(4)
})

fullOnly(test)(
  'an answer is cached for five minutes, then fetched again',
  async ({ page, customer }) => {
    const calls = await count(page, '**/api/profile/*')
    await page.clock.install()
    await page.goto('/dashboard')
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    const awayAndBack = async () => {
      await sidebar.getByRole('link', { name: 'My orders' }).click()
      await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
      await sidebar.getByRole('link', { name: 'My Profile' }).click()
      await expect(page.getByLabel('Email')).toHaveValue(customer.email)
    }
    await awayAndBack()
    await page.clock.runFor(4 * 60_000)
    await awayAndBack()
    expect(calls.number).toBe(1)
    await page.clock.runFor(61_000)
    await awayAndBack()
    await expect.poll(() => calls.number).toBe(2)
  },
)

test('without a network the screen stays and says so; with a network it is refreshed', async ({
  page,
  context,
  customer,
  pool,
}) => {
  await book(page, await stockPart(pool, { onHand: 1 }))
  await page.goto('/dashboard/myOrders')
  await expect(page.getByText(customer.email, { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByRole('status').getByText(offlineNotice)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Pay/ })).toBeVisible()
  await pool.query(`update orders set customer = 'Grace M. Hopper' where email = $1`, [
    customer.email,
  ])
  await context.setOffline(false)
  await expect(page.getByText(offlineNotice)).toBeHidden()
  await expect(page.getByText('Grace M. Hopper')).toBeVisible()
})

fullOnly(test)(
  'a form sent without a network says so and keeps what was typed',
  async ({ page, context }) => {
    await page.goto('/dashboard/addReview')
    const stars = page.getByRole('radio', { name: '5 stars' })
    await stars.press('Space')
    await page.getByLabel('Review', { exact: true }).fill('From a train')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Add review' }).click()
    await expect(
      page.getByText('The shop cannot be reached. Check your connection and try again.'),
    ).toBeVisible()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Add review' }).click()
    await expect(page.getByText('Thanks for your valuable review')).toBeVisible()
  },
)

test('a page whose script does not load within 120 s shows an error, and the old one stays', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/')
  await page.route('**/assets/blogs*.js', () => {})
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blogs' }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toBeVisible()
  await page.clock.fastForward(119_000)
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toBeVisible()
  await page.clock.fastForward(2_000)
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Loading the page' })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Our parts' })).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})
