/**
 * The home page of shops that differ from the demo: sold out, without monitors, with many reviews
 * or none.
 */
import { shopDatabase } from '#tests/support/shop-database.ts'
import { expect, test } from './fixtures.ts'

test('a part that is sold out, many reviews and none, a shop without monitors: the home page says it as it is', async ({
  page,
  openShop,
}) => {
  const odd = await openShop()
  const pool = await shopDatabase(odd)
  const { rows } = await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta, reason)
     select _id, 'adjust', -on_hand, 'a test' from parts where kind = 'processor' and on_hand > 0
     returning part_id`,
  )
  const { rows: names } = await pool.query('select name from parts where _id = $1', [
    rows[0].part_id,
  ])
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: names[0].name, exact: true }) })
  await expect(async () => {
    await page.goto(odd.origin)
    await expect(card.getByText('Out of stock')).toBeVisible({ timeout: 500 })
  }).toPass()
  const link = card.getByRole('link', { name: 'Out of stock' })
  await expect(link).toHaveAccessibleName(`Out of stock: ${names[0].name}`)
  await expect(link).toHaveAttribute('href', `/purchase/${rows[0].part_id}`)

  // the newest nine, more on demand, all of them on a separate page
  await pool.query(
    `insert into reviews (name, email, review, ratings, created_at)
     select 'Client ' || n, 'c' || n || '@example.com', 'Text number ' || n, 1 + n % 5, now() + n * interval '1 s'
     from generate_series(1, 12) n`,
  )
  const section = page.getByRole('region', { name: 'Valuable reviews of our clients' })
  const cards = section.getByRole('listitem')
  await expect(async () => {
    await page.goto(odd.origin)
    await expect(cards.first()).toContainText('Text number 12', { timeout: 500 })
  }).toPass()
  await expect(cards).toHaveCount(9)
  await expect(section.getByText('9 of 20 shown')).toBeVisible()
  // until the page's script has loaded, it is a link to all of them
  await expect(async () => {
    await page.goto(odd.origin)
    await section.getByRole('link', { name: 'Show more' }).click()
    await expect(cards).toHaveCount(18, { timeout: 2000 })
  }).toPass()
  await section.getByRole('link', { name: 'Show more' }).click()
  await expect(cards).toHaveCount(20)
  await expect(section.getByRole('link', { name: 'Show more' })).toHaveCount(0)
  await page.goto(`${odd.origin}/reviews`)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(20)

  await pool.query(`update parts set deleted_at = now() where kind = 'monitor'`)
  await pool.query('delete from reviews')
  await expect(async () => {
    await page.goto(odd.origin)
    await expect(page.getByText('No reviews yet')).toBeVisible({ timeout: 500 })
  }).toPass()
  const { rows: first } = await pool.query(
    'select name from parts where deleted_at is null order by position limit 1',
  )
  const best = page.getByRole('region', { name: 'Our pick' })
  await expect(best.getByRole('link', { name: first[0].name, exact: true })).toBeVisible()
  await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta, reason)
     select _id, 'adjust', -on_hand, 'a test' from parts where name = $1`,
    [first[0].name],
  )
  const wait = best.getByRole('link', { name: `Out of stock: ${first[0].name}` })
  await expect(async () => {
    await page.goto(odd.origin)
    await expect(wait).toHaveAttribute('href', /^\/purchase\//, { timeout: 500 })
  }).toPass()
  await pool.end()
})
