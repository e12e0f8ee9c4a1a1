/** Names and texts that are markup, in every place that a visitor reads. */
import { call } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import { test } from './customer-test.ts'
import { expect } from './shop-test.ts'

const markup = `</script><script>globalThis.taken=1</script><!--<script><img src=x onerror="taken=1">'"&\u2028`

test('stay words: on the page, in its linked data, in a review', async ({ page, pool, shop }) => {
  await stockPart(pool, { onHand: 5, name: markup })
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const review = await call(shop.origin, 'POST', '/api/review', {
    token: `${token}`,
    body: { review: markup, ratings: 5 },
  })
  expect(review.status).toBe(200)
  for (const path of ['/', '/reviews']) {
    await page.goto(path)
    await expect(page.locator('.review-text').first()).toHaveText(markup.trim())
    expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
  }
  await page.goto('/')
  await expect(page.getByRole('heading', { name: markup.slice(0, 40) })).toBeVisible()
  const linked = page.locator('script[type="application/ld+json"]')
  await expect(linked).toHaveCount(1)
  const [, list] = JSON.parse((await linked.textContent()) ?? '')['@graph']
  const names = list.itemListElement.map(({ item }: { item: { name: string } }) => item.name)
  expect(names).toContain(markup)
})
