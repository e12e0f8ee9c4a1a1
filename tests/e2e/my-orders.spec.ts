import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import { withLines } from '#tests/support/money.ts'
import { login } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import {
  book,
  expect,
  logIn,
  onlyOrder,
  payByCalls,
  refusal,
  customerTest as test,
} from './fixtures.ts'

/** Books two units of a part made for this story. */
async function bookNew(page: Page, pool: Pool): Promise<{ name: string; orderId: string }> {
  const part = await stockPart(pool, { onHand: 9, price: 40, minimum: 2, name: uniqueName() })
  return { name: part.name, orderId: await book(page, part, 2) }
}

const uniqueName = () => `Flux capacitor ${crypto.randomUUID().slice(0, 8)}`

const setOrder = (pool: Pool, id: string, change: string) =>
  pool.query(`update orders set ${change} where _id = $1`, [id])

/** The state after a webhook reported a refund of this many dollars. */
const giveBack = (pool: Pool, id: string, amount: number) =>
  pool.query(
    withLines(`insert into refunds (intent_id, cause, amount, state, provider_id)
      select transaction_id, 'provider', $2, 'succeeded', $3 from orders where _id = $1`),
    [id, amount * 100, `re_${crypto.randomUUID()}`],
  )

test('an unpaid order has every column, on a phone as a card, its hold by the server’s clock, Pay, and Delete', async ({
  page,
  customer,
  pool,
}) => {
  const { name, orderId } = await bookNew(page, pool)
  // a device whose clock is two hours ahead
  await page.clock.install({ time: Date.now() + 2 * 60 * 60_000 })
  const row = await onlyOrder(page)
  await expect(page.getByRole('columnheader')).toHaveText([
    '#',
    'Product image',
    'Name and email',
    'Quantity',
    'Total price',
    'Delete',
    'Status',
  ])
  await expect(row.getByRole('cell').first()).toHaveText('1')
  for (const text of [name, customer.name, customer.email])
    await expect(row.getByText(text, { exact: true })).toBeVisible()
  for (const figure of ['2', '$80'])
    await expect(row.getByRole('cell', { name: figure, exact: true })).toBeVisible()
  await expect(row.getByText(/^held for (29|30):\d\d$/)).toBeVisible()
  await expect(row.getByRole('link', { name: `Pay $80 for ${name}` })).toHaveAttribute(
    'href',
    `/dashboard/payment/${orderId}`,
  )
  const { width, height } = page.viewportSize() as { width: number; height: number }
  await page.setViewportSize({ width: 360, height: 740 })
  for (const text of [name, customer.email, 'Quantity', 'Total price', 'Pay $80'])
    await expect(row.getByText(text, { exact: true })).toBeInViewport()
  await expect(row.getByRole('cell', { name: '$80', exact: true })).toBeInViewport()
  await expect(row.getByRole('button', { name: `Delete ${name}` })).toBeInViewport()
  await page.setViewportSize({ width, height })

  await row.getByRole('button', { name: `Delete ${name}` }).click()
  const dialog = page.getByRole('alertdialog', { name: messages.confirmDelete })
  // its title is the specification's; what it is about is named below
  await expect(dialog.getByText(/^This deletes order F-\d+: 2 × /)).toContainText(name)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByRole('button', { name: `Delete ${name}` })).toBeFocused()
  await page.route('**/api/userProduct/*', (route) => route.abort())
  await row.getByRole('button', { name: `Delete ${name}` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
  await expect(row.getByText(customer.email)).toBeVisible()
  await page.unroute('**/api/userProduct/*')
  await row.getByRole('button', { name: `Delete ${name}` }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText(messages.orderDeleted)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My orders' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the parts' })).toHaveAttribute('href', '/#parts')
})

test('screen readers hear that a hold is about to end and that it ended; the text stays', async ({
  page,
  customer,
  pool,
}) => {
  const { name, orderId } = await bookNew(page, pool)
  await setOrder(pool, orderId, `hold_expires_at = now() + interval '4 minutes'`)
  const row = await onlyOrder(page)
  await expect(row.getByText(/^held for [34]:\d\d$/)).toBeVisible()
  await expect(row.getByRole('status')).toHaveText(`${name} is held for less than 5 minutes more`)
  // the same live region that a screen reader listens to
  const spoken = await row.getByRole('status').elementHandle()
  // the screen follows the server's clock, so the server ends the hold
  await setOrder(pool, orderId, `hold_expires_at = now() + interval '3 seconds'`)
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  const ended =
    /^Your hold ended at \d\d:\d\d\. Nothing was charged\. If it is still in stock, Pay books it again\.$/
  await expect(row.getByRole('status')).toHaveText(ended)
  expect(await spoken?.textContent()).toMatch(ended)
  await expect
    .poll(
      async () =>
        (await pool.query('select hold_expires_at as held from orders where _id = $1', [orderId]))
          .rows,
    )
    .toEqual([{ held: null }])
  await page.reload()
  await expect(row.getByText(ended)).toBeVisible()
  await expect(row.getByText(customer.email)).toBeVisible()
})

