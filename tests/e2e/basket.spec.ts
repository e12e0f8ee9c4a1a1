import type { Page, Route } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { verificationLink } from '#tests/support/people.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'
import {
  arrive,
  expect,
  freshEmail,
  givePictures,
  logIn,
  password,
  payWith,
  customerTest as test,
} from './fixtures.ts'
import { layoutShift } from './screen-check.ts'

const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`

async function numberOf(page: Page, part: Part): Promise<number> {
  const answer = await page.request.get(`/api/parts/${part._id}`)
  return (await answer.json()).number
}
const lineOf = (page: Page, { name }: Part) => page.getByRole('listitem').filter({ hasText: name })

test('parts are added from card, page and comparison, changed, and booked and paid as one', async ({
  page,
  pool,
}) => {
  const word = unique('Bundle')
  const made: Part[] = []
  for (const [i, price] of [30, 120, 45].entries())
    made.push(await stockPart(pool, { onHand: 5, price, name: `${word} ${i + 1}` }))
  const [fan, board, cable] = made as [Part, Part, Part]
  await givePictures(pool)
  await page.goto(`/parts?q=${encodeURIComponent(word)}`)
  await page.getByRole('link', { name: `Add to basket: ${fan.name}` }).click()
  await expect(page.getByRole('link', { name: `${fan.name} is in your basket` })).toBeVisible()
  await expect(page).toHaveURL(/\/parts\?q=/)
  await expect(page.getByRole('link', { name: 'Basket, 1 part' })).toBeVisible()
  await page.goto(`/part/${await numberOf(page, board)}`)
  await page
    .getByRole('link', { name: `Add to basket: ${board.name}` })
    .first()
    .click()
  await page.goto(`/compare?parts=${await numberOf(page, cable)}`)
  await expect(page.getByRole('link', { name: `Book now: ${cable.name}` })).toBeVisible()
  await page.getByRole('link', { name: `Add to basket: ${cable.name}` }).click()
  await page.getByRole('link', { name: 'Basket, 3 parts' }).click()

  await expect(page.getByText('Total $195')).toBeVisible()
  await page.getByRole('link', { name: `One more ${cable.name}` }).click()
  await expect(page.getByText('Total $240')).toBeVisible()
  await page.getByRole('link', { name: `Remove ${fan.name}` }).click()
  await expect(page.getByText('Total $210')).toBeVisible()
  await page.goBack()
  await page.goForward()
  await expect(page.getByText('Total $210')).toBeVisible()

  await page.getByRole('link', { name: 'Book all' }).click()
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByRole('button', { name: 'Book all · $210' }).click()
  await expect(page.getByText('Please pay $210 to confirm order')).toBeVisible()
  // Back books nothing again: it leads to the basket, and forward to this payment
  await page.goBack()
  await expect(page.getByText('Your basket is empty')).toBeVisible()
  await page.goForward()
  await expect(page.getByText('Please pay $210 to confirm order')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Basket', exact: true })).toBeVisible()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: messages.paymentCompleted })).toBeVisible()
})

test('a basket says what changed: the price, the stock, what is sold out and what is gone', async ({
  page,
  pool,
}) => {
  const [dear, few, none, gone] = [
    await stockPart(pool, { onHand: 9, price: 129, name: unique('Dear') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Few') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('None') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Gone') }),
  ]
  await givePictures(pool)
  const numbers: number[] = []
  for (const part of [dear, few, none, gone]) numbers.push(await numberOf(page, part))
  const parts = `${numbers[0]},${numbers[1]}x4,${numbers[2]},${numbers[3]}`
  await page.goto(`/basket?parts=${parts}`)
  await expect(page.getByText('Total $189')).toBeVisible()
  await page.getByRole('link', { name: `Remove ${dear.name}` }).click()
  await expect(page.getByText(`Removed ${dear.name}.`)).toBeVisible()
  // a step, and a reload, leave the way back
  await page.getByRole('link', { name: `One fewer ${few.name}` }).click()
  await expect(page.getByText('Total $50')).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: 'Undo' }).click()
  await expect(lineOf(page, dear)).toBeVisible()
  await page.getByRole('link', { name: `One more ${few.name}` }).click()
  await expect(page.getByText('Total $189')).toBeVisible()
  await expect(page.getByText(`Removed ${dear.name}.`)).toHaveCount(0)
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()

  await pool.query('update parts set price_cents = 11900 where _id = $1', [dear._id])
  const take = `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'adjust', $2, 'lost')`
  await pool.query(take, [few._id, -7])
  await pool.query(take, [none._id, -9])
  await pool.query('update parts set deleted_at = now() where _id = $1', [gone._id])
  await page.goto('/basket')
  await expect(lineOf(page, dear)).toContainText('Price changed from $129 to $119')
  await expect(lineOf(page, few)).toContainText('Only 2 left.')
  await expect(lineOf(page, none)).toContainText('Out of stock.')
  await expect(lineOf(page, none).getByRole('link', { name: 'Join the queue' })).toHaveAttribute(
    'href',
    new RegExp(`/part/${numbers[2]}-`),
  )
  await expect(page.getByText('This part is no longer sold.')).toBeVisible()
  // without what is sold out
  await expect(page.getByText('Total $159')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Book all' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Keep what’s in stock' }).click()
  await expect(page.getByText('Total $139')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Book all' })).toBeVisible()
})

test('a booking of more than is left shows which line is short, and books what is left', async ({
  page,
  pool,
  customer,
}) => {
  const [enough, short, scarce] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('Enough') }),
    await stockPart(pool, { onHand: 7, price: 10, name: unique('Short') }),
    await stockPart(pool, { onHand: 3, price: 5, name: unique('Scarce') }),
  ]
  await givePictures(pool)
  const parts = `${await numberOf(page, enough)},${await numberOf(page, short)}x3`
  await page.goto(`/purchase?parts=${parts},${await numberOf(page, scarce)}x2`)
  await page.getByLabel('Phone').fill('+1 555 0100')
  // a new customer holds no more of a scarce part than one, and is told so before booking
  await expect(lineOf(page, scarce).getByText('For now you can book 1 of it')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Book all · $60' })).toBeDisabled()
  await lineOf(page, scarce).getByRole('link', { name: 'Take 1' }).click()
  await expect(page.getByRole('button', { name: 'Book all · $55' })).toBeEnabled()
  const lost = `insert into stock_movements (part_id, type, on_hand_delta, reason) values ($1, 'adjust', -5, 'lost')`
  // just before the booking arrives
  const loseThem = async (route: Route) => {
    await pool.query(lost, [short._id])
    await route.continue()
  }
  await page.route('**/api/orders', loseThem, { times: 1 })
  await page.getByRole('button', { name: 'Book all · $55' }).click()
  // its button is disabled now
  await expect(lineOf(page, short).getByText(messages.quantityTooHigh)).toBeFocused()
  await lineOf(page, short).getByRole('link', { name: 'Take 1' }).click()
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByRole('button', { name: 'Book all · $35' })).toBeEnabled()
  await havePaid(pool, [customer.email])
  const gone = await stockPart(pool, { onHand: 0, price: 500, name: unique('Gone') })
  await page.goto(`/purchase?parts=${parts},${await numberOf(page, gone)}`)
  await expect(lineOf(page, gone).getByText('Every unit is sold.')).toBeVisible()
  await lineOf(page, gone)
    .getByRole('link', { name: `Remove ${gone.name}` })
    .click()
  await lineOf(page, short).getByRole('link', { name: 'Take 2' }).click()
  await page.getByRole('button', { name: 'Book all · $40' }).click()
  await expect(page.getByText('Please pay $40 to confirm order')).toBeVisible()
})

test('two tabs have one basket, a shared one does not lose the visitor’s own, and it follows the account', async ({
  page,
  pool,
  customer,
  context,
  browser,
  shop,
}) => {
  const [own, other] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('Own') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Other') }),
  ]
  await givePictures(pool)
  const [first, second] = [await numberOf(page, own), await numberOf(page, other)]
  await page.goto(`/basket?parts=${first}`)
  await expect(lineOf(page, own)).toBeVisible()
  const tab = await context.newPage()
  await tab.goto(`/part/${second}`)
  await tab
    .getByRole('link', { name: `Add to basket: ${other.name}` })
    .first()
    .click()
  await expect(lineOf(page, other)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`parts=${first},${second}$`))
  await tab.close()

  const kept = async () => {
    const { rows } = await pool.query(
      'select parts from baskets join users on _id = user_id where email = $1',
      [customer.email],
    )
    return rows[0]?.parts
  }
  await expect.poll(kept).toBe(`${first},${second}`)
  const device = await browser.newContext({ baseURL: shop.origin })
  const phone = await device.newPage()
  await phone.goto('/login')
  await logIn(phone, customer.email, password)
  await expect(phone.getByRole('link', { name: 'Basket, 2 parts' })).toBeVisible()
  await device.close()

  await page.goto(`/basket?parts=${second}x5`)
  await expect(page.getByText('This replaced your basket.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('This replaced your basket.')).toBeVisible()
  expect(await layoutShift(page)).toBeLessThan(0.001)
  // the account had both: the address wins there too
  await expect.poll(kept).toBe(`${second}x5`)
  await expect(page.getByRole('link', { name: 'Basket, 1 part' })).toBeVisible()
  await page.getByRole('link', { name: 'Undo' }).click()
  await expect(lineOf(page, own)).toBeVisible()
  await expect(page.getByText('This replaced your basket.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page.getByRole('link', { name: 'Basket', exact: true })).toBeVisible()
})

test('who has not confirmed the address is told so before booking several parts; the link, wherever it is opened, leads back to the basket', async ({
  page,
  pool,
  browser,
  shop,
}) => {
  const [one, two] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('One') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Two') }),
  ]
  await givePictures(pool)
  const email = await arrive(page, 'Eve New', freshEmail(), { verified: false })
  const [first, second] = [await numberOf(page, one), await numberOf(page, two)]
  await page.goto(`/basket?parts=${first},${second}`)
  await page.getByRole('link', { name: 'Book all' }).click()
  await expect(
    page.getByText('Confirm your email address to book several parts at once.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeVisible()
  const book = page.getByRole('button', { name: 'Book all · $30' })
  await expect(book).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Parts' }).getByText('Total price')).toHaveText(
    'Total price $30',
  )
  expect(await layoutShift(page)).toBeLessThan(0.001)

  const device = await browser.newContext({ baseURL: shop.origin })
  const phone = await device.newPage()
  await phone.goto(await verificationLink(shop.origin, email))
  await phone.getByLabel('Password', { exact: true }).fill(password)
  await phone.getByRole('button', { name: 'Confirm my address' }).click()
  await phone.getByRole('link', { name: 'Book your basket' }).click()
  await expect(phone).toHaveURL(`/purchase?parts=${first},${second}`)
  await phone.getByLabel('Phone').fill('+1 555 0100')
  await expect(phone.getByRole('button', { name: 'Book all · $30' })).toBeEnabled()
  await device.close()
  // the page that waited goes on by itself
  await expect(book).toBeEnabled({ timeout: 15_000 })
})

test('a booking whose response is lost is made once, however often it is sent', async ({
  page,
  pool,
  customer,
}) => {
  const [one, two] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('One') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Two') }),
  ]
  await givePictures(pool)
  await page.goto(`/purchase?parts=${await numberOf(page, one)},${await numberOf(page, two)}`)
  await page.getByLabel('Phone').fill('+1 555 0100')
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/api/orders', lose, { times: 1 })
  await page.getByRole('button', { name: 'Book all · $30' }).click()
  await expect(page.getByText('The shop cannot be reached.')).toBeVisible()
  await page.getByRole('button', { name: 'Book all · $30' }).click()
  await expect(page.getByText('Please pay $30 to confirm order')).toBeVisible()
  const { rows } = await pool.query('select count(*)::int from orders where email = $1', [
    customer.email,
  ])
  expect(rows).toEqual([{ count: 2 }])
})

test('the basket is changed by keyboard, and the focus is never lost', async ({ page, pool }) => {
  const [least, plain] = [
    await stockPart(pool, { onHand: 4, minimum: 2, price: 20, name: unique('Least') }),
    await stockPart(pool, { onHand: 2, price: 10, name: unique('Plain') }),
  ]
  await givePictures(pool)
  const [first, second] = [await numberOf(page, least), await numberOf(page, plain)]
  await page.goto(`/basket?parts=${first}x3,${second}x9`)
  const fewer = page.getByRole('link', { name: `One fewer ${least.name}` })
  const more = page.getByRole('link', { name: `One more ${least.name}` })
  await fewer.press('Enter')
  await expect(page).toHaveURL(`/basket?parts=${first}x2,${second}x9`)
  await expect(fewer).toBeFocused()
  await expect(fewer).toHaveAttribute('aria-disabled', 'true')
  await more.focus()
  // faster than the page follows
  await more.evaluate((link: HTMLElement) => {
    link.click()
    link.click()
  })
  await expect(page).toHaveURL(`/basket?parts=${first}x4,${second}x9`)
  await expect(more).toBeFocused()
  await lineOf(page, plain).getByRole('link', { name: 'Take 2' }).press('Enter')
  await expect(page).toHaveURL(`/basket?parts=${first}x4,${second}x2`)
  await expect(page.getByRole('link', { name: plain.name, exact: true })).toBeFocused()
  await page.getByRole('link', { name: `Remove ${least.name}` }).press('Enter')
  await expect(page).toHaveURL(`/basket?parts=${second}x2`)
  await expect(page.getByRole('heading', { name: 'Basket' })).toBeFocused()
  await page.getByRole('link', { name: `Remove ${plain.name}` }).press('Enter')
  await expect(page.getByText('Your basket is empty')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Basket', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your basket is empty')).toBeVisible()
  await page.getByRole('link', { name: 'Undo' }).press('Enter')
  await expect(page).toHaveURL(`/basket?parts=${second}x2`)
})

test('a basket is shared as a link and as text, and printed', async ({ page, pool, context }) => {
  const [one, two] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('One') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Two') }),
  ]
  await givePictures(pool)
  const path = `/basket?parts=${await numberOf(page, one)},${await numberOf(page, two)}x3`
  await page.goto(path)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(copied).toBe(page.url())
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await expect
    .poll(copied)
    .toBe(`1 × ${one.name}, $20\n3 × ${two.name}, $30\nTotal $50\n${page.url()}`)
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()

  const today = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(lineOf(page, two)).toContainText('Quantity 3')
  await expect(page.getByText('Total $50')).toBeVisible()
  await expect(page.getByText(page.url())).toBeVisible()
  await expect(page.getByText(new RegExp(`^Ferrite.*, ${today}$`))).toBeVisible()
  for (const name of ['Book all', `One more ${two.name}`, `Remove ${two.name}`])
    await expect(page.getByRole('link', { name })).toBeHidden()
  for (const name of ['Copy link', 'Copy as text', 'Print'])
    await expect(page.getByRole('button', { name })).toBeHidden()
  const ink = await page.locator('body').evaluate((body) => getComputedStyle(body).color)
  expect(ink).toBe('rgb(0, 0, 0)')
})

test('a price that changed before the booking is shown with the new total, and booked at it', async ({
  page,
  pool,
}) => {
  const [fixed, dear] = [
    await stockPart(pool, { onHand: 9, price: 20, name: unique('Fixed') }),
    await stockPart(pool, { onHand: 9, price: 10, name: unique('Dear') }),
  ]
  await givePictures(pool)
  const parts = `${await numberOf(page, fixed)},${await numberOf(page, dear)}`
  await page.goto(`/basket?parts=${parts}`)
  await page.getByRole('link', { name: 'Book all' }).click()
  await page.getByLabel('Phone').fill('+1 555 0100')
  await expect(page.getByRole('button', { name: 'Book all · $30' })).toBeEnabled()
  await pool.query('update parts set price_cents = 1500 where _id = $1', [dear._id])
  await page.getByRole('button', { name: 'Book all · $30' }).click()
  await expect(page.getByText('The total price is $35 now.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Basket, 2 parts' })).toBeVisible()
  await page.getByRole('button', { name: 'Book all · $35' }).click()
  await expect(page.getByText('Please pay $35 to confirm order')).toBeVisible()
})

test('screen readers hear how many parts there are, and the 21st is refused', async ({
  page,
  pool,
}) => {
  const part = await stockPart(pool, { onHand: 9, price: 20, name: unique('Twentieth') })
  const last = await stockPart(pool, { onHand: 9, price: 20, name: unique('Last') })
  await givePictures(pool)
  const { parts } = await (await page.request.get('/api/parts?limit=24&stock=in')).json()
  const own = await numberOf(page, part)
  const numbers = parts.map(({ number }: { number: number }) => number)
  const others = numbers.filter((number: number) => number < own).slice(0, 19)
  await page.goto(`/basket?parts=${others}`)
  await expect(page.getByRole('link', { name: 'Basket, 19 parts' })).toBeVisible()
  const add = (name: string) => page.getByRole('link', { name: `Add to basket: ${name}` }).first()
  await page.goto(`/part/${own}`)
  await add(part.name).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Basket, 20 parts' })).toHaveCount(1)
  await expect(
    page.getByRole('link', { name: `${part.name} is in your basket` }).first(),
  ).toBeFocused()
  await page.goto(`/part/${await numberOf(page, last)}`)
  await add(last.name).press('Enter')
  await expect(page.getByText('A basket holds up to 20 parts.')).toBeVisible()
  await page.getByRole('link', { name: 'Basket, 20 parts' }).click()
  await expect(page.getByText('A basket holds up to 20 parts.').first()).toBeVisible()
})
