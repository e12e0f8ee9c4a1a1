/** Goods received: a delivery is recorded, arrives in parts, and the rest of it is cancelled. */

import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { stockPart } from '#tests/support/stock.ts'

test('an owner expects a delivery, books what came of it, and cancels the rest', async ({
  page,
  pool,
  owner: _,
}) => {
  const word = crypto.randomUUID().slice(0, 8)
  const part = await stockPart(pool, { onHand: 1, name: `Coil ${word}` })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Goods received' }).click()
  await page.getByRole('link', { name: 'Add a delivery' }).click()
  await page.getByLabel('Supplier', { exact: true }).fill(`Hollow Hill ${word}`)
  await page.getByLabel('Reference').fill('HH-1')
  await page.getByLabel('Expected day').fill('2030-12-04')
  await page.getByRole('button', { name: 'Add delivery' }).click()
  await expect(page.getByText('Add at least one product')).toBeVisible()
  await page.getByLabel('Add a part').fill(word)
  await page.getByRole('button', { name: `Add ${part.name}` }).click()
  await page.getByLabel('Quantity').fill('ten')
  await page.getByRole('button', { name: 'Add delivery' }).click()
  await expect(page.getByText('Quantity must be a whole number')).toBeVisible()
  await page.getByLabel('Quantity').fill('10')
  await page.getByRole('button', { name: 'Add delivery' }).click()

  await expect(page.getByRole('heading', { name: `Hollow Hill ${word}` })).toBeVisible()
  await expect(page.getByText('expected on Dec 4, 2030')).toBeVisible()
  const now = page.getByLabel(`${part.name}: units that arrived now`)
  const book = page.getByRole('button', { name: 'Mark as received' })
  await now.fill('11')
  await book.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Only 10 of' })).toBeVisible()
  await now.fill('4')
  await book.click()
  await expect(page.getByText('Received: the units are in stock')).toBeVisible()
  await page.getByRole('button', { name: 'Everything arrived' }).click()
  await expect(now).toHaveValue('6')
  await page.getByRole('button', { name: 'Cancel the rest' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel the 6 units' })
  await dialog.getByRole('button', { name: 'Cancel the rest' }).click()
  await expect(page.getByText('6 canceled')).toBeVisible()
  await expect(book).toBeHidden()

  await page.getByRole('link', { name: part.name }).click()
  const ledger = page.getByRole('table', { name: 'Stock ledger' })
  await ledger.getByRole('link', { name: `Hollow Hill ${word}, HH-1` }).click()
  await page.getByRole('link', { name: 'Goods received' }).first().click()
  await page.getByLabel('Supplier or reference').fill(word)
  await expect(page.getByText('received, 6 canceled')).toBeVisible()
})
