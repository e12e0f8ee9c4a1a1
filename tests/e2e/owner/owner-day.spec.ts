/**
 * A day of the shop's owner, on a phone: a new part is photographed, sold, shipped, refunded and
 * accounted for.
 */
import type { Locator, Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import sharp from 'sharp'
import { messages } from '#contracts/messages.ts'
import type { Part } from '#contracts/parts.ts'
import { pictureLimits } from '#contracts/pictures.ts'
import { arrive, expect, payWith, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { fullOnly } from '#tests/support/length.ts'
import { phonePhoto, upload } from '#tests/support/pictures.ts'
import { giveToken } from '#tests/support/sandbox-token.ts'

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

/** On a phone the dashboard's links are in a row above the page. */
const enterRoom = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name }).click()

/** The photo was red above blue, and had a location. */
async function expectUprightAndSilent(bytes: Buffer): Promise<void> {
  // three letters occur by chance in a megabyte of noise
  for (const word of ['Exif\0\0', 'Phone', 'http://ns.adobe.com'])
    expect(bytes.includes(word), `${word} in what is served`).toBe(false)
  const picture = sharp(bytes)
  const { width, height, exif, orientation } = await picture.metadata()
  expect([exif, orientation]).toEqual([undefined, undefined])
  expect(height / width).toBeCloseTo(4 / 3, 1)
  const pixels = await picture.removeAlpha().resize(1, 2, { fit: 'fill' }).raw().toBuffer()
  const [red, , notBlue, notRed, , blue] = pixels
  expect(Number(red)).toBeGreaterThan(Number(notBlue) + 50)
  expect(Number(blue)).toBeGreaterThan(Number(notRed) + 50)
}

/** Opens the only mail with that subject to that address. */
async function mailed(page: Page, email: string, subject: string): Promise<Locator> {
  const mail = page.getByRole('listitem').filter({ hasText: subject }).filter({ hasText: email })
  await expect(async () => {
    await page.goto('/sandbox/mail')
    await expect(mail).toHaveCount(1, { timeout: 500 })
  }).toPass()
  await mail.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  return page.getByRole('main')
}

