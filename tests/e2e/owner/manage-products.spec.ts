/**
 * Stories of an owner's products: found, deleted and restored, changed by two admins at once,
 * counted, and exported as CSV.
 */
import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { Pool } from 'pg'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { importLimits } from '#contracts/parts-csv.ts'
import { enterAs, expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf, login } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'

const list = '/dashboard/manageProducts'
const unique = () => `Bead ${crypto.randomUUID().slice(0, 8)}`
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** A part on sale whose picture exists. */
async function newPart(pool: Pool, input: Parameters<typeof stockPart>[1]): Promise<Part> {
  const part = await stockPart(pool, input)
  await pool.query(
    'update parts set image = (select image from parts where name = $2) where _id = $1',
    [part._id, 'Keystone 75'],
  )
  return part
}

/** Three parts with the same name and a number, so that a search finds only them. */
async function threeParts(pool: Pool): Promise<string> {
  const name = unique()
  for (const [number, price, onHand] of [
    [1, 300, 0],
    [2, 100, 7],
    [3, 200, 90],
  ] as const)
    await newPart(pool, { name: `${name} no ${number}`, price, onHand })
  return name
}

const namesShown = (page: Page) =>
  page
    .getByRole('row')
    .getByRole('link', { name: / no \d$/ })
    .allTextContents()

/** The text of a downloaded file, without its byte order mark. */
const textOf = async (download: Download) =>
  (await readFile(await download.path(), 'utf8')).replace(/^\ufeff/, '')

const csvFile = (text: string | Buffer, name = 'products.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

test('a product is deleted after the question, brought back for ten seconds, and later from State: Deleted', async ({
  page,
  pool,
  owner,
}) => {
  const part = await newPart(pool, { onHand: 5, price: 1200, name: unique() })
  await page.clock.install()
  await page.goto(`${list}?q=${encodeURIComponent(part.name)}`)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Image',
    'Name',
    'Available quantity',
    'Price',
    'Delete',
  ])
  const row = rowOf(page, part.name)
  await expect(row.getByRole('cell', { name: '$1,200' })).toBeVisible()
  const remove = row.getByRole('button', { name: `Delete ${part.name}` })
  await remove.click()
  const dialog = page.getByRole('alertdialog', { name: messages.confirmDelete })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete' }).dblclick()
  await expect(page.getByRole('heading', { name: 'Manage all products' })).toBeFocused()
  await expect(row).toHaveCount(0)
  expect((await owner.call('GET', `/api/part/${part._id}`)).status).toBe(404)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row).toBeVisible()
  expect((await owner.call('GET', `/api/part/${part._id}`)).status).toBe(200)
  const toast = page.getByText(`${part.name} is on sale again`)
  await expect(toast).toBeVisible()
  await page.getByRole('button', { name: 'close' }).click()
  await expect(toast).toHaveCount(0)

  await remove.click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await page.clock.runFor(9000)
  await expect(undo).toBeVisible()
  await page.clock.runFor(2000)
  await expect(undo).toHaveCount(0)
  await page.getByLabel('State').selectOption('Deleted')
  await expect(row.getByText('deleted', { exact: true })).toBeVisible()
  await row.getByRole('link', { name: part.name }).click()
  await expect(page.getByText('It cannot be booked')).toBeVisible()
  await page.goBack()
  await row.getByRole('button', { name: `Restore ${part.name}` }).click()
  await expect(toast).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.getByLabel('State').selectOption('Everything but deleted ones')
  await expect(row).toBeVisible()
})

