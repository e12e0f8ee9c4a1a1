import type { Locator } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'
import { expect, givePictures, payWith, customerTest as test } from './fixtures.ts'

test('a PC of eight parts takes at most 16 clicks and one card, with Back, a reload, a second tab, a lost hold and a declined card on the way', async ({
  page,
  pool,
  context,
  customer,
}) => {
  const word = `Rig ${crypto.randomUUID().slice(0, 8)}`
  const names = Array.from({ length: 8 }, (_, i) => `${word} part ${i + 1}`)
  for (const name of names) await stockPart(pool, { onHand: 40, price: 100, name })
  await givePictures(pool)
  await havePaid(pool, [customer.email])
  let clicks = 0
  const click = async (what: Locator) => {
    clicks += 1
    await what.click()
  }
  await page.goto(`/parts?q=${encodeURIComponent(word)}`)
  for (const name of names)
    await click(page.getByRole('link', { name: `Add to basket: ${name}`, exact: true }))
  await click(page.getByRole('link', { name: 'Basket, 8 parts' }))
  await expect(page.getByText('Total $800')).toBeVisible()
  await click(page.getByRole('link', { name: 'Book all' }))
  await page.getByLabel('Phone').fill('+1 555 0100')
  await click(page.getByRole('button', { name: 'Book all · $800' }))
  const due = page.getByText('Please pay $800 to confirm order')
  await expect(due).toBeVisible()

  // Back leads to a basket without what was booked, forward to the same payment
  await page.goBack()
  await page.goForward()
  await expect(due).toBeVisible()
  await page.reload()
  await expect(due).toBeVisible()
  const address = page.url()
  const tab = await context.newPage()
  await tab.goto(address)
  await expect(tab.getByText('Please pay $800 to confirm order')).toBeVisible()
  await tab.close()

  const id = address.split('/').at(-1)
  await pool.query(
    `update orders set hold_expires_at = now() - interval '1 second'
     where checkout_id = (select checkout_id from orders where _id = $1)`,
    [id],
  )
  const held = async () => {
    const query = `select count(*)::int as held from orders where hold_expires_at > now()
      and checkout_id = (select checkout_id from orders where _id = $1)`
    return (await pool.query(query, [id])).rows[0].held
  }
  expect(await held()).toBe(0)
  await page.reload()
  await expect(due).toBeVisible()
  await expect.poll(held).toBe(8)

  await payWith(page, '4000 0000 0000 0002')
  await expect(page.getByText(/declined/i)).toBeVisible()
  // another card is not declined yet, though it is as whole as the last one and of its brand
  const card = page.frameLocator('iframe[title*="card" i]')
  await card.locator('[name=cardnumber]').fill('4242 4242 4242 4242')
  await expect(page.getByText(/declined/i)).toHaveCount(0)
  await page.reload()
  clicks += 1
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: messages.paymentCompleted })).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(16)
  const { rows } = await pool.query(
    `select count(distinct transaction_id)::int as payments, count(*)::int as orders from orders
     where status = 'paid' and checkout_id = (select checkout_id from orders where _id = $1)`,
    [id],
  )
  expect(rows).toEqual([{ payments: 1, orders: 8 }])
})
