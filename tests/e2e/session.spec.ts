/** Sessions under disturbance: a wrong clock, a slow shop, a concurrent Logout, another user. */
import type { Page } from '@playwright/test'
import { fullOnly } from '#tests/support/length.ts'
import { register } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import {
  ageToken,
  arrive,
  endSessionElsewhere,
  expect,
  logIn,
  refusal,
  customerTest as test,
} from './fixtures.ts'

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken'))
const draftsOf = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft ')))
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Dashboard' })
const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

fullOnly(test)(
  'a device whose clock is hours ahead renews its token once a page, not at every call',
  async ({ page }) => {
    let renewals = 0
    page.on('request', (request) => {
      const isRenewal = request.method() === 'PUT' && request.url().includes('/api/user/')
      if (isRenewal && request.frame().url().includes('/dashboard')) renewals += 1
    })
    await page.clock.setSystemTime(Date.now() + 3 * 3_600_000)
    await page.goto('/dashboard')
    for (const room of ['My orders', 'Add a review', 'My orders', 'My Profile', 'My orders']) {
      await sidebar(page).getByRole('link', { name: room }).click()
      await expect(page.getByRole('heading', { name: room })).toBeVisible()
    }
    await expect(page.getByText('No orders yet')).toBeVisible()
    expect(renewals).toBe(1)
  },
)

test('Logout while the token is being renewed stays a Logout', async ({ page }) => {
  await ageToken(page)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const renewal = page.waitForRequest('**/api/user/*')
  await page.route('**/api/user/*', async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  await page.goto('/dashboard/myOrders')
  await renewal
  await logOut(page)
  const answered = page.waitForResponse('**/api/user/*')
  answer()
  await (await answered).finished()
  // the page handles this response before any later one
  await page.evaluate(() => fetch('/healthz').then((response) => response.text()))
  expect(await tokenOf(page)).toBeNull()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('a renewal without an answer ends no session', async ({ page }) => {
  const sentence = 'The shop is busy for a moment. Nothing was changed; try again.'
  await ageToken(page)
  await page.route('**/api/user/*', (route) => route.fulfill(refusal(503, 'UNAVAILABLE', sentence)))
  await page.clock.install()
  await page.goto('/dashboard/myOrders')
  await expect(async () => {
    await page.clock.runFor(1000)
    await expect(page.getByText(sentence)).toBeVisible({ timeout: 200 })
  }).toPass()
  expect(await tokenOf(page)).not.toBeNull()
  await page.unrouteAll()
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).last().click()
  await expect(page.getByText('No orders yet')).toBeVisible()
})

fullOnly(test)(
  'after Logout, who then wants to book comes back to the part',
  async ({ page, customer }) => {
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible()
    await logOut(page)
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page
      .getByRole('link', { name: /^Book now/ })
      .first()
      .click()
    await logIn(page, customer.email)
    await expect(page).toHaveURL(/\/purchase\//)
  },
)

test('a stored token that cannot be read is removed', async ({ page }) => {
  await page.evaluate(() => localStorage.setItem('accessToken', 'x.y.z'))
  await page.goto('/dashboard/myOrders')
  await expect(page).toHaveURL(/\/login$/)
  expect(await tokenOf(page)).toBeNull()
})

test('Logout without a network reaches the provider when there is one again', async ({
  page,
  context,
}) => {
  await page.goto('/login')
  await page.goto('/blogs')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  expect((await page.request.get('/identity/token')).status()).toBe(200)
  await context.setOffline(false)
  await expect.poll(async () => (await page.request.get('/identity/token')).status()).toBe(401)
})

test.describe('what was typed and not sent', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByLabel('Education').fill('a secret')
    expect(await draftsOf(page)).toHaveLength(1)
  })

  fullOnly(test)('is gone from every tab after a Logout in one', async ({ page, context }) => {
    const other = await context.newPage()
    await other.goto('/blogs')
    await other.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await draftsOf(page)).toEqual([])
  })

  test('waits for its owner when the session ended, and is gone when another user logs in', async ({
    page,
    context,
  }) => {
    // the page signs out once one of its calls is refused
    await ageToken(page)
    await endSessionElsewhere(page)
    await page.goto('/dashboard/myOrders')
    await expect(page).toHaveURL(/\/login$/)
    expect(await draftsOf(page)).toHaveLength(1)
    const other = await context.newPage()
    await arrive(other, 'Mary Jackson')
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    expect(await draftsOf(page)).toEqual([])
  })
})

fullOnly(test)(
  'a booking form that is open does not pass what was typed to the next user',
  async ({ page, context, shop, pool }) => {
    await page.goto(`/purchase/${(await stockPart(pool, { onHand: 1 }))._id}`)
    await page.getByLabel('Phone').fill('+1 555 0199')
    const other = await context.newPage()
    await other.goto('/robots.txt')
    // another user's token replaces this one at once, as after a login in another tab
    const mary = await register(shop.origin, 'Mary Jackson')
    await other.evaluate((theirs) => localStorage.setItem('accessToken', theirs), mary.token)
    await expect(page.getByLabel('Email')).toHaveValue(mary.email)
    await expect(page.getByLabel('Phone')).toHaveValue('')
  },
)
