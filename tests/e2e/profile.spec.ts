import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import {
  arrive,
  busyTest,
  endSessionElsewhere,
  expect,
  freshEmail,
  logIn,
  refusal,
  customerTest as test,
} from './fixtures.ts'

const draftNote = 'Not saved yet. What you typed stays in this tab until you save it.'

test.describe('My Profile', () => {
  test.beforeEach(async ({ page, customer }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(customer.email)
  })

  fullOnly(test)(
    'asks for every field, says in words what is wrong with it, and keeps what is typed',
    async ({ page }) => {
      const update = page.getByRole('button', { name: 'Update profile' })
      await update.click()
      for (const sentence of [
        messages.educationRequired,
        messages.locationRequired,
        messages.phoneRequired,
        messages.linkedInRequired,
      ])
        await expect(page.getByText(sentence, { exact: true })).toBeVisible()
      await expect(page.getByLabel('Education')).toBeFocused()
      await page.getByLabel('Location').fill('x'.repeat(201))
      await page.getByLabel('LinkedIn').fill('https://linkedin.com.evil.example/in/grace')
      await expect(page.getByText('Location must be 200 characters or shorter')).toBeVisible()
      await expect(page.getByText(messages.linkedInInvalid)).toBeVisible()
      for (const name of ['Name', 'Email'])
        await expect(page.getByLabel(name, { exact: true })).toHaveJSProperty('readOnly', true)

      // typed but unsaved text is kept until it is discarded
      await page.getByLabel('Education').fill('Vassar')
      await page.reload()
      await expect(page.getByLabel('Education')).toHaveValue('Vassar')
      await expect(page.getByText(draftNote)).toBeVisible()
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await expect(page.getByLabel('Education')).toHaveValue('')
      await page.reload()
      await expect(page.getByLabel('Email')).toBeVisible()
      await expect(page.getByLabel('Education')).toHaveValue('')
    },
  )

  test('keeps what is saved, and books with its phone', async ({ page }) => {
    await page.getByLabel('Education').fill('Yale')
    await page.getByLabel('Location').fill('New York')
    await page.getByLabel('Phone').fill('+1 555 0199')
    await page.getByLabel('LinkedIn').fill('linkedin.com/in/grace')
    await expect(page.getByText(draftNote)).toBeVisible()
    await page.getByRole('button', { name: 'Update profile' }).click()
    await expect(page.getByText(messages.profileThanks)).toBeVisible()
    await expect(page.getByText(draftNote)).toBeHidden()
    await page.reload()
    await expect(page.getByLabel('Education')).toHaveValue('Yale')
    await expect(page.getByLabel('Location')).toHaveValue('New York')
    await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0199')
    await expect(page.getByLabel('LinkedIn')).toHaveValue('https://linkedin.com/in/grace')
    await page.goto('/')
    await page
      .getByRole('link', { name: /^Book now/ })
      .first()
      .click()
    await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0199')
  })

  fullOnly(test)(
    'says when the session ended; after the login everything typed is there',
    async ({ page, customer }) => {
      await page.getByLabel('Education').fill('Yale')
      await page.getByLabel('Location').fill('New York')
      await page.getByLabel('Phone').fill('+1 555 0199')
      await page.getByLabel('LinkedIn').fill('linkedin.com/in/grace')
      await endSessionElsewhere(page)
      await page.getByRole('button', { name: 'Update profile' }).click()
      await expect(page.getByText(messages.nobodyLoggedIn)).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByText('You’ve been logged out. Log in to continue.')).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
      await logIn(page, customer.email)
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(page.getByLabel('LinkedIn')).toHaveValue('linkedin.com/in/grace')
      await page.getByRole('button', { name: 'Update profile' }).click()
      await expect(page.getByText(messages.profileThanks)).toBeVisible()
    },
  )
})

busyTest('the longest name and address widen no phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const { length } = freshEmail()
  await arrive(page, 'N'.repeat(100), `${'a'.repeat(64 - length / 2)}${freshEmail()}`)
  await page.goto('/dashboard')
  const remove = page.getByRole('button', { name: 'Delete my account' })
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(360)
  await remove.click()
  const box = await page.getByRole('dialog').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360)
  await expect(page.getByRole('dialog')).toHaveJSProperty('scrollLeft', 0)
  const inner = await page
    .getByRole('dialog')
    .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)
  expect(inner).toBe(0)
})

test.describe('the sidebar', () => {
  const rooms = ['My Profile', 'My orders', 'My machine', 'Add a review']

  test('shows no section before the role is known, then four, and marks the open one; a failed one loads on Retry', async ({
    page,
    customer,
  }) => {
    const sentence = 'The shop is closed for a moment.'
    await page.route('**/api/profile/*', (route) =>
      route.fulfill(refusal(404, 'NOT_FOUND', sentence)),
    )
    let tell = () => {}
    const answerSignal = new Promise<void>((resolve) => {
      tell = resolve
    })
    await page.route('**/api/admin/*', async (route) => {
      await answerSignal
      await route.fulfill(refusal(403, 'FORBIDDEN', 'No'))
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible()
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
    await expect(sidebar.getByRole('link')).toHaveText(['My Profile'])
    tell()
    await expect(sidebar.getByText('The other pages couldn’t be loaded.')).toBeVisible()
    await page.unroute('**/api/admin/*')
    await sidebar.getByRole('button', { name: 'Retry' }).click()
    await expect(sidebar.getByRole('link')).toHaveText(rooms)

    await expect(page.getByRole('alert').getByText(sentence)).toBeVisible()
    await page.unroute('**/api/profile/*')
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(customer.email)
    for (const name of rooms.toReversed()) {
      await sidebar.getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
      await expect(sidebar.locator('[aria-current=page]')).toHaveText([name])
    }
  })

  busyTest(
    'has the owner’s sections for an admin, who starts at the overview, and no customer’s',
    async ({ page }) => {
      await page.goto('/login')
      const role = page.waitForResponse('**/api/admin/*')
      await logIn(page, 'owner@ferrite.example', 'owner-password')
      expect(await (await role).json()).toEqual({ admin: true })
      await expect(page).toHaveURL(/\/dashboard\/overview$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused()
      const sidebar = page.getByRole('navigation', { name: 'Dashboard' })
      // other stories may leave something waiting, which is a number after the name
      await expect(sidebar.getByRole('link')).toHaveText([
        /^My Profile/,
        /^Overview/,
        /^To ship/,
        /^Manage all orders/,
        /^Returns and questions/,
        /^Money/,
        /^Manage all products/,
        /^Add a product/,
        /^Goods received/,
        /^Categories/,
        /^Fit/,
        /^Words/,
        /^Manage all users/,
        /^Manage all reviews/,
        /^Mail/,
        /^Settings/,
        /^Is my shop well[?]/,
        /^Integrations/,
        /^Audit log/,
      ])
    },
  )
})