fullOnly(test)(
  'a part from the phone’s camera to the books: on sale at once, sold, shipped, refunded, exported',
  async ({ page, browser, shop, owner }) => {
    // a photo of ten megabytes is created, scaled down and created again, in two browsers
    test.setTimeout(600_000)
    const name = `Afterglow ${crypto.randomUUID().slice(0, 8)}`
    const photo = await phonePhoto()
    // the original photo would be refused: the form scales it down
    expect(photo.length).toBeGreaterThan(pictureLimits.bytes)
    expect((await upload(shop, owner, photo)).status).toBe(413)
    const customerPage = await (await browser.newContext({ baseURL: shop.origin })).newPage()
    await giveToken(customerPage.context(), shop)
    const email = await arrive(customerPage)
    await customerPage.goto('/')
    await expect(customerPage.getByRole('heading', { name: 'Our parts' })).toBeVisible()

    await page.goto('/dashboard')
    await enterRoom(page, 'Add a product')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Description').fill('A fan that glows in the dark.')
    await page.getByLabel('Price').fill('49')
    await page.getByLabel('Available quantity').fill('10')
    await page.getByLabel('Minimum order quantity').fill('2')
    const file = { name: 'IMG_2041.JPG', mimeType: 'image/jpeg', buffer: photo }
    await page.getByLabel('Image').setInputFiles(file)
    await expect(page.getByText('Uploaded. It was large, so we sent a smaller copy.')).toBeVisible({
      timeout: 60_000,
    })
    await page.getByRole('button', { name: 'Add product' }).click()
    await expect(page.getByText(messages.partAdded)).toBeVisible()

    const card = customerPage
      .getByRole('listitem')
      .filter({ has: customerPage.getByRole('heading', { name, exact: true }) })
    // a cached page is rendered again once the shop has read the change, up to a second later for
    // others than for its author
    const showsCard = (text: string) =>
      expect(async () => {
        await customerPage.goto('/parts?sort=newest')
        await expect(card).toContainText(text, { timeout: 1000 })
      }).toPass({ timeout: 60_000 })
    await showsCard('$49')
    const parts: Part[] = await (await customerPage.request.get('/api/part')).json()
    const { image } = parts.find((part) => part.name === name) as Part
    for (const size of ['480', '960', '1600'])
      for (const kind of ['webp', 'avif']) {
        const address = image.replace('960.webp', `${size}.${kind}`)
        const answer = await customerPage.request.get(address)
        expect(answer.headers()['content-type'], address).toBe(`image/${kind}`)
        await expectUprightAndSilent(await answer.body())
      }

    await card.getByRole('link', { name: /^Book now/ }).click()
    await customerPage.getByLabel('Phone').fill('+1 555 0100')
    await customerPage.getByRole('button', { name: 'Book now' }).click()
    await payWith(customerPage, '4242 4242 4242 4242')
    await expect(customerPage.getByText(messages.paymentCompleted)).toBeVisible({ timeout: 60_000 })

    await enterRoom(page, 'Overview')
    const waiting = page.getByRole('region', { name: 'Pending orders' })
    await waiting.getByRole('link', { name: /^Ship \d+ orders?$/ }).click()
    const row = page.getByRole('row').filter({ hasText: name })
    await row.getByRole('button', { name: 'make shipped' }).click()
    const shipping = page.getByRole('dialog', { name: 'Make shipped' })
    await shipping.getByLabel('Carrier (optional)').fill('DHL')
    await shipping.getByLabel('Tracking number (optional)').fill('JD0123456789')
    await shipping.getByRole('button', { name: 'make shipped' }).click()
    await expect(shipping).toBeHidden()

    await customerPage.goto('/dashboard/myOrders')
    const bought = customerPage.getByRole('row').filter({ hasText: name })
    await expect(bought.getByText('shipped', { exact: true })).toBeVisible()
    await expect(bought).toContainText('DHL, JD0123456789')
    await expect(await mailed(customerPage, email, 'Receipt for your order')).toContainText('$98')
    await expect(await mailed(customerPage, email, 'Your order is on its way')).toContainText(
      'JD0123456789',
    )

    await page.goto(`/dashboard/manageOrders?q=${encodeURIComponent(name)}`)
    await expect(row.getByRole('button', { name: 'Already shipped' })).toBeDisabled()
    await row.getByRole('button', { name: `Refund ${name}` }).click()
    const refund = page.getByRole('dialog', { name: 'Refund' })
    await expect(refund.getByLabel('Amount in USD')).toHaveValue('98')
    await refund.getByLabel('Reason').fill('It does not glow')
    await refund.getByLabel('Restock').fill('1')
    await refund.getByRole('button', { name: 'Refund' }).click()
    await expect(row.getByText('refunded', { exact: true })).toBeVisible()

    await customerPage.goto('/dashboard/myOrders')
    await expect(bought.getByText('refunded', { exact: true })).toBeVisible()
    await expect(bought).toContainText('$98 goes back to your card')
    await expect(bought).not.toContainText('It does not glow')
    await expect(await mailed(customerPage, email, 'Your order has been refunded')).toContainText(
      '$98',
    )
    await showsCard('9')

    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const chunks: Buffer[] = []
    for await (const chunk of await (await coming).createReadStream()) chunks.push(chunk as Buffer)
    const lines: Record<string, string>[] = parse(Buffer.concat(chunks), {
      columns: true,
      bom: true,
    })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      Product: name,
      Status: 'refunded',
      Quantity: '2',
      Total: '98.00',
      Refunded: '98.00',
      'E-mail': email,
      Carrier: 'DHL',
    })
    await customerPage.context().close()
  },
)
