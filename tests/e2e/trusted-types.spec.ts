/** No text becomes HTML or a script in the browser, and the shop's own code never needs that. */
import { expect, test } from './fixtures.ts'

test('what is written into a page as text makes no element and loads no script', async ({
  browser,
  shop,
}) => {
  // refusals are errors in its console
  const context = await browser.newContext({ baseURL: shop.origin })
  const page = await context.newPage()
  await page.goto('/about')
  const refused = await page.evaluate(() => {
    const attempts: Record<string, () => void> = {
      innerHTML: () => {
        document.createElement('div').innerHTML = '<img src="x">'
      },
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>bold</b>'),
      'document.write': () => document.write('<p>'),
      srcdoc: () => {
        document.createElement('iframe').srcdoc = '<p>'
      },
      'a script from elsewhere': () => {
        document.createElement('script').src = 'https://evil.example/x.js'
      },
      'a script of ours': () => {
        document.createElement('script').src = '/assets/x.js'
      },
      'a policy of its own': () => {
        const { trustedTypes } = globalThis as unknown as {
          trustedTypes: { createPolicy: (name: string, rules: object) => void }
        }
        trustedTypes.createPolicy('mine', { createHTML: (text: string) => text })
      },
    }
    return Object.entries(attempts).flatMap(([name, attempt]) => {
      try {
        attempt()
        return []
      } catch {
        return [name]
      }
    })
  })
  expect(refused).toEqual([
    'innerHTML',
    'insertAdjacentHTML',
    'document.write',
    'srcdoc',
    'a script from elsewhere',
    'a script of ours',
    'a policy of its own',
  ])
  await context.close()
})

test('pages that are made in the browser need no such thing, nor does one that fails', async ({
  browser,
  page,
  shop,
}) => {
  await page.goto('/blogs')
  // the home page's structured data is a script element that React creates
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Our parts' })).toBeVisible()
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1)

  const context = await browser.newContext({ baseURL: shop.origin })
  const broken = await context.newPage()
  await broken.goto('/blogs')
  await broken.evaluate(() => {
    // the function that writes the home page's URLs
    String.prototype.normalize = () => {
      throw new Error('broken by the test')
    }
  })
  await broken.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(broken.getByRole('heading', { level: 1 })).toHaveText('Something went wrong')
  await expect(broken.getByRole('contentinfo')).toBeVisible()
  await context.close()
})
