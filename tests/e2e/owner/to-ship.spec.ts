import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Order } from '#contracts/orders.ts'
import { bookingOf, type Person } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import { expect, payOrder, ownerTest as test } from '../fixtures.ts'

/** What a scanner reads in the bars of an SVG path. */
async function readBars(path: string): Promise<string> {
  const wasm = import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')
  const wasmBinary = (await readFile(fileURLToPath(wasm))).buffer as ArrayBuffer
  prepareZXingModule({ overrides: { wasmBinary } })
  const bars = [...path.matchAll(/M(\d+) 0h(\d+)/g)].map(([, at, wide]) => [
    Number(at),
    Number(wide),
  ])
  const [width, height] = [3 * (10 + Math.max(...bars.map(([at = 0, wide = 0]) => at + wide))), 40]
  const data = new Uint8ClampedArray(4 * width * height).fill(255)
  for (let y = 0; y < height; y += 1)
    for (const [at = 0, wide = 0] of bars)
      for (let x = 3 * at; x < 3 * (at + wide); x += 1)
        data.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3)
  const [code] = await readBarcodes({ data, width, height, colorSpace: 'srgb' } as ImageData)
  return `${code?.format} ${code?.text}`
}

/** Scans as a scanner does: all keys at once, then Enter. Its page has a clock that stands still. */
async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

test('a scanner finds parcels, orders and products, whatever has the focus', async ({
  page,
  pool,
  owner,
  sell,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 100, name: 'Scanned part' })
  const other = await stockPart(pool, { onHand: 9, price: 100, name: 'Boxed part' })
  await pool.query(`update parts set gtin = '5901234999014' where _id = $1`, [part._id])
  await pool.query(`update parts set sku = 'BOX-9' where _id = $1`, [other._id])
  const ids = [await sell(part), await sell(part), await sell(other)]
  const numbers: string[] = []
  for (const id of ids) numbers.push((await owner.call('GET', `/api/order/${id}`)).body.number)
  const [first = '', second = '', third = ''] = numbers
  await page.clock.setFixedTime(new Date())
  await page.goto('/dashboard/toShip')
  const parcel = (number: string) => page.getByRole('checkbox', { name: number })
  const tracking = (number: string) => page.getByLabel(`Tracking number of ${number}`)
  await expect(parcel(third)).toBeVisible()
  const rooms = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(rooms.getByRole('link', { name: /^To ship\s?\d+ waiting$/ })).toBeVisible()
  // on a button, Enter would press it
  await page.getByRole('button', { name: 'Select all' }).focus()
  await scan(page, first)
  await expect(tracking(first)).toBeFocused()
  await expect(parcel(first)).toBeChecked()
  await expect(parcel(third)).toHaveCount(0)
  // the label of the parcel, then the next paper; and a paper where a label belongs
  await scan(page, '1Z999AA10123456784')
  await scan(page, third)
  await expect(tracking(third)).toBeFocused()
  await scan(page, first)
  await expect(tracking(first)).toBeFocused()
  await expect(tracking(first)).toHaveValue('1Z999AA10123456784')
  await page.keyboard.press('Enter')
  // several parcels have this part: none is chosen
  await scan(page, '5901234999014')
  await expect(parcel(second)).toBeVisible()
  await expect(parcel(second)).not.toBeChecked()
  await expect(parcel(third)).toHaveCount(0)
  await scan(page, 'box-9')
  await expect(tracking(third)).toBeFocused()
  await expect(tracking(third)).toHaveValue('')
  await page.keyboard.press('Enter')
  await scan(page, '4006381777018')
  await expect(page.getByText('No parcel that is to be shipped has it.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all parcels' }).click()
  await expect(page.getByRole('button', { name: 'Ship 2 parcels' })).toBeVisible()
  expect((await owner.call('GET', '/api/to-ship')).body.total).toBeGreaterThanOrEqual(3)

  await page.goto('/dashboard/manageOrders')
  await page.getByLabel('Order, product, customer or email').focus()
  await scan(page, second.toLowerCase())
  await expect(page.getByRole('heading', { name: `Order ${second}` })).toBeVisible()
  await page.goto('/dashboard/manageOrders')
  await expect(page.getByRole('link', { name: 'Scanned part' })).toHaveCount(2)
  await scan(page, '5901234999014')
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible()
  await page.getByLabel('Order, product, customer or email').selectText()
  await scan(page, 'BOX-9')
  await expect(page.getByRole('heading', { name: `Order ${third}` })).toBeVisible()

  await page.goto('/dashboard/manageProducts')
  await expect(page.getByRole('heading', { name: 'Manage all products' })).toBeVisible()
  await scan(page, '5901234999014')
  await expect(page).toHaveURL(`/dashboard/products/${part._id}`)
})

