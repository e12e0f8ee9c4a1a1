/** Lists of parts: filters, chips, more parts in place, and the same without a script. */

import type { Page } from '@playwright/test'
import { atLength } from '#tests/support/length.ts'
import { expect, test } from './fixtures.ts'

const count = (page: Page) => page.locator('.list-bar').getByRole('status')
const cards = (page: Page) => page.locator('.part-card')

test('a visitor chooses by filters, sees more in place, and comes back to the same place', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await page.getByRole('link', { name: /^graphics cards/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Graphics cards' })).toBeFocused()
  const all = await cards(page).count()

  // by keyboard: the focus stays where it was, and no page is loaded
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  const stock = page.getByRole('checkbox', { name: 'In stock' })
  await stock.focus()
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/\/parts\/graphics-card\?stock=in$/)
  await expect(stock).toBeChecked()
  await expect(stock).toBeFocused()
  await expect(count(page)).toContainText(/\d+ (of \d+ )?graphics cards?$/)
  await page.getByLabel('Price from, $').fill('999')
  await expect(page).toHaveURL(/\?price-min=999&stock=in$/)
  await expect(page.getByRole('heading', { name: 'No part has all of this' })).toBeVisible()
  await page.getByRole('link', { name: 'Remove Price: from $999' }).click()
  await expect(page).toHaveURL(/graphics-card\?stock=in$/)
  // the empty list offers the same links
  await expect(page.getByRole('heading', { name: 'No part has all of this' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\/parts\/graphics-card$/)
  await expect(cards(page)).toHaveCount(all)
  await page.goBack()
  await expect(stock).toBeChecked()

  // the rest of a long list
  await page.goto('/parts?sort=price')
  await expect(cards(page)).toHaveCount(24)
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  const more = page.getByRole('link', { name: /^Show \d+ more$/ })
  await expect(more).toHaveAttribute('href', /\?sort=price&after=\d+$/)
  await more.click()
  await expect.poll(() => cards(page).count()).toBeGreaterThan(24)
  const cardCount = await cards(page).count()
  const last = cards(page).nth(24)
  await last.getByRole('heading').getByRole('link').click()
  await expect(page).toHaveURL(/\/part\/\d+-/)
  await page.goBack()
  await expect(cards(page)).toHaveCount(cardCount)
  await expect(last).toBeInViewport()
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('a kind by its name leads to its address', async ({ request }) => {
  const answer = await request.get('/parts/memory%20module?stock=in', { maxRedirects: 0 })
  expect([answer.status(), answer.headers().location]).toEqual([
    301,
    '/parts/memory-module?stock=in',
  ])
})

test('words about what goes together become filters, and words again', async ({
  page,
  request,
}) => {
  const answer = await request.get('/parts?q=cooler+for+9800x3d+under+%24200', { maxRedirects: 0 })
  expect(answer.status()).toBe(302)
  expect(answer.headers().location).toMatch(
    /^\/parts\/tower-cooler\?q=cooler\+for\+9800x3d&as=fits&price-max=200&fits=\d+&only=fits$/,
  )
  await page.goto('/')
  await page.getByRole('textbox', { name: 'Find parts' }).fill('cooler for 9800x3d')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/parts\/tower-cooler\?q=.*&as=fits&fits=\d+&only=fits$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Tower coolers' })).toBeVisible()
  await expect(page.getByRole('main').getByText('What fits Lodestone 7 9800X3D.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Only what fits' })).toBeChecked()
  await page.getByRole('link', { name: 'Liquid coolers', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Liquid coolers' })).toBeVisible()
  await expect(page.getByRole('main').getByText('What fits Lodestone 7 9800X3D.')).toBeVisible()
  // a change of a filter keeps the words
  await page.getByRole('link', { name: 'Remove Only what fits' }).click()
  await expect(page).toHaveURL(/\/parts\/liquid-cooler\?q=.*&as=fits&fits=\d+$/)
  await page.getByRole('link', { name: 'Search for “cooler for 9800x3d” as typed' }).click()
  await expect(page).toHaveURL('/parts?q=cooler+for+9800x3d&as=typed')
  await page.getByRole('link', { name: 'Search for words like them too' }).click()
  await expect(page).toHaveURL(/\/parts\/tower-cooler\?q=/)
})

test('words that no part has are not filters: none is offered for removal', async ({ page }) => {
  await page.goto('/parts?q=qqzzxx&as=typed')
  await expect(page.getByRole('heading', { name: 'No part has all of this' })).toBeVisible()
  await expect(page.getByText('Try other words, or fewer of them.')).toBeVisible()
  await expect(page.getByText(/filters away/)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Clear all' })).toHaveCount(0)
  await page.getByRole('link', { name: 'See all parts' }).click()
  await expect(page).toHaveURL('/parts')
})

test('a tick is seen before its list is asked for, and a second one beside it counts too', async ({
  page,
}) => {
  await page.goto('/parts/graphics-card')
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '')
  const outcome = await page.evaluate(() => {
    let requests = 0
    const { fetch } = window
    window.fetch = (...request) => {
      requests += 1
      return fetch(...request)
    }
    const box = (name: string) =>
      document.querySelector<HTMLInputElement>(`.filters [type=checkbox][name=${name}]`)
    const [stock, memory] = [box('stock'), box('memory_type')]
    stock?.click()
    memory?.click()
    return { stock: stock?.checked, memory: memory?.checked, requests }
  })
  expect(outcome).toEqual({ stock: true, memory: true, requests: 0 })
  await expect(page).toHaveURL(/\?memory_type=\w+&stock=in$/)
  await expect(page.getByRole('list', { name: 'Chosen filters' }).getByRole('link')).toHaveCount(3)
  await expect(page.locator('.list-rows')).toHaveAttribute('aria-busy', 'false')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 } })

  test('the filters are a sheet that says how many parts it leaves', async ({ page }) => {
    await page.goto('/parts/graphics-card')
    const filters = page.getByRole('complementary', { name: 'Filters' })
    await expect(filters).toBeHidden()
    // the first screen is for the first part
    await expect(page.getByLabel('Memory from, GB')).toBeHidden()
    await expect(cards(page).first().getByRole('heading')).toBeInViewport()
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(filters.getByLabel('Memory from, GB')).toBeVisible()
    await filters.getByRole('checkbox', { name: 'In stock' }).check()
    await expect(page).toHaveURL(/stock=in/)
    await filters.getByRole('button', { name: /^Show \d+ parts?$/ }).click()
    await expect(filters).toBeHidden()
    await expect(page.getByRole('link', { name: 'Remove In stock' })).toBeVisible()
  })
})

test('without a connection a part that was not opened yet leaves the list as it is', async ({
  page,
  context,
}) => {
  await page.goto('/parts/fan')
  const part = cards(page).nth(3).getByRole('heading').getByRole('link')
  await part.scrollIntoViewIfNeeded()
  const y = await page.evaluate(() => scrollY)
  await context.setOffline(true)
  await expect(page.getByText('This page stays as it is')).toBeVisible()
  await part.click()
  await expect(page.getByText('That page will open once you’re back online.')).toBeVisible()
  await expect(page).toHaveURL('/parts/fan')
  expect(await page.evaluate(() => scrollY)).toBe(y)
  await context.setOffline(false)
  await expect(page.getByText('You’re offline.')).toHaveCount(0)
  await part.click()
  await expect(page).toHaveURL(/\/part\/\d+-/)
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('the form and the links do the same', async ({ page }) => {
    await page.goto('/parts/motherboard')
    await page.getByRole('checkbox', { name: /^AM5/ }).check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).toHaveURL(/\/parts\/motherboard\?socket=AM5$/)
    await expect(page.getByRole('checkbox', { name: /^AM5/ })).toBeChecked()
    await page.getByRole('link', { name: 'Remove Socket: AM5' }).click()
    await expect(page).toHaveURL(/\/parts\/motherboard$/)
    await page.goto('/parts?sort=price')
    await page.getByRole('link', { name: /^Show \d+ more$/ }).click()
    await expect(page).toHaveURL(/after=\d+$/)
    await page.getByRole('link', { name: 'From the beginning' }).click()
    await expect(page).toHaveURL(/\/parts\?sort=price$/)

    // a reversed price range is swapped
    await page.goto('/parts?price-min=200&price-max=100')
    await expect(page.getByText('Price from $200 to $100 is the wrong way round.')).toBeVisible()
    await page.getByRole('link', { name: 'Price from $100 to $200' }).click()
    await expect(cards(page).first()).toBeVisible()

    if (!atLength) return
    // the typed query is shown beside its interpretation, and filters stay
    await page.goto('/parts?q=marow+under+$90')
    await expect(page).toHaveURL(/\/parts\?q=marow&price-max=90$/)
    await expect(page.getByText('Showing results for marrow.')).toBeVisible()
    await page.getByRole('link', { name: 'Search for marow instead' }).click()
    await expect(page).toHaveURL(/\/parts\?q=marow&as=typed&price-max=90$/)
    await expect(page.getByRole('heading', { name: 'No part has all of this' })).toBeVisible()
    await page.getByRole('checkbox', { name: 'In stock' }).check()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).toHaveURL(/q=marow&as=typed&price-max=90&stock=in$/)
    await page.getByRole('link', { name: 'Search for words like them too' }).click()
    await expect(cards(page).first()).toContainText('Marrow')
  })
  test('four parts are compared on a phone, and what differs alone on demand', async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const { parts } = await (await request.get('/api/parts?kind=graphics-card&limit=4')).json()
    await page.goto(`/compare?parts=${parts.map(({ number }: { number: number }) => number)}`)
    const columns = page.getByRole('columnheader')
    await expect(columns).toHaveCount(4)
    const fields = page.getByRole('rowheader')
    const all = await fields.count()
    await page.getByRole('link', { name: 'Show only what differs' }).click()
    await expect(page).toHaveURL(/&only=differences$/)
    const differing = await fields.count()
    expect(differing).toBeGreaterThan(0)
    expect(differing).toBeLessThan(all)
    const hidden = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(hidden).toBeLessThanOrEqual(0)
    await page.getByRole('link', { name: `Leave out ${parts[0].name}` }).click()
    await expect(columns).toHaveCount(3)
  })
})
