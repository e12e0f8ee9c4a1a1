/**
 * Everything that a visitor can reach: the navbar, the footer and its pages, Blogs, My portfolio.
 */

import type { Page } from '@playwright/test'
import { fullOnly } from '#tests/support/length.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { stockPart } from '#tests/support/stock.ts'
import { arrive, expect, givePictures, signUp, test } from './fixtures.ts'
import { check } from './screen-check.ts'

const footer = (page: Page) => page.getByRole('contentinfo')
const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('every link of every public page leads to a page with a heading, which the sitemap knows', async ({
  request,
}) => {
  const sitemap = await (await request.get('/sitemaps/pages.xml')).text()
  const paths = new Set(['/'])
  for (const path of paths) {
    const response = await request.get(path)
    expect(response.status(), path).toBe(200)
    const html = await response.text()
    expect(html.match(/<h1[ >]/g), path).toHaveLength(1)
    expect(html, path).toMatch(/<title>[^<]+ · Ferrite<\/title>/)
    expect(sitemap, path).toContain(`${path}</loc>`)
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*? href="([^"]*)"/g)) {
      expect(href, path).toMatch(/^(\/|#\w|mailto:|tel:)/)
      const [target = '', id] = href.split('#')
      const isHere = target === '' || target === path
      if (id && isHere) expect(html, `${path}: ${href} leads to nothing`).toContain(` id="${id}"`)
      // pages that need a login, the basket, sandboxes and parts have their own stories; /home is
      // visited as /, a filtered list without its filter
      if (
        target.startsWith('/') &&
        !/^\/(purchase|basket|dashboard|sandbox|home|part)\b|\?/.test(target)
      )
        paths.add(target)
    }
  }
  expect(paths.size).toBeGreaterThanOrEqual(15)
})

test('a demonstration says what is not real, and shows the mails that it does not send', async ({
  page,
}) => {
  await page.goto('/register')
  const email = await signUp(page)
  await expect(page.getByText('Payments are simulated: no card is charged.')).toBeVisible()
  await page.getByRole('link', { name: 'read them here' }).click()
  await expect(page.getByRole('heading', { name: 'Mailbox' })).toBeVisible()
  await expect(page.getByRole('link', { name: email })).toContainText('Confirm your email address')
})

test('the footer has its three groups and the copyright of this year, also over New Year', async ({
  page,
}) => {
  await page.goto('/terms')
  // the first story of this file follows their links
  for (const group of ['Services', 'Company', 'Legal']) {
    const links = footer(page).getByRole('navigation', { name: group }).getByRole('link')
    await expect(links.first(), group).toBeVisible()
  }
  await expect(footer(page)).toContainText(`© ${new Date().getFullYear()} Ferrite`)
  await page.clock.setFixedTime('2031-01-01T12:00:00Z')
  await page.goto('/about')
  await expect(footer(page)).toContainText('© 2031 Ferrite')
})

test('a new page begins at its top', async ({ page }) => {
  await page.goto('/')
  await footer(page).getByRole('link', { name: 'How booking works' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'How booking works' })).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByText('30 minutes').first()).toBeVisible()
})

