/**
 * Without JavaScript nothing waits forever, nothing that cannot work is shown, and all public
 * content is there.
 */
import { orderFields, orderFieldsWith } from '#contracts/orders.ts'
import { expect, test } from './fixtures.ts'

test.use({ javaScriptEnabled: false })

test('what needs JavaScript says so, instead of loading forever, and accepts no password', async ({
  page,
}) => {
  const sentence = page.locator('main noscript p')
  for (const path of ['/dashboard', '/purchase/any']) {
    await page.goto(path)
    await expect(sentence).toContainText('This page needs JavaScript.')
    await expect(sentence).toBeVisible()
    await expect(page.getByRole('status')).toBeHidden()
  }
  for (const { path, heading, needs, link } of [
    {
      path: '/login',
      heading: 'Login',
      needs: 'Logging in needs JavaScript.',
      link: 'New here? Create new account',
    },
    {
      path: '/register',
      heading: 'Sign Up',
      needs: 'Signing up needs JavaScript.',
      link: 'Already have an account? Please login',
    },
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect(sentence).toBeVisible()
    await expect(sentence).toContainText(needs)
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
    await expect(page.locator('main input:visible')).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await page.getByRole('link', { name: link }).click()
    await expect(page).not.toHaveURL(new RegExp(`${path}$`))
  }
})

test('every section of the home page is there, its carousel goes round, and the theme switch is not there', async ({
  page,
}) => {
  await page.goto('/')
  await expect(
    page.getByRole('navigation').getByRole('link', { name: 'Blogs' }).first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Theme/ })).toHaveCount(0)
  for (const name of [
    'Our parts',
    /^(Our pick|Best-selling product)$/,
    'Valuable reviews of our clients',
    'Business summary',
    'Contact',
  ]) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  await expect(page.getByRole('img', { name: '2 of 5 stars' })).toBeVisible()
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading') })
  expect(await cards.count()).toBeGreaterThanOrEqual(12)
  await expect(cards.first().getByText(/^\$[\d,]+$/)).toBeVisible()
  const picture = cards.first().getByRole('img')
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('link', { name: /^Book now/ }).first()).toHaveAttribute(
    'href',
    /\/purchase\//,
  )

  const carousel = page.getByRole('region', { name: 'What Ferrite is' })
  for (const number of [2, 3, 1]) {
    await carousel.getByRole('link', { name: 'Next slide' }).click()
    await expect(page).toHaveURL(new RegExp(`#slide${number}$`))
    await expect(page.locator(`#slide${number}`)).toBeInViewport({ ratio: 0.5 })
  }
  await carousel.getByRole('link', { name: 'Previous slide' }).click()
  await expect(page.locator('#slide3')).toBeInViewport({ ratio: 0.5 })
})

test('the text pages are whole in the HTML', async ({ request }) => {
  for (const path of ['/returns', '/contact', '/privacy', '/blogs', '/portfolio', '/reviews']) {
    const html = await (await request.get(path)).text()
    const [, main = ''] = /<main\b[^>]*>(.*)<\/main>/s.exec(html) ?? []
    const words = main.replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]+>/gs, '')
    expect(words.length, path).toBeGreaterThan(400)
  }
})

test('the privacy text names what an order keeps of a person', async ({ page }) => {
  await page.goto('/privacy')
  const ofOrders = page.getByRole('listitem').filter({ hasText: 'Your orders:' })
  for (const field of orderFieldsWith('personal'))
    await expect(ofOrders).toContainText(orderFields[field].personal.words)
})

test('a part is put into the basket, and more of it', async ({ page, request }) => {
  const { parts } = await (await request.get('/api/parts?limit=24&stock=in')).json()
  const part = parts.find(
    ({ availableQuantity, minimumOrderQuantity }: Record<string, number>) =>
      Number(availableQuantity) > Number(minimumOrderQuantity),
  )
  await page.goto('/basket')
  await expect(page.getByText('Your basket is empty')).toBeVisible()
  await page.goto(`/part/${part.number}`)
  await page
    .getByRole('link', { name: `Add to basket: ${part.name}` })
    .first()
    .click()
  await expect(page.getByRole('link', { name: part.name, exact: true })).toBeVisible()
  await page.getByRole('link', { name: `One more ${part.name}` }).click()
  await expect(page.locator('main noscript p')).toContainText('starts a new basket')
  const quantity = part.minimumOrderQuantity + 1
  await expect(page).toHaveURL(`/basket?parts=${part.number}x${quantity}`)
  await expect(page.getByRole('link', { name: 'Book all' })).toHaveAttribute(
    'href',
    `/purchase?parts=${part.number}x${quantity}`,
  )
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await page.getByRole('link', { name: `Remove ${part.name}` }).click()
  await expect(page.getByText('Your basket is empty')).toBeVisible()
})
