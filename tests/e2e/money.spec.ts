/** The owner's page 'Money': disagreements only, mended with a click, and calm when there is none. */
import type { Pool } from 'pg'
import { bookingOf, call, confirmCard, intentFor, type Person } from '#tests/support/people.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'
import { test as ownerTest } from './owner-test.ts'
import { check, screens } from './screen-check.ts'
import { expect } from './shop-test.ts'

/** A shop whose sweep stands still: what no webhook tells stays unknown until somebody looks. */
const test = ownerTest.extend<object, { shop: ShopProcess }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const shop = await startShop({ SWEEP_SECONDS: '3600' })
      await use(shop)
      await shop.remove()
    },
    { scope: 'worker' },
  ],
})

const control = (origin: string, path: string, body: object) =>
  call(origin, 'POST', `/sandbox/stripe/_sandbox/${path}`, { body })

/** Parts made for stories show a picture that was never there: here they show one of the demo's. */
async function givePictures(pool: Pool): Promise<void> {
  const real = `(select min(image) from parts where image not like '%/none-%')`
  for (const table of ['parts', 'orders'])
    await pool.query(`update ${table} set image = ${real} where image like '%/none-%'`)
}

/** Charged, and nobody is told. */
async function unheard(origin: string, pool: Pool, customer: Person, name: string) {
  const part = await stockPart(pool, { onHand: 9, price: 1999, name })
  await givePictures(pool)
  const payment = await intentFor(customer, await bookingOf(customer, part, { quantity: 2 }))
  const home = await (await fetch(origin)).text()
  const publishableKey = /pk_test_\w+/.exec(home)?.[0] ?? ''
  await control(origin, 'webhooks', { mode: 'drop' })
  await confirmCard({ origin, publishableKey }, payment)
  await control(origin, 'webhooks', { mode: 'normal' })
}

for (const [width, theme] of screens) {
  test.describe(`${width} px, from ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme })

    test('a lost payment is found, mended with a click, and everything agrees', async ({
      page,
      shop,
      pool,
      owner,
      customer,
    }) => {
      test.slow()
      const name = `A part with a rather long name that nobody shortened, ${width} px`
      await unheard(shop.origin, pool, customer, name)
      await page.goto('/dashboard/record')
      await page.getByRole('link', { name: 'Money', exact: true }).click()
      await page.goto('/dashboard/money')
      await expect(page.getByRole('heading', { level: 1, name: 'Money' })).toBeVisible()
      const found = page.getByRole('listitem').filter({ hasText: name })
      await expect(found).toContainText('Paid at the card provider, and not here yet.')
      await expect(found).toContainText('payment open, $3,998; order unpaid')
      await expect(found).toContainText('2 held')
      await check(page, 'a disagreement')
      await page.screenshot({
        path: `${process.env.SHOTS ?? 'test-results'}/money-found-${width}.png`,
        fullPage: true,
      })
      await found.getByRole('button', { name: `Settle: ${name}` }).click()
      await expect(page.getByText('The order is paid now.')).toBeVisible()
      await expect(page.getByText('Everything agrees')).toBeFocused()
      await expect(found).toHaveCount(0)
      await page.goto('/dashboard/money')
      await expect(page.getByText('Everything agrees')).toBeVisible()
      await check(page, 'everything agrees')
      await page.screenshot({
        path: `${process.env.SHOTS ?? 'test-results'}/money-agrees-${width}.png`,
        fullPage: true,
      })
      await control(shop.origin, 'fail-next', { status: 500, count: 20, path: '/payment_intents' })
      await page.getByRole('button', { name: 'Compare again' }).click()
      await expect(page.getByText('The card provider does not answer')).toBeVisible()
      await expect(page.getByText('Everything else agrees')).toBeVisible()
      await control(shop.origin, 'fail-next', { status: 500, count: 0 })
      expect(owner.email).toBeTruthy()
    })
  })
}
