import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { messages } from '#contracts/messages.ts'
import { atLength, fullOnly } from '#tests/support/length.ts'
import { stockPart } from '#tests/support/stock.ts'
import { book, expect, payWith, refusal, customerTest as test } from './fixtures.ts'

type Booked = { partId: string; name: string; orderId: string }

/** Books three units of a part made for this story. Ends on the payment page. */
async function bookNew(page: Page, pool: Pool): Promise<Booked> {
  const name = `Test part ${crypto.randomUUID().slice(0, 8)}`
  const part = await stockPart(pool, { onHand: 6, price: 1300, name })
  const orderId = await book(page, part, 3)
  await page.goto(`/dashboard/payment/${orderId}`)
  return { partId: part._id, name, orderId }
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay/ })
const card = (page: Page) => page.frameLocator('iframe[title*="card" i]')

/** Ends the order's hold. */
async function endHold(pool: Pool, { orderId }: Booked): Promise<void> {
  await pool.query(
    `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
    [orderId],
  )
  const held = () =>
    pool.query('select from orders where _id = $1 and hold_expires_at is not null', [orderId])
  await expect.poll(async () => (await held()).rowCount).toBe(0)
}

/** Ends the order's hold, and gives the units to another customer. */
async function loseStock(pool: Pool, booked: Booked): Promise<void> {
  const { partId } = booked
  await endHold(pool, booked)
  await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'adjust', -6)`,
    [partId],
  )
}

test('what is paid for is shown; Pay waits for the payment to be opened, and success says what comes next', async ({
  page,
  pool,
  customer,
}) => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route('**/api/create-payment-intent', async (route) => {
    await opened
    await route.continue()
  })
  const { name, orderId } = await bookNew(page, pool)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('Quantity 3 × $1,300')).toBeVisible()
  await expect(page.getByText('Please pay $3,900 to confirm order')).toBeVisible()
  await expect(page.getByText(/^Held for you until \d\d:\d\d$/)).toBeVisible()
  await expect(pay(page)).toBeDisabled()
  await expect(page.getByRole('main').getByText('loading', { exact: true })).toBeVisible()
  open()
  // each opening of this page starts the time anew
  await expect(
    page.getByText(
      /^Each time you open the payment, this time starts anew, until \d\d:\d\d at the latest\.$/,
    ),
  ).toBeVisible()
  await expect(pay(page)).toBeEnabled()
  await payWith(page, '4242424242424242')
  await expect(page.getByText(messages.paymentCompleted)).toBeVisible()
  await expect(page.getByText(/^pi_\w+$/)).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Order details' })).toHaveAttribute(
    'href',
    `/dashboard/order/${orderId}`,
  )
  const message = page.getByRole('main').getByRole('status')
  await expect(message).toContainText(/You paid \$3,900 for order F-\d+/)
  await expect(message).toContainText(`The receipt is in your mail at ${customer.email}`)
  await expect(message).toContainText('We call +1 555 0100 to agree where and when to deliver.')
  await page.reload()
  await expect(page.getByText('paid', { exact: true })).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
})

fullOnly(test)(
  'a card error is shown in the provider’s words, and the card stays to be corrected',
  async ({ page, pool }) => {
    let come = () => {}
    const typed = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route(/sandbox\/stripe\/.*frame\.js/, async (route) => {
      await typed
      await route.continue()
    })
    await bookNew(page, pool)
    // text typed before the card's script loaded is read once it has
    const number = card(page).locator('[name=cardnumber]')
    await number.fill('4242424242424241')
    come()
    await expect(page.getByText('Your card number is invalid.')).toBeVisible()
    await expect(number).toHaveValue('4242 4242 4242 4241')
    await number.fill('4242')
    await pay(page).click()
    await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
    const refused = [
      ['4000000000009995', 'Your card has insufficient funds.'],
      ['4000000000000069', 'Your card has expired.'],
      ['4000000000000127', "Your card's security code is incorrect."],
      [
        '4000000000000119',
        'An error occurred while processing your card. Try again in a little bit.',
      ],
    ] as const
    for (const [number, sentence] of atLength ? refused : refused.slice(0, 1)) {
      await payWith(page, number)
      const message = page.getByRole('main').getByRole('alert').getByText(sentence)
      await expect(message).toBeVisible()
      await expect(card(page).locator('[name=cvc]')).toHaveValue('123')
    }
    await payWith(page, '4242424242424242')
    await expect(page.getByText(messages.paymentCompleted)).toBeVisible()
  },
)

fullOnly(test)(
  'an order whose stock is gone cannot be paid, and says that nothing was charged',
  async ({ page, pool }) => {
    const booked = await bookNew(page, pool)
    // opening the payment renews the hold, so take the stock only after that
    await expect(pay(page)).toBeEnabled()
    await loseStock(pool, booked)
    await page.reload()
    await expect(
      page.getByText(
        'The stock for this order is gone. Nothing was charged; book again when it is back.',
      ),
    ).toBeVisible()
    await expect(pay(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link', { name: 'See the parts' })).toBeVisible()
  },
)

test('after the hold, a new price is paid only once the customer agrees', async ({
  page,
  pool,
}) => {
  const booked = await bookNew(page, pool)
  await expect(pay(page)).toBeEnabled()
  await endHold(pool, booked)
  await pool.query('update parts set price_cents = 140000 where _id = $1', [booked.partId])
  await payWith(page, '4242424242424242')
  const question = page.getByRole('main').getByRole('alert')
  await expect(question).toContainText('The price has changed to $4,200')
  await expect(question).toContainText('It was $3,900')
  await expect(question).toBeFocused()
  await expect(pay(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue with $4,200' }).click()
  await expect(page.getByText('Please pay $4,200 to confirm order')).toBeVisible()
  await expect(page.getByText('Quantity 3 × $1,400')).toBeVisible()
  await payWith(page, '4242424242424242')
  await expect(page.getByText(messages.paymentCompleted)).toBeVisible()
  const { rows } = await pool.query(
    `select amount from payments where checkout_id = (select checkout_id from orders where _id = $1) and status = 'succeeded'`,
    [booked.orderId],
  )
  expect(rows).toEqual([{ amount: 420_000 }])
})

test('a payment that cannot be opened says why and opens on Retry; one that was paid in another window shows it', async ({
  page,
  context,
  pool,
}) => {
  const sentence = 'This order is being paid. Try again when that has ended.'
  await page.route('**/api/create-payment-intent', (route) =>
    route.fulfill(refusal(409, 'PAYMENT_IN_PROGRESS', sentence)),
  )
  const { orderId } = await bookNew(page, pool)
  await expect(page.getByText(sentence)).toBeVisible()
  await page.unroute('**/api/create-payment-intent')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(pay(page)).toBeEnabled()
  const other = await context.newPage()
  await other.goto(page.url())
  await payWith(other, '4242424242424242')
  await expect(other.getByText(messages.paymentCompleted)).toBeVisible()
  await payWith(page, '4242424242424242')
  await expect(page.getByText(/^(paid|congrats! Your payment is completed\.)$/)).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
  const { rows } = await pool.query(
    `select status from payments where checkout_id = (select checkout_id from orders where _id = $1) and status <> 'canceled'`,
    [orderId],
  )
  expect(rows).toEqual([{ status: 'succeeded' }])
})