test('a product is moved in the order of the shop: by steps, before one that a search finds, and back', async ({
  page,
  pool,
  owner,
}) => {
  const name = await threeParts(pool)
  const order = async () => {
    const { body } = await owner.call('GET', '/api/part')
    return body.flatMap((part: Part) => (part.name.startsWith(name) ? [part.name.at(-1)] : []))
  }
  await page.goto(`${list}?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Move ${name} no 3` }).press('Enter')
  const bar = page.getByRole('region', { name: `Where should ${name} no 3 go?` })
  await expect(bar.getByRole('button', { name: 'To the top' })).toBeFocused()
  await expect(bar).toContainText('including those that this list does not show')
  const up = bar.getByRole('button', { name: 'Up' })
  await up.press('Enter')
  await expect(bar.getByRole('status')).toContainText(`It is now before ${name} no 2.`)
  await expect.poll(() => namesShown(page)).toEqual([1, 3, 2].map((n) => `${name} no ${n}`))
  expect(await order()).toEqual(['1', '3', '2'])
  await expect(up).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()

  await page.getByRole('button', { name: `Move ${name} no 1` }).click()
  await page.getByLabel('Sorted by').selectOption('Price: low to high')
  const other = page.getByRole('region', { name: `Where should ${name} no 1 go?` })
  await expect(other.getByRole('button', { name: 'Up' })).toBeHidden()
  await other.getByRole('link', { name: 'Show the order of the shop' }).click()
  await page.getByLabel('Search by name, number, category or description').fill(`${name} no 2`)
  await page.getByRole('button', { name: `Put ${name} no 1 before ${name} no 2` }).click()
  await expect(page.getByRole('heading', { name: 'Manage all products' })).toBeFocused()
  await expect(page.getByText(`is now before ${name} no 2.`)).toBeVisible()
  expect(await order()).toEqual(['3', '1', '2'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${name} no 1 is back in its place`)).toBeVisible()
  expect(await order()).toEqual(['1', '3', '2'])
})

fullOnly(test)(
  'search, state and order are in the address, Back goes through them, and the exported file is what is shown',
  async ({ page, pool, owner: _ }) => {
    const name = await threeParts(pool)
    await page.goto(list)
    await expect(page.getByText(/^products 1–50 of \d+$/)).toBeVisible()
    await page.getByLabel('Search by name, number, category or description').fill(name)
    await expect(page).toHaveURL(new RegExp(`q=${name.replace(' ', '\\+')}$`))
    await expect(page.getByText('3 products')).toBeVisible()
    await page.getByRole('columnheader', { name: 'Price' }).getByRole('link').click()
    const byPrice = [`${name} no 2`, `${name} no 3`, `${name} no 1`]
    await expect.poll(() => namesShown(page)).toEqual(byPrice)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^products-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await textOf(file)).trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(byPrice)

    await page.getByLabel('State').selectOption('Sold out')
    await expect.poll(() => namesShown(page)).toEqual([`${name} no 1`])
    await page.reload()
    await expect.poll(() => namesShown(page)).toEqual([`${name} no 1`])
    await expect(page.getByLabel('State')).toHaveValue('sold-out')
    await page.goBack()
    await expect.poll(() => namesShown(page)).toEqual(byPrice)
    await page.getByLabel('Sorted by').selectOption('Stock: high to low')
    const byStock = [`${name} no 3`, `${name} no 2`, `${name} no 1`]
    await expect.poll(() => namesShown(page)).toEqual(byStock)
    await page
      .getByLabel('Search by name, number, category or description')
      .fill('nothing has this name')
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect(page.getByText(/^products 1–50 of \d+$/)).toBeVisible()
  },
)

test('two admins change a product at once: the second is told, chooses, and nothing is lost', async ({
  page,
  pool,
  browser,
  shop,
  owner,
}) => {
  const part = await newPart(pool, { onHand: 5, price: 40, name: unique() })
  const specs = { size_mm: 120, colour: ['Black'] }
  await pool.query(`update parts set kind = 'fan', specs = $2 where _id = $1`, [part._id, specs])
  const mine = page
  const otherPage = await browser.newPage({ baseURL: shop.origin })
  await enterAs(otherPage, await login(shop.origin, owner.email, 'owner-password'))
  for (const each of [mine, otherPage]) {
    await each.goto(`/dashboard/products/${part._id}`)
    await expect(each.getByLabel('Price')).toHaveValue('40')
  }
  await mine.getByLabel('Price').fill('45')
  await mine.getByLabel('Minimum order quantity').fill('2')
  await mine.getByLabel('Size (mm)').fill('14 cm')
  await otherPage.getByLabel('Size (mm)').fill('130')
  await otherPage.getByLabel('Copper').check()
  await otherPage.getByLabel('PWM').selectOption('Yes')
  await otherPage.getByLabel('Price').fill('50')
  await otherPage.getByLabel('Description').fill('As another admin puts it.')
  await otherPage.getByRole('button', { name: 'Save product' }).click()
  await expect(otherPage.getByText('Product saved')).toBeVisible()
  await otherPage.close()

  await mine.getByRole('button', { name: 'Save product' }).click()
  const conflictAlert = mine
    .getByRole('alert')
    .filter({ hasText: 'Another admin changed this product' })
  await expect(conflictAlert).toContainText('was $40, is now $50; you typed $45')
  await expect(mine.getByLabel('Price', { exact: true })).toHaveValue('45')
  await expect(mine.getByLabel('Minimum order quantity')).toHaveValue('2')
  await expect(mine.getByLabel('Description')).toHaveValue('As another admin puts it.')
  const answer = await owner.call('GET', `/api/part/${part._id}`)
  expect(answer.body).toMatchObject({ price: 50, minimumOrderQuantity: 1 })
  await expect(conflictAlert).toContainText('was 120, is now 130; you typed 14 cm')
  await conflictAlert.getByRole('button', { name: 'Keep what I typed: Size (mm)' }).click()
  await conflictAlert.getByRole('button', { name: 'Keep what I typed: Price' }).click()
  await mine.getByRole('button', { name: 'Save product' }).click()
  await expect(mine.getByText('Product saved')).toBeVisible()
  const { body } = await owner.call('GET', `/api/product/${part._id}`)
  expect(body).toMatchObject({
    price: 45,
    minimumOrderQuantity: 2,
    description: 'As another admin puts it.',
    specs: { size_mm: 140, pwm: true, colour: ['Black', 'Copper'] },
  })
})

test('stock is corrected by a difference with a reason, never below what is held, and the ledger tells all', async ({
  page,
  pool,
  owner: _,
  buyer,
}) => {
  const part = await newPart(pool, { onHand: 10, name: unique() })
  const order = await bookingOf(buyer, part, { quantity: 4 })
  await page.goto(`/dashboard/products/${part._id}`)
  const form = page.getByRole('form', { name: 'Correct the stock' })
  await page
    .getByText('Its stock is changed below, under Stock.')
    .getByRole('link', { name: 'Stock' })
    .click()
  await expect(page.getByRole('heading', { name: 'Stock', exact: true })).toBeInViewport()
  await form.getByRole('button', { name: 'Correct stock' }).click()
  await expect(form.getByText('Count is required')).toBeVisible()
  await expect(form.getByText('Reason is required')).toBeVisible()
  await form.getByLabel('Some came or went').check()
  await form.getByLabel('Change').fill('-7')
  await form.getByLabel('Reason').fill('Water damage')
  await expect(form.getByText('6 can go at the most')).toBeVisible()
  await form.getByRole('button', { name: 'Correct stock' }).click()
  await expect(form.getByText('You can remove at most 6')).toBeVisible()
  await form.getByLabel('Change').fill('-2')
  await expect(form.getByText('On hand 10 → 8, 4 of them reserved: 4 available.')).toBeVisible()
  await form.getByRole('button', { name: 'Correct stock' }).click()
  await expect(page.getByText('Stock corrected')).toBeVisible()
  const ledger = page.getByRole('table', { name: 'Stock ledger' }).getByRole('row')
  await form.getByLabel('I counted them').check()
  await form.getByLabel('On the shelf').fill('8')
  await expect(form.getByText('On hand 8 → 8, 4 of them reserved: 4 available.')).toBeVisible()
  await form.getByLabel('Reason').fill('Stocktake')
  await form.getByRole('button', { name: 'Correct stock' }).click()
  await expect(page.getByText('The count agrees with the stock')).toBeVisible()
  await expect(ledger).toHaveCount(4)
  await expect(ledger.first()).toHaveText('WhenWhatChangeOn handReservedAvailable')
  await expect(ledger.nth(1)).toContainText(/corrected · Water damage−2844$/)
  await expect(ledger.nth(2)).toContainText('held for an order')
  await expect(ledger.nth(3)).toContainText(/received\+10100/)
  await ledger
    .nth(2)
    .getByRole('link', { name: /^order F-\d+$/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/order/${order}$`))
})

