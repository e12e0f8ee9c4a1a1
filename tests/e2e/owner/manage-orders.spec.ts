import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { enterAs, expect, refusal, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf, orderOf } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'

const unique = () => `Ferrite bead ${crypto.randomUUID().slice(0, 8)}`

/** The row of a product's only order. */
async function rowOf(page: Page, product: string) {
  await page.goto(`/dashboard/manageOrders?q=${encodeURIComponent(product)}`)
  const row = page.getByRole('row').filter({ hasText: product })
  await expect(row).toHaveCount(1)
  return row
}

test('an order in the owner’s words: reminded once a day, deleted while unpaid, with all that was done on its page', async ({
  page,
  pool,
  owner,
  buyer,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  const id = await bookingOf(buyer, part, { quantity: 2 })
  const row = await rowOf(page, part.name)
  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    'Product',
    'Email',
    'Quantity',
    'Total price',
    'Delete',
    'Status',
    'Change status',
    'Refund',
  ])
  for (const text of [part.name, buyer.email, 'unpaid'])
    await expect(row.getByText(text, { exact: true })).toBeVisible()
  for (const figure of ['2', '$80'])
    await expect(row.getByRole('cell', { name: figure, exact: true })).toBeVisible()
  await expect(row.getByRole('checkbox')).toHaveCount(0)
  const remind = row.getByRole('button', { name: 'message user' })
  await remind.click()
  await expect(page.getByText(`Reminder sent to ${buyer.email}`)).toBeVisible()
  await expect(row.getByText(/^reminded .* \d\d:\d\d$/)).toBeVisible()
  await expect(remind).toBeFocused()
  await page.reload()
  await expect(row.getByText(/^reminded .* \d\d:\d\d$/)).toBeVisible()
  await remind.click()
  await expect(page.getByText('A reminder was sent in the last 24 hours.')).toBeVisible()

  await row.getByRole('link', { name: part.name }).click()
  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByText('payment reminder sent')).toBeVisible()
  await expect(history.getByText(owner.email)).toBeVisible()
  await page.goBack()
  await row.getByRole('button', { name: `Delete ${part.name}` }).click()
  const dialog = page.getByRole('alertdialog', {
    name: 'Are you sure you want to delete this order?',
  })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(dialog).toContainText(buyer.email)
  await expect(dialog).toContainText('can no longer pay for it, and gets a mail')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(messages.orderDeleted)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Manage all orders' })).toBeFocused()
  await page.getByLabel('Status').selectOption('deleted')
  await expect(row).toContainText('deleted')
  await expect(row.getByRole('button')).toHaveCount(0)
  await page.goto(`/dashboard/audit?about=order:${id}`)
  await expect(page.getByRole('cell', { name: 'order deleted' })).toBeVisible()
})

