import { expect, customerTest as test } from './fixtures.ts'

test('a machine says what fits it, also on pages of parts and in lists', async ({ page }) => {
  await page.goto('/dashboard/myOrders')
  await page.getByRole('link', { name: 'My machine' }).click()
  await expect(page.getByRole('heading', { name: 'No parts yet' })).toBeVisible()
  const find = async (name: string) => {
    await page.getByLabel('Name or number of a part').fill(name)
    await page.getByRole('button', { name: 'Find it' }).click()
    await page.getByRole('button', { name: `Add ${name}`, exact: true }).click()
    await expect(page.getByRole('button', { name: `Remove ${name}`, exact: true })).toBeVisible()
  }
  await find('Basalt B650 ATX')
  await find('Tessera DDR5 32 GB Low')
  const next = page.getByRole('region', { name: 'What it could become next' })
  await expect(next).toContainText('more memory modules of the same kit are in stock')
  // full slots take no more of it
  await page.getByRole('button', { name: 'One more: Tessera DDR5 32 GB Low' }).click()
  await expect(next).not.toContainText('more memory')
  await expect(next).toContainText('There is a place for')

  await page.getByText('It is not in the catalogue').click()
  await page.getByLabel('Kind').selectOption('Processor')
  await page.getByLabel('Name', { exact: true }).fill('My old chip')
  await page.getByLabel('TDP (W)').fill('much')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByText('TDP must be a number of W')).toBeVisible()
  await page.getByLabel('TDP (W)').fill('65')
  await page.getByLabel('Socket').selectOption('LGA 1700')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByText('These parts do not fit together.')).toBeVisible()
  const old = 'My old chip is LGA 1700, Basalt B650 ATX is AM5'
  await expect(page.getByText(`Does not fit: ${old}`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove My old chip' }).click()
  await expect(page.getByText('These parts fit together.')).toBeVisible()

  await page.getByRole('link', { name: /^What fits it.*processor$/ }).click()
  await expect(page.getByText('What fits Basalt B650 ATX and Tessera')).toBeVisible()
  await page.goto('/parts/processor')
  await page.getByRole('link', { name: 'Only what fits my machine' }).click()
  await expect(page.getByText('What fits Basalt B650 ATX and Tessera')).toBeVisible()
  await page.getByRole('link', { name: 'Lodestone 7 9700X', exact: true }).first().click()
  await expect(page.getByText('Fits your machine')).toBeVisible()
  await page.getByRole('button', { name: 'I have this already' }).click()
  await expect(page.getByText('It is in your machine').first()).toBeVisible()
  await page.getByRole('link', { name: 'See your machine' }).click()
  await expect(page.getByRole('link', { name: 'Lodestone 7 9700X', exact: true })).toBeVisible()
  await page.goto('/parts/processor')
  await page.getByRole('link', { name: 'Fluxgate 5 245', exact: true }).first().click()
  await expect(
    page.getByText('Does not fit: Fluxgate 5 245 is LGA 1851, Basalt B650 ATX is AM5'),
  ).toBeVisible()
})