test('a day of parcels is packed with papers, pasted numbers and a few clicks', async ({
  page,
  pool,
  owner,
  sell,
}) => {
  const count = 6
  const part = await stockPart(pool, { onHand: count, price: 100, name: 'Packed part' })
  await pool.query(
    `update parts set sku = 'SLIP-7', gtin = '4006381777018', mpn = 'PP-140' where _id = $1`,
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
      document.documentElement.dataset.bars = papers?.querySelector('path')?.getAttribute('d') ?? ''
    }
  })
  const printed = () => page.evaluate(() => document.documentElement.dataset.printed)
  await pool.query(`update orders set paid_at = '2026-01-05 12:00Z' where number = $1`, [
    numbers[0],
  ])
  await page.goto('/dashboard/toShip')
  await expect(page.getByText(/^\d+ parcels, those that were paid first, \d+ late$/)).toBeVisible()
  const late = page
    .getByRole('listitem')
    .filter({ hasText: numbers[0] ?? '' })
    .first()
  await expect(late.getByText('Late: it was to leave by Monday 5 January')).toBeVisible()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Print packing slips' }).click()
  const slips = await printed()
  for (const number of numbers) expect(slips).toContain(`Packing slip ${number}`)
  const codes = 'SKU SLIP-7EAN 4006381777018Part no. PP-140'
  expect(slips).toContain(`1Packed part${codes}`)
  const bars = await page.evaluate(() => document.documentElement.dataset.bars)
  const [, top] = /Packing slip (F-\d+)/.exec(slips ?? '') ?? []
  expect(await readBars(bars ?? '')).toBe(`Code128 ${top}`)
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

const shipTo = {
  ...{ name: 'Ann Ada', company: '', line1: 'Ring 1', line2: '', city: 'Wien', region: '' },
  ...{ postcode: '1010', country: 'AT' },
}

/** Makes a paid order of the buyer with this address. */
async function sellTo(pool: Pool, origin: string, buyer: Person, address: object): Promise<Order> {
  const id = await bookingOf(buyer, await stockPart(pool, { onHand: 1, price: 100 }))
  const { body } = await buyer.call('GET', `/api/order/${id}`)
  await pool.query(`update checkouts set ship_to = $2 where _id = $1`, [body.checkoutId, address])
  await payOrder(origin, buyer, id)
  return body
}

test('labels print what is long smaller, on all sheets, and cut nothing', async ({
  page,
  pool,
  shop,
  owner: _,
  buyer,
}) => {
  const long = {
    ...{ name: 'W'.repeat(60), company: `${'Adaptive Electronics '.repeat(2)}and Holding LLC 9` },
    ...{ line1: '字'.repeat(60), line2: `${'Building 7, '.repeat(4)}door 3` },
    ...{ city: 'M'.repeat(60), region: 'US-WA', postcode: '98109', country: 'US' },
  }
  const { number } = await sellTo(pool, shop.origin, buyer, shipTo)
  const { number: longNumber } = await sellTo(pool, shop.origin, buyer, long)
  await page.goto('/dashboard/toShip')
  for (const each of [number, longNumber])
    await page.getByRole('checkbox', { name: each, exact: true }).check()
  await page.evaluate(() => {
    window.print = () => {
      const labels = [...document.querySelectorAll('.packing-labels address')]
      const cut = labels.flatMap((label) => {
        const { top, bottom, left, right } = label.getBoundingClientRect()
        return [...label.querySelectorAll('span')].filter((line) => {
          const box = line.getBoundingClientRect()
          return box.top < top || box.bottom > bottom || box.left < left || box.right > right
        })
      })
      const sizes = labels.map((label) => Number.parseFloat(getComputedStyle(label).fontSize))
      document.documentElement.dataset.printed = `${Math.round(Math.max(...sizes))} px, ${cut.length} cut`
    }
  })
  const sheets = await page.getByLabel('Sheet of labels').getByRole('option').allTextContents()
  expect(sheets.length).toBeGreaterThan(3)
  for (const sheet of sheets) {
    await page.getByLabel('Sheet of labels').selectOption(sheet)
    await page.getByRole('button', { name: 'Print labels' }).click()
    const printed = await page.evaluate(() => document.documentElement.dataset.printed)
    // a short address keeps its 10 points
    expect([sheet, printed]).toEqual([sheet, '13 px, 0 cut'])
  }
})

test('a label that has the address before a correction is printed again before it leaves', async ({
  page,
  pool,
  shop,
  owner: _,
  buyer,
}) => {
  const { number, checkoutId } = await sellTo(pool, shop.origin, buyer, shipTo)
  await page.goto(`/dashboard/toShip?q=${number}`)
  await page.getByRole('checkbox', { name: number }).check()
  await page.evaluate(() => {
    window.print = () => {}
  })
  await page.getByRole('button', { name: 'Print labels' }).click()
  const correction = { name: 'Ann Ada', company: '', line1: 'Ring 2', line2: '' }
  const corrected = await buyer.call('PUT', `/api/checkout/${checkoutId}/address`, correction)
  expect(corrected.body.modifiedCount).toBe(1)
  const refused = page.getByText('The address was corrected: print it again, then ship it.')
  await page.getByRole('button', { name: 'Ship 1 parcel' }).click()
  await expect(refused).toBeVisible()
  // the list has the correction now, the paper has not
  await expect(page.getByText('Ring 2').first()).toBeVisible()
  await page.getByRole('button', { name: 'Ship 1 parcel' }).click()
  await expect(page.getByText('0 parcels shipped.')).toBeVisible()
  await page.getByRole('button', { name: 'Print labels' }).click()
  await page.getByRole('button', { name: 'Ship 1 parcel' }).click()
  await expect(page.getByText('1 parcel shipped.')).toBeVisible()
})