test('a part under what a card can pay says from how many it is sold, to the owner too', async ({
  page,
  pool,
  owner: _,
}) => {
  const part = await newPart(pool, { onHand: 368, price: 0.1, name: unique() })
  await page.goto(`/purchase/${part._id}`)
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('5')
  await expect(page.getByText('From 5 to', { exact: false })).toBeVisible()
  await page.goto(`/dashboard/products/${part._id}`)
  const warning = 'At $0.10 it is sold from 5 units on: a card cannot pay less than $0.50.'
  await expect(page.getByText(warning)).toBeVisible()
  await page.getByLabel('Minimum order quantity').fill('5')
  await expect(page.getByText(warning)).toHaveCount(0)
})

test('a supplier’s file: columns in groups, kinds in view, problems in the words of the form', async ({
  page,
  owner: _,
}) => {
  const word = unique()
  const lines = Array.from({ length: 240 }, (_, i) => `${word}-${i};${word} ${i};${word};5,50;`)
  const file = ['Art.Nr.;Name;Kategorie;VK;EAN-Code', ...lines, `${word};${word};${word};5,50;12`]
  await page.goto(`${list}/import`)
  await page.getByLabel('CSV file').setInputFiles(csvFile(file.join('\n')))
  const column = page.getByLabel('EAN-Code', { exact: true })
  await expect(column).toHaveValue('gtin')
  const groups = () =>
    column.locator('optgroup').evaluateAll((all) => all.map((each) => each.getAttribute('label')))
  await expect
    .poll(groups)
    .toEqual(
      expect.arrayContaining(['Basics', 'Price and stock', 'Several categories', 'Only monitor']),
    )
  const kind = page.getByLabel(word, { exact: true })
  await expect(kind.getByRole('option').nth(1)).toHaveText(`New category: ${word}`)
  await kind.selectOption({ index: 1 })
  await page.getByLabel('Unreadable values').selectOption('refuse')
  await page.getByLabel('Supplier').fill(word)
  await page.getByRole('button', { name: 'Check the file' }).click()
  const problems = page.getByRole('table', { name: 'Problems by line' }).getByRole('row')
  await expect(problems.nth(1)).toContainText(/^242EAN EAN-Code/)
  await expect(page.getByText('50 of the 201 lines are shown.')).toBeVisible()
  await expect(page.getByText('This list shows 201 of the file’s 241 lines')).toBeVisible()
})

