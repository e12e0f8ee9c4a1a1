import { messages } from '#contracts/messages.ts'
import { awaitScripts } from '#tests/support/page-scripts.ts'
import { bookingOf, login, orderOf, register } from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { stockPart } from '#tests/support/stock.ts'
import { enterAs, expect, payOrder, payWith, test } from './fixtures.ts'

test('an owner sets up delivery and tax; a customer says where to, changes it, pays the sum and corrects the street', async ({
  openShop,
  browser,
}) => {
  // the longest story: on a machine with other work, it needs more than a minute
  test.slow()
  const shop = await openShop()
  const pool = await shopDatabase(shop)
  const newPage = async () => {
    const opened = await browser.newPage({ baseURL: shop.origin, reducedMotion: 'reduce' })
    awaitScripts(opened)
    return opened
  }
  const [desk, page] = [await newPage(), await newPage()]
  await enterAs(desk, await login(shop.origin, 'owner@ferrite.example', 'owner-password'))
  await desk.goto('/dashboard/settings')
  await desk.getByRole('link', { name: 'Add a way of delivery' }).click()
  await desk.getByLabel('Name', { exact: true }).fill('Parcel')
  await desk.getByLabel('Price in USD').fill('9')
  await desk.getByLabel('Free from USD').fill('500')
  const byWeight = desk.getByLabel('Prices by weight')
  await byWeight.fill('900 g 4.50\n800 g 4')
  await desk.getByLabel('Delivers to').fill('United States\nAtlantis')
  await desk.getByRole('button', { name: 'Add it' }).click()
  // the first wrong field has the focus, and each message names its field
  await expect(byWeight).toBeFocused()
  await expect(desk.getByText('Prices by weight must start with the lightest')).toBeVisible()
  await expect(desk.getByText('Fewest working days must be a whole number of')).toBeVisible()
  await byWeight.fill('900 g 4.50')
  await desk.getByLabel('Fewest working days').fill('2')
  const mostDays = desk.getByLabel('Most working days')
  await mostDays.fill('1')
  await desk.getByRole('button', { name: 'Add it' }).click()
  await expect(mostDays).toBeFocused()
  await expect(desk.getByText('Most working days must not be less than')).toBeVisible()
  await mostDays.fill('4')
  await desk.getByRole('button', { name: 'Add it' }).click()
  await expect(desk.getByText('“Atlantis” is no country or region')).toBeVisible()
  await expect(desk.getByLabel('Delivers to')).toBeFocused()
  await desk.getByLabel('Delivers to').fill('United States\nAustria')
  await desk.getByRole('button', { name: 'Add it' }).click()
  await expect(desk.getByRole('link', { name: /^Parcel/ })).toContainText(
    '$4.50 to 900 g, $9 above, free from $500',
  )
  await desk.getByRole('link', { name: 'Add a way of delivery' }).click()
  await desk.getByLabel('What it is').selectOption('Pick-up in the shop')
  await desk.getByLabel('Name', { exact: true }).fill('In our shop')
  await desk.getByLabel('Price in USD').fill('0')
  await desk.getByRole('button', { name: 'Add it' }).click()
  await expect(desk.getByRole('link', { name: /^In our shop/ })).toContainText('pick-up, free')
  await desk.getByLabel('Tax', { exact: true }).selectOption('Added by region')
  await desk.getByLabel('Tax name').fill('Sales tax')
  await desk.getByLabel('Tax rates').fill('US-WA 10.1\nUS-OR 0')
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('Everything is saved.')).toBeVisible()

  const customer = await register(shop.origin, 'Grace Hopper')
  await enterAs(page, customer)
  const light = await stockPart(pool, { onHand: 9, price: 30, weightG: 450 })
  await page.goto(`/purchase/${light._id}`)
  await expect(page.getByText(/^Delivery from \$4\.50, by /)).toBeVisible()
  await page.getByLabel('Quantity').fill('3')
  await expect(page.getByText(/^Delivery from \$9, by /)).toBeVisible()
  await page.getByRole('button', { name: 'One fewer' }).click()
  await expect(page.getByText(/^Delivery from \$4\.50, by /)).toBeVisible()
  const part = await stockPart(pool, { onHand: 9, price: 100, name: 'Parcelled part' })
  await page.goto(`/part/${part._id}`)
  await expect(page.getByText('Prices plus Sales tax')).toBeVisible()
  await expect(page.getByText(/^Delivery from \$9, by \w+day \d+ \w+$/)).toBeVisible()
  await page
    .getByRole('link', { name: /^Add to basket/ })
    .first()
    .click()
  await expect(page.getByText(/^Delivery from \$9, by /)).toBeVisible()
  await page.goto(`/purchase/${part._id}`)
  await expect(page.getByText('For questions about the delivery')).toBeVisible()
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByRole('button', { name: /^Book/ }).click()
  const form = page.getByRole('form', { name: 'Delivery' })
  await expect(form.getByLabel('Name')).toHaveValue('Grace Hopper')
  await form.getByLabel('Country').selectOption('United States')
  // an empty address names all that it needs, each at its field
  await form.getByRole('button', { name: 'Continue to payment' }).click()
  for (const name of ['Street and number', 'City', 'State', 'ZIP code'])
    await expect(form.getByText(`${name} is required`)).toBeVisible()
  await expect(form.getByLabel('Street and number')).toBeFocused()
  await form.getByLabel('Street and number').fill('400 Broad St')
  await form.getByLabel('City').fill('Seattle')
  await form.getByLabel('ZIP code').fill('1010')
  await form.getByLabel('State').selectOption('Washington')
  await form.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(form.getByText('This is no ZIP code of United States')).toBeVisible()
  await expect(form.getByLabel('ZIP code')).toBeFocused()
  await form.getByLabel('ZIP code').fill('98109')
  await expect(form.getByText(/^By \w+day \d+ \w+, 2 to 4 working days$/)).toBeVisible()
  await expect(form.getByText('Total price $109')).toBeVisible()
  await expect(form.getByText('plus Sales tax')).toBeVisible()
  await form.getByLabel('The invoice has my tax number').check()
  await form.getByLabel('Your tax number').fill('US 12-3')
  await form.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByRole('region', { name: 'Card payment' })).toBeFocused()

  await expect(page.getByText('Please pay $120.01 to confirm order')).toBeVisible()
  const order = page.getByRole('region', { name: 'Order', exact: true })
  await expect(order.getByText('Seattle, WA 98109')).toBeVisible()
  await expect(order.getByText('Parcel $9')).toBeVisible()
  await expect(order.getByText('Sales tax 10.1 %')).toBeVisible()

  await expect(order.getByText('Tax number US 12-3')).toBeVisible()
  await page.getByRole('button', { name: 'Change the delivery' }).click()
  await expect(page.getByRole('region', { name: 'Delivery' })).toBeFocused()
  await page.getByRole('radio', { name: 'Pick it up' }).check()
  await expect(page.getByText('Total price $100')).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Please pay $100 to confirm order')).toBeVisible()
  await page.getByRole('button', { name: 'Change the delivery' }).click()
  await page.getByRole('radio', { name: 'Have it delivered' }).check()
  // the address was kept
  const kept = page.getByLabel('Your addresses')
  await expect(kept).toContainText('400 Broad St, Seattle')
  await kept.selectOption('Another address')
  await expect(page.getByLabel('Street and number')).toHaveValue('')
  await kept.selectOption({ index: 0 })
  await expect(page.getByLabel('Street and number')).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Please pay $120.01 to confirm order')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $120.01', exact: true })).toBeVisible()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: messages.paymentCompleted })).toBeVisible()
  await expect(page.getByText('You paid $120.01')).toBeVisible()

  await page.getByRole('link', { name: 'Order details' }).click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await delivery.getByRole('button', { name: 'Correct the address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the address' })
  await dialog.getByLabel('Street and number').fill('402 Broad St')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(delivery.getByText('402 Broad St')).toBeVisible()
  const id = page.url().split('/').at(-1) ?? ''
  expect(await orderOf(customer, id)).toMatchObject({
    checkoutTotal: 120.01,
    shipTo: { line1: '402 Broad St', region: 'US-WA' },
  })

  await page.getByRole('link', { name: /^Invoice \d{4}-I-00001$/ }).click()
  await expect(page.getByRole('heading', { name: /^Invoice \d{4}-I-00001$/ })).toBeVisible()
  const paper = page.getByRole('article')
  await expect(paper.getByText('$120.01')).toBeVisible()
  await expect(paper.getByText('Sales tax 10.1 %')).toBeVisible()
  // it stays as it was issued
  await expect(paper.getByText('400 Broad St')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^\d{4}-I-00001\.pdf$/)

  await page.getByRole('link', { name: /^Order F-/ }).click()
  await expect(page).toHaveURL(`/dashboard/order/${id}`)

  await desk.goto('/dashboard/manageOrders')
  await expect(desk.getByText('Ship: Parcel')).toBeVisible()
  await desk.goto(`/dashboard/order/${id}`)
  await desk.getByRole('button', { name: 'Refund' }).click()
  const refund = desk.getByRole('dialog', { name: 'Refund' })
  const goods = refund.getByRole('group', { name: /^1 × Parcelled part/ })
  const delivery9 = refund.getByRole('group', { name: 'Delivery' })
  await expect(goods.getByLabel('Amount in USD')).toHaveValue('110.1')
  await expect(delivery9.getByText('$9.91 can be refunded, with its tax.')).toBeVisible()
  await goods.getByLabel('Amount in USD').fill('')
  await refund.getByLabel('Reason').fill('Came late')
  await refund.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(goods.getByText('Amount is required')).toBeVisible()
  await delivery9.getByLabel('Amount in USD').fill('9.92')
  await refund.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(delivery9.getByText('Amount cannot be more than the remaining $9.91')).toBeVisible()
  await delivery9.getByLabel('Amount in USD').fill('9.91')
  await refund.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(desk.getByText('Refunded $9.91 to Grace Hopper')).toBeVisible()
  // nothing but the goods is left
  await desk.getByRole('button', { name: 'Refund' }).click()
  await expect(refund.getByText('for Grace Hopper, $110.10 can be refunded.')).toBeVisible()
  await refund.getByRole('button', { name: 'Cancel' }).click()

  // a way of delivery that ended while the order waited is chosen anew
  const booking = { partId: part._id, quantity: 1, phone: '+1 555 0100' }
  const later = (await customer.call('POST', '/api/order', booking)).body.insertedId as string
  await page.goto(`/dashboard/payment/${later}`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Please pay $120.01 to confirm order')).toBeVisible()
  await page.goto('/dashboard')
  await desk.goto('/dashboard/settings')
  await desk.getByRole('link', { name: /^Parcel/ }).click()
  await desk.getByRole('button', { name: 'Delete it' }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(desk.getByRole('link', { name: /^Parcel/ })).toHaveCount(0)
  await pool.query(
    `update orders set hold_expires_at = now() - interval '1 second' where _id = $1`,
    [later],
  )
  await expect.poll(async () => (await orderOf(customer, later)).holdExpiresAt).toBeNull()
  await page.goto(`/dashboard/payment/${later}`)
  await expect(page.getByRole('form', { name: 'Delivery' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Please pay $100 to confirm order')).toBeVisible()

  // the law of the EU
  await desk.getByLabel('Country').selectOption('Austria')
  await desk.getByRole('button', { name: 'Save' }).click()
  await expect(desk.getByText('Everything is saved.')).toBeVisible()
  await page.reload()
  const obliging = { name: 'Pay $100 Order with obligation to pay', exact: true }
  await expect(page.getByRole('button', obliging)).toBeEnabled()

  await page.goto('/dashboard')
  const addresses = page.getByRole('region', { name: 'Your addresses' })
  // corrected with the order
  await expect(addresses.getByText('402 Broad St')).toBeVisible()
  await addresses.getByRole('button', { name: 'Add an address' }).click()
  const added = page.getByRole('dialog', { name: 'Add an address' })
  await added.getByLabel('Country').selectOption('Austria')
  await added.getByLabel('Street and number').fill('Stephansplatz 1')
  await added.getByLabel('Postcode').fill('1010')
  await added.getByLabel('City').fill('Wien')
  await added.getByRole('button', { name: 'Save' }).click()
  await expect(addresses.getByText('1010 Wien')).toBeVisible()
  await addresses.getByRole('button', { name: /^Use first/ }).click()
  await expect(addresses.getByRole('listitem').first()).toContainText('1010 Wien')
  await addresses.getByRole('button', { name: /^Delete Grace Hopper, 402/ }).click()
  await expect(addresses.getByRole('listitem')).toHaveCount(1)
  await desk.close()
  await page.close()
  await pool.end()
})

test('a country whose regions have prices or rates of their own asks for the region', async ({
  openShop,
  browser,
}) => {
  const shop = await openShop()
  const pool = await shopDatabase(shop)
  const page = await browser.newPage({ baseURL: shop.origin, reducedMotion: 'reduce' })
  awaitScripts(page)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const method = { name: 'Parcel', type: 'ship', price: 9, freeFrom: null, daysFrom: 1, daysTo: 2 }
  const added = { ...method, regions: ['MX', 'IN-KA'], steps: [] }
  expect((await owner.call('POST', '/api/shipping-methods', added)).status).toBe(200)
  const { version, settings } = (await owner.call('GET', '/api/settings')).body
  const tax = { taxMode: 'added', taxName: 'VAT', taxRates: 'MX-CMX 13\n20' }
  const edit = { version, settings: { shop: { ...settings.shop, ...tax } } }
  expect((await owner.call('PUT', '/api/settings', edit)).status).toBe(200)
  const customer = await register(shop.origin, 'Grace Hopper')
  await enterAs(page, customer)
  const id = await bookingOf(customer, await stockPart(pool, { onHand: 9, price: 100 }))
  await page.goto(`/dashboard/payment/${id}`)
  const form = page.getByRole('form', { name: 'Delivery' })
  const region = form.getByLabel('State or region')
  await form.getByLabel('Country').selectOption('India')
  await expect(form.getByText('State or region: choose it to see how')).toBeVisible()
  await region.selectOption('Karnātaka')
  await expect(form.getByText('Total price $109')).toBeVisible()
  await form.getByLabel('Country').selectOption('Mexico')
  await form.getByLabel('Street and number').fill('Calle 1')
  await form.getByLabel('City').fill('Ciudad de México')
  await form.getByLabel('Postcode').fill('06000')
  await form.getByRole('button', { name: 'Continue to payment' }).click()
  // only the refusal tells of rates
  await expect(form.getByText('State or region is required')).toBeVisible()
  await expect(region).toBeFocused()
  await region.selectOption('Ciudad de México')
  await form.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(page.getByText('Please pay $123.17 to confirm order')).toBeVisible()
  await page.close()
  await pool.end()
})

test('what was paid without a delivery gets an address on its page, and no label before', async ({
  openShop,
  browser,
}) => {
  const shop = await openShop()
  const pool = await shopDatabase(shop)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const customer = await register(shop.origin, 'Grace Hopper')
  const id = await bookingOf(customer, await stockPart(pool, { onHand: 9, price: 100 }))
  await payOrder(shop.origin, customer, id)
  const method = { name: 'Parcel', type: 'ship', price: 9, freeFrom: null, regions: ['US'] }
  await owner.call('POST', '/api/shipping-methods', { ...method, daysFrom: 2, daysTo: 4 })
  const newPage = async () => {
    const opened = await browser.newPage({ baseURL: shop.origin, reducedMotion: 'reduce' })
    awaitScripts(opened)
    return opened
  }
  const [desk, page] = [await newPage(), await newPage()]
  await enterAs(desk, owner)
  await desk.goto('/dashboard/toShip')
  await expect(desk.getByText('No address, and no delivery was paid')).toBeVisible()
  await desk.getByRole('button', { name: 'Select all' }).click()
  await expect(desk.getByRole('button', { name: 'Print 0 labels' })).toBeDisabled()

  await enterAs(page, customer)
  await page.goto(`/dashboard/order/${id}`)
  await page.getByRole('button', { name: 'Add the address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Where to?' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Grace Hopper')
  await dialog.getByLabel('Street and number').fill('400 Broad St')
  await dialog.getByLabel('City').fill('Seattle')
  await dialog.getByLabel('State').selectOption('Washington')
  await dialog.getByLabel('ZIP code').fill('1010')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This is no ZIP code of United States')).toBeVisible()
  await dialog.getByLabel('ZIP code').fill('98109')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await expect(delivery.getByText('400 Broad St')).toBeVisible()
  await expect(delivery.getByText('We write to you about the delivery and its price')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add the address' })).toHaveCount(0)

  await desk.reload()
  await expect(desk.getByText('No delivery was chosen or paid')).toBeVisible()
  await desk.getByRole('button', { name: 'Select all' }).click()
  await expect(desk.getByRole('button', { name: 'Print labels' })).toBeEnabled()
  await desk.close()
  await page.close()
  await pool.end()
})
