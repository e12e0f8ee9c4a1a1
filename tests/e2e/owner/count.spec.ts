import { expect, ownerTest as test } from '#tests/e2e/fixtures.ts'
import { stockPart } from '#tests/support/stock.ts'

test('the shelves are counted by scanner, one code per unit, on a phone too; movements meanwhile stay', async ({
  page,
  owner: _,
  pool,
}) => {
  const first = await stockPart(pool, { onHand: 16, name: `Counted ${crypto.randomUUID()}` })
  const second = await stockPart(pool, { onHand: 3, name: `Counted ${crypto.randomUUID()}` })
  const ean = '4006381333931'
  await pool.query('update parts set gtin = $2 where _id = $1', [first._id, ean])
  await pool.query(`update parts set sku = 'SHELF-7' where _id = $1`, [second._id])
  const onHand = async (id: string) =>
    (await pool.query('select on_hand from parts where _id = $1', [id])).rows[0].on_hand
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/dashboard/manageProducts')
  await page.getByRole('link', { name: 'Count', exact: true }).click()
  const code = page.getByLabel(/^EAN, SKU/)
  for (const typed of [ean, 'shelf-7', ean, 'nothing']) {
    await code.fill(typed)
    await code.press('Enter')
    await expect(code).toHaveValue('')
    await expect(page.getByRole('status').filter({ hasText: /One more|No product/ })).toBeVisible()
  }
  await expect(page.getByText('No product has code nothing')).toBeVisible()
  await expect(page.getByLabel(`Counted: ${first.name}`)).toHaveValue('2')
  await page.getByLabel(`Counted: ${first.name}`).fill('15')
  await page.getByLabel(`Counted: ${second.name}`).fill('many')
  await page.getByRole('button', { name: 'Save 2 counts' }).click()
  await expect(page.getByText(`${second.name}: enter a whole number of units.`)).toBeVisible()
  await page.getByLabel(`Counted: ${second.name}`).fill('4')
  // a reload loses nothing, and five more come in before it is saved
  await page.reload()
  await expect(page.getByLabel(`Counted: ${first.name}`)).toHaveValue('15')
  await pool.query(
    `insert into stock_movements (part_id, type, on_hand_delta) values ($1, 'receive', 5)`,
    [first._id],
  )
  await page.getByRole('button', { name: 'Save 2 counts' }).click()
  await expect(page.getByText('2 counts changed the stock')).toBeVisible()
  expect([await onHand(first._id), await onHand(second._id)]).toEqual([20, 4])
  await expect(page.getByRole('list', { name: 'Counted' }).getByRole('listitem')).toHaveCount(0)
})

/** The bars of an EAN-13, a character each: 1 is black. https://ref.gs1.org/standards/genspecs/ */
function barsOf(ean: string): string {
  const left = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'
  const odd = left.split(' ')
  const right = odd.map((bars) => bars.replaceAll(/./g, (bar) => (bar === '1' ? '0' : '1')))
  const even = right.map((bars) => [...bars].reverse().join(''))
  const parity = '000000 001011 001101 001110 010011 011001 011100 010101 010110 011010'
  const parities = parity.split(' ')[Number(ean[0])] ?? ''
  const of = (set: string[], digit: string | undefined) => set[Number(digit)] ?? ''
  const first = [...parities].map((isEven, i) => of(isEven === '1' ? even : odd, ean[i + 1]))
  const last = [...ean.slice(7)].map((digit) => of(right, digit))
  return `101${first.join('')}01010${last.join('')}101`
}

test('bar codes are read with the camera', async ({ page, owner: _, pool }) => {
  const part = await stockPart(pool, { onHand: 2, name: `Seen ${crypto.randomUUID()}` })
  await pool.query(`update parts set gtin = '5901234123457' where _id = $1`, [part._id])
  // this machine has no camera: one shows the same box all the time
  await page.addInitScript((bars) => {
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 480
    const draw = () => {
      const context = canvas.getContext('2d')
      if (!context) return
      context.fillStyle = 'white'
      context.fillRect(0, 0, 640, 480)
      context.fillStyle = 'black'
      for (const [i, bar] of [...bars].entries())
        if (bar === '1') context.fillRect(130 + i * 4, 140, 4, 200)
      requestAnimationFrame(draw)
    }
    Object.defineProperty(navigator, 'mediaDevices', {
      value: {
        getUserMedia: async () => {
          draw()
          return canvas.captureStream()
        },
      },
    })
  }, barsOf('5901234123457'))
  await page.goto('/dashboard/manageProducts/count')
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await expect(page.getByLabel(`Counted: ${part.name}`)).toHaveValue('1')
  await page.getByRole('button', { name: 'Close the camera' }).click()
  await expect(page.locator('video')).toHaveCount(0)
})
