import type { Locator, Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf, verificationLink } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import {
  arrive,
  busyTest,
  endSessionElsewhere,
  expect,
  freshEmail,
  logIn,
  refusal,
  customerTest as test,
} from './fixtures.ts'

const phone = (page: Page) => page.getByLabel('Phone')
const quantity = (page: Page) => page.getByLabel('Quantity', { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: 'Book now' })
const name = () => `Test part ${crypto.randomUUID().slice(0, 8)}`

test.describe('booking', () => {
  test.beforeEach(async ({ page, customer, pool }) => {
    const part = await stockPart(pool, { onHand: 9, price: 1200, minimum: 2, name: name() })
    await page.goto(`/purchase/${part._id}`)
    await expect(page.getByLabel('Email')).toHaveValue(customer.email)
  })

  test('the form says why it asks; what disables the button is shown once, at its field, and described by the button', async ({
    page,
    customer,
  }) => {
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(customer.name)
    for (const label of ['Name', 'Email', 'Total price'])
      await expect(page.getByLabel(label, { exact: true })).toHaveJSProperty('readOnly', true)
    await expect(phone(page)).toHaveAccessibleDescription(
      'We’ll call this number to agree when and where to deliver',
    )
    await expect(page.getByLabel('Total price')).toHaveValue('$2,400')
    const part = await page.getByRole('heading', { level: 1 }).textContent()
    await expect(page).toHaveTitle(`Book ${part} · Ferrite`)
    // a first order must leave some units to others, and the form shows its limit
    await expect(page.getByText('From 2 to 4 for now, of 9 in stock')).toBeVisible()
    await expect(
      page.getByText('The other 5 stay free for others until you have paid.'),
    ).toBeVisible()

    await quantity(page).fill('1')
    await expect(submit(page)).toBeDisabled()
    await expect(submit(page)).toHaveAccessibleDescription(messages.quantityTooLow)
    await expect(page.getByText(messages.quantityTooLow)).toHaveCount(1)
    await expect(page.locator('[aria-live], [role=status], [role=alert]')).toContainText([
      messages.quantityTooLow,
    ])
    const messageCount = await page
      .locator('[aria-live], [role=status], [role=alert]')
      .filter({ hasText: messages.quantityTooLow })
      .count()
    expect(messageCount).toBe(1)
    for (const [typed, sentence] of [
      ['10', messages.quantityTooHigh],
      ['', messages.quantityRequired],
      ['2.5', messages.quantityWhole],
      ['two', messages.quantityWhole],
    ] as const) {
      await quantity(page).fill(typed)
      await expect(page.getByText(sentence).first()).toBeVisible()
      await expect(submit(page)).toBeDisabled()
    }
    await quantity(page).fill('3')
    await expect(submit(page)).toBeEnabled()
    await expect(page.getByLabel('Total price')).toHaveValue('$3,600')
    const [fewer, more] = ['One fewer', 'One more'].map((name) =>
      page.getByRole('button', { name }),
    )
    await fewer?.click()
    await expect(quantity(page)).toHaveValue('2')
    await expect(fewer as Locator).toBeDisabled()
    await more?.click()
    await expect(quantity(page)).toHaveValue('3')
    await submit(page).click()
    await expect(page.getByText(messages.phoneRequired).first()).toBeVisible()
    await phone(page).fill('call me')
    await expect(page.getByText(messages.phoneInvalid).first()).toBeVisible()
    await expect(submit(page)).toBeDisabled()
  })

  fullOnly(test)(
    'a response without an order is an error in the shop’s words, and nothing typed is lost',
    async ({ page }) => {
      await page.route('**/api/order', (route) => route.fulfill({ json: { acknowledged: true } }))
      await phone(page).fill('+1 555 0100')
      await submit(page).click()
      await expect(page.getByText(messages.orderFailed, { exact: true })).toBeVisible()
      await page.unroute('**/api/order')
      await page.route('**/api/order', (route) => route.abort())
      await submit(page).click()
      await expect(page.getByText(messages.orderFailed, { exact: true })).toBeVisible()
      await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
      await page.unroute('**/api/order')
      await expect(phone(page)).toHaveValue('+1 555 0100')
      await submit(page).click()
      await expect(page.getByText(messages.orderBooked)).toBeVisible()
    },
  )

  test('on a phone an error is close under the button, and other messages cover neither', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 390, height: 740 })
    await phone(page).fill('+1 555 0100')
    await context.setOffline(true)
    const banner = page.getByText('You’re offline.')
    await expect(banner).toBeVisible()
    await submit(page).click()
    const message = page.getByRole('main').getByRole('alert')
    await expect(message).toContainText(messages.orderFailed)
    await expect
      .poll(async () => {
        const [button, said, over] = [
          await submit(page).boundingBox(),
          await message.boundingBox(),
          await banner.boundingBox(),
        ]
        if (!button || !said || !over) return 'not there'
        if (said.y - button.y - button.height > 24) return 'far from the button'
        return said.y + said.height > over.y ? 'covered' : 'seen'
      })
      .toBe('seen')
    await context.setOffline(false)
  })

  test('after a login in between the form is as it was left; once booked its draft is removed', async ({
    page,
    customer,
  }) => {
    const { pathname } = new URL(page.url())
    await phone(page).fill('+1 555 0177')
    await quantity(page).fill('4')
    await endSessionElsewhere(page)
    await submit(page).click()
    await expect(page).toHaveURL(/\/login$/)
    await logIn(page, customer.email)
    await expect(page).toHaveURL((url) => url.pathname === pathname)
    await expect(phone(page)).toHaveValue('+1 555 0177')
    await expect(quantity(page)).toHaveValue('4')
    await submit(page).click()
    await expect(page.getByText(messages.orderBooked)).toBeVisible()
    await page.goto(pathname)
    await expect(quantity(page)).toHaveValue('2')
    // as in the previous order
    await expect(phone(page)).toHaveValue('+1 555 0177')
  })

  test('a change of price, stock or part meanwhile is shown, nothing typed is lost, and what is then shown is booked', async ({
    page,
    pool,
  }) => {
    const id = page.url().split('/').at(-1)
    const setPart = (change: string) =>
      pool.query(`update parts set ${change} where _id = $1`, [id])
    const move = (units: number) =>
      pool.query(
        `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'adjust', $2)`,
        [id, units],
      )
    await phone(page).fill('+1 555 0100')
    await setPart('price_cents = 130000')
    await submit(page).click()
    await expect(
      page.getByText('The total price is $2,600 now. Look again before you book.'),
    ).toBeVisible()
    await expect(page.getByLabel('Total price')).toHaveValue('$2,600')
    // after this refetch the page learns nothing more on its own
    await expect(page.getByText('$1,300', { exact: true })).toBeVisible()

    await quantity(page).fill('9')
    await move(-4)
    await submit(page).click()
    await expect(page.getByText(messages.quantityTooHigh).first()).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^5$/ })).toBeVisible()
    await quantity(page).fill('4')
    await move(-5)
    await submit(page).click()
    const message = page.getByRole('main').getByRole('alert')
    await expect(message).toContainText('Another customer was faster, nothing was booked')
    await expect(page.getByText('Out of stock.')).toBeVisible()
    await expect(phone(page)).toHaveValue('+1 555 0100')
    await expect(quantity(page)).toHaveValue('4')
    await expect(submit(page)).toBeDisabled()
    await move(9)
    await page.getByRole('button', { name: 'Look again' }).click()
    await expect(submit(page)).toBeEnabled()

    await setPart('deleted_at = now()')
    await submit(page).click()
    await expect(
      page.getByText('There is no such part. It may have been taken off sale.'),
    ).toBeVisible()
    await setPart('deleted_at = null')
    await page.reload()
    await expect(quantity(page)).toHaveValue('4')
    await expect(page.getByLabel('Total price')).toHaveValue('$5,200')
    await submit(page).click()
    await expect(page.getByText(messages.orderBooked)).toBeVisible()
  })
})

