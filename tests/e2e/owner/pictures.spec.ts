/**
 * Stories about pictures: of one part, added at once, reordered and zoomed; of many parts, from a
 * ZIP.
 */
import { drawingAddress } from '#contracts/drawings.ts'
import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { photo } from '#tests/support/pictures.ts'
import { partBody } from '#tests/support/stock.ts'
import { zipOf } from '#tests/support/workbook.ts'

test('an owner adds pictures at once, says what they show and orders them by keyboard; a visitor looks at them closely', async ({
  page,
  owner,
}) => {
  test.slow()
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
  // pictures are encoded when the processor is idle
  const texts = page.getByLabel('Alternative text for picture')
  await expect(texts).toHaveCount(2, { timeout: 60_000 })
  await page.getByLabel('Alternative text for picture 1').fill('Its front, with a mesh')
  await page.getByLabel('Alternative text for picture 2').fill('Its back')
  const up = page.getByRole('button', { name: 'Move picture 2 up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Picture 2 is now picture 1.')).toBeVisible()
  await expect(page.getByLabel('Alternative text for picture 1')).toHaveValue('Its back')
  // the button that moved it moved along
  await expect(page.getByRole('button', { name: 'Move picture 1 up' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await expect(texts).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  // the pointer drags it below the other, and back
  const grips = page.locator('li:has(label:text("Alternative text")) .cursor-grab')
  const middle = async (at: number) => {
    const box = await grips.nth(at).boundingBox()
    expect(box).not.toBeNull()
    const { x, y, width, height } = box as NonNullable<typeof box>
    return [x + width / 2, y + height / 2] as const
  }
  // near an edge of the window a drag scrolls the page
  await grips.nth(1).evaluate((grip) => grip.scrollIntoView({ block: 'center' }))
  const [first, second] = [await middle(0), await middle(1)]
  await page.mouse.move(...first)
  await page.mouse.down()
  await page.mouse.move(second[0], second[1] + 9, { steps: 5 })
  await expect(page.getByLabel('Alternative text for picture 2')).toHaveValue('Its back')
  await page.mouse.move(first[0], first[1] - 9, { steps: 5 })
  await page.mouse.up()
  await expect(page.getByLabel('Alternative text for picture 1')).toHaveValue('Its back')
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
  const other = page.getByRole('img', { name: 'Its front, with a mesh' })
  await expect(other).toBeInViewport({ ratio: 0.5 })
  await other.click()
  const dialog = page.getByRole('dialog', { name: `Pictures of ${name}` })
  await expect(dialog.getByRole('img', { name: 'Its front, with a mesh' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const backPicture = dialog.getByRole('img', { name: 'Its back' })
  await expect(backPicture).toBeVisible()
  const wide = () => backPicture.evaluate((image) => image.getBoundingClientRect().width)
  const before = await wide()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(wide).toBeCloseTo(2 * before, -1)
  await page.keyboard.press('-')
  await expect.poll(wide).toBeCloseTo(before, -1)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Its front, with a mesh Zoom' })).toBeFocused()
})

test('pictures of a ZIP are added to the parts that their names mean, in the background; a failed one says why and is tried again', async ({
  page,
  owner,
}) => {
  test.slow()
  const id = crypto.randomUUID().slice(0, 8)
  const image = drawingAddress('case')
  for (const sku of [`front-${id}`, `torn-${id}`])
    await owner.call('POST', '/api/product', partBody({ name: sku, sku, kind: 'case', image }))
  const file = `sku,pictureAddress\ntorn-${id},http://127.0.0.1/picture.jpg`
  const named = { 'content-type': 'text/csv' }
  expect((await owner.call('POST', '/api/products/import', file, named)).body.pictures).toBe(1)

  await page.goto('/dashboard/manageProducts/pictures')
  const jpeg = await photo(60, 40)
  const zip = zipOf({
    [`front-${id}.jpg`]: jpeg,
    [`${id}/torn-${id}.jpg`]: jpeg.subarray(0, 200),
    'holiday.jpg': jpeg,
  })
  const upload = { name: 'pictures.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) }
  await page.getByLabel('Pictures or a ZIP of them').setInputFiles(upload)
  await expect(page.getByText('2 pictures for 2 products. Nothing is sent yet.')).toBeVisible()
  await page.getByText('1 file without a product').click()
  await expect(page.getByText('holiday.jpg: No product has that number or name')).toBeVisible()

  const held = Promise.withResolvers<void>()
  await page.route('**/api/picture-queue?*', (route) => held.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Add 2 pictures' }).click()
  await expect(page.getByRole('heading', { name: 'Sending 0 of 2 pictures' })).toBeFocused()
  await page.getByRole('link', { name: 'Manage all products' }).first().click()
  await expect(page.getByRole('heading', { name: 'Manage all products' })).toBeVisible()
  held.resolve()
  await page.getByRole('link', { name: 'Pictures' }).click()
  await expect(page.getByRole('heading', { name: '2 of 2 pictures sent' })).toBeVisible()

  const failed = page.getByRole('row').filter({ hasText: `torn-${id}` })
  // pictures are encoded when the processor is idle
  const summary = page.getByText(/1 picture added in the last day.* 2 pictures failed/)
  await expect(summary).toBeVisible({ timeout: 60_000 })
  await expect(failed.filter({ hasText: 'is damaged' })).toBeVisible()
  await expect(failed.filter({ hasText: '127.0.0.1 is in a private network' })).toBeVisible()
  const again = page.waitForResponse('**/api/picture-queue/retry')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect((await again).status()).toBe(200)
  // the screen may still show the old state: dismissing now would fail later
  await expect
    .poll(async () => (await owner.call('GET', '/api/picture-queue')).body, { timeout: 60_000 })
    .toMatchObject({ waiting: 0, failed: 2 })
  await expect(page.getByText(/none on the way\. 2 pictures failed/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear the list' }).click()
  await expect(failed).toHaveCount(0)
})
