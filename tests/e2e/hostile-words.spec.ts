/** Names and texts that contain markup, in every place that a visitor reads. */
import { atLength } from '#tests/support/length.ts'
import { call } from '#tests/support/people.ts'
import { stockPart } from '#tests/support/stock.ts'
import { expect, customerTest as test } from './fixtures.ts'

const markup = `</script><script>globalThis.taken=1</script><!--<script><img src=x onerror="taken=1">'"&\u2028`

test('stay text: on the page, in its structured data, in a review', async ({
  page,
  pool,
  shop,
}) => {
  const part = await stockPart(pool, { onHand: 5, name: markup })
  // the home page shows the first parts
  await pool.query('update parts set position = 0 where _id = $1', [part._id])
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
  await page
    .getByRole('heading', { name: markup.slice(0, 40) })
    .getByRole('link')
    .click()
  await expect(page).toHaveURL(/\/part\/\d+-script/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(markup.trim())
  await page.reload()
  const [product] = JSON.parse((await linked.textContent()) ?? '')['@graph']
  expect(product.name).toBe(markup)
  expect(await page.evaluate(() => 'taken' in globalThis)).toBe(false)
})

test('stay text on the pages of their author and of admins', async ({
  page,
  pool,
  shop,
  customer,
}) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    return dialog.dismiss()
  })
  const mark = `<img src=x onerror=alert(1)>"'\u2028{{7*7}}`
  const part = await stockPart(pool, { onHand: 5, name: `Part ${mark}` })
  await pool.query('update parts set description = $1 where _id = $2', [mark, part._id])
  await pool.query('update users set name = $1 where email = $2', [mark, customer.email])
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const as = (method: string, path: string, body: object) =>
    call(shop.origin, method, path, { token: `${token}`, body })
  const profile = {
    education: mark,
    location: mark,
    phone: '+1 555 0100',
    linkedIn: 'https://linkedin.com/in/a',
  }
  expect((await as('PUT', `/api/profile/${customer.email}`, profile)).status).toBe(200)
  for (const linkedIn of [
    'javascript:alert(1)',
    'JaVa\tScRiPt:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://linkedin.com.evil.example/in/a',
    'https://evil.example@linkedin.com.evil.example/',
  ])
    expect(
      (await as('PUT', `/api/profile/${customer.email}`, { ...profile, linkedIn })).status,
    ).toBe(400)
  const booking = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  const { insertedId } = (await as('POST', '/api/order', booking)).body
  await pool.query(`update users set role = 'admin', email_verified = true where email = $1`, [
    customer.email,
  ])
  // the gate checks one screen of each: the profile, the order, the users, the product
  const elsewhere = [
    `/purchase/${part._id}`,
    '/dashboard/overview',
    '/dashboard/manageProducts?q=onerror',
    '/dashboard/manageOrders?q=onerror',
  ]
  for (const path of [
    '/dashboard',
    `/dashboard/order/${insertedId}`,
    '/dashboard/users',
    `/dashboard/products/${part._id}`,
    ...(atLength ? elsewhere : []),
  ]) {
    await page.goto(path)
    await expect(
      page.getByText('<img src=x').or(page.locator('input[value*="<img"], textarea')).first(),
    ).toBeAttached()
    await expect(page.locator('img[src="x"]')).toHaveCount(0)
  }
  expect(dialogs).toEqual([])
})
