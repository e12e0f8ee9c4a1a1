/** The owner's screens, checked as all others are. */
import { bookingOf, register } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import { test } from './owner-test.ts'
import { check, screens } from './screen-check.ts'
import { expect } from './shop-test.ts'

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    test('what an owner sees of orders, users and the audit log', async ({
      page,
      shop,
      pool,
      owner,
      customer,
      sell,
    }) => {
      test.slow()
      const name = `A part whose name is as long as names may become before anybody shortens them, ${width} px`
      const part = await stockPart(pool, { onHand: 20, price: 1999, name })
      await register(shop.origin, 'Wolfeschlegelsteinhausenbergerdorff the Long')
      const sold = await sell(part, 3)
      await owner.call('PUT', `/api/order/${await sell(part)}/shipped`, { carrier: 'DHL' })
      await bookingOf(customer, part)
      await page.goto(`/dashboard/manageOrders?q=${width}+px`)
      await expect(page.getByRole('button', { name: 'message user' })).toBeVisible()
      await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check()
      await check(page, 'all orders, one of them chosen')
      await page.goto(`/dashboard/order/${sold}`)
      await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
      await check(page, 'an order for its owner')
      await page.goto('/dashboard/users')
      await expect(page.getByRole('button', { name: 'Already admin' }).first()).toBeVisible()
      await check(page, 'all users')
      await page.goto('/dashboard/audit')
      await expect(page.getByText('order shipped').first()).toBeVisible()
      await check(page, 'the audit log')
      await pool.query(
        `insert into mail_queue (template, recipient, subject, text, html, order_id, attempts, last_error, given_up_at)
         values ('order-paid', repeat('a', 60) || '@exmaple.com', 'Receipt for your order', 't', 'h', $1, 1,
           'The mail server refuses the address: 550 5.1.1 No such user here', now())`,
        [sold],
      )
      await page.goto('/dashboard/mail')
      await expect(page.getByText('550 5.1.1').first()).toBeVisible()
      await check(page, 'mail that did not get out')
    })
  })
}
