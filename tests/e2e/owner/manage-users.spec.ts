import type { Locator, Page } from '@playwright/test'
import type { Pool } from 'pg'
import { messages } from '#contracts/messages.ts'
import { enterAs, expect, logIn, refusal, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf, type Person, register } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'

const setUser = (pool: Pool, person: Person, change: string) =>
  pool.query(`update users set ${change} where email = $1`, [person.email])

fullOnly(test)(
  'a user becomes an admin and is none again; what the shop refuses is said in its words',
  async ({ page, shop, pool, owner }) => {
    const grace = await register(shop.origin, 'Grace Hopper', { verified: false })
    await page.goto('/dashboard')
    const rooms = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
    await expect(rooms).toContainText([
      'My Profile',
      'Overview',
      'Manage all orders',
      'Manage all products',
      'Add a product',
      'Manage all users',
    ])
    await page.getByRole('link', { name: 'Manage all users' }).click()
    await page.getByRole('searchbox').fill(grace.email)
    await expect(page.getByText('1 user', { exact: true })).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: grace.email })
    await expect(row.getByText('unverified')).toBeVisible()
    const make = row.getByRole('button', { name: 'Make admin' })
    const makeDialog = page.getByRole('alertdialog', { name: 'Make this user an admin?' })
    const makeAdmin = async () => {
      await make.click()
      await makeDialog.getByRole('button', { name: 'Make admin' }).click()
    }
    await make.click()
    await makeDialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(make).toBeFocused()
    await makeAdmin()
    await expect(page.getByText('This email address isn’t confirmed yet.')).toBeVisible()
    await page.route('**/api/user/admin/*', (route) =>
      route.fulfill(refusal(403, 'FORBIDDEN', 'Only admins can do this')),
    )
    await makeAdmin()
    await expect(page.getByText(messages.adminFailed)).toBeVisible()
    await page.unroute('**/api/user/admin/*')
    await setUser(pool, grace, 'email_verified = true')
    await makeAdmin()
    await expect(page.getByText(messages.adminMade)).toBeVisible()
    await expect(row.getByRole('button', { name: 'Already admin' })).toBeDisabled()
    await expect(row.getByText('unverified')).toBeHidden()
    expect((await grace.call('GET', '/api/user')).status).toBe(200)

    await row.getByRole('button', { name: 'Remove rights' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Remove admin rights?' })
    await dialog.getByRole('button', { name: 'Remove rights' }).click()
    await expect(make).toBeEnabled()
    await expect(make).toBeFocused()
    expect((await grace.call('GET', '/api/user')).status).toBe(403)

    // an error toast stays until it is closed or newer toasts displace it
    await expect(async () => {
      const close = page.getByRole('alert').getByRole('button', { name: 'close' })
      if ((await close.count()) > 0) await close.first().click({ timeout: 1_000 })
      await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 1_000 })
    }).toPass()
    // other stories of this shop have made admins
    await pool.query(`update users set role = 'customer' where role = 'admin' and email <> $1`, [
      owner.email,
    ])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Role').selectOption('admin')
    await expect(page).toHaveURL(/role=admin/)
    await page
      .getByRole('row')
      .filter({ hasText: owner.email })
      .getByRole('button', { name: 'Remove rights' })
      .click()
    await dialog.getByRole('button', { name: 'Remove rights' }).click()
    await expect(page.getByText('This is the last admin.')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('row').filter({ hasText: grace.email })).toBeVisible()
    await page.goto(`/dashboard/audit?about=user:${encodeURIComponent(grace.email)}`)
    await expect(page.getByRole('cell', { name: 'admin rights removed' })).toBeVisible()
    await expect(page.getByRole('cell', { name: 'admin made' })).toBeVisible()
  },
)