busyTest(
  'without a verified address a second order is refused, the link is offered again, and what was typed stays',
  async ({ page, pool }) => {
    const email = await arrive(page, 'Una Unconfirmed', freshEmail(), { verified: false })
    const part = await stockPart(pool, { onHand: 9, price: 1200, name: name() })
    await page.goto(`/purchase/${part._id}`)
    await phone(page).fill('+1 555 0100')
    await submit(page).click()
    await expect(page.getByText(messages.orderBooked)).toBeVisible()
    await page.goto(`/purchase/${part._id}`)
    await expect(phone(page)).toHaveValue('+1 555 0100')
    await quantity(page).fill('3')
    await submit(page).click()
    const refused = page.getByRole('main').getByRole('alert')
    await expect(refused).toContainText('one unpaid order at a time until your e-mail')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByText(messages.verificationSent)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the mailbox' })).toHaveAttribute(
      'href',
      '/sandbox/mail',
    )
    const link = await verificationLink(new URL(page.url()).origin, email)
    await page.request.get(link)
    await expect(quantity(page)).toHaveValue('3')
    await submit(page).click()
    await expect(page.getByText(messages.orderBooked)).toBeVisible()
  },
)

test('a part that is sold out, does not exist or cannot be loaded cannot be booked, and the page says why', async ({
  page,
  customer,
  pool,
  buyer,
}) => {
  const none = await stockPart(pool, { onHand: 0, name: name() })
  await page.goto(`/purchase/${none._id}`)
  await expect(page.getByText('Out of stock.')).toBeVisible()
  await expect(page.getByText('Every unit is sold.')).toBeVisible()
  await expect(page.getByText(/held/i)).toHaveCount(0)
  const held = await stockPart(pool, { onHand: 1, name: name() })
  await bookingOf(buyer, held)
  await page.goto(`/purchase/${held._id}`)
  await expect(
    page.getByText(/Every unit is sold or held for a customer who is paying/),
  ).toBeVisible()
  const few = await stockPart(pool, { onHand: 3, minimum: 5, name: name() })
  await page.goto(`/purchase/${few._id}`)
  await expect(page.getByText(/Only 3 left, and the minimum order is 5/)).toBeVisible()
  await expect(submit(page)).toHaveCount(0)
  for (const id of [crypto.randomUUID(), 'nonsense']) {
    await page.goto(`/purchase/${id}`)
    await expect(page.getByRole('heading', { name: messages.notFound })).toBeVisible()
    await expect(page.getByRole('link', { name: 'See the parts' })).toBeVisible()
  }
  const part = await stockPart(pool, { onHand: 3, name: name() })
  await page.route('**/api/part/*', (route) => route.fulfill(refusal(429, 'TOO_MANY', 'Too fast.')))
  await page.goto(`/purchase/${part._id}`)
  await expect(page.getByText('Too fast.')).toBeVisible()
  await page.unroute('**/api/part/*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(customer.email)
})

test('on a phone a sold-out part keeps the Wait button in sight, and shows refusals there', async ({
  page,
  pool,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await arrive(page, 'Una Unconfirmed', freshEmail(), { verified: false })
  const part = await stockPart(pool, { onHand: 0, price: 30, name: name() })
  await page.goto(`/part/${part._id}`)
  const join = page.getByRole('button', { name: 'Tell me when it’s back' })
  await expect(join).toBeInViewport({ ratio: 1 })
  await join.click()
  await expect(page.getByText(messages.queueNeedsVerification)).toBeInViewport()
  await page.getByRole('link', { name: 'Continue' }).click()
  await join.click()
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeVisible()
})

test('a customer who waits for a sold-out part sees the place, may leave it, and books what is offered', async ({
  page,
  pool,
  buyer,
}) => {
  const part = await stockPart(pool, { onHand: 0, price: 30, name: name() })
  const first = await buyer.call('POST', '/api/queue', { partId: part._id, quantity: 1 })
  const heading = (text: string) => page.getByRole('heading', { name: text })
  await page.goto(`/part/${part._id}`)
  await expect(page.getByText('You’d be 2nd in line.')).toBeVisible()
  await expect(page.getByText('You can book a single one.')).toHaveCount(0)
  const join = page.getByRole('button', { name: 'Tell me when it’s back' })
  await join.click()
  await expect(page.getByText('You’re 2nd in line, for 1 unit.')).toBeVisible()
  const mine = page.getByRole('link', { name: 'See my place in line' })
  await expect(mine).toBeFocused()
  await mine.click()
  await page.getByRole('button', { name: 'Leave the queue' }).click()
  await expect(page.getByText('You’d be 2nd in line.')).toBeVisible()
  const delivery = `with d as (insert into deliveries (supplier, expected_on, created_by)
      select 'Kiln', '2100-12-03', _id from users where role = 'admin' limit 1 returning _id)
    insert into delivery_lines (delivery_id, part_id, place, quantity) select _id, $1, 1, 12 from d`
  await pool.query(delivery, [part._id])
  await page.reload()
  await expect(page.getByText('12 expected on Friday 3 December')).toBeVisible()
  for (const typed of ['0', '-1', '999999']) {
    await page.getByLabel('How many do you want?').fill(typed)
    await join.click()
    // an order is limited to $999,999
    await expect(page.getByText('You can wait for 1 to 33,333 units').first()).toBeVisible()
  }
  await page.getByLabel('How many do you want?').fill('2')
  await join.click()
  await expect(heading('You’re 2nd in line')).toBeFocused()
  await page.getByRole('button', { name: 'Leave the queue' }).click()
  await expect(heading('Join the queue')).toBeFocused()
  await join.click()
  await expect(heading('You’re 2nd in line')).toBeVisible()
  await expect(page.getByText('12 expected on Friday 3 December')).toBeVisible()
  await page.goto('/dashboard/myOrders')
  await expect(page.getByText('12 expected on Friday 3 December')).toBeVisible()

  await buyer.call('DELETE', `/api/queue/${first.body._id}`)
  await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 1)`,
    [part._id],
  )
  await page.goto('/dashboard/myOrders')
  const row = page.getByRole('listitem').filter({ hasText: part.name })
  await expect(row).toContainText(/Set aside for you: 1 unit 1[12] h \d+ min left/)
  await row.getByRole('link', { name: 'Book it now' }).click()
  await expect(heading('It’s set aside for you')).toBeVisible()
  await expect(page.getByText('Out of stock.')).toHaveCount(0)
  await phone(page).fill('+1 555 0100')
  await page.getByRole('button', { name: 'Book it now' }).click()
  await expect(page).toHaveURL(/\/dashboard\/payment\//)
  await expect(page.getByText('Please pay $30 to confirm order')).toBeVisible()
})
