import type { Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'
import {
  book,
  enterAs,
  expect,
  givePictures,
  ownerTest,
  payByCalls,
  payWith,
  customerTest as test,
} from './fixtures.ts'

/** Books parts by a call, as the customer of this page. @returns the orders' ids */
async function bookAll(page: Page, parts: Part[]): Promise<string[]> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 1 }))
  const answer = await page.request.post('/api/orders', {
    headers: { authorization: `Bearer ${token}` },
    data: { lines, phone: '+1 555 0100' },
  })
  expect(answer.status()).toBe(200)
  return (await answer.json()).orderIds
}

const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`

test('several unpaid orders are paid together: My orders joins them, one page shows their lines and takes one card', async ({
  page,
  pool,
}) => {
  const [fan, case_] = [
    await stockPart(pool, { onHand: 5, price: 30, name: unique('Quiet fan') }),
    await stockPart(pool, { onHand: 5, price: 120, name: unique('Small case') }),
  ]
  await givePictures(pool)
  const fanOrder = await book(page, fan)
  await book(page, case_)
  // an order that was seen before knows nothing of the other
  await page.goto(`/dashboard/payment/${fanOrder}`)
  await expect(page.getByText('Please pay $30 to confirm order')).toBeVisible()
  await page.getByRole('link', { name: 'My orders' }).first().click()
  const payAll = page.getByRole('button', { name: 'Pay all 2 · $150' })
  await expect(payAll).toHaveAccessibleDescription(/^One payment for all\. They then stay together/)
  await payAll.click()
  await expect(page).toHaveURL(/\/dashboard\/payment\//)
  const summary = page.getByRole('region', { name: 'Order', exact: true })
  for (const { name } of [fan, case_]) await expect(summary.getByText(name)).toBeVisible()
  await expect(summary.getByText('$150')).toBeVisible()
  await expect(page.getByText('Please pay $150 to confirm order')).toBeVisible()

  // as one block while it is unpaid, with one button
  await page.goto('/dashboard/myOrders')
  await expect(page.getByText('To be paid together: $150')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Pay .* for / })).toHaveCount(0)
  // an order's own page says the same, and deletes that order alone
  await page.getByRole('link', { name: fan.name, exact: true }).click()
  await expect(page.getByText(/^One payment pays this order, \$30, and those/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete this order' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pay $150' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Pay $150 together' }).click()
  await expect(page.getByRole('button', { name: 'Pay $150' })).toBeEnabled()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: messages.paymentCompleted })).toBeVisible()
  await expect(page.getByText(/^You paid \$150 for order F-\d+ and 1 more\./)).toBeVisible()

  await page.goto('/dashboard/myOrders')
  await expect(page.getByText('Paid together: $150')).toBeVisible()
  await page.getByRole('link', { name: fan.name, exact: true }).click()
  const together = page.getByRole('region', { name: 'Paid together' })
  await together.getByRole('link', { name: case_.name }).click()
  await expect(page.getByRole('heading', { level: 2, name: case_.name })).toBeVisible()

  // bought again, as far as it is sold, and no more of what the basket has
  await pool.query('update parts set deleted_at = now() where _id = $1', [fan._id])
  for (const times of [1, 2]) {
    await page.goto('/dashboard/myOrders')
    await page.getByRole('button', { name: 'Buy again: all 2 parts' }).click()
    await expect(page, `time ${times}`).toHaveURL(/\/basket\?parts=\d+$/)
    await expect(page.getByText(`No longer sold: ${fan.name}`)).toBeVisible()
    await expect(page.getByRole('link', { name: case_.name, exact: true })).toBeVisible()
    await expect(page.getByText('Total $120')).toBeVisible()
  }
  await pool.query('update parts set deleted_at = now() where _id = $1', [case_._id])
  await page.goto('/dashboard/myOrders')
  await page.getByRole('button', { name: 'Buy again: all 2 parts' }).click()
  await expect(page.getByText(`No longer sold: ${fan.name}, ${case_.name}`)).toBeVisible()
  await expect(page).toHaveURL('/dashboard/myOrders')

  // until it is shipped, its customer cancels a line or all
  await page.getByRole('link', { name: case_.name, exact: true }).click()
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this order?' })
  await expect(dialog.getByText('$120 goes back to the card it was paid with.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Cancel all 2' }).click()
  const all = page.getByRole('alertdialog', { name: 'Cancel these 2 orders?' })
  await expect(all.getByText('$150 goes back to the card it was paid with.')).toBeVisible()
  await all.getByRole('button', { name: 'Cancel the orders' }).click()
  await expect(page.getByText('Canceled. $150 goes back to your card.')).toBeVisible()
  await expect(page.getByText('paid, refunded')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
})

test('a checkout that lost a part says which, and the rest is paid', async ({ page, pool }) => {
  const gone = await stockPart(pool, { onHand: 1, price: 70, name: unique('Last board') })
  const left = await stockPart(pool, { onHand: 9, price: 40, name: unique('Plain cable') })
  await givePictures(pool)
  const orderIds = await bookAll(page, [left, gone])
  await pool.query(
    `update orders set hold_expires_at = now() - interval '1 second' where _id = any($1)`,
    [orderIds],
  )
  const reserved = async () =>
    (await pool.query('select reserved from parts where _id = $1', [gone._id])).rows[0].reserved
  await expect.poll(reserved).toBe(0)
  await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'adjust', -1, 'lost')`,
    [gone._id],
  )
  await page.goto(`/dashboard/payment/${orderIds[0]}`)
  const alert = page.getByRole('alert')
  await expect(alert.getByText('One part is no longer available')).toBeVisible()
  await expect(alert.getByText(gone.name)).toBeVisible()
  await expect(alert.getByText(left.name)).toHaveCount(0)
  await alert.getByRole('button', { name: 'Remove and pay the rest' }).click()
  await expect(page.getByText('Please pay $40 to confirm order')).toBeVisible()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: messages.paymentCompleted })).toBeVisible()
})