test.describe('the navbar', () => {
  test('of a visitor: Home, Blogs, My portfolio, Login; it marks where one is, Home at both of its addresses', async ({
    page,
  }) => {
    for (const [path, name, href] of [
      ['/home', 'Home', '/'],
      ['/blogs', 'Blogs', '/blogs'],
      ['/portfolio', 'My portfolio', '/portfolio'],
      ['/', 'Home', '/'],
    ] as const) {
      await page.goto(path)
      await expect(main(page).getByRole('link', { name })).toHaveAttribute('href', href)
      await expect(main(page).locator('[aria-current=page]')).toHaveText(name)
    }
    const banner = page.getByRole('banner')
    await expect(banner.getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeHidden()
    await expect(banner.getByRole('button', { name: 'Logout' })).toBeHidden()
  })

  fullOnly(test)(
    'of a user: Dashboard, the display name and Logout, which forgets and goes to the login',
    async ({ page }) => {
      await arrive(page, 'Ada Lovelace')
      await page.goto('/home')
      const banner = page.getByRole('banner')
      await expect(main(page).getByRole('link', { name: 'Dashboard' })).toBeVisible()
      await expect(banner.getByText('Ada Lovelace').first()).toBeVisible()
      await expect(banner.getByRole('link', { name: 'Login' })).toBeHidden()
      await banner.getByRole('button', { name: 'Logout' }).click()
      await expect(page).toHaveURL(/\/login$/)
      expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
    },
  )
})

test.describe('the menu on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })

  test('opens by keyboard, closes with Escape and after choosing, and the focus goes along', async ({
    page,
  }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: 'Menu' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(menu(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(menu(page).getByRole('link', { name: 'Home' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await menu(page).getByRole('link', { name: 'Blogs' }).click()
    await expect(page).toHaveURL(/\/blogs$/)
    await expect(menu(page)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

test('Blogs has five answers, My portfolio its sections, and a page that does not exist says so with 404', async ({
  page,
}) => {
  await page.goto('/blogs')
  await expect(
    page.getByRole('heading', { level: 1, name: 'These are some basics of reactJS', exact: true }),
  ).toBeVisible()
  const answers = page.getByRole('article')
  await expect(answers).toHaveCount(5)
  for (const [i, topic] of [
    /performance/,
    /manage state/,
    /prototypal inheritance/,
    /state not be set directly/,
    /unit test/,
  ].entries()) {
    await expect(answers.nth(i).getByRole('heading', { level: 2 })).toHaveText(topic)
    expect(((await answers.nth(i).textContent()) ?? '').length).toBeGreaterThan(500)
  }

  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
  await expect(
    page.getByRole('region', { name: 'Education' }).getByRole('term').first(),
  ).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Skills' }).getByRole('listitem').first(),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Projects' }).getByRole('link')).toHaveCount(3)

  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Error Not found' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('img')).toBeVisible()
})

test('a visitor’s purchase, however it was opened, waits at the login, which says for which part; Login and Sign Up lead to it', async ({
  page,
  context,
  shop,
}) => {
  const pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 4, name: `Marrow ${crypto.randomUUID()}` })
  const soldOut = await stockPart(pool, { onHand: 0, name: `Tibia ${crypto.randomUUID()}` })
  await givePictures(pool)
  await pool.end()
  const content = page.getByRole('main')
  await page.goto(`/purchase/${part._id}`)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect(content.getByText(`Log in to book ${part.name}`)).toBeVisible()
  await expect(content.getByRole('img', { name: part.name })).toBeVisible()
  await check(page, 'login', false)
  await page.reload()
  await expect(content.getByText(`Log in to book ${part.name}`)).toBeVisible()

  const answer = await page.request.get(`/api/parts/${part._id}`)
  const basket = `${(await answer.json()).number}x2,1`
  await page.goto(`/basket?parts=${basket}`)
  await page.getByRole('link', { name: 'Book all' }).click()
  await expect(content.getByText('Log in to book your basket of 2 parts')).toBeVisible()
  await expect(content.getByText(part.name)).toBeVisible()

  await page.goto(`/purchase/${soldOut._id}`)
  await expect(content.getByText(`Log in to wait for ${soldOut.name}`)).toBeVisible()

  await page.goto(`/part/${part._id}`)
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('link', { name: 'Book now' })
      .first()
      .click({ modifiers: ['ControlOrMeta'] }),
  ])
  await expect(tab).toHaveURL('/login')
  const main = tab.getByRole('main')
  await expect(main.getByText(`Log in to book ${part.name}`)).toBeVisible()
  await main.getByRole('link', { name: 'Sign Up', exact: true }).click()
  await expect(main.getByText(`Sign up to book ${part.name}`)).toBeVisible()
  await signUp(tab)
  await expect(tab).toHaveURL(`/purchase/${part._id}`)
  await expect(tab.getByRole('heading', { level: 1, name: part.name })).toBeVisible()
})