test('a negative stock in a supplier’s file is reported before the import makes it 0', async ({
  page,
  owner: _,
}) => {
  const word = unique()
  await page.goto(`${list}/import`)
  const file = `Artikelnummer;Bezeichnung;Kategorie;EK netto;Bestand\n${word};${word};fan;10;-5`
  await page.getByLabel('CSV file').setInputFiles(csvFile(file))
  await page.getByLabel('Supplier').fill(word)
  await page.getByRole('button', { name: 'Check the file' }).click()
  const stock = page
    .getByRole('status')
    .filter({ hasText: '1 line has an impossible stock figure' })
  await expect(stock.getByRole('listitem')).toHaveText(
    'Line 2: Left out: Available quantity must be 0 or more, not “-5”. The new product starts with 0 in stock',
  )
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeVisible()
})

test('a CSV file with bad lines changes nothing and names each; corrected, it is imported whole', async ({
  page,
  pool,
  owner,
}) => {
  const name = await threeParts(pool)
  await page.goto(`${list}?q=${encodeURIComponent(name)}&sort=name`)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const [first = '', one = '', two = '', three = ''] = (await textOf(await saved)).split('\r\n')
  const { body: products } = await owner.call('GET', '/api/products?q=Cinder%20RX%207600&limit=1')
  const cells: Record<string, string> = {
    name: `${name} no 4`,
    description: '"A bead, new"',
    image: products[0].image,
    price: '12',
    minimumOrderQuantity: '1',
    availableQuantity: '30',
  }
  const fresh = first.split(',').map((column) => cells[column] ?? '')
  const dearer = two.replace(',100,0,1,7,0,on sale,7,', ',110,0,1,9,0,on sale,7,')
  expect(dearer).not.toBe(two)
  const good = [first, one, dearer, fresh.join(',')].join('\r\n')
  const bad = [
    first,
    one.replace(',300,', ',12.505,'),
    three,
    fresh.join(',').replace(',30,', ',,'),
  ]

  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import products' })).toBeFocused()
  const file = page.getByLabel('CSV file')
  const run = page.getByRole('button', { name: 'Import', exact: true })
  await page.setViewportSize({ width: 390, height: 720 })
  await file.setInputFiles(csvFile(bad.join('\r\n')))
  const verdict = page.getByText(
    '2 problems. The other line is already in the shop just like this.',
  )
  await expect(verdict).toBeInViewport()
  await expect(page.getByRole('term').filter({ hasText: 'Problems' })).toBeInViewport()
  await page.setViewportSize({ width: 1280, height: 720 })
  const problems = page.getByRole('table', { name: 'Problems by line' }).getByRole('row')
  await expect(problems).toHaveText([
    'LineColumnProblem',
    '2Price pricePrice can have at most two decimals, not “12.505”',
    '4Available quantity availableQuantityAvailable quantity is required',
  ])
  await expect(run).toHaveCount(0)

  await file.setInputFiles(csvFile(good))
  await expect(page.getByText('No problems. Nothing has been imported yet.')).toBeVisible()
  const figures = page.getByRole('region', { name: 'What the file would do' })
  await expect(figures.getByRole('term')).toHaveText(['Lines', 'New', 'Changed', 'Unchanged'])
  await expect(figures.getByRole('definition')).toHaveText(['3', '1', '1', '1'])
  // the response is lost: a check shows whether the file was imported
  await page.route('**/import?dryRun=false*', async (route) => {
    await route.fetch()
    await route.abort('connectionfailed')
  })
  await run.click()
  await expect(page.getByText('The shop cannot be reached.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Another product already has this name.')).toBeVisible()
  await page.unroute('**/import?dryRun=false*')

  await file.setInputFiles(csvFile(`name,price\r\n${name} no 5,1`))
  await expect(page.getByText('3 problems, so nothing')).toBeVisible()
  await file.setInputFiles(csvFile(`_id,price\r\n${two.split(',')[0]},120`))
  await run.click()
  await expect(page.getByRole('heading', { name: 'Imported: 1 changed product' })).toBeFocused()
  await page.getByRole('link', { name: 'See all products' }).click()
  await page.getByLabel('Search by name, number, category or description').fill(name)
  await expect(page.getByText('4 products')).toBeVisible()
  await expect(rowOf(page, `${name} no 2`)).toContainText('9$120')
  await expect(rowOf(page, `${name} no 4`)).toContainText('30$12')
})

