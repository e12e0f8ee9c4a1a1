import type { Route } from '@playwright/test'
import { awaitScripts } from '#tests/support/page-scripts.ts'
import { login, register } from '#tests/support/people.ts'
import { photo } from '#tests/support/pictures.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { stockOf, stockPart } from '#tests/support/stock.ts'
import { book, busyTest, enterAs, expect, payByCalls, test } from './fixtures.ts'

test('a part goes back: its customer asks, the owner receives and refunds it; without a login, the rest is withdrawn', async ({
  openShop,
  browser,
}) => {
  const shop = await openShop()
  const pool = await shopDatabase(shop)
  const newPage = async () => {
    const opened = await browser.newPage({ baseURL: shop.origin, reducedMotion: 'reduce' })
    awaitScripts(opened)
    return opened
  }
  const mailOf = async (template: string): Promise<string> =>
    (await pool.query('select text from mail_queue where template = $1', [template])).rows[0].text
  const [desk, page] = [await newPage(), await newPage()]
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  await enterAs(desk, owner)
  const customer = await register(shop.origin, 'Grace Hopper')
  await enterAs(page, customer)
  const part = await stockPart(pool, { onHand: 9, price: 100, name: 'Quiet fan' })
  const orderId = await book(page, part, 2)
  await payByCalls(page, orderId)
  await owner.call('PUT', `/api/order/${orderId}/shipped`, {})

  await page.goto(`/dashboard/order/${orderId}`)
  await page.getByRole('button', { name: 'It has arrived' }).click()
  await expect(page.getByText('Arrived', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Return or ask' }).click()
  await page.getByRole('radio', { name: /^Send something back/ }).check()
  await page.getByLabel(/^Quiet fan/).fill('3')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Type a whole number from 0 to 2')).toBeVisible()
  await expect(page.getByText('Message is required')).toBeVisible()
  await page.getByLabel(/^Quiet fan/).fill('1')
  await page.getByLabel('Message').fill('One is enough.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Return T-\d+$/ })).toBeVisible()
  await page.getByLabel('Picture').setInputFiles({
    name: 'fan.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo(),
  })
  await expect(page.getByAltText('From the customer')).toBeVisible()

  await desk.goto('/dashboard/tickets?view=waiting')
  await expect(desk.getByText('waits 0 h')).toBeVisible()
  await desk.getByRole('link', { name: /^Return T-\d+$/ }).click()
  await expect(desk.getByText('One is enough.')).toBeVisible()
  await expect(desk.getByAltText('From the customer')).toBeVisible()
  await desk.getByLabel('Answer').fill('It is here, thank you.')
  await desk.getByLabel(/^Received of 1/).fill('1')
  await desk.getByLabel('Can be sold again').fill('1')
  await desk.getByLabel('State').selectOption('received')
  await desk.getByRole('button', { name: 'Save and send' }).click()
  await expect(desk.getByText('Saved, and mailed to the customer')).toBeVisible()
  await expect(desk.getByText('1 came back')).toBeVisible()
  await desk.getByRole('button', { name: 'Refund $100' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByLabel('Restock')).toHaveValue('1')
  await expect(dialog.getByLabel('Amount in USD')).toHaveValue('100')
  await dialog.getByLabel('Amount in USD').fill('95')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(desk.getByText('Refunded $95 to Grace Hopper')).toBeVisible()
  await expect(desk.getByRole('button', { name: /^Refund/ })).toHaveCount(0)
  await expect.poll(async () => (await stockOf(pool, part._id)).onHand).toBe(8)

  await page.reload()
  await expect(page.getByText('It is here, thank you.')).toBeVisible()
  await expect(page.getByText('We refund $95 to your card.')).toBeVisible()

  const stranger = await newPage()
  await stranger.goto('/returns')
  await stranger.getByRole('link', { name: 'Withdraw from a purchase' }).first().click()
  await stranger.getByRole('button', { name: 'Send me the link' }).click()
  await expect(stranger.getByText('Order number must be like F-1042')).toBeVisible()
  const { number } = (await customer.call('GET', `/api/order/${orderId}`)).body
  await stranger.getByLabel('Order number').fill(number)
  await stranger.getByLabel('Email address of the order').fill(customer.email)
  await stranger.getByRole('button', { name: 'Send me the link' }).click()
  await expect(stranger.getByText('a mail with a link is on its way')).toBeVisible()
  const [, link = ''] = /(\/withdraw#\S+)/.exec(await mailOf('withdrawal-link')) ?? []
  await stranger.goto('/')
  await stranger.goto(link)
  await expect(stranger.getByLabel(/^Quiet fan/)).toHaveValue('1')
  await stranger.getByRole('button', { name: 'Confirm the withdrawal' }).click()
  await expect(
    stranger.getByRole('heading', { name: 'We have received your withdrawal' }),
  ).toBeVisible()

  await stranger.goto('/contact')
  await stranger.getByLabel('Name').fill('Bo Stranger')
  await stranger.getByLabel('Email').fill('bo@example.com')
  await stranger.getByLabel('Message').fill('Do you sell used parts?')
  await stranger.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(stranger.getByText('We have received your message.')).toBeVisible()
  const asked = await mailOf('question-received')
  const [, thread = ''] = /(\/ticket\/[\w-]+#\S+)/.exec(asked) ?? []
  await stranger.goto(thread)
  await expect(stranger.getByText('Do you sell used parts?')).toBeVisible()
})

busyTest(
  'a question whose response was lost is opened once; what is too late cannot be chosen',
  async ({ shop, pool, page }) => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    await enterAs(page, await register(shop.origin, 'Grace Hopper'))
    const part = await stockPart(pool, { onHand: 9, price: 100, name: 'Quiet fan' })
    const orderId = await book(page, part, 1)
    await payByCalls(page, orderId)
    await owner.call('PUT', `/api/order/${orderId}/shipped`, {})
    await page.goto(`/dashboard/order/${orderId}`)
    await page.getByRole('link', { name: 'Return or ask' }).click()
    await page.getByLabel('Message').fill('Does it fit?')
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/api/checkout/*/tickets', lose, { times: 1 })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: /^Question T-\d+$/ })).toBeVisible()
    const tickets = 'select t._id from tickets t join orders o using (checkout_id) where o._id = $1'
    expect((await pool.query(tickets, [orderId])).rows).toHaveLength(1)

    const late = `update orders set shipped_at = shipped_at - interval '60 days' where _id = $1`
    await pool.query(late, [orderId])
    await page.goto(`/dashboard/order/${orderId}`)
    await page.getByRole('link', { name: 'Return or ask' }).click()
    await expect(page.getByText(/^It could be sent back until /)).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(2)
    await expect(page.getByRole('radio', { name: /^It is faulty/ })).toBeVisible()
    await expect(page.getByRole('radio', { name: /^Ask a question/ })).toBeChecked()
  },
)
