import { photo } from '#tests/support/pictures.ts'
import { expect, ownerTest as test } from '../fixtures.ts'

test('the owner says what the shop is; what another admin saves meanwhile is shown, and nothing typed is lost', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('Name of the shop')).toHaveValue('Ferrite')
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await page.getByLabel('Address').fill('1\n2\n3\n4\n5\n6')
  await page.getByLabel('Tax number').fill('GB 123')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Address can have at most 5 lines')).toBeVisible()
  await page.getByLabel('Address').fill('12 Coil Lane\nPortland, OR 97209\nUnited States')

  const { version, settings } = (await owner.call('GET', '/api/settings')).body
  const shop = { ...settings.shop, taxNumber: 'GB 999', openingHours: 'Mon to Fri' }
  expect((await owner.call('PUT', '/api/settings', { version, settings: { shop } })).status).toBe(
    200,
  )
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'What you typed is still here' })
  await expect(
    notice.getByText('Another admin changed these fields in the meantime.'),
  ).toBeVisible()
  await expect(notice.getByText('Tax number: saved is GB 999')).toBeVisible()
  await expect(page.getByLabel('Opening hours')).toHaveValue('Mon to Fri')
  await expect(page.getByLabel('Tax number')).toHaveValue('GB 123')
  // a reload keeps what was typed, shows again what is saved, and accuses nobody
  await page.reload()
  await expect(page.getByLabel('Tax number')).toHaveValue('GB 123')
  await expect(notice.getByText('Tax number: saved is GB 999')).toBeVisible()
  await expect(notice.getByText('Another admin')).toHaveCount(0)
  await page.getByLabel('Home page figures').fill('30 years of kilns')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. It’s now on every page and in every email.')).toBeVisible()
  await expect(page.getByText('Everything is saved.')).toBeVisible()
  await expect(notice).toHaveCount(0)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).click()
  await expect(page.getByText('Tax number: GB 123')).toBeVisible()

  await page.goto('/')
  const summary = page.getByRole('region', { name: 'Business summary' })
  await expect(summary.getByText('30 years of kilns', { exact: true })).toBeVisible()
  await expect(summary.getByText('550+')).toHaveCount(0)

  const now = (await owner.call('GET', '/api/settings')).body
  expect(now.settings.shop).toEqual({
    ...shop,
    taxNumber: 'GB 123',
    figures: '30 years of kilns',
  })
  await owner.call('PUT', '/api/settings', { version: now.version, settings })
})

test('the owner begins with the standard text of a page, previews and saves his own, and can bring it back', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'About us standard text' }).click()
  const text = page.getByLabel('Text', { exact: true })
  await expect(text).toHaveValue(/^## What we promise\n\n.* at least \{hold time\} while you pay/)
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await text.fill('We are **{shop name}**.\n\n## Since 1998\n\n- [Write](/contact)')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('We are Ferrite.')).toBeVisible()
  await expect(preview.getByRole('heading', { name: 'Since 1998' })).toBeVisible()
  // what is typed is still there after a reload
  await page.reload()
  await expect(text).toHaveValue(/Since 1998/)
  await page.getByLabel('Introduction').fill('Three people and a van.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The page has your text.')).toBeVisible()
  await page.getByRole('link', { name: 'See the page' }).click()
  await expect(page.getByText('Three people and a van.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Since 1998' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Write' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()

  await page.goto('/dashboard/settings/texts/about')
  await text.fill('Mine')
  const elsewhere = { version: 1, lead: '', text: 'Theirs' }
  expect((await owner.call('PUT', '/api/texts/about', elsewhere)).status).toBe(200)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').getByText('Another admin saved this text')).toBeVisible()
  await expect(text).toHaveValue('Mine')
  // neither a second try nor a look at another window undoes what was not shown
  await page.getByRole('button', { name: 'Save' }).click()
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').getByText('Another admin saved this text')).toBeVisible()
  await page.reload()
  await expect(text).toHaveValue('Theirs')
  await page.getByRole('button', { name: 'Use the standard text' }).click()
  await page.getByRole('button', { name: 'Use standard text' }).click()
  await expect(page.getByText('The page has the standard text.')).toBeVisible()
  await expect(text).toHaveValue(/^## What we promise/)
})

test('the owner adds a page, finds it in the footer, and removes it', async ({ page, owner }) => {
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Add a page' }).click()
  await page.getByLabel('Title').fill('Build Service')
  await expect(page.getByLabel('Address')).toHaveValue('build-service')
  await page.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByText('Text is required')).toBeVisible()
  await page.getByLabel('Text', { exact: true }).fill('We build your PC and test it.')
  await page.getByRole('button', { name: 'Add page' }).click()
  await expect(page.getByText('“Build Service” is now in the footer.')).toBeVisible()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Build Service' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Build Service' })).toBeVisible()
  await expect(page.getByText('We build your PC and test it.')).toBeVisible()

  await page.goto('/dashboard/settings')
  await page.getByRole('main').getByRole('link', { name: 'Build Service Services' }).click()
  const text = page.getByLabel('Text', { exact: true })
  await expect(text).toHaveValue('We build your PC and test it.')
  await text.fill('Mine')
  const elsewhere = { version: 1, title: 'Build', group: 'Legal', lead: '', text: 'Theirs' }
  expect((await owner.call('PUT', '/api/pages/build-service', elsewhere)).status).toBe(200)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').getByText('Another admin saved')).toBeVisible()
  await expect(text).toHaveValue('Mine')
  await page.reload()
  await expect(text).toHaveValue('Theirs')
  await page.getByRole('button', { name: 'Delete page' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('“Build” has been deleted.')).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Build' })).toHaveCount(0)
  await page.goto('/dashboard/settings/pages/build-service')
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
})

test('the owner puts a slide of his own on the home page, and takes it away', async ({
  page,
  owner: _,
}) => {
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Slide 1 of 3 standard slide' }).click()
  await page.getByLabel('Text (optional)', { exact: true }).fill('We build and test your PC.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('A slide needs a title')).toBeVisible()
  await page.getByLabel('Title').fill('Built for you')
  const picture = { name: 'bench.png', mimeType: 'image/png', buffer: await photo(800, 600) }
  await page.getByLabel('Picture').setInputFiles(picture)
  await expect(page.getByRole('img', { name: 'The chosen one' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your slide is on the home page.')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Built for you' })).toBeVisible()
  await page.goto('/dashboard/settings/slides/1')
  await page.getByRole('button', { name: 'Use the standard slide' }).click()
  await expect(page.getByText('The standard slide is on the home page.')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: /stay honest/ })).toBeVisible()
})
