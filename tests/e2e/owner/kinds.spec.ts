/**
 * The owner's kinds: a kind is added with its fields, moved, filled, and one of its values is
 * renamed and removed.
 */
import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'

test('an owner adds a kind with a number and a choice, renames a value and removes one', async ({
  page,
  pool,
  owner: _,
}) => {
  const name = `riser ${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/kinds')
  const newKind = page.getByLabel('New category')
  await page.getByRole('button', { name: 'Add category' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await newKind.fill(name)
  await newKind.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No fields yet' })).toBeVisible()

  const addField = page.getByRole('button', { name: 'Add a field' })
  const card = (label: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: `Move ${label} up` }) })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await addField.click()
  await page.getByLabel('Label').fill('Price')
  await page.getByLabel('Type').selectOption('Yes or no')
  await save.click()
  await expect(page.getByText('This name already means something else in addresses.')).toBeVisible()
  await expect(page.getByLabel('Label')).toBeFocused()
  await page.getByLabel('Label').fill('Length')
  await page.getByLabel('Type').selectOption('A number')
  await page.getByLabel('Unit').fill('mm')
  await addField.click()
  const choice = card('the new field')
  await choice.getByLabel('Label').fill('PCIe')
  const pcie = card('PCIe').first()
  await pcie.getByLabel('Add values').fill('3.0 | 4.00')
  await pcie.getByLabel('Add values').press('Enter')
  const up = page.getByRole('button', { name: 'Move PCIe up', exact: true })
  await up.press('Enter')
  await expect(page.getByText('PCIe is now 1 of 2')).toBeAttached()
  await expect(up).toBeFocused()
  await page.getByRole('link', { name: 'Categories' }).last().click()
  const last = page.getByRole('button', { name: `Move ${name} up` })
  await last.press('Enter')
  await expect(page.getByText(new RegExp(`^${name} is now \\d+ of \\d+$`))).toBeAttached()
  await expect(last).toBeFocused()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toHaveCount(1)
  await page.getByRole('link', { name }).click()
  await expect(page.getByText('Not saved yet. What you typed stays in this tab.')).toBeVisible()
  await save.click()
  await expect(page.getByText(`${name} is saved`)).toBeVisible()
  await expect(page.getByText('Everything is saved.')).toBeVisible()

  await pool.query(
    `insert into parts (name, kind, image, description, minimum_order_quantity, price_cents, specs)
     select $1 || ' ' || n, $1, '/images/dddddddddddddddddddd0000-960.webp', 'A cable.', 1, 3000, specs::jsonb
     from unnest(array['{"pcie":"3.0","length_mm":200}', '{"pcie":"4.00"}']) with ordinality as p (specs, n)`,
    [name],
  )
  await page.reload()
  await expect(page.getByText('2 of 2 products filled in')).toBeVisible()
  await page.getByRole('button', { name: /^PCIe/ }).click()
  await pcie.getByLabel('Value', { exact: true }).nth(1).fill('4.0')
  await expect(page.getByText('1 product with 4.00 will show this instead.')).toBeVisible()
  await pcie.getByRole('button', { name: 'Remove 3.0', exact: true }).click()
  await save.click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('1 product uses what you’re removing: PCIe “3.0” (1).')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByText('1 of 2 products filled in')).toHaveCount(2)
  await page.getByRole('link', { name: '1 missing PCIe' }).click()
  await expect(page.getByRole('link', { name: `${name} 1` })).toBeVisible()
  await expect(page.getByRole('link', { name: `${name} 2` })).toBeHidden()
  await page.goto('/dashboard/kinds/none')
  await expect(page.getByText('There is no such category.')).toBeVisible()
  await page.goto(`/parts/${name.replace(' ', '-')}`)
  await expect(page.getByRole('main')).toContainText(/PCIe.*4\.0/s)
})

test('an owner adds the meaning of a word that found nothing, and the next visitor finds it', async ({
  page,
  owner: _,
}) => {
  const word = `grafik${crypto.randomUUID().slice(0, 8)}`
  const search = `/parts?q=${word}`
  await page.goto(search)
  await expect(page.getByText('No part has all of this')).toBeVisible()
  const explain = page.getByRole('button', { name: `Explain: ${word}` })
  await expect(async () => {
    await page.goto('/dashboard/words')
    await expect(page.getByRole('heading', { name: 'Known words' })).toBeVisible()
    await expect(explain).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await explain.click()
  await expect(page.getByLabel('Means')).toBeFocused()
  await page.keyboard.type('@graphics-card')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Forget: ${word}` })).toBeVisible()
  await expect(explain).toBeHidden()
  await page.goto(search)
  await expect(page.getByRole('heading', { name: /RX 7600/ }).first()).toBeVisible()
})
