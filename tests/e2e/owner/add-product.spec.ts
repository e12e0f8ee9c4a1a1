/** Stories about adding a part: its form, and above all its picture. */
import type { Locator, Page } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { photo } from '#tests/support/pictures.ts'

const jpeg = (buffer: Buffer, name = 'photo.jpg') => ({ name, mimeType: 'image/jpeg', buffer })

async function fill(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Description').fill('A fan that glows in the dark.')
  await page.getByLabel('Price').fill('49')
  await page.getByLabel('Available quantity').fill('10')
  await page.getByLabel('Minimum order quantity').fill('2')
}

/** Drops or pastes a file. */
async function bring(target: Locator, event: 'drop' | 'paste', bytes: Buffer): Promise<void> {
  await target.evaluate(
    (element, { event, base64 }) => {
      const data = new DataTransfer()
      const raw = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      data.items.add(new File([raw], 'brought.jpg', { type: 'image/jpeg' }))
      const options = { bubbles: true, cancelable: true }
      const happening =
        event === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data })
      element.dispatchEvent(happening)
    },
    { event, base64: bytes.toString('base64') },
  )
}

/** Encoding yields to everything else on the machine. */
const seeUploaded = (page: Page) =>
  expect(page.getByText('Picture uploaded.')).toBeVisible({ timeout: 60_000 })

test.beforeEach(async ({ page, owner }) => {
  expect(owner.token).toBeTruthy()
  await page.goto('/dashboard/addProduct')
  await expect(page.getByRole('heading', { level: 1, name: 'Add a product' })).toBeVisible()
})

test('a double click adds one part, whose link leads to its own page, and whose picture comes in the newest form', async ({
  page,
  context,
  browser,
  shop,
}) => {
  const elsewhere = await (await browser.newContext({ baseURL: shop.origin })).newPage()
  await fill(page, 'Afterglow 120')
  await page.getByLabel('Image').setInputFiles(jpeg(await photo()))
  await expect(page.getByRole('img', { name: 'The chosen picture' })).toBeVisible()
  await seeUploaded(page)
  await page.getByRole('button', { name: 'Add product' }).dblclick()
  await expect(page.getByText(messages.partAdded)).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page.getByText('Choose a picture')).toBeVisible()
  await page.getByRole('link', { name: 'change it' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Afterglow 120' })).toBeVisible()
  await expect(page).toHaveTitle('Change Afterglow 120 · Ferrite')
  await expect(page.getByText(/it cannot be booked/)).toHaveCount(0)
  await page.getByLabel('Minimum order quantity').fill('11')
  await expect(page.getByText(/With 10 available and a minimum order of 11 /)).toBeVisible()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the picture’s address' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  await expect(page.getByText(`Picture address, for CSV files: ${copied}`)).toBeVisible()

  await elsewhere.goto('/parts?sort=newest')
  const card = elsewhere
    .getByRole('listitem')
    .filter({ has: elsewhere.getByRole('heading', { name: 'Afterglow 120' }) })
  await expect(card).toHaveCount(1)
  const picture = card.getByRole('img')
  await picture.scrollIntoViewIfNeeded()
  const readSource = () => picture.evaluate((image: HTMLImageElement) => image.currentSrc)
  await expect.poll(readSource).toMatch(/\.avif$/)
  await elsewhere.context().close()
})

test('a file that cannot be a picture is refused before anything is sent; a failed upload continues with Retry', async ({
  page,
}) => {
  const uploadMethods: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/image')) uploadMethods.push(request.method())
  })
  const image = page.getByLabel('Image')
  await image.setInputFiles(jpeg(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))
  await expect(
    page.getByText('This isn’t a JPEG, PNG or WebP picture. Choose another file.'),
  ).toBeVisible()
  await image.setInputFiles(jpeg((await photo()).subarray(0, 300)))
  await expect(page.getByText(/picture is damaged/)).toBeVisible()
  expect(uploadMethods).toEqual([])

  await page.route('**/api/image', (route) => route.abort('connectionfailed'))
  await image.setInputFiles(jpeg(await photo()))
  await expect(
    page.getByText('The shop cannot be reached. Check your connection and try again.'),
  ).toBeVisible()
  await fill(page, 'Retried fan')
  await page.getByRole('button', { name: 'Add product' }).click()
  await expect(page.getByText(/This picture was not uploaded|cannot be reached/)).toBeVisible()
  await page.unroute('**/api/image')
  await page.getByRole('button', { name: 'Retry' }).click()
  await seeUploaded(page)
  expect(uploadMethods).toEqual(['POST', 'POST'])
})

