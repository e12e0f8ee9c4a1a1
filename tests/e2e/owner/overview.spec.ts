import { money } from '#contracts/money.ts'
import { Overview } from '#contracts/overview.ts'
import { expect, refusal, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { bookingOf, type Person } from '#tests/support/people.ts'
import { adjustStock, stockPart } from '#tests/support/stock.ts'

const unique = (word: string) => `${word} ${crypto.randomUUID().slice(0, 8)}`
const figuresOf = async (owner: Person) =>
  Overview.parse((await owner.call('GET', '/api/overview')).body)

// the shop's days are not the browser's
test.use({ timezoneId: 'Pacific/Kiritimati' })

test('the owner’s first page: what was sold shows in figures, charts and table, and each list leads on', async ({
  page,
  pool,
  owner,
  buyer,
  sell,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  const charts = () => scripts.filter((url) => url.includes('charts')).length
  const sold = await stockPart(pool, { onHand: 6, price: 4999, name: unique('Sold') })
  // before the demo's sold-out parts, of which the panel shows the first
  await pool.query('update parts set position = 0 where _id = $1', [sold._id])
  const held = await stockPart(pool, { onHand: 9, price: 25, name: unique('Held') })
  await sell(sold, 3)
  await adjustStock(pool, sold, -3)
  const hold = await bookingOf(buyer, held, { quantity: 2 })
  // no other hold ends sooner
  await pool.query(
    `update orders set hold_expires_at = now() + interval '4 minutes' where _id = $1`,
    [hold],
  )
  await page.goto('/dashboard/manageOrders')
  await expect(page.getByRole('row').filter({ hasText: sold.name })).toBeVisible()
  expect(charts()).toBe(0)

  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused()
  await expect(page).toHaveTitle('Overview · Ferrite')
  await expect(page.getByText('Days start at midnight in UTC.')).toBeVisible()
  const { version } = await (await page.request.get('/healthz')).json()
  await expect(page.getByText(`Version ${version}`, { exact: true })).toBeVisible()
  const { periods, days, toShip } = await figuresOf(owner)
  const today = page.getByRole('region', { name: 'Today' })
  await expect(
    today.getByText(money(periods[0]?.now.revenue ?? 0, 'USD'), { exact: true }),
  ).toBeVisible()
  await expect(today).toContainText('more than by this time yesterday')
  for (const name of ['Last 7 days', 'Last 30 days'])
    await expect(page.getByRole('region', { name })).toContainText('Paid share')

  const chart = page.getByRole('application', { name: /^Revenue per day/ })
  await chart.focus()
  for (let pressed = 0; pressed < 30; pressed += 1) await page.keyboard.press('ArrowRight')
  const last = days.at(-1)
  const message = page.getByRole('status').filter({ hasText: money(last?.revenue ?? 0, 'USD') })
  await expect(message).toBeVisible()
  expect(charts()).toBe(1)
  await page.getByText('The numbers of both charts as a table').click()
  const rows = page.getByRole('table', { name: /^Orders and revenue per day/ }).getByRole('row')
  await expect(rows).toHaveCount(31)
  await expect(rows.nth(1).getByRole('cell')).toHaveText([
    `${last?.orders}`,
    `${last?.paid}`,
    money(last?.revenue ?? 0, 'USD'),
  ])

  const panel = (name: string) => page.getByRole('region', { name })
  await expect(panel('Best sellers')).toContainText(sold.name)
  const lapsing = panel('Holds about to expire').getByRole('listitem').first()
  await expect(lapsing).toContainText(held.name)
  await expect(lapsing).toContainText(/expires in\s*[34] minutes/)
  const scarce = panel('Low stock').getByRole('listitem').filter({ hasText: sold.name })
  await expect(scarce).toContainText('0 left')
  await panel('Low stock')
    .getByRole('link', { name: /sold out$/ })
    .click()
  await expect(page).toHaveURL(/manageProducts\?state=sold-out/)
  await expect(page.getByRole('row').filter({ hasText: sold.name })).toBeVisible()
  await page.goBack()
  const all = 'See all unpaid orders, with expired holds'
  await panel('Holds about to expire').getByRole('link', { name: all }).click()
  await expect(page).toHaveURL(/status=unpaid/)
  await expect(page).toHaveTitle('Manage all orders · Ferrite')
  await expect(page.getByRole('row').filter({ hasText: held.name })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: `Ship ${toShip.total} order` }).click()
  await expect(page).toHaveURL('/dashboard/toShip')
  await expect(page.getByRole('listitem').filter({ hasText: sold.name }).first()).toBeVisible()
})

fullOnly(test)('figures that cannot be loaded come on Retry', async ({ page, owner: _ }) => {
  await page.route('**/api/overview', (route) =>
    route.fulfill(refusal(429, 'TOO_MANY', 'Too fast.')),
  )
  await page.goto('/dashboard/overview')
  const failed = page.getByRole('main').getByRole('alert').filter({ hasText: 'Too fast.' })
  await expect(failed).toBeVisible()
  await page.unroute('**/api/overview')
  await failed.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Days start at midnight')).toBeVisible()
})
