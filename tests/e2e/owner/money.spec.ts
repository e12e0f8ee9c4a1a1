/**
 * The owner's page 'Money': it lists only issues, repairs them with a click, and is empty without
 * any.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { enterAs, expect, givePictures, payUnheard, refusal, test } from '#tests/e2e/fixtures.ts'
import { atLength } from '#tests/support/length.ts'
import { controlSandbox, login, register } from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { stockPart } from '#tests/support/stock.ts'

test('a lost payment is found and repaired with a click; so is one that another admin has repaired; an outage is shown', async ({
  browser,
  openShop,
}) => {
  test.slow()
  // events without a webhook stay unknown until a reconciliation
  const shop = await openShop({ JOB_SECONDS: '3600' })
  const pool = await shopDatabase(shop)
  const buyer = await register(shop.origin)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const page = await browser.newPage({ baseURL: shop.origin })
  await enterAs(page, owner)
  const name = 'A part that was paid'
  await payUnheard(shop, pool, buyer, name)
  await givePictures(pool)
  const { _id } = await stockPart(pool, { onHand: 5, name: 'Miscounted part' })
  await givePictures(pool)
  const addPastTheShop = (more: number) =>
    pool.query(
      `alter table parts disable trigger user; update parts set on_hand = on_hand + ${more} where _id = '${_id}';
      alter table parts enable trigger user`,
    )
  await addPastTheShop(3)
  await page.goto('/dashboard/money')
  await expect(page.getByRole('heading', { level: 1, name: 'Money' })).toBeVisible()
  const found = page.getByRole('listitem').filter({ hasText: name })
  await expect(found).toContainText('Paid at the card provider, and not here yet.')
  await expect(found).toContainText('payment open, $3,998; order unpaid')
  await expect(found).toContainText('2 held')
  const byHand = page.getByRole('listitem').filter({ hasText: 'Miscounted part' })
  await expect(byHand).toContainText('5 on hand, 0 reserved')
  await expect(byHand).toContainText('Set the counters to the ledger')
  await expect(byHand.getByRole('button')).toHaveCount(0)

  const repairs: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/money/repair')) repairs.push(request.method())
  })
  await found.getByRole('button', { name: `Settle the payment: ${name}` }).dblclick()
  await expect(page.getByText('The order is paid now.')).toBeVisible()
  await expect(page.getByText('1 issue', { exact: true })).toBeFocused()
  await expect(found).toHaveCount(0)
  expect(repairs).toEqual(['POST'])
  await addPastTheShop(-3)
  await page.goto('/dashboard/money')
  const books = page.getByRole('region', { name: 'For your books' })
  await expect(books.getByText('1 payment', { exact: true })).toBeVisible()
  await expect(books.getByText('$3,998').first()).toBeVisible()
  await expect(books.getByText('-$116.24')).toBeVisible()
  const [months] = await Promise.all([
    page.waitForEvent('download'),
    books.getByRole('button', { name: 'Export months' }).click(),
  ])
  expect(await readFile(await months.path(), 'utf8')).toMatch(
    /^\d{4}-\d\d,card fees,.*,USD,,,,116\.24\r$/m,
  )
  await page.goto('/dashboard/audit')
  const line = page.getByRole('row').filter({ hasText: name })
  await expect(line).toContainText(owner.email)
  await expect(line).toContainText('repair made')
  await page.goto('/dashboard/money')
  await expect(page.getByText('Everything matches')).toBeVisible()

  if (atLength) {
    await payUnheard(shop, pool, buyer, 'Settled by two')
    await givePictures(pool)
    const second = await browser.newPage({ baseURL: shop.origin })
    await enterAs(second, owner)
    const settle = (of: Page) =>
      of.getByRole('button', { name: 'Settle the payment: Settled by two' }).click()
    for (const of of [page, second]) {
      await of.goto('/dashboard/money')
      await expect(of.getByText('1 issue', { exact: true })).toBeVisible()
    }
    await settle(page)
    await expect(page.getByText('The order is paid now.')).toBeVisible()
    await settle(second)
    await expect(second.getByText('The order is paid.', { exact: true })).toBeVisible()
    await expect(second.getByText('Everything matches')).toBeVisible()
    await second.close()
  }

  await payUnheard(shop, pool, buyer, 'Settled later')
  await givePictures(pool)
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(page.getByText('1 issue', { exact: true })).toBeVisible()
  await controlSandbox(shop.origin, 'fail-next', {
    status: 500,
    count: 1000,
    path: '/payment_intents',
  })
  await page.getByRole('button', { name: 'Settle the payment: Settled later' }).click()
  await expect(
    page.getByText(/The card provider does not answer\. Try again in a minute/),
  ).toBeVisible()
  await expect(page.getByText('Everything else matches')).toBeVisible()
  await expect(page.getByText(/payments couldn’t be\s+compared/)).toBeVisible()
  await page.goto('/blogs')
  await page.goto('/dashboard/money')
  await expect(page.getByText('Everything else matches')).toBeVisible()
  await controlSandbox(shop.origin, 'fail-next', { status: 500, count: 0 })

  const refused = refusal(429, 'TOO_MANY', 'Too fast.')
  await page.route('**/api/money', (route) => route.fulfill(refused))
  await page.goto('/dashboard/money')
  await expect(page.getByText('Too fast.')).toBeVisible()
  await page.unroute('**/api/money')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('1 issue', { exact: true })).toBeVisible()
  await pool.end()
  await page.close()
})