fullOnly(test)(
  'pressed while its picture is on the way, Add product waits for it, says so, and then goes',
  async ({ page }) => {
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>()
    await page.route('**/api/image', async (route) => {
      await allowed
      await route.continue()
    })
    const image = page.getByLabel('Image')
    await image.setInputFiles(jpeg(await photo()))
    const add = page.getByRole('button', { name: 'Add product' })
    await add.click()
    await expect(page.getByText('Name is required', { exact: true })).toBeVisible()
    // it is being uploaded
    await expect(page.getByText('Image is required', { exact: true })).toBeHidden()
    await fill(page, 'Patient fan')
    await add.click()
    const waiting = page.getByRole('button', { name: 'Waiting for the picture…' })
    await expect(waiting).toBeFocused()
    await expect(
      page.getByText('The product is added as soon as its picture is uploaded.'),
    ).toBeVisible()
    allow()
    await expect(page.getByText(messages.partAdded)).toBeVisible()
    await page.getByRole('link', { name: 'change it' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Patient fan' })).toBeVisible()

    // the same on the form of an existing part
    const { promise: again, resolve: allowAgain } = Promise.withResolvers<void>()
    await page.unroute('**/api/image')
    await page.route('**/api/image', async (route) => {
      await again
      await route.continue()
    })
    await image.setInputFiles(jpeg(await photo(640, 480)))
    await page.getByRole('button', { name: 'Save product' }).click()
    await expect(waiting).toBeVisible()
    allowAgain()
    await expect(page.getByText('Product saved')).toBeVisible()
  },
)

test('an upload can be cancelled; pictures are dropped and pasted; what was typed is there after a reload', async ({
  page,
}) => {
  let held = () => {}
  const uploadRequest = new Promise<void>((resolve) => {
    held = resolve
  })
  await page.route('**/api/image', () => held())
  await page.getByLabel('Image').setInputFiles(jpeg(await photo()))
  await uploadRequest
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  await fill(page, 'Dropped fan')
  await page.getByRole('button', { name: 'Add product' }).click()
  await expect(page.getByRole('button', { name: 'Waiting for the picture…' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Add product' })).toBeEnabled()
  await expect(page.getByText('Choose a picture')).toBeVisible()
  await page.unroute('**/api/image')

  await bring(page.getByText('Choose a picture'), 'drop', await photo(640, 480))
  await seeUploaded(page)
  await bring(page.getByLabel('Name'), 'paste', await photo(300, 200))
  const readStorage = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
  const before = await readStorage()
  await seeUploaded(page)
  await expect.poll(readStorage).not.toBe(before)

  await page.reload()
  await expect(page.getByLabel('Name')).toHaveValue('Dropped fan')
  const picture = page.getByRole('img', { name: 'The current picture' })
  await expect(picture).toBeVisible()
  await page.getByRole('button', { name: 'Add product' }).click()
  await expect(page.getByText(messages.partAdded)).toBeVisible()
})

fullOnly(test)(
  'every field is asked for in words, and a refusal says what to change',
  async ({ page }) => {
    await page.getByRole('button', { name: 'Add product' }).click()
    for (const name of [
      'Name',
      'Price',
      'Description',
      'Image',
      'Available quantity',
      'Minimum order quantity',
    ])
      await expect(page.getByText(`${name} is required`, { exact: true })).toBeVisible()
    await page.getByLabel('Price').fill('12.505')
    await expect(page.getByText('Price can have at most two decimals')).toBeVisible()
    await page.getByLabel('Image').setInputFiles(jpeg(await photo()))
    await fill(page, 'Cinder RX 7800 XT')
    const warning = page.getByText(/it cannot be booked/)
    await expect(warning).toHaveCount(0)
    await page.getByLabel('Minimum order quantity').fill('11')
    await expect(warning).toHaveText(/^With 10 available and a minimum order of 11 /)
    await seeUploaded(page)
    await page.getByRole('button', { name: 'Add product' }).click()
    await expect(page.getByText(messages.partFailed, { exact: true })).toBeVisible()
    await expect(
      page.getByText('Another product already has this name', { exact: false }).first(),
    ).toBeVisible()
    await expect(page.getByLabel('Description')).not.toHaveValue('')
  },
)
