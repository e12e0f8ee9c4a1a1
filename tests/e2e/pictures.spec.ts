/** The story of a part's pictures: added several at once and ordered by their owner, looked at closely by a visitor. */
import { drawingAddress } from '#contracts/drawings.ts'
import { photo } from '#tests/support/pictures.ts'
import { partBody } from '#tests/support/stock.ts'
import { expect, ownerTest as test } from './fixtures.ts'

test('an owner adds pictures at once, says what they show and orders them by keyboard; a visitor looks at them closely', async ({
  page,
  owner,
}) => {
  const name = `Bead ${crypto.randomUUID().slice(0, 8)}`
  const part = partBody({ name, kind: 'case', image: drawingAddress('case') })
  const { insertedId } = (await owner.call('POST', '/api/product', part)).body
  const jpeg = async (width: number) => ({
    name: `${width}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await photo(width, 900),
  })
  await page.goto(`/dashboard/products/${insertedId}`)
  await page.getByLabel('Add pictures').setInputFiles([await jpeg(1200), await jpeg(900)])
  await expect(page.getByLabel('Alternative text of picture')).toHaveCount(2)
  await page.getByLabel('Alternative text of picture 1').fill('Its front, with a mesh')
  await page.getByLabel('Alternative text of picture 2').fill('Its back')
  const up = page.getByRole('button', { name: 'Move picture 2 up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Picture 2 is picture 1 now.')).toBeVisible()
  await expect(page.getByLabel('Alternative text of picture 1')).toHaveValue('Its back')
  // the button that moved it went along
  await expect(page.getByRole('button', { name: 'Move picture 1 up' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await expect(page.getByLabel('Alternative text of picture')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Save product' }).click()
  await expect(page.getByText('Product saved')).toBeVisible()

  const { body: saved } = await owner.call('GET', `/api/product/${insertedId}`)
  expect(saved).toMatchObject({
    imageAlt: 'Its back',
    morePictures: [{ alt: 'Its front, with a mesh' }],
  })
  await page.goto(`/part/${saved.number}`)
  await expect(page.getByRole('img', { name: 'Its back' })).toBeInViewport()
  await page.getByRole('link', { name: 'Picture 2 of 2: Its front, with a mesh' }).click()
  const second = page.getByRole('img', { name: 'Its front, with a mesh' })
  await expect(second).toBeInViewport({ ratio: 0.5 })
  await second.click()
  const dialog = page.getByRole('dialog', { name: `Pictures of ${name}` })
  await expect(dialog.getByRole('img', { name: 'Its front, with a mesh' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const shown = dialog.getByRole('img', { name: 'Its back' })
  await expect(shown).toBeVisible()
  const wide = () => shown.evaluate((image) => image.getBoundingClientRect().width)
  const before = await wide()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(wide).toBeCloseTo(2 * before, -1)
  await page.keyboard.press('-')
  await expect.poll(wide).toBeCloseTo(before, -1)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Its front, with a mesh Zoom' })).toBeFocused()
})
