import { expect, ownerTest as test } from '../fixtures.ts'

test('the owner says what the shop is; what another admin saves meanwhile is shown, and nothing typed is lost', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('Name of the shop')).toHaveValue('Ferrite')
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.getByLabel('Address').fill('1\n2\n3\n4\n5\n6')
  await page.getByLabel('Tax number').fill('GB 123')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Address can have 5 lines at most')).toBeVisible()
  await page.getByLabel('Address').fill('12 Coil Lane\nPortland, OR 97209\nUnited States')

  const { version, settings } = (await owner.call('GET', '/api/settings')).body
  const shop = { ...settings.shop, taxNumber: 'GB 999', openingHours: 'Mon to Fri' }
  expect((await owner.call('PUT', '/api/settings', { version, settings: { shop } })).status).toBe(
    200,
  )
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Another admin saved' })
  await expect(notice.getByText('Tax number is now GB 999')).toBeVisible()
  await expect(page.getByLabel('Opening hours')).toHaveValue('Mon to Fri')
  await expect(page.getByLabel('Tax number')).toHaveValue('GB 123')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Imprint' }).click()
  await expect(page.getByText('Tax number: GB 123')).toBeVisible()

  const now = (await owner.call('GET', '/api/settings')).body
  expect(now.settings.shop).toEqual({ ...shop, taxNumber: 'GB 123' })
  await owner.call('PUT', '/api/settings', { version: now.version, settings })
})