test('a hold that the shop released is not described as expired', async ({
  page,
  customer,
  shop,
  pool,
}) => {
  const { orderId } = await bookNew(page, pool)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  await owner.call('DELETE', `/api/order/${orderId}/hold`)
  const row = await onlyOrder(page)
  await expect(row.getByRole('status')).toHaveText(
    /^We ended your hold at \d\d:\d\d\. Nothing was charged\. Pay books it again if enough are free\.$/,
  )
  await expect(row.getByText(customer.email)).toBeVisible()
})

test('a paid order shows its transaction, then that it is shipped, or refunded; it is never deleted', async ({
  page,
  customer,
  pool,
  shop,
}) => {
  const { name, orderId } = await bookNew(page, pool)
  await payByCalls(page, orderId)
  const row = await onlyOrder(page)
  await expect(row.getByText('paid', { exact: true })).toBeVisible()
  await expect(row.getByText(/^pi_\w+$/)).toBeVisible()
  await expect(row.getByRole('link', { name: /^Pay/ })).toHaveCount(0)
  const remove = row.getByRole('button', { name: `Delete ${name}` })
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAccessibleDescription('A paid order cannot be deleted')
  await remove.click({ force: true })
  await expect(page.getByRole('alertdialog')).toBeHidden()
  const shipment = { carrier: 'DHL', trackingNumber: 'JD014600003' }
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  await owner.call('PUT', `/api/order/${orderId}/shipped`, shipment)
  await giveBack(pool, orderId, 20)
  await page.reload()
  await expect(row.getByText('paid', { exact: true })).toBeVisible()
  await expect(row.getByText('shipped', { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: /^JD014600003/ })).toHaveAttribute(
    'href',
    /^https:\/\/www\.dhl\.com\/.*JD014600003$/,
  )
  await expect(row.getByText('$20 of $80 goes back to your card')).toBeVisible()
  await giveBack(pool, orderId, 60)
  await page.reload()
  await expect(row.getByText('refunded', { exact: true })).toBeVisible()
  await expect(row.getByText('$80 goes back to your card')).toBeVisible()
  await row.getByRole('link', { name, exact: true }).click()
  const facts = page.getByRole('main')
  for (const text of ['paid, refunded', 'DHL'])
    await expect(facts.getByText(text, { exact: true })).toBeVisible()
  await expect(facts.getByRole('link', { name: /^JD014600003/ })).toBeVisible()
  await expect(facts.getByText('$80, to the card it was paid with')).toBeVisible()
  await page.goBack()
  await expect(row.getByText(customer.email)).toBeVisible()
})

fullOnly(test)(
  'a 403 signs out and leads to the login, and from there back',
  async ({ page, customer }) => {
    await page.route('**/api/orders?*', (route) => route.fulfill(refusal(403, 'FORBIDDEN', 'No')))
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    await page.unroute('**/api/orders?*')
    await logIn(page, customer.email)
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  },
)

fullOnly(test)(
  'many orders: unpaid ones first, found by their number, fifty on a page',
  async ({ page, customer, pool }) => {
    const { name, orderId } = await bookNew(page, pool)
    await pool.query(
      `insert into orders (user_id, part_id, product, image, customer, email, phone, quantity, price_cents, total_cents)
     select o.user_id, o.part_id, 'Older ' || n, o.image, o.customer, o.email, o.phone, 1, 4000, 4000
     from orders o, generate_series(1, 60) n where o._id = $1`,
      [orderId],
    )
    const { rows } = await pool.query('select number from orders where _id = $1', [orderId])
    const held = page.getByRole('row').filter({ hasText: name })
    await page.goto('/dashboard/myOrders')
    await expect(page.getByRole('row')).toHaveCount(51)
    await expect(page.getByText('orders 1–50 of 61')).toBeVisible()
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('orders 51–61 of 61')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(12)
    await expect(page.getByRole('cell').first()).toHaveText('51')
    await expect(held).toHaveCount(1)
    await page.getByRole('searchbox').fill(rows[0].number)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(held.getByText(rows[0].number)).toBeVisible()
    await expect(held.getByText(customer.email)).toBeVisible()
  },
)