test('holds and their customers are listed, and released with a click', async ({
  page,
  pool,
  owner,
  buyer,
}) => {
  const part = await stockPart(pool, { onHand: 10, price: 40, name: unique() })
  const id = await bookingOf(buyer, part, { quantity: 5 })
  const other = await stockPart(pool, { onHand: 5, price: 40, name: unique() })
  const still = await bookingOf(buyer, other, { quantity: 2 })
  await rowOf(page, part.name)
  // the list from before the release arrives after it
  const { promise: released, resolve: arrive } = Promise.withResolvers<void>()
  await page.route(
    /allOrders\?.*status=held/,
    async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await page.getByLabel('Status').selectOption('held')
  const row = page.getByRole('row').filter({ hasText: part.name })
  await expect(row.getByText(buyer.email)).toBeVisible()
  await expect(row.getByText(/^held to \d\d:\d\d$/)).toBeVisible()
  await row.getByRole('button', { name: `release: 5 × ${part.name}` }).click()
  await expect(page.getByText(`5 × ${part.name} can be booked again`)).toBeVisible()
  arrive()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const { rows } = await pool.query('select reserved from parts where _id = any($1)', [
    [part._id, other._id],
  ])
  expect(rows.map(({ reserved }) => reserved).sort()).toEqual([0, 2])

  await page.goto(`/dashboard/order/${id}`)
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveText([
    new RegExp(`^hold released · 5 back on the shelf.*${owner.email}$`),
    new RegExp(`^booked.*${buyer.email}$`),
  ])
  await expect(page.getByRole('main').getByText('hold released', { exact: true })).toHaveCount(2)
  await page.goto(`/dashboard/order/${still}`)
  const button = page.getByRole('button', { name: `release: 2 × ${other.name}` })
  await button.click()
  await expect(button).toHaveCount(0)
  await expect(page.getByText(owner.email).first()).toBeVisible()
})

test('a pending order is shipped with its tracking number, and its customer reads so in another window', async ({
  page,
  pool,
  browser,
  shop,
  owner,
  buyer,
  sell,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  await sell(part)
  const row = await rowOf(page, part.name)
  await expect(row.getByText('pending', { exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: `Delete ${part.name}` })).toBeDisabled()
  await row.getByRole('button', { name: 'make shipped' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make shipped' })
  await expect(dialog.getByLabel('Carrier (optional)')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: 'make shipped' })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Carrier (optional)').fill('DHL')
  await dialog.getByLabel('Tracking number (optional)').fill('JD0123456789')
  const slow = Promise.withResolvers<void>()
  await page.route('**/shipped', (route) => slow.promise.then(() => route.continue()))
  await dialog.getByRole('button', { name: 'make shipped' }).click()
  await expect(dialog.getByRole('button', { name: 'Shipping…' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  slow.resolve()
  await expect(row.getByText('shipped', { exact: true })).toBeVisible()
  const shippedButton = row.getByRole('button', { name: 'Already shipped' })
  await expect(shippedButton).toBeDisabled()
  await expect(shippedButton).toBeFocused()
  // a shipped order has the widest row: nine columns, or cards until they fit
  for (const width of [900, 1000, 1200, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(wider, `wider than ${width} px`).toBeLessThanOrEqual(0)
  }

  const customerPage = await browser.newPage({ baseURL: shop.origin })
  await enterAs(customerPage, buyer)
  await customerPage.goto('/dashboard/myOrders')
  const bought = customerPage.getByRole('row').filter({ hasText: part.name })
  await expect(bought.getByText('shipped', { exact: true })).toBeVisible()
  await customerPage.close()
  await page.goto('/dashboard/audit')
  const line = page.getByRole('row').filter({ hasText: part.name })
  await expect(line).toContainText('DHL, JD0123456789')
  await expect(line).toContainText(owner.email)
})

test('an order’s page says its state once and what happened to it; its tracking is corrected there', async ({
  page,
  pool,
  owner,
  buyer,
  sell,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  await sell(part)
  await page.goto(`/dashboard/products/${part._id}`)
  const stock = page.getByRole('region', { name: 'Stock', exact: true })
  await expect(stock.getByRole('term')).toHaveText(['On hand', 'Held', 'To ship', 'Available'])
  await rowOf(page, part.name)
  await page.getByRole('link', { name: part.name, exact: true }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: /^Order F-/ })).toBeVisible()
  await expect(main.getByText('pending', { exact: true })).toBeVisible()
  await expect(main.getByText('Status', { exact: true })).toBeHidden()
  const history = main.getByRole('region', { name: 'History' })
  await expect(history.getByRole('listitem')).toHaveText([
    new RegExp(`^paid · \\$40.*${buyer.email}$`),
    new RegExp(`^booked.*${buyer.email}$`),
  ])
  await main.getByRole('button', { name: 'make shipped' }).click()
  const shipping = page.getByRole('dialog', { name: 'Make shipped' })
  await shipping.getByLabel('Carrier (optional)').fill('UPS')
  await shipping.getByLabel('Tracking number (optional)').fill('JD1')
  await shipping.getByRole('button', { name: 'make shipped' }).click()
  await expect(main.getByText('shipped', { exact: true })).toHaveCount(1)
  await expect(main.getByText('Already shipped')).toHaveCount(0)
  await expect(history.getByText(owner.email)).toBeVisible()
  await expect(main.getByRole('heading', { level: 1 })).toBeFocused()
  await main.getByRole('button', { name: 'Correct the tracking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the tracking' })
  await expect(dialog.getByLabel('Tracking number (optional)')).toHaveValue('JD1')
  await dialog.getByLabel('Carrier (optional)').fill('DHL')
  await dialog.getByLabel('Tracking number (optional)').fill('JD0123456789')
  await dialog.getByRole('button', { name: 'Correct', exact: true }).click()
  await expect(main.getByRole('link', { name: /^JD0123456789/ })).toBeVisible()
  await expect(history.getByText('UPS, JD1 → DHL, JD0123456789')).toBeVisible()
  await expect(history.getByRole('listitem')).toHaveCount(4)

  const unwanted = await bookingOf(buyer, part)
  await buyer.call('DELETE', `/api/userProduct/${unwanted}`)
  await page.goto(`/dashboard/order/${unwanted}`)
  await expect(history.getByRole('listitem')).toHaveText([
    new RegExp(`^order deleted.*${buyer.email}$`),
    new RegExp(`^booked.*${buyer.email}$`),
  ])
})

test('many are shipped together, found by several searches; those that fail say why, and can go the next time', async ({
  page,
  pool,
  owner,
  buyer,
  sell,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  const other = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  const unlucky = await sell(part, 1)
  await sell(part, 2)
  const soldOrder = await sell(part, 3)
  await bookingOf(buyer, part)
  await sell(other)
  await rowOf(page, other.name)
  await page.getByRole('checkbox', { name: `Select ${other.name}` }).check()
  await page.getByRole('searchbox').fill(part.name)
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  await expect(boxes).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all pending' }).check()
  await expect(page.getByText('4 orders selected, 1 not on this page')).toBeVisible()
  // one does not go through, another was sent by a second admin a moment ago
  const { checkoutId } = await orderOf(buyer, unlucky)
  const call = `**/api/checkout/${checkoutId}/shipped`
  await page.route(call, (route) => route.abort())
  await owner.call('PUT', `/api/order/${soldOrder}/shipped`, { carrier: 'UPS' })
  await page.getByRole('button', { name: 'make shipped', exact: true }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Make shipped' })
  await expect(dialog.getByLabel('Tracking number (optional)')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'make shipped' }).click()
  const message = page.getByRole('status').filter({ hasText: '2 orders shipped. 2 orders not:' })
  await expect(message).toBeFocused()
  await expect(message.getByRole('listitem')).toHaveText([
    `${part.name} for ${buyer.email}: It was shipped already.`,
    new RegExp(`^${part.name} for ${buyer.email}: The shop cannot be reached`),
  ])
  await expect(page.getByText('1 order selected')).toBeVisible()
  await expect(boxes).toHaveCount(1)
  await expect(boxes).toBeChecked()
  await page.unroute(call)
  await page.getByRole('button', { name: 'make shipped', exact: true }).last().click()
  await dialog.getByRole('button', { name: 'make shipped' }).click()
  await expect(page.getByText('1 order shipped.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Already shipped' })).toHaveCount(3)
  await expect(boxes).toHaveCount(0)
})

test('a partial refund with a reason: validated first, sent once although it was requested twice', async ({
  page,
  pool,
  owner: _,
  sell,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
  await sell(part, 2)
  const row = await rowOf(page, part.name)
  await row.getByRole('button', { name: `Refund ${part.name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('80')
  await dialog.getByLabel('Amount in USD').fill('81')
  await dialog.getByLabel('Restock').fill('3')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('Reason is required')).toBeVisible()
  await dialog.getByLabel('Reason').fill('One came broken')
  await expect(dialog.getByText('Amount cannot be more than the remaining $80')).toBeVisible()
  await expect(dialog.getByText('Restock cannot be more than the 2 booked')).toBeVisible()
  await dialog.getByLabel('Amount in USD').fill('30')
  await dialog.getByLabel('Restock').fill('1')
  // the shop refunds the order, but its response is lost
  const keys: (string | null)[] = []
  await page.route('**/api/checkout/*/refund', async (route) => {
    keys.push(await route.request().headerValue('idempotency-key'))
    await route.fetch()
    if (keys.length === 1) await route.abort()
    else await route.continue()
  })
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText('The shop cannot be reached.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog).toBeHidden()
  expect(keys[1]).toBe(keys[0])
  await expect(row.getByText('$30 refunded')).toBeVisible()
  await expect(row.getByText('pending', { exact: true })).toBeVisible()
  await row.getByRole('link', { name: part.name }).click()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('One came broken')
  await page.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('50')
  await dialog.getByLabel('Reason').fill('The other one too')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('$80 refunded')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

fullOnly(test)(
  'a refund that the card provider refuses: what to do, then its words, and another one can be tried',
  async ({ page, pool, owner: _, sell }) => {
    const part = await stockPart(pool, { onHand: 9, price: 40, name: unique() })
    await sell(part, 2, 'pm_card_createDispute')
    const row = await rowOf(page, part.name)
    await row.getByRole('button', { name: `Refund ${part.name}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await dialog.getByLabel('Reason').fill('Never came')
    for (const amount of ['80', '30']) {
      await dialog.getByLabel('Amount in USD').fill(amount)
      const answered = page.waitForResponse('**/api/checkout/*/refund')
      await dialog.getByRole('button', { name: 'Refund' }).click()
      expect((await answered).status()).toBe(409)
      await expect(dialog.getByRole('alert')).toHaveText(
        /^The card provider made no refund: .*Answer the dispute at the card provider\. .* has been charged back/,
      )
      await expect(dialog.getByLabel('Reason')).toHaveValue('Never came')
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(row.getByRole('button', { name: `Refund ${part.name}` })).toBeFocused()
    await expect(row.getByText('pending', { exact: true })).toBeVisible()
    await page.getByLabel('Status').selectOption('disputed')
    await expect(async () => {
      await page.reload()
      await expect(row.getByText('disputed', { exact: true })).toBeVisible({ timeout: 1000 })
    }).toPass()
  },
)

test('search, filter, sorting and page are in the address: Back undoes each, and a link shows the same', async ({
  page,
  pool,
  owner: _,
  buyer,
  sell,
}) => {
  const [cheap, dear] = [unique(), unique()]
  const bead = await stockPart(pool, { onHand: 99, price: 1, name: cheap })
  await sell(await stockPart(pool, { onHand: 9, price: 999, name: dear }))
  await pool.query(
    `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
     select o.user_id, o.part_id, o.product, o.image, o.customer, o.email, o.phone, 1, 100, 100
     from orders o, generate_series(1, 51) where o._id = $1`,
    [await bookingOf(buyer, bead)],
  )
  await page.goto('/dashboard/manageOrders')
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(51)
  await page.getByRole('searchbox').pressSequentially(cheap)
  await expect(page).toHaveURL(/q=Ferrite\+bead/)
  await expect(page.getByText('orders 1–50 of 52')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('orders 51–52 of 52')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Manage all orders' })).toBeFocused()
  const second = page.url()
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page.getByText('orders 1–50 of 52')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('orders 51–52 of 52')).toBeVisible()

  await page.getByLabel('Status').selectOption('pending')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('orders 51–52 of 52')).toBeVisible()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('link', { name: 'Total price' }).click()
  await expect(page.getByRole('columnheader', { name: 'Total price' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await expect(page).toHaveURL(/sort=-total/)
  await expect(page).not.toHaveURL(/after=/)
  await page.goto(second)
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'First page' })).toBeVisible()

  // the next rows fail to load: the shown rows stay, and a retry is possible
  await page.route('**/api/allOrders?*', (route) =>
    route.fulfill(refusal(429, 'TOO_MANY', 'Wait.')),
  )
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await expect(page.getByText('Not up to date: Wait.')).toBeVisible()
  await expect(rows).toHaveCount(3)
  await page.unroute('**/api/allOrders?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Not up to date:')).toBeHidden()

  // an invalid URL: its valid parts apply
  const words = `${dear} one two three four five six seven`
  await page.goto(`/dashboard/manageOrders?q=${words}&from=2030-01-02&to=2030-01-01`)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByLabel('Booked from').fill('2020-01-02')
  await page.getByLabel('Booked to').fill('2020-01-01')
  await expect(page).toHaveURL(/from=2020-01-01&to=2020-01-01/)
  await expect(page.getByLabel('Booked from')).toHaveValue('2020-01-01')
})

fullOnly(test)(
  'the export holds what the filter shows, every row of it and nothing else',
  async ({ page, pool, owner: _, buyer, sell }) => {
    const part = await stockPart(pool, { onHand: 99, price: 40, name: `=${unique()}` })
    await bookingOf(buyer, part, { quantity: 3 })
    await bookingOf(buyer, part)
    await sell(part)
    await page.goto(`/dashboard/manageOrders?q=${encodeURIComponent(part.name)}`)
    await expect(page.getByText('3 orders')).toBeVisible()
    await page.getByLabel('Status').selectOption('unpaid')
    await page.getByRole('link', { name: 'Quantity' }).click()
    await expect(page.getByText('2 orders')).toBeVisible()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    const [head, ...lines] = text.trim().split('\r\n')
    expect(head?.replace('\uFEFF', '')).toMatch(
      /^Order number,Order,Booked \(UTC\),.*,Status,Product,/,
    )
    expect(lines).toHaveLength(2)
    // sorted as on the screen, and without a spreadsheet formula
    expect(lines[0]).toContain(`,unpaid,'${part.name},${part._id},3,USD,40.00,120.00,`)
    expect(lines[1]).toContain(`,unpaid,'${part.name},${part._id},1,USD,40.00,40.00,`)
    await expect(page.getByRole('button', { name: 'Export CSV' })).toBeEnabled()
  },
)
