/** The owner's screens of products, checked as all others are. */
import { bookingOf } from '#tests/support/people.ts'
import { photo } from '#tests/support/pictures.ts'
import { stockPart } from '#tests/support/stock.ts'
import { test } from './owner-test.ts'
import { check, screens } from './screen-check.ts'
import { expect } from './shop-test.ts'

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    test('what an owner sees of products', async ({ page, pool, owner, customer }) => {
      test.slow()
      const name = `A product whose name is as long as names may become before anybody shortens them, ${width}`
      const part = await stockPart(pool, { onHand: 20, price: 1999, name })
      await bookingOf(customer, part, { quantity: 3 })
      await stockPart(pool, { onHand: 0, name: `Sold out, ${width}` })
      const gone = await stockPart(pool, { onHand: 1, name: `Gone, ${width}` })
      await owner.call('DELETE', `/api/adminProduct/${gone._id}`)

      await page.goto(`/dashboard/manageProducts?q=${width}`)
      await expect(page.getByText('3 held')).toBeVisible()
      await check(page, 'all products')
      await page.getByRole('button', { name: `Delete Sold out, ${width}` }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await page.goto('/dashboard/manageProducts?state=deleted')
      await expect(page.getByRole('button', { name: `Restore Gone, ${width}` })).toBeVisible()
      await check(page, 'deleted products')
      await page.goto(`/dashboard/products/${part._id}`)
      await expect(page.getByText('held for an order')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
      await check(page, 'a product')
    })

    test('what an owner sees of adding and importing products', async ({ page, owner: _ }) => {
      test.slow()
      await page.goto('/dashboard/addProduct')
      await expect(page.getByText('Choose a picture')).toBeVisible()
      await check(page, 'add a product')
      await page.getByRole('button', { name: 'Add product' }).click()
      await expect(page.getByText('Price is required')).toBeVisible()
      await page
        .getByLabel('Image')
        .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo() })
      await expect(page.getByText('The picture is uploaded.')).toBeVisible()
      await check(page, 'a product with what is missing', false)
      await page.goto('/dashboard/manageProducts/import')
      await expect(page.getByText('Choose a file')).toBeVisible()
      await check(page, 'import')
      const long = `name,price\n${'A rather long name without any gap'.replaceAll(' ', '')},12.5`
      await page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(long) })
      await expect(page.getByRole('table')).toBeVisible()
      await check(page, 'a sheet with problems', false)
    })
  })
}