fullOnly(test)(
  'a file that cannot be CSV is refused before anything is sent; a very long list of problems is shortened',
  async ({ page, owner: _ }) => {
    const importMethods: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/products/import')) importMethods.push(request.method())
    })
    await page.goto(`${list}/import`)
    const file = page.getByLabel('CSV file')
    const alert = page.getByRole('alert').filter({ hasText: /./ })
    for (const [bytes, words] of [
      ['', 'The file is empty. Choose another file.'],
      [Buffer.alloc(importLimits.bytes + 1, 'a'), 'The file is larger than 8 MB.'],
    ] as const) {
      await file.setInputFiles(csvFile(bytes as Buffer))
      await expect(alert).toContainText(words)
    }
    expect(importMethods).toEqual([])
    const badRows = Array.from({ length: 400 }, (_, i) => `A ${i},x,x,x`).join('\r\n')
    await file.setInputFiles(
      csvFile(`name,price,minimumOrderQuantity,availableQuantity\r\n${badRows}`),
    )
    await page.getByRole('button', { name: 'Show all 1,000 problems' }).click()
    await expect(page.getByText('These are the first 1,000.', { exact: false })).toBeVisible()
    expect(importMethods).toEqual(['POST'])
    await file.setInputFiles(csvFile('name,price\r\n'))
    await expect(page.getByText('This file has no products', { exact: false })).toBeVisible()
  },
)