test('all orders of an unpaid checkout are deleted at once', async ({ page, pool }) => {
  const parts = await Promise.all(
    [1, 2, 3].map((price) => stockPart(pool, { onHand: 5, price, name: unique('Screw') })),
  )
  await bookAll(page, parts)
  await page.goto('/dashboard/myOrders')
  await page.getByRole('button', { name: 'Delete all' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete all orders of this checkout?' })
  await expect(dialog.getByText('$6')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No orders yet')).toBeVisible()
})

ownerTest(
  'the owner ships a checkout as one parcel: from one of its rows, or from a selection',
  async ({ page, owner, pool, buyer }) => {
    await havePaid(pool, [buyer.email])
    const sellTogether = async (word: string) => {
      const parts = await Promise.all(
        [1, 2].map((i) => stockPart(pool, { onHand: 5, price: 10, name: `${word} ${i}` })),
      )
      await enterAs(page, buyer)
      const orderIds = await bookAll(page, parts)
      await payByCalls(page, orderIds[0] as string)
      await enterAs(page, owner)
    }
    const mails = async () => {
      const query = `select count(*)::int as count from mail_queue where template = 'order-shipped' and recipient = $1`
      return (await pool.query(query, [buyer.email])).rows[0].count
    }
    const before = await mails()
    const parcel = unique('Parcel')
    await sellTogether(parcel)
    await page.goto(`/dashboard/manageOrders?q=${encodeURIComponent(parcel)}`)
    await page
      .getByRole('button', { name: /^make shipped: Parcel/ })
      .first()
      .click()
    await expect(page.getByText('of a checkout of $20')).toHaveCount(2)
    const dialog = page.getByRole('dialog')
    for (const i of [1, 2]) await expect(dialog.getByText(`1 × ${parcel} ${i}`)).toBeVisible()
    await expect(
      dialog.getByRole('checkbox', { name: /In one parcel with the other order/ }),
    ).toBeChecked()
    await dialog.getByLabel('Carrier').fill('UPS')
    await dialog.getByRole('button', { name: 'make shipped' }).click()
    await expect(page.getByText(`Shipped: 2 orders for ${buyer.email}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Already shipped' })).toHaveCount(2)
    expect(await mails()).toBe(before + 1)
    // a wrong number is corrected for the whole parcel
    await page.getByRole('link', { name: `${parcel} 1` }).click()
    await page.getByRole('button', { name: 'Correct the tracking' }).click()
    await expect(
      dialog.getByText(`In the parcel: 1 × ${parcel} 1, 1 × ${parcel} 2 for`),
    ).toBeVisible()
    await dialog.getByLabel('Tracking number').fill('1Z7')
    await dialog.getByRole('button', { name: 'Correct' }).click()
    await expect(dialog).toHaveCount(0)
    const { rows: numbers } = await pool.query(
      'select tracking_number as number from orders where product like $1',
      [`${parcel}%`],
    )
    expect(numbers).toEqual([{ number: '1Z7' }, { number: '1Z7' }])

    const crate = unique('Crate')
    await sellTogether(crate)
    const q = encodeURIComponent(crate)
    await page.goto(`/dashboard/manageOrders?q=${q}&status=pending&sort=oldest`)
    await page.getByRole('checkbox', { name: 'Select all pending orders on this page' }).check()
    await page.getByRole('button', { name: 'make shipped', exact: true }).click()
    await expect(dialog.getByText('2 orders in 1 parcel. The customer gets a mail.')).toBeVisible()
    await dialog.getByLabel('Tracking number').fill('1Z')
    await dialog.getByRole('button', { name: 'make shipped' }).click()
    await expect(page.getByText('2 orders shipped.')).toBeVisible()
    expect(await mails()).toBe(before + 2)

    // one refund for both
    await page.goto(`/dashboard/manageOrders?q=${q}`)
    await page
      .getByRole('button', { name: /^Refund Crate/ })
      .first()
      .click()
    const refund = page.getByRole('dialog', { name: 'Refund' })
    const amounts = refund.getByLabel('Amount in USD')
    await expect(amounts).toHaveCount(2)
    await expect
      .poll(async () => (await amounts.nth(0).inputValue()) + (await amounts.nth(1).inputValue()))
      .toBe('10')
    await refund.getByRole('button', { name: 'Refund all of it' }).click()
    await refund.getByRole('group').first().getByLabel('Restock').fill('1')
    await refund.getByLabel('Reason').fill('Both broke')
    await refund.getByRole('button', { name: 'Refund', exact: true }).click()
    await expect(page.getByText(/^Refunded \$20 to /)).toBeVisible()
    const { rows: refunds } = await pool.query(
      `select r.amount as cents, array_agg(l.restock order by l.restock) as restocked
       from refunds r join refund_lines l on l.refund_id = r._id join orders o on o._id = l.order_id
       where o.product like $1 group by r._id`,
      [`${crate}%`],
    )
    expect(refunds).toEqual([{ cents: 2000, restocked: [0, 1] }])
  },
)
