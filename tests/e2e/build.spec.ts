import type { APIRequestContext } from '@playwright/test'
import { messages } from '#contracts/messages.ts'
import { stockPart } from '#tests/support/stock.ts'
import { expect, customerTest as test } from './fixtures.ts'

/** The numbers of demo parts, by their names. */
async function numbered(request: APIRequestContext, ...names: string[]): Promise<number[]> {
  const numbers = names.map(async (name) => {
    const { parts } = await (await request.get(`/api/parts?q=${encodeURIComponent(name)}`)).json()
    return parts.find((part: { name: string }) => part.name === name).number
  })
  return Promise.all(numbers)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a PC is put together from what fits, and each refusal says why', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Build', exact: true }).click()
    const verdict = page.getByRole('region', { name: 'Does it fit?' }).getByRole('status')
    await expect(verdict).toHaveText('Choose two parts to see whether they work together.')
    await page.getByRole('link', { name: 'Choose a processor' }).click()
    await page.getByRole('link', { name: 'Choose for your build: Lodestone 7 9700X' }).click()
    await expect(
      page.getByText('To complete your PC, you still need a board, memory'),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Choose a motherboard' }).click()
    await expect(page.getByText('What fits Lodestone 7 9700X.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Causeway Z890' })).toHaveCount(0)
    // unticked, it shows what does not fit, and why
    await page.getByRole('link', { name: 'Remove Only what fits' }).click()
    await expect(
      page.getByText('Does not fit: Lodestone 7 9700X is AM5, Causeway Z890 is LGA 1851'),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Choose for your build: Causeway Z890' }).click()
    await expect(verdict).toHaveText('These parts don’t work together.')
    // the choice is in sight, and the refusal leads to others
    const place = (name: string) => page.getByRole('region', { name, exact: true })
    await expect(
      place('Board').getByRole('link', { name: 'Causeway Z890', exact: true }),
    ).toBeInViewport()
    // another processor takes the place of the first
    await page
      .getByRole('region', { name: 'Does it fit?' })
      .getByRole('link', { name: 'Another processor' })
      .click()
    await expect(page.getByText('What fits Causeway Z890.')).toBeVisible()
    await page.getByRole('link', { name: 'Choose for your build: Fluxgate 5 245' }).click()
    await place('Processor').getByRole('link', { name: 'Another processor' }).click()
    await page.getByRole('link', { name: 'In your build: Fluxgate 5 245' }).click()
    await expect(verdict).toHaveText('These parts work together.')
    await expect(page.getByText(/^Draws up to \d+ W$/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Lodestone 7 9700X', exact: true })).toHaveCount(0)
  })
})

test('pages say what fits, and booking what does not fit asks once', async ({ page, request }) => {
  const [processor, board, card] = await numbered(
    request,
    'Fluxgate 5 245',
    'Basalt B650 ATX',
    'Cinder RX 7600',
  )
  await page.goto(`/basket?parts=${processor},${board}`)
  const why = 'Does not fit: Fluxgate 5 245 is LGA 1851, Basalt B650 ATX is AM5'
  await expect(page.getByText(why)).toBeVisible()
  // its page says it of the part alone
  await page.goto(`/part/${board}`)
  await expect(page.getByText(why)).toBeVisible()
  await page.goto(`/part/${card}`)
  const cases = page
    .getByRole('region', { name: 'Fits these' })
    .getByRole('link', { name: /cases$/ })
  const count = /^(\d+) cases$/.exec((await cases.textContent()) ?? '')?.[1]
  await cases.click()
  await expect(page.getByText('What fits Cinder RX 7600.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /cases$/ })).toHaveText(
    new RegExp(`^${count} of \\d+ cases$`),
  )

  await page.goto(`/purchase?parts=${processor},${board}`)
  await page.getByLabel('Phone').fill('+1 555 0100')
  const book = page.getByRole('button', { name: /^Book all/ })
  await expect(page.getByText(why)).toBeVisible()
  await expect(book).toBeDisabled()
  await page.getByLabel('Book them anyway').check()
  await book.click()
  await expect(page.getByText(messages.orderBooked)).toBeVisible()
})

test('a build is kept in the account, and says what is gone', async ({ page, request, pool }) => {
  const [processor] = await numbered(request, 'Fluxgate 5 245')
  const gone = await stockPart(pool, { onHand: 3, price: 10, name: 'Gone bracket' })
  const { number } = await (await request.get(`/api/parts/${gone._id}`)).json()
  await page.goto(`/build?parts=${processor},${number}`)
  await page.getByLabel('Save this build as').fill('My first PC')
  await page.getByRole('button', { name: 'Save build' }).click()
  await expect(page.getByText('Build saved')).toBeVisible()
  await pool.query('update parts set deleted_at = now() where _id = $1', [gone._id])
  await page.goto('/build')
  const kept = page.getByRole('listitem').filter({ hasText: 'My first PC' })
  await expect(kept).toContainText('No longer sold: Gone bracket.')
  await kept.getByRole('link', { name: 'My first PC' }).click()
  await expect(page.getByText('This part is no longer sold.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove My first PC' }).click()
  await expect(kept).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(kept).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove My first PC' }).click()
  await expect(kept).toHaveCount(0)
  // one of the shop's is a start
  await page.goto('/build')
  await page.getByRole('link', { name: `Remove Fluxgate 5 245` }).click()
  await page.getByRole('link', { name: 'Remove Part' }).click()
  await page.getByRole('link', { name: 'Quiet office' }).click()
  await expect(page.getByText('These parts work together.')).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the build shows parts, stock and verdicts, and its lists lead back to it', async ({
    page,
    request,
  }) => {
    const [processor, board] = await numbered(request, 'Fluxgate 5 245', 'Basalt B650 ATX')
    await page.goto(`/build?parts=${processor},${board}`)
    await expect(page.getByText('These parts don’t work together.')).toBeVisible()
    await page.getByRole('link', { name: 'Another motherboard' }).first().click()
    await page.getByRole('checkbox', { name: 'Only what fits' }).uncheck()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).toHaveURL(`/parts/motherboard?fits=${processor}%2C${board}`)
    await page.getByRole('link', { name: 'Choose for your build: Causeway Z890' }).click()
    await expect(page.getByText('These parts work together.')).toBeVisible()
    await page.getByRole('link', { name: 'One more Causeway Z890' }).click()
    await expect(page.getByText('parts for more than one PC')).toBeVisible()
  })
})