test('an account is blocked with a reason, says so to its owner, and is let in again', async ({
  page,
  shop,
  owner,
  browser,
}) => {
  const mallory = await register(shop.origin, 'Mallory Mean')
  await mallory.call('POST', '/api/review', { review: 'All of you are crooks.', ratings: 1 })
  await page.goto(`/dashboard/users?q=${owner.email}`)
  await expect(page.getByRole('button', { name: 'Already admin' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Block/ })).toHaveCount(0)
  await page.getByRole('searchbox').fill(mallory.email)
  const row = page.getByRole('row').filter({ hasText: mallory.email })
  await row.getByRole('button', { name: /^Block/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Block this account?' })
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(dialog.getByText(messages.reasonRequired)).toBeVisible()
  await dialog.getByLabel('Reason').fill('Insults.')
  await dialog.getByLabel('Hide this account’s reviews too').check()
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText(`${mallory.email} is blocked`)).toBeVisible()
  await expect(row.getByText('blocked', { exact: true })).toBeVisible()
  expect((await mallory.call('GET', '/api/me')).status).toBe(401)

  const malloryPage = await browser.newPage({ baseURL: shop.origin })
  await malloryPage.goto('/login')
  await logIn(malloryPage, mallory.email)
  await expect(
    malloryPage.getByText('The user account has been disabled by an administrator.'),
  ).toBeVisible()
  await malloryPage.goto('/reviews')
  await expect(malloryPage.getByRole('heading', { name: 'Valuable reviews' })).toBeVisible()
  await expect(malloryPage.getByText('All of you are crooks.')).toHaveCount(0)

  await row.getByRole('button', { name: /^Unblock/ }).click()
  const back = page.getByRole('dialog', { name: 'Unblock this account?' })
  await back.getByLabel('Reason').fill('Has apologised.')
  await back.getByRole('button', { name: 'Unblock' }).click()
  await expect(page.getByText(`${mallory.email} can log in again`)).toBeVisible()
  await malloryPage.goto('/login')
  await logIn(malloryPage, mallory.email)
  await expect(malloryPage.getByRole('button', { name: 'Logout' })).toBeVisible()
  await malloryPage.close()
  await row.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('cell', { name: 'account unblocked' })).toBeVisible()
})

/** Chooses a role in the first event after a click, before the page can draw. */
async function chooseRightAfter(page: Page, clicked: Locator, role: string): Promise<void> {
  await page.getByLabel('Role').evaluate(
    async (select: HTMLSelectElement, [button, value]) => {
      ;(button as HTMLElement).click()
      const { port1, port2 } = new MessageChannel()
      await new Promise((resolve) => {
        port1.onmessage = resolve
        port2.postMessage(null)
      })
      select.value = value as string
      select.dispatchEvent(new Event('change', { bubbles: true }))
    },
    [await clicked.elementHandle(), role] as const,
  )
}

test('a filter that is changed as soon as another, or the sorting, keeps what that did', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard/users?q=nobody@example.com')
  const clear = page.getByRole('button', { name: 'Clear filters' }).first()
  await expect(clear).toBeVisible()
  await chooseRightAfter(page, clear, 'admin')
  await expect(page).toHaveURL(/users\?role=admin$/)
  await expect(page.getByRole('row').filter({ hasText: owner.email })).toBeVisible()
  const sort = page.getByRole('columnheader').getByRole('link').first()
  await chooseRightAfter(page, sort, '')
  await expect(page).toHaveURL(/users\?sort=/)
  await expect(page).not.toHaveURL(/role=/)
})

fullOnly(test)(
  'a demoted admin leaves the dashboard with the next click; a lookup that fails ends no session',
  async ({ page, shop, pool }) => {
    const ada = await register(shop.origin)
    await setUser(pool, ada, `role = 'admin', email_verified = true`)
    await enterAs(page, ada)
    await page.route('**/api/admin/*', (route) =>
      route.fulfill(refusal(429, 'TOO_MANY', 'Too fast.')),
    )
    await page.goto('/dashboard/users')
    await expect(page.getByText('Your access couldn’t be checked.')).toBeVisible()
    await page.unroute('**/api/admin/*')
    await page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('row').filter({ hasText: ada.email })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Manage all orders' })).toBeVisible()
    await setUser(pool, ada, `role = 'customer'`)
    await page.getByRole('link', { name: 'Manage all orders' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(page.getByText('Only admins may open that page.')).toBeVisible()
  },
)

test('the owner sees who holds a product, and releases all that the account has', async ({
  page,
  shop,
  pool,
  owner: _,
}) => {
  const eve = await register(shop.origin, 'Eve Hoarder')
  const part = await stockPart(pool, { onHand: 4 })
  const soldOut = await stockPart(pool, { onHand: 0 })
  await bookingOf(eve, part, { quantity: 2 })
  await eve.call('POST', '/api/queue', { partId: soldOut._id, quantity: 1 })
  await page.goto(`/dashboard/products/${part._id}`)
  const held = page.getByRole('row').filter({ hasText: eve.email })
  await expect(held).toContainText(/never paid.*holds by F-\d+.*2/s)
  await held.getByRole('link', { name: eve.email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(eve.email)
  await expect(page.getByRole('row').filter({ hasText: soldOut.name })).toContainText(
    'waiting, number 1 in line',
  )
  await page.getByRole('button', { name: 'Release everything' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Release everything this account holds?' })
  await expect(dialog).toContainText(eve.email)
  await dialog.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByText('Released: 1 hold, 0 offers, 1 place.')).toBeVisible()
  await expect(page.getByText('This account isn’t holding or waiting for anything.')).toBeVisible()
  await page.goto(`/dashboard/users?q=${eve.email}`)
  await page.getByRole('link', { name: `Holds of ${eve.email}` }).click()
  await expect(page).toHaveURL(/users\?account=[0-9a-f-]{36}$/)
})
