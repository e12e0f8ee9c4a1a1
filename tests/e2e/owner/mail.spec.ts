/**
 * The owner's page 'Mail': unsent mails are corrected and sent again, or dismissed; a test mail.
 */

import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { bookingOf } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'

test('a mail that was given up gets its right address and goes; a test mail goes too', async ({
  page,
  pool,
  owner,
  buyer,
}) => {
  const orderId = await bookingOf(buyer, await stockPart(pool, { onHand: 5 }))
  await pool.query(
    `insert into mail_queue (template, recipient, subject, text, html, order_id, attempts, last_error, given_up_at)
     values ('order-shipped', 'ada@exmaple.com', 'Your order is on its way', 't', 'h', $1, 1,
       'The mail server refuses the address: 550 5.1.1 No such user here', now()),
       ('order-paid', 'gone@example.com', 'Receipt for your order', 't', 'h', $1, 15, '451 4.3.0 Try later', now())`,
    [orderId],
  )
  await page.goto('/dashboard/users')
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'Mail' })
    .click()
  const givenUpMails = page.getByRole('region', { name: 'Given up' })
  const failedMail = givenUpMails
    .getByRole('listitem')
    .filter({ hasText: 'Your order is on its way' })
  await expect(failedMail).toContainText('550 5.1.1 No such user here')
  await failedMail.getByLabel('Email').fill('ada@example')
  await failedMail.getByRole('button', { name: 'Send again' }).click()
  await expect(failedMail).toContainText('Provide a valid email')
  await failedMail.getByLabel('Email').fill('ada@example.com')
  await failedMail.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('The mail is sent to ada@example.com.')).toBeVisible()
  await expect(failedMail).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Mail', exact: true })).toBeFocused()
  await givenUpMails.getByRole('button', { name: 'Dismiss: Receipt for your order' }).click()
  await expect(givenUpMails).toContainText('We haven’t given up on any.')

  await page.getByRole('button', { name: 'Send me a test email' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'written to a file' })).toBeVisible()
  await page.goto(`/dashboard/audit?about=user:${encodeURIComponent(owner.email)}`)
  await expect(page.getByText('test mail sent').first()).toBeVisible()
})
