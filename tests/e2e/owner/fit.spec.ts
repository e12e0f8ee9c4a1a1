/** The owner's page about the rules of fit, and a kind of the owner's that takes part in them. */
import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'

test('an owner lets a kind take part in the rules of fit, finds what a product lacks, and is asked once', async ({
  page,
  pool,
  owner: _,
}) => {
  const name = `card ${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/kinds')
  await page.getByLabel('New category').fill(name)
  await page.getByLabel('New category').press('Enter')
  await page.getByRole('button', { name: 'Add a field' }).click()
  await page.getByLabel('Label').fill('Long')
  await page.getByLabel('Type').selectOption('A number')
  const stands = page.getByLabel('In fit checks, this is')
  // a number without a unit is offered counts alone
  await expect(stands.getByRole('option', { name: /slots/ }).first()).toBeAttached()
  await expect(stands.getByRole('option', { name: /\(mm\)/ })).toHaveCount(0)
  await page.getByLabel('Unit').fill('mm')
  await stands.selectOption('graphics card: length (mm)')
  await page.getByLabel('Unit').fill('cm')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(page.getByText('“Long” is a number in cm')).toBeVisible()
  await expect(stands).toBeFocused()
  await page.getByLabel('Unit').fill('mm')
  await save.click()
  await expect(page.getByText(`${name} is saved`)).toBeVisible()

  await pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
     select $1 || ' ' || n, $1, '/images/dddddddddddddddddddd0000-960.webp', 'A card.', 1, 3000, specs::jsonb
     from unnest(array['{"long_mm":200}', '{}']) with ordinality as p (specs, n)`,
    [name],
  )
  await page.getByRole('link', { name: 'Fit', exact: true }).click()
  const lacking = page.getByRole('list', { name: 'What’s missing for Length of the graphics card' })
  await expect(lacking).toContainText(`${name}, length: missing for 1 product`)
  await expect(lacking.getByRole('link', { name: `${name} 2` })).toBeVisible()
  await lacking.getByRole('link', { name: new RegExp(`missing for 1 product.*${name}`) }).click()
  await expect(page).toHaveURL(/manageProducts\?kind=.*misses=long_mm/)
  await expect(page.getByRole('link', { name: `${name} 2` })).toBeVisible()
  await expect(page.getByRole('link', { name: `${name} 1` })).toBeHidden()
  await page.goBack()

  const own = page.getByRole('list', { name: 'Your categories covered by the rules' })
  await expect(own).toContainText(`${name} counts as a graphics card, 2 products on sale`)
  await own.getByRole('link', { name }).click()
  await page.getByRole('button', { name: /^Long/ }).click()
  await stands.selectOption('Not used')
  await save.click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('This turns off 1 fit rule for 2 products')
  await expect(dialog).toContainText('Length of the graphics card')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByText('Everything is saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Fit', exact: true }).click()
  await expect(
    page
      .getByRole('list', { name: 'Categories the rules don’t cover' })
      .getByRole('link', { name }),
  ).toBeVisible()
})
