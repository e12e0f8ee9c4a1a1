import { stockPart } from '#tests/support/stock.ts'
import { expect, ownerTest as test } from '../fixtures.ts'

test('a day of parcels is packed with papers, pasted numbers and a few clicks', async ({
  page,
  pool,
  owner,
  sell,
}) => {
  const count = 6
  const part = await stockPart(pool, { onHand: count, price: 100, name: 'Packed part' })
  await pool.query(
    `update parts set sku = 'SHELF-7', gtin = '4006381333931', mpn = 'PP-140' where _id = $1`,
    [part._id],
  )
  const numbers: string[] = []
  for (let i = 0; i < count; i += 1) {
    const { body } = await owner.call('GET', `/api/order/${await sell(part)}`)
    numbers.push(body.number)
  }
  await page.addInitScript(() => {
    window.print = () => {
      const papers = document.querySelector('.packing-papers')
      document.documentElement.dataset.printed = papers?.textContent ?? ''
    }
  })
  const printed = () => page.evaluate(() => document.documentElement.dataset.printed)
  await pool.query(`update orders set paid_at = '2026-01-05 12:00Z' where number = $1`, [
    numbers[0],
  ])
  await page.goto('/dashboard/toShip')
  await expect(page.getByText(/^\d+ parcels, those that were paid first, 1 late$/)).toBeVisible()
  const late = page
    .getByRole('listitem')
    .filter({ hasText: numbers[0] ?? '' })
    .first()
  await expect(late.getByText('Late: it was to leave by Monday 5 January')).toBeVisible()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Print packing slips' }).click()
  const slips = await printed()
  for (const number of numbers) expect(slips).toContain(`Packing slip ${number}`)
  const codes = 'SKU SHELF-7EAN 4006381333931Part no. PP-140'
  expect(slips).toContain(`1Packed part${codes}`)
  await page.getByRole('button', { name: 'Print a pick list' }).click()
  expect(await printed()).toContain(`${count}Packed part${codes}`)
  await page.getByRole('button', { name: 'Select none' }).click()
  await page.getByText('Paste tracking numbers of many parcels').click()
  const pasted = numbers.map((number, i) => `${number}\t1Z999AA1012345678${i}`)
  await page.getByLabel('Tracking numbers').fill([...pasted, 'F-9999999 1Z999'].join('\n'))
  await page.getByRole('button', { name: 'Read them' }).click()
  await expect(page.getByText(`${count} numbers read.`)).toBeVisible()
  await page.getByLabel('Carrier of the selected').fill('UPS')
  await page.getByRole('button', { name: `Ship ${count} parcels` }).click()
  await expect(page.getByText(`${count} parcels shipped.`)).toBeVisible()
  const { rows } = await pool.query(
    `select number, tracking_number from orders where number = any ($1) and status = 'shipped' order by tracking_number`,
    [numbers],
  )
  expect(rows.map((row) => row.number)).toEqual(numbers)
})
