/** Two people run the shop: an admin with a second factor, and a packer. */
import type { Page } from '@playwright/test'
import { expect, logIn, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { call, login, type Person, register } from '#tests/support/people.ts'
import { codeOf, nextCode, tenMinutesLater } from '#tests/support/second-factor.ts'
import { stockPart } from '#tests/support/stock.ts'
import { check } from '../screen-check.ts'

const testedPassword = 'correct horse'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Logs in on the screen. */
async function enter(page: Page, { email }: Person): Promise<void> {
  await page.goto('/login')
  await logIn(page, email, testedPassword)
}

/** Sets the second factor up in the profile. @returns the secret and a recovery code */
async function setUp(page: Page) {
  await page.goto('/dashboard')
  await button(page, 'Set up').click()
  const first = dialogOf(page, 'Set up a second factor')
  await first.getByLabel('Your password').fill('wrong horse')
  await first.getByRole('button', { name: 'Continue' }).click()
  await expect(first.getByText(/The password is invalid/)).toBeVisible()
  await first.getByLabel('Your password').fill(testedPassword)
  await first.getByRole('button', { name: 'Continue' }).click()
  const second = dialogOf(page, 'Add the shop to your app')
  await expect(second.getByRole('img', { name: /QR code/ })).toBeVisible()
  await check(page, 'the secret of a second factor', false)
  const secret = (await second.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  await second.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await second.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('region', { name: /^Your recovery codes/ })
  const codes = (await shown.locator('code').textContent())?.split('\n') ?? []
  expect(codes).toHaveLength(10)
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(shown).toBeHidden()
  return { secret, recoveryCode: codes[0] as string }
}

/** Enters a code in the dialog that asks before money goes out. */
async function confirm(page: Page, code: string): Promise<void> {
  const dialog = dialogOf(page, 'Confirm it’s you')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}

test('a second factor is set up, asked for at login and before a refund, and switched off', async ({
  browser,
  shop,
  pool,
  owner,
  sell,
}) => {
  test.slow()
  const ned = await register(shop.origin, 'Ned Second')
  await owner.call('PUT', `/api/user/admin/${ned.email}`)
  const order = await sell(await stockPart(pool, { onHand: 3, price: 100 }))
  const page = await browser.newPage({ baseURL: shop.origin })
  await enter(page, ned)
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  const { secret, recoveryCode } = await setUp(page)
  await nextCode(pool)

  await button(page, 'Logout').click()
  await enter(page, ned)
  await expect(page.getByText('One more step: your account has a second factor.')).toBeVisible()
  await check(page, 'the code of a login', false)
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText(/^That code is wrong/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCode)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)

  await tenMinutesLater(pool)
  await page.goto(`/dashboard/order/${order}`)
  await button(page, 'Refund').click()
  const refund = page.getByRole('dialog').filter({ hasText: 'can be refunded' })
  await refund.getByLabel('Reason').fill('scratched')
  await refund.getByRole('button', { name: /^Refund/ }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await check(page, 'the code before a refund', false)
  await confirm(page, '111111')
  await expect(page.getByText(/^That code is wrong/)).toBeVisible()
  await confirm(page, codeOf(secret))
  await expect(page.getByText('refunded', { exact: true }).first()).toBeVisible()
  const { rows } = await pool.query(
    `select count(*)::int as refunds from refund_lines where order_id = $1`,
    [order],
  )
  expect(rows).toEqual([{ refunds: 1 }])

  // who locks others out, or sends orders elsewhere, proves it as well
  const pia = await register(shop.origin, 'Pia Locked')
  await owner.call('PUT', `/api/user/packer/${pia.email}`)
  await tenMinutesLater(pool)
  await nextCode(pool)
  await page.goto(`/dashboard/users?q=${pia.email}`)
  await page.getByRole('button', { name: /^Block/ }).click()
  const block = page.getByRole('dialog', { name: 'Block this account?' })
  await block.getByLabel('Reason').fill('Left the shop.')
  await block.getByRole('button', { name: 'Block' }).click()
  await confirm(page, codeOf(secret))
  await expect(page.getByText(`${pia.email} is blocked`)).toBeVisible()
  await tenMinutesLater(pool)
  await nextCode(pool)
  await page.goto('/dashboard/integrations')
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const hook = page.getByRole('dialog', { name: 'Add a webhook' })
  await hook.getByLabel('URL').fill(`${shop.origin}/no/hooks`)
  await hook.getByLabel('An order was paid').check()
  await hook.getByRole('button', { name: 'Add webhook' }).click()
  await confirm(page, codeOf(secret))
  const made = page.getByRole('region', { name: /^Secret for/ })
  await made.getByRole('button', { name: 'I’ve saved it' }).click()
  for (const { _id } of (await owner.call('GET', '/api/webhooks')).body)
    await owner.call('DELETE', `/api/webhook/${_id}`)

  await tenMinutesLater(pool)
  await nextCode(pool)
  await page.goto('/dashboard')
  await button(page, 'Turn off').click()
  const off = dialogOf(page, 'Turn the second factor off')
  await off.getByLabel('Your password').fill(testedPassword)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await dialogOf(page, 'Confirm it’s you').getByRole('button', { name: 'Cancel' }).click()
  await expect(off.getByText('This needs a one-time code.')).toBeVisible()
  await off.getByRole('button', { name: 'Turn off' }).click()
  await confirm(page, codeOf(secret))
  await expect(page.getByText('Your second factor is off.')).toBeVisible()
  await expect(button(page, 'Set up')).toBeVisible()
  await page.close()
})

test('a packer packs, ships and corrects, and finds nothing else', async ({
  browser,
  page: ownersPage,
  shop,
  pool,
  owner,
  sell,
}) => {
  const pat = await register(shop.origin, 'Pat Packer')
  const part = await stockPart(pool, { onHand: 3, price: 65_432, name: 'Parcel of Pat' })
  await sell(part)
  expect(owner.email).not.toBe(pat.email)
  await ownersPage.goto(`/dashboard/users?q=${pat.email}`)
  await ownersPage.getByRole('button', { name: `Make packer: ${pat.email}` }).click()
  const sure = ownersPage.getByRole('alertdialog', { name: 'Make this user a packer?' })
  await sure.getByRole('button', { name: 'Make packer' }).click()
  await expect(ownersPage.getByText(`${pat.email} can now pack and ship`)).toBeVisible()

  const page = await browser.newPage({ baseURL: shop.origin })
  await enter(page, pat)
  await expect(page).toHaveURL(/\/dashboard\/toShip$/)
  const rooms = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')
  await expect(rooms).toHaveText(['My Profile', 'To ship'])
  const parcel = page.getByRole('listitem').filter({ hasText: 'Parcel of Pat' }).first()
  await expect(parcel.getByRole('link')).toHaveCount(0)
  await expect(page.getByText(/65,?432/)).toHaveCount(0)
  await parcel.getByRole('checkbox').check()
  await parcel.getByLabel(/^Tracking number/).fill('1Z1')
  await page.getByRole('button', { name: 'Ship 1 parcel' }).click()
  await expect(page.getByText('1 parcel shipped.')).toBeVisible()
  const sent = page.getByRole('region', { name: 'Shipped lately' }).getByRole('listitem').first()
  await expect(sent).toContainText('1Z1')
  await sent.getByRole('button', { name: /^Correct/ }).click()
  const correct = dialogOf(page, 'Correct the tracking')
  await correct.getByLabel('Tracking number (optional)').fill('1Z2')
  await correct.getByRole('button', { name: 'Correct' }).click()
  await expect(sent).toContainText('1Z2')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(sent).toContainText('1Z2')
  await check(page, 'what a packer sees', false)

  await page.goto('/dashboard/money')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await page.close()
})

test('an admin sees who is signed in, and ends a session', async ({ page, shop, owner }) => {
  const pia = await register(shop.origin, 'Pia Signed')
  await owner.call('PUT', `/api/user/packer/${pia.email}`)
  await page.goto('/dashboard/users')
  await page.getByRole('link', { name: 'Who’s logged in' }).click()
  const row = page.getByRole('listitem').filter({ hasText: pia.email })
  await expect(row).toContainText('from 127.0.0.1')
  await row.getByRole('button', { name: /^Log out/ }).click()
  await expect(row).toHaveCount(0)
  expect((await pia.call('GET', '/api/to-ship')).status).toBe(401)
  const again = await login(shop.origin, pia.email, testedPassword)
  expect((await call(shop.origin, 'GET', '/api/to-ship', { token: again.token })).status).toBe(200)
})
