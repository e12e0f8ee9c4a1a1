import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import { book, bookPart, expect, onlyOrder, payWith, customerTest as test } from './fixtures.ts'

test('an order can be read and printed: unpaid it leads to Pay, paid it has its transaction', async ({
  page,
  customer,
}) => {
  await bookPart(page)
  const row = await onlyOrder(page)
  await row.getByRole('link', { name: 'Cinder RX 7800 XT', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/order\//)
  const id = page.url().split('/').at(-1) as string
  const facts = page.getByRole('main')
  await expect(facts.getByText('unpaid', { exact: true })).toBeVisible()
  await expect(facts.getByText(/^(29|30):\d\d left$/)).toBeVisible()
  await facts.getByRole('link', { name: 'Pay $499' }).click()
  await payWith(page, '4242424242424242')
  await expect(page.getByText(messages.paymentCompleted)).toBeVisible()
  await page.getByRole('link', { name: 'Order details' }).click()

  for (const text of [id, 'paid', customer.name, customer.email, '+1 555 0100'])
    await expect(facts.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(facts.getByText(/^pi_\w+$/)).toBeVisible()
  await expect(facts.getByText('$499', { exact: true })).toHaveCount(3)
  await expect(facts.getByRole('heading', { name: /^Order F-\d+$/ })).toBeVisible()
  await expect(page).toHaveTitle(/^Order F-\d+, Cinder RX 7800 XT · Ferrite$/)
  await expect(
    facts.getByText('We call +1 555 0100 to agree where and when to deliver.'),
  ).toBeVisible()
  await expect(
    facts.getByText(
      /^You can cancel until it is shipped\. Questions\? Write to \S+@\S+ with order F-\d+\.$/,
    ),
  ).toBeVisible()
  await expect(facts.getByRole('time')).toHaveCount(2)
  await expect(facts.getByRole('link', { name: /^Pay/ })).toHaveCount(0)

  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('html[data-printed]')).toHaveCount(1)

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Dashboard' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(facts.getByText(id, { exact: true })).toBeVisible()
  await expect(facts.getByRole('heading', { name: /^Receipt F-\d+$/ })).toBeVisible()
  await expect(facts.getByText('hello@ferrite.example').first()).toBeVisible()
  await expect(facts.getByText(/^pi_\w+$/)).toBeVisible()
  const colours = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body)
    return { backgroundColor, color }
  })
  expect(colours).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(0, 0, 0)' })
})

fullOnly(test)(
  'an unpaid order is deleted on its own page, and leads back to the others',
  async ({ page, customer, pool }) => {
    await page.goto(`/dashboard/order/${await book(page, await stockPart(pool, { onHand: 1 }))}`)
    await expect(page.getByText(customer.email, { exact: true })).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Delete this order' }).click()
    const dialog = page.getByRole('alertdialog', {
      name: 'Are you sure you want to delete this order?',
    })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/)
    await expect(page.getByText(messages.orderDeleted)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  },
)

fullOnly(test)(
  'a missing order and another customer’s order look the same',
  async ({ page, pool, buyer }) => {
    const id = await bookingOf(buyer, await stockPart(pool, { onHand: 1 }))
    for (const path of [
      `/dashboard/order/${id}`,
      `/dashboard/order/${crypto.randomUUID()}`,
      '/dashboard/order/nonsense',
      `/dashboard/payment/${id}`,
      `/dashboard/payment/${crypto.randomUUID()}`,
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: messages.notFound })).toBeVisible()
      await expect(
        page.getByText('There is no such order. It may have been deleted.'),
      ).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'My orders' })).not.toHaveCount(
        0,
      )
    }
  },
)
