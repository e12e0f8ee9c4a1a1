import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Address } from '#contracts/addresses.ts'
import type { Checkout } from '#contracts/checkouts.ts'
import { sumOfTotals } from '#contracts/money.ts'
import type { Part } from '#contracts/parts.ts'
import { sampleFacts } from '#contracts/settings.ts'
import type { ToShip } from '#contracts/to-ship.ts'
import { expireOrders } from '#server/features/orders/expire-orders.ts'
import { importRefunds } from '#server/features/payments/catch-up.ts'
import { payingShop, refundByHand, withLines } from '#tests/support/money.ts'
import { bookingOf, createUsers, type Person } from '#tests/support/people.ts'
import { havePaid, stockPart } from '#tests/support/stock.ts'

const { shop, owner, ada, confirm, control, endHold } = payingShop({ webhooks: 'normal' })

const phone = '+1 555 0100'
const seattle: Address = {
  name: 'Ada Example',
  company: '',
  line1: '400 Broad St',
  line2: '',
  city: 'Seattle',
  region: 'US-WA',
  postcode: '98109',
  country: 'US',
}
const portland: Address = { ...seattle, city: 'Portland', region: 'US-OR', postcode: '97209' }
const vienna: Address = {
  ...seattle,
  line1: 'Stephansplatz 1',
  city: 'Wien',
  region: '',
  postcode: '1010',
  country: 'AT',
}

const toronto: Address = {
  ...seattle,
  city: 'Toronto',
  region: 'CA-ON',
  postcode: 'M5V 3L9',
  country: 'CA',
}

/** Saves settings of the shop; what is not named is the sample's. */
async function setUp(facts: object) {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const edit = { version, settings: { shop: { ...sampleFacts, ...facts } } }
  const { status, body } = await owner.call('PUT', '/api/settings', edit)
  expect([status, body.error?.fields]).toEqual([200, undefined])
}
const waSalesTax = {
  taxMode: 'added',
  taxName: 'Sales tax',
  taxRates: 'US-WA 10.1\nUS-OR 0',
  country: 'US',
  taxRegion: 'US-WA',
}

beforeEach(async () => {
  const { body } = await owner.call('GET', '/api/shipping-methods')
  for (const { _id } of body) await owner.call('DELETE', `/api/shipping-methods/${_id}`)
})

let methods = 0
const parcel = (fields: object = {}) => {
  methods += 1
  const name = `Parcel ${methods}`
  const days = { daysFrom: 2, daysTo: 4 }
  const regions = ['US', 'AT']
  return { name, type: 'ship', price: 9, freeFrom: 500, regions, ...days, steps: [], ...fields }
}
const step = (upToG: number, price: number) => ({ upToG, price })
async function addMethod(fields: object = {}): Promise<string> {
  const { status, body } = await owner.call('POST', '/api/shipping-methods', parcel(fields))
  expect([status, body.error?.fields]).toEqual([200, undefined])
  return body.insertedId
}

/** A checkout of new parts at these prices, booked by the customer. */
async function booked(prices: number[], person: Person = ada) {
  const parts = await Promise.all(prices.map((price) => stockPart(shop.pool, { onHand: 9, price })))
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 1 }))
  const { status, body } = await person.call('POST', '/api/orders', { phone, lines })
  expect(status).toBe(200)
  return { id: body.insertedId as string, orderIds: body.orderIds as [string, ...string[]], parts }
}
const choose = (id: string, choice: object, person: Person = ada) =>
  person.call('PUT', `/api/checkout/${id}/shipping`, choice)
async function chosen(id: string, choice: object) {
  const { status, body } = await choose(id, choice)
  expect([status, body.error]).toEqual([200, undefined])
}
const checkoutOf = async (id: string, person: Person = ada): Promise<Checkout> =>
  (await person.call('GET', `/api/checkout/${id}`)).body
const goodsOf = ({ orders }: Checkout) => sumOfTotals(orders)
const open = (request: object) => ada.call('POST', '/api/create-payment-intent', request)

/** Opens the payment of a checkout at its price. */
async function intentOf(id: string) {
  const checkout = await checkoutOf(id)
  const orderId = checkout.orders[0]?._id
  const { status, body } = await open({ totalPrice: goodsOf(checkout), due: checkout.due, orderId })
  expect([status, body.error]).toEqual([200, undefined])
  return { clientSecret: body.clientSecret, intentId: body.clientSecret.split('_secret_')[0] }
}
async function pay(id: string) {
  const payment = await intentOf(id)
  await confirm(payment)
  const [first] = (await checkoutOf(id)).orders
  const claim = { transactionId: payment.intentId }
  expect((await ada.call('PATCH', `/api/order/${first?._id}`, claim)).status).toBe(200)
  return payment
}
const amountOf = async (intentId: string) =>
  (await shop.deps.payments.retrieveIntent(intentId))?.amount
const mailOf = async (template: string) => {
  const { rows } = await shop.pool.query(
    'select text from mail_queue where recipient = $1 and template = $2 order by created_at desc',
    [ada.email, template],
  )
  return rows[0]?.text as string
}
const refund = (id: string, request: object) =>
  owner.call('POST', `/api/checkout/${id}/refund`, request, {
    'idempotency-key': crypto.randomUUID(),
  })

test.each([
  ['AT', true],
  ['CH', false],
  ['', false],
])('in a shop of %o, that the button says the obligation to pay is %o', async (country, says) => {
  await setUp({ country })
  const { id } = await booked([20])
  expect((await checkoutOf(id)).saysObligation).toBe(says)
  await setUp({})
})

describe('shipping methods', () => {
  test('are added, changed and deleted by admins, with a version against two tabs', async () => {
    const fields = parcel({ regions: ['austria', 'US-WA', ' Oregon '] })
    const { body } = await owner.call('POST', '/api/shipping-methods', fields)
    const stored = async () =>
      (await ada.call('GET', '/api/shipping-methods')).body.find(
        ({ _id }: { _id: string }) => _id === body.insertedId,
      )
    expect(await stored()).toEqual({
      ...fields,
      _id: body.insertedId,
      version: 1,
      regions: ['AT', 'US-WA', 'US-OR'],
    })
    const path = `/api/shipping-methods/${body.insertedId}`
    const edit = { ...fields, price: 12.5, freeFrom: null, version: 1 }
    expect((await owner.call('PUT', path, edit)).status).toBe(200)
    expect(await stored()).toMatchObject({ price: 12.5, freeFrom: null, version: 2 })
    expect((await owner.call('PUT', path, edit)).body.error.code).toBe('OUTDATED')
    const twin = await owner.call('POST', '/api/shipping-methods', {
      ...fields,
      name: fields.name.toUpperCase(),
    })
    expect(twin.body.error).toMatchObject({
      code: 'NAME_TAKEN',
      fields: { name: expect.any(String) },
    })
    expect((await owner.call('DELETE', path)).body.deletedCount).toBe(1)
    expect((await owner.call('DELETE', path)).body.deletedCount).toBe(0)
    expect((await owner.call('PUT', path, edit)).status).toBe(404)
    const { body: log } = await owner.call('GET', '/api/audit?limit=3')
    expect(log.map(({ action, note }: Record<string, string>) => [action, note])).toEqual([
      ['shipping method deleted', fields.name],
      ['shipping method changed', fields.name],
      ['shipping method added', fields.name],
    ])
  })

  test.each([
    [{ regions: ['Atlantis'] }, 'regions'],
    [{ regions: [] }, 'regions'],
    [{ type: 'pick up' }, 'regions'],
    [{ daysFrom: 5 }, 'daysTo'],
    [{ price: -1 }, 'price'],
    [{ price: 1.001 }, 'price'],
    [{ freeFrom: 0 }, 'freeFrom'],
    [{ name: '' }, 'name'],
    [{ steps: [step(2000, 5), step(1000, 3)] }, 'steps'],
    [{ steps: [step(1000, 5), step(1000, 3)] }, 'steps'],
    [{ steps: Array.from({ length: 11 }, (_, i) => step(i + 1, 1)) }, 'steps'],
    [{ steps: [step(0, 5)] }, 'steps.0.upToG'],
    [{ steps: [step(1.5, 5)] }, 'steps.0.upToG'],
    [{ steps: [step(1_000_001, 5)] }, 'steps.0.upToG'],
    [{ steps: [step(1000, -1)] }, 'steps.0.price'],
    [{ type: 'pick up', regions: [], steps: [step(1000, 5)] }, 'steps'],
  ])('%j is refused at its field', async (wrong, field) => {
    const { status, body } = await owner.call('POST', '/api/shipping-methods', parcel(wrong))
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
  })
})

describe('kept addresses', () => {
  test('the first is the default, until another is or it is deleted', async () => {
    const add = (address: object, isDefault = false) =>
      ada.call('POST', '/api/addresses', { address, isDefault })
    const kept = async () =>
      (await ada.call('GET', '/api/addresses')).body.map(
        ({ address, isDefault }: { address: Address; isDefault: boolean }) => [
          address.city,
          isDefault,
        ],
      )
    const { body: first } = await add(seattle)
    expect((await add(seattle)).body.insertedId).toBe(first.insertedId)
    await add(portland)
    expect(await kept()).toEqual([
      ['Seattle', true],
      ['Portland', false],
    ])
    const { body: third } = await add(vienna, true)
    expect(await kept()).toEqual([
      ['Wien', true],
      ['Seattle', false],
      ['Portland', false],
    ])
    const path = `/api/addresses/${first.insertedId}`
    const same = await ada.call('PUT', path, { address: portland })
    expect([same.status, same.body.error.message]).toEqual([400, 'You keep this address already'])
    const edit = { address: { ...seattle, line1: '1 Pike Pl' }, isDefault: true }
    expect((await ada.call('PUT', path, edit)).status).toBe(200)
    expect((await kept())[0]).toEqual(['Seattle', true])
    expect((await ada.call('DELETE', path)).body.deletedCount).toBe(1)
    expect((await kept())[0]).toEqual(['Portland', true])
    expect(third.insertedId).toBeTruthy()
  })

  test('belong to their customer, ten at the most', async () => {
    const { body } = await ada.call('POST', '/api/addresses', { address: seattle })
    const [eve] = await createUsers(shop, 1)
    const path = `/api/addresses/${body.insertedId}`
    expect((await eve?.call('GET', '/api/addresses'))?.body).toEqual([])
    expect((await eve?.call('PUT', path, { address: vienna }))?.status).toBe(404)
    expect((await eve?.call('DELETE', path))?.body.deletedCount).toBe(0)
    for (let i = 2; i <= 10; i += 1)
      await ada.call('POST', '/api/addresses', { address: { ...seattle, line2: `Flat ${i}` } })
    const more = await ada.call('POST', '/api/addresses', { address: vienna })
    expect([more.status, more.body.error.message]).toEqual([
      400,
      'You can keep 10 addresses. Delete one first.',
    ])
  })

  test.each([
    [{ ...seattle, region: '' }, 'region', 'State is required'],
    [{ ...seattle, postcode: '' }, 'postcode', 'ZIP code is required'],
    [{ ...seattle, region: 'AT-9' }, 'region', 'This is no region of United States'],
    [{ ...seattle, postcode: '1010' }, 'postcode', 'This is no ZIP code of United States'],
    [{ ...seattle, region: 'US-OR' }, 'postcode', 'This ZIP code is not in Oregon, United States'],
    [{ ...toronto, region: 'CA-AB' }, 'postcode', 'This postal code is not in Alberta, Canada'],
    [{ ...vienna, name: '–' }, 'name', 'Name needs a letter or a digit'],
    [
      { ...vienna, line1: '1\u202e2' },
      'line1',
      'Street and number cannot contain control characters',
    ],
    [{ ...vienna, postcode: '' }, 'postcode', 'Postcode is required'],
    [{ ...vienna, city: ' ' }, 'city', 'City is required'],
    [{ ...vienna, country: 'XX' }, 'country', 'Country must be a code of ISO 3166-1, like US'],
    [{ ...vienna, name: 'x'.repeat(61) }, 'name', 'Name must be 60 characters or shorter'],
  ])('%j is refused at its field', async (address, field, why) => {
    const { status, body } = await ada.call('POST', '/api/addresses', { address })
    expect([status, body.error.fields]).toEqual([400, { [`address.${field}`]: why }])
  })

  test('an empty one is refused at each field that its country needs', async () => {
    const address = { ...seattle, name: '', line1: '', city: '', region: '', postcode: '' }
    const { body } = await ada.call('POST', '/api/addresses', { address })
    const fields = ['name', 'line1', 'city', 'region', 'postcode']
    expect(Object.keys(body.error.fields)).toEqual(fields.map((name) => `address.${name}`))
    const odd = await ada.call('POST', '/api/addresses', { address: { ...seattle, country: 5 } })
    expect(Object.keys(odd.body.error.fields)).toEqual(['address.country'])
  })

  test('a country without postcodes needs none', async () => {
    const dublin = { ...vienna, country: 'AE', city: 'Dubai', postcode: '' }
    expect((await ada.call('POST', '/api/addresses', { address: dublin })).status).toBe(200)
  })
})

describe('a checkout that is delivered', () => {
  test('costs its method, free from the owner’s sum, and is paid with it', async () => {
    const methodId = await addMethod()
    const { id } = await booked([100, 50])
    const before = await checkoutOf(id)
    expect(before).toMatchObject({ due: 150, shipping: { method: null, shipTo: null, tax: 0 } })
    expect(before.methods.find(({ _id }) => _id === methodId)?.cost).toBe(9)
    await chosen(id, { methodId, address: seattle })
    const after = await checkoutOf(id)
    expect(after).toMatchObject({ due: 159, shipping: { type: 'ship', price: 9 } })
    expect(after.shipping.shipTo).toEqual(seattle)
    expect(after.orders[0]).toMatchObject({ checkoutTotal: 159, shipTo: seattle })
    const { body } = await open({ totalPrice: 150, orderId: after.orders[0]?._id })
    expect(body.error).toMatchObject({ code: 'PRICE_CHANGED', totalPrice: 150, due: 159 })
    const { intentId } = await pay(id)
    expect(await amountOf(intentId)).toBe(15_900)
    expect(await mailOf('order-paid')).toContain('$159')
    expect(await mailOf('order-paid')).toContain('400 Broad St, Seattle, WA 98109, United States')
    const large = await booked([300, 200])
    await chosen(large.id, { methodId, address: seattle })
    expect(await checkoutOf(large.id)).toMatchObject({ due: 500, shipping: { price: 0 } })
  })

  test('costs what remains when a line is deleted, and when orders are joined', async () => {
    const methodId = await addMethod()
    const { id, orderIds } = await booked([300, 250])
    await chosen(id, { methodId, address: seattle })
    expect((await checkoutOf(id)).due).toBe(550)
    await ada.call('DELETE', `/api/userProduct/${orderIds[0]}`)
    expect(await checkoutOf(id)).toMatchObject({ due: 259, shipping: { price: 9 } })
    const part = await stockPart(shop.pool, { onHand: 9, price: 300 })
    const single = await bookingOf(ada, part)
    const ids = [orderIds[1], single]
    const joined = await ada.call('POST', '/api/checkouts/join', { orderIds: ids })
    const all = await checkoutOf(joined.body.insertedId)
    expect(all).toMatchObject({ due: 550, shipping: { price: 0, shipTo: seattle } })
  })

  test('costs what remains when the shop ends a line, whose time was over', async () => {
    const methodId = await addMethod()
    const { id, orderIds } = await booked([300, 250])
    await chosen(id, { methodId, address: seattle })
    await endHold(orderIds[0])
    await shop.pool.query(
      `update orders set created_at = now() - interval '99 days',
       end_announced_at = now() - interval '9 days' where _id = $1`,
      [orderIds[0]],
    )
    await expireOrders({ ...shop.deps, expireDays: 30 })
    expect(await checkoutOf(id)).toMatchObject({ due: 259, shipping: { price: 9 } })
  })

  test('costs what its method did when that was deleted, and its price when a line is', async () => {
    const methodId = await addMethod()
    const { id, orderIds } = await booked([300, 250])
    await chosen(id, { methodId, address: seattle })
    await owner.call('DELETE', `/api/shipping-methods/${methodId}`)
    const { body } = await choose(id, { methodId, address: seattle })
    expect(body.error.code).toBe('NOT_FOUND')
    expect((await checkoutOf(id)).methods.map(({ _id }) => _id)).not.toContain(methodId)
    await ada.call('DELETE', `/api/userProduct/${orderIds[0]}`)
    expect(await checkoutOf(id)).toMatchObject({ due: 259, shipping: { price: 9, methodId } })
  })

  test('deleted whole, forgets where it went', async () => {
    const methodId = await addMethod()
    const { id } = await booked([100])
    await chosen(id, { methodId, address: seattle, billing: vienna, taxNumber: 'X1' })
    expect((await ada.call('DELETE', `/api/checkout/${id}`)).body.deletedCount).toBe(1)
    const { rows } = await shop.pool.query(
      'select ship_to, bill_to, tax_number, method_name from checkouts where _id = $1',
      [id],
    )
    expect(rows).toEqual([{ ship_to: null, bill_to: null, tax_number: '', method_name: null }])
  })

  test('goes only where its method delivers, to a complete address', async () => {
    const methodId = await addMethod({ regions: ['US-WA', 'Austria'] })
    const { id } = await booked([100])
    const refused = async (choice: object) => {
      const { status, body } = await choose(id, { methodId, ...choice })
      return [status, body.error.fields]
    }
    const name = `Parcel ${methods}`
    expect(await refused({})).toEqual([400, { address: 'Say where the parcel goes' }])
    expect(await refused({ address: portland })).toEqual([
      400,
      { methodId: `${name} does not deliver to Oregon, United States` },
    ])
    expect(await refused({ address: { ...seattle, postcode: 'x' } })).toEqual([
      400,
      { 'address.postcode': 'This is no ZIP code of United States' },
    ])
    const billing = { ...vienna, postcode: '10' }
    expect(await refused({ address: vienna, billing })).toEqual([
      400,
      { 'billing.postcode': 'This is no postcode of Austria' },
    ])
    // the owner's mail shows it
    expect(await refused({ address: vienna, taxNumber: 'see https://evil.example' })).toEqual([
      400,
      { taxNumber: 'Tax number cannot contain a link' },
    ])
    await chosen(id, { methodId, address: vienna, billing: seattle, taxNumber: 'ATU12345678' })
    expect((await checkoutOf(id)).shipping).toMatchObject({
      shipTo: vienna,
      billTo: seattle,
      taxNumber: 'ATU12345678',
    })
  })

  test('is picked up without an address', async () => {
    const methodId = await addMethod({ type: 'pick up', regions: [], price: 0, freeFrom: null })
    const { id } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    const { shipping, due } = await checkoutOf(id)
    expect([due, shipping.type, shipping.shipTo]).toEqual([100, 'pick up', null])
    await pay(id)
    expect(await mailOf('order-paid')).toContain(`You’re picking it up: Parcel ${methods}.`)
  })

  test('is its customer’s: others neither choose nor read', async () => {
    const methodId = await addMethod()
    const { id } = await booked([100])
    const [eve] = await createUsers(shop, 1)
    const choice = { methodId, address: seattle }
    expect((await choose(id, choice, eve)).status).toBe(404)
    expect((await choose(id, choice, owner)).status).toBe(404)
    expect((await eve?.call('GET', `/api/checkout/${id}`))?.status).toBe(404)
  })

  test('choosing again closes the open payment, and a paid one stays', async () => {
    const methodId = await addMethod()
    const express = await addMethod({ price: 29, freeFrom: null })
    const { id } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    const first = await intentOf(id)
    await chosen(id, { methodId: express, address: seattle })
    expect((await shop.deps.payments.retrieveIntent(first.intentId))?.status).toBe('canceled')
    const { intentId } = await pay(id)
    expect(await amountOf(intentId)).toBe(12_900)
    const { body } = await choose(id, { methodId, address: seattle })
    expect(body.error.code).toBe('ALREADY_PAID')
  })

  test('a method or rate that changes while someone pays changes nothing for him', async () => {
    await setUp(waSalesTax)
    const fields = parcel()
    const { body } = await owner.call('POST', '/api/shipping-methods', fields)
    const { id } = await booked([100])
    await chosen(id, { methodId: body.insertedId, address: seattle })
    expect((await checkoutOf(id)).due).toBe(120.01)
    const path = `/api/shipping-methods/${body.insertedId}`
    await owner.call('PUT', path, { ...fields, price: 99, version: 1 })
    await setUp({ ...waSalesTax, taxRates: 'US-WA 20' })
    const payment = await intentOf(id)
    await owner.call('DELETE', path)
    await setUp({})
    await confirm(payment)
    const [order] = (await checkoutOf(id)).orders
    const claim = { transactionId: payment.intentId }
    expect((await ada.call('PATCH', `/api/order/${order?._id}`, claim)).status).toBe(200)
    expect(await checkoutOf(id)).toMatchObject({
      due: 120.01,
      shipping: { method: fields.name, price: 9, taxRate: 10_100, tax: 11.01 },
    })
  })

  test('costs today’s shipping and tax when its hold has ended', async () => {
    const fields = parcel()
    const { body } = await owner.call('POST', '/api/shipping-methods', fields)
    const { id, orderIds } = await booked([100])
    await chosen(id, { methodId: body.insertedId, address: seattle })
    const edit = { ...fields, price: 19, version: 1 }
    await owner.call('PUT', `/api/shipping-methods/${body.insertedId}`, edit)
    await shop.pool.query(
      `update orders set hold_expires_at = now() - interval '1 second' where checkout_id = $1`,
      [id],
    )
    await expect.poll(async () => (await checkoutOf(id)).orders[0]?.holdExpiresAt).toBe(null)
    const agreed = { totalPrice: 100, due: 109, orderId: orderIds[0] }
    const { body: refused } = await open(agreed)
    expect(refused.error).toMatchObject({ code: 'PRICE_CHANGED', totalPrice: 100, due: 119 })
    expect((await open({ ...agreed, due: 119 })).status).toBe(200)
  })

  test('is chosen anew when its hold and its method have ended, even one that cost nothing', async () => {
    const methodId = await addMethod({ price: 0, freeFrom: null })
    const other = await addMethod({ price: 5, freeFrom: null })
    const { id, orderIds } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    await owner.call('DELETE', `/api/shipping-methods/${methodId}`)
    const agreed = { totalPrice: 100, due: 100, orderId: orderIds[0] }
    // while it is held, it is delivered as chosen
    expect((await open(agreed)).status).toBe(200)
    await endHold(orderIds[0])
    expect((await open(agreed)).body.error.code).toBe('DELIVERY_ENDED')
    expect((await checkoutOf(id)).shipping).toMatchObject({ method: null, shipTo: seattle })
    await chosen(id, { methodId: other, address: seattle })
    expect((await open({ ...agreed, due: 105 })).status).toBe(200)
  })
})

describe('a method with prices by weight', () => {
  const steps = [step(1000, 4.9), step(5000, 7)]
  /** The price of each method for these parts, by name. */
  const offered = async (parts: string) =>
    (await ada.call('GET', `/api/shipping-methods?parts=${parts}`)).body.map(
      ({ name, cost }: { name: string; cost: number }) => [name, cost],
    )
  const weighed = (weights: number[], price = 100) =>
    Promise.all(weights.map((weightG) => stockPart(shop.pool, { onHand: 99, price, weightG })))
  async function bookedAs(parts: { _id: string }[], quantity = 1) {
    const lines = parts.map(({ _id: partId }) => ({ partId, quantity }))
    const { status, body } = await ada.call('POST', '/api/orders', { phone, lines })
    expect([status, body.error]).toEqual([200, undefined])
    return { id: body.insertedId as string, orderIds: body.orderIds as string[] }
  }
  const costIn = async (id: string, methodId: string) =>
    (await checkoutOf(id)).methods.find(({ _id }) => _id === methodId)?.cost

  test('has its steps as they were saved last', async () => {
    const fields = parcel({ steps })
    const { body } = await owner.call('POST', '/api/shipping-methods', fields)
    const stored = async () => (await ada.call('GET', '/api/shipping-methods')).body[0].steps
    expect(await stored()).toEqual(steps)
    const path = `/api/shipping-methods/${body.insertedId}`
    const edit = { ...fields, steps: [step(800, 3), step(1000, 4.9)] }
    expect((await owner.call('PUT', path, { ...edit, version: 1 })).status).toBe(200)
    expect(await stored()).toEqual(edit.steps)
    const { steps: _, ...without } = fields
    expect((await owner.call('PUT', path, { ...without, version: 2 })).status).toBe(200)
    expect(await stored()).toEqual([])
  })

  test('costs the cheapest step that holds the weight, else its price', async () => {
    await havePaid(shop.pool, [ada.email])
    const methodId = await addMethod({ steps, freeFrom: null })
    const [light, exact, heavy] = (await weighed([999, 1000, 5001])) as [Part, Part, Part]
    for (const [parts, quantity, cost] of [
      [[light], 1, 4.9],
      [[exact], 1, 4.9],
      [[light], 2, 7],
      [[exact], 5, 7],
      [[exact], 6, 9],
      [[light, exact], 1, 7],
      [[heavy], 1, 9],
    ] as const) {
      const { id, orderIds } = await bookedAs([...parts], quantity)
      expect(await costIn(id, methodId)).toBe(cost)
      await chosen(id, { methodId, address: seattle })
      const goods = parts.length * quantity * 100
      expect(await checkoutOf(id)).toMatchObject({ due: goods + cost, shipping: { price: cost } })
      const { intentId } = await intentOf(id)
      expect(await amountOf(intentId)).toBe(Math.round((goods + cost) * 100))
      for (const orderId of orderIds) await ada.call('DELETE', `/api/userProduct/${orderId}`)
    }
  })

  test('is free from its sum, whatever the weight', async () => {
    const methodId = await addMethod({ steps, freeFrom: 200 })
    const { id } = await bookedAs(await weighed([900, 9000]))
    expect(await costIn(id, methodId)).toBe(0)
    await chosen(id, { methodId, address: seattle })
    expect((await checkoutOf(id)).due).toBe(200)
  })

  test('counts a part of unknown weight as the owner says', async () => {
    const methodId = await addMethod({ steps, freeFrom: null })
    const { id } = await bookedAs(await weighed([0]))
    expect(await costIn(id, methodId)).toBe(4.9)
    await setUp({ unknownWeight: '1001' })
    expect(await costIn(id, methodId)).toBe(7)
    await setUp({ unknownWeight: '5001' })
    expect(await costIn(id, methodId)).toBe(9)
    await setUp({})
  })

  test('lists what costs least first for the parts of a basket, without what is sold out', async () => {
    const parts = await weighed([400, 4000])
    const gone = await stockPart(shop.pool, { onHand: 0, price: 100, weightG: 90_000 })
    const { rows } = await shop.pool.query(
      'select number from parts where _id = any($1) order by weight_g',
      [[...parts, gone].map(({ _id }) => _id)],
    )
    const [light, heavy, soldOut] = rows.map(({ number }) => number)
    const byWeight = parcel({ steps, price: 19, freeFrom: null })
    const flat = parcel({ price: 6, freeFrom: 300 })
    for (const method of [byWeight, flat]) await owner.call('POST', '/api/shipping-methods', method)
    expect(await offered(`${light}`)).toEqual([
      [byWeight.name, 4.9],
      [flat.name, 6],
    ])
    expect(await offered(`${light},${heavy},${soldOut}`)).toEqual([
      [flat.name, 6],
      [byWeight.name, 7],
    ])
    expect(await offered(`${heavy}x3`)).toEqual([
      [flat.name, 0],
      [byWeight.name, 19],
    ])
  })

  test('costs less when a line is deleted; a step or weight that changes while someone pays changes nothing', async () => {
    const fields = parcel({ steps, freeFrom: null })
    const { body } = await owner.call('POST', '/api/shipping-methods', fields)
    const parts = await weighed([600, 700])
    const { id, orderIds } = await bookedAs(parts)
    await chosen(id, { methodId: body.insertedId, address: seattle })
    expect((await checkoutOf(id)).due).toBe(207)
    await ada.call('DELETE', `/api/userProduct/${orderIds[1]}`)
    expect((await checkoutOf(id)).due).toBe(104.9)
    const payment = await intentOf(id)
    const path = `/api/shipping-methods/${body.insertedId}`
    const edit = { ...fields, steps: [step(1000, 99)], version: 1 }
    expect((await owner.call('PUT', path, edit)).status).toBe(200)
    await shop.pool.query('update parts set weight_g = 60000 where _id = $1', [parts[0]?._id])
    await confirm(payment)
    const claim = { transactionId: payment.intentId }
    expect((await ada.call('PATCH', `/api/order/${orderIds[0]}`, claim)).status).toBe(200)
    expect(await checkoutOf(id)).toMatchObject({ due: 104.9, shipping: { price: 4.9 } })
    const reason = 'Came late'
    const tooMuch = await refund(id, { shipping: 4.91, reason })
    expect(tooMuch.body.error.fields).toEqual({
      shipping: 'Amount cannot be more than the remaining $4.90',
    })
    expect((await refund(id, { shipping: 4.9, reason })).body.state).toBe('succeeded')
  })
})

describe('an order without an address', () => {
  test('costs no shipping, and is paid as documented', async () => {
    await addMethod()
    const part = await stockPart(shop.pool, { onHand: 9, price: 100 })
    const id = await bookingOf(ada, part)
    expect((await open({ totalPrice: 100 })).status).toBe(200)
    const order = (await ada.call('GET', `/api/order/${id}`)).body
    expect(order).toMatchObject({ checkoutTotal: 100, method: null, shipTo: null })
  })

  test('tells the owner to ask where to, in a shop that has a way of delivery', async () => {
    const toOwner = async () => {
      const { id, orderIds } = await booked([100])
      await pay(id)
      const { rows } = await shop.pool.query(
        `select text from mail_queue where template = 'owner-paid' and order_id = any($1)`,
        [orderIds],
      )
      return rows[0].text
    }
    const asks = 'The customer didn’t choose a delivery method: ask where to send it.'
    expect(await toOwner()).not.toContain(asks)
    const methodId = await addMethod()
    expect(await toOwner()).toContain(asks)
    const { id, orderIds } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    await pay(id)
    const { rows } = await shop.pool.query('select text from mail_queue where order_id = any($1)', [
      orderIds,
    ])
    for (const { text } of rows) expect(text).not.toContain(asks)
  })

  test('with tax added, pays the rate of the shop’s own region after it agreed to the sum', async () => {
    await setUp(waSalesTax)
    const part = await stockPart(shop.pool, { onHand: 9, price: 100 })
    const id = await bookingOf(ada, part)
    const { body } = await open({ totalPrice: 100 })
    expect(body.error).toMatchObject({ code: 'PRICE_CHANGED', totalPrice: 100, due: 110.1 })
    const opened = await open({ totalPrice: 100, due: 110.1 })
    const intentId = opened.body.clientSecret.split('_secret_')[0]
    expect(await amountOf(intentId)).toBe(11_010)
    await confirm({ clientSecret: opened.body.clientSecret, intentId })
    const claim = { transactionId: intentId }
    expect((await ada.call('PATCH', `/api/order/${id}`, claim)).status).toBe(200)
    const order = (await ada.call('GET', `/api/order/${id}`)).body
    expect(order).toMatchObject({ totalPrice: 100, taxTotal: 10.1, checkoutTotal: 110.1 })
    await setUp({})
  })
})

describe('tax', () => {
  test('is added by the region of the address, to goods and shipping', async () => {
    await setUp({ ...waSalesTax, taxRates: 'US-WA 10.1\nUS-OR 0\nUS 7.25 goods\n19' })
    const methodId = await addMethod({ regions: ['US', 'AT'], freeFrom: null })
    await havePaid(shop.pool, [ada.email])
    const due = async (address: Address) => {
      const { id } = await booked([99.99, 4.95])
      await chosen(id, { methodId, address })
      const { shipping, due: sum, orders } = await checkoutOf(id)
      return [sum, shipping.tax, ...orders.map(({ taxTotal }) => taxTotal)]
    }
    // each line and the shipping are rounded alone
    expect(await due(seattle)).toEqual([125.45, 11.51, 10.1, 0.5])
    expect(await due(portland)).toEqual([113.94, 0, 0, 0])
    expect(await due({ ...portland, region: 'US-CA', postcode: '94016' })).toEqual([
      121.55, 7.61, 7.25, 0.36,
    ])
    expect(await due(vienna)).toEqual([135.59, 21.65, 19, 0.94])
    await setUp({})
  })

  test('that the owner ended is not charged for an order that another one joins', async () => {
    // which checkout takes the orders is up to their ids
    await havePaid(shop.pool, [ada.email])
    for (let i = 0; i < 8; i += 1) {
      await setUp(waSalesTax)
      const taxed = await booked([100])
      const request = { totalPrice: 100, orderId: taxed.orderIds[0] }
      expect((await open(request)).body.error.due).toBe(110.1)
      expect((await open({ ...request, due: 110.1 })).status).toBe(200)
      await setUp({})
      const other = await booked([50])
      const orderIds = [taxed.orderIds[0], other.orderIds[0]]
      const { body } = await ada.call('POST', '/api/checkouts/join', { orderIds })
      const { due, shipping, orders } = await checkoutOf(body.insertedId)
      const taxes = orders.map(({ taxTotal }) => taxTotal)
      expect([due, shipping.tax, ...taxes]).toEqual([150, 0, 0, 0])
      await ada.call('DELETE', `/api/checkout/${body.insertedId}`)
    }
  })

  test('that prices include changes no amount, and stands on the receipt', async () => {
    await setUp({ taxMode: 'included', taxName: 'VAT', taxRates: '19' })
    const methodId = await addMethod({ freeFrom: null })
    const { id } = await booked([119, 0.5])
    await chosen(id, { methodId, address: vienna })
    expect(await checkoutOf(id)).toMatchObject({ due: 128.5, shipping: { tax: 20.52 } })
    await pay(id)
    expect(await mailOf('order-paid')).toMatch(/Includes VAT 19 %\W+\$20\.52/)
    await setUp({})
  })

  test.each([
    [{ taxMode: 'included', taxName: 'VAT' }, 'taxRates'],
    [{ taxMode: 'added', taxRates: '7' }, 'taxName'],
    [{ taxMode: 'added', taxName: 'Tax', taxRates: 'seven' }, 'taxRates'],
    [{ taxMode: 'added', taxName: 'Tax', taxRates: 'US-WA 1\nus-wa 2' }, 'taxRates'],
    [{ taxMode: 'included', taxName: 'Tax', taxRates: 'US-WA 1' }, 'taxRates'],
    [{ taxMode: 'included', taxName: 'VAT', taxRates: '19 goods' }, 'taxRates'],
    [{ taxMode: 'added', taxName: 'VAT', taxRates: 'UK 20' }, 'taxRates'],
    [{ taxMode: 'added', taxName: 'IGIC', taxRates: 'ES-CN 7' }, 'taxRates'],
    [{ taxRegion: 'US-XX' }, 'taxRegion'],
    [{ taxRegion: 'Oregon' }, 'taxRegion'],
  ])('%j is refused at its field', async (wrong, field) => {
    const { version } = (await owner.call('GET', '/api/settings')).body
    const edit = { version, settings: { shop: { ...sampleFacts, ...wrong } } }
    const { status, body } = await owner.call('PUT', '/api/settings', edit)
    expect([status, Object.keys(body.error.fields)]).toEqual([400, [`settings.shop.${field}`]])
  })
})

describe('a region that decides price or tax', () => {
  test('is not one without postcodes, and is asked for where rates or prices name regions', async () => {
    await setUp({ ...waSalesTax, taxRates: 'US-WA 10.1\nIN-KA 18' })
    const methodId = await addMethod({ regions: ['US', 'IN'] })
    const { id } = await booked([100])
    const refused = async (address: object) =>
      (await choose(id, { methodId, address })).body.error?.fields
    expect(await refused({ ...seattle, region: 'US-UM' })).toEqual({
      'address.postcode': expect.stringContaining('is not in'),
    })
    const bengaluru = { ...seattle, city: 'Bengaluru', postcode: '560001', country: 'IN' }
    expect(await refused({ ...bengaluru, region: '' })).toEqual({
      'address.region': expect.stringContaining('is required'),
    })
    expect(await refused({ ...bengaluru, region: 'IN-KA' })).toBeUndefined()
    expect(await refused({ ...seattle, name: 'See https://evil.example' })).toEqual({
      'address.name': 'Name cannot contain a link',
    })
    await setUp({})
  })
})

describe('after the payment', () => {
  test('a mail to an address that nobody confirmed has no words of a delivery, which a stranger may have typed', async () => {
    const methodId = await addMethod()
    const settle = async (person: Person) => {
      const { id, orderIds } = await booked([50], person)
      const address = { ...seattle, name: 'Your card was charged' }
      const billing = { ...seattle, company: 'Cancel at evil' }
      expect((await choose(id, { methodId, address, billing }, person)).status).toBe(200)
      const { due } = await checkoutOf(id, person)
      const request = { totalPrice: 50, due, orderId: orderIds[0] }
      const { clientSecret } = (await person.call('POST', '/api/create-payment-intent', request))
        .body
      const transactionId = clientSecret.split('_secret_')[0]
      await confirm({ clientSecret, intentId: transactionId })
      await person.call('PATCH', `/api/order/${orderIds[0]}`, { transactionId })
      await owner.call('PUT', `/api/checkout/${id}/shipped`, {})
      const { rows } = await shop.pool.query<{ text: string }>(
        `select text from mail_queue where recipient = $1 and template in ('order-paid', 'order-shipped') order by template`,
        [person.email],
      )
      expect(rows).toHaveLength(2)
      return rows.map(({ text }) => text)
    }
    for (const text of await settle(ada))
      expect(text).toContain('Deliver to: Your card was charged')
    const [stranger] = await createUsers(shop, 1, { verified: false })
    const mails = await settle(stranger as Person)
    for (const text of mails) expect(text).not.toMatch(/charged|evil|Broad/)
    expect(mails[0]).toContain('We’ll send it to the address on your order’s page')
  })

  test('a parcel that was packed for an address corrected since does not leave', async () => {
    const methodId = await addMethod()
    const { id } = await booked([50])
    await chosen(id, { methodId, address: seattle })
    await pay(id)
    const { body: list } = await owner.call('GET', '/api/to-ship')
    const packed = (list as ToShip).checkouts.find(({ checkoutId }) => checkoutId === id)
    const ship = (shipTo: object | null | undefined) =>
      owner.call('PUT', `/api/checkout/${id}/shipped`, { shipTo, trackingNumber: '1Z999' })
    const line1 = '402 Broad St'
    const correction = { name: 'Ada Example', company: '', line1, line2: '' }
    await ada.call('PUT', `/api/checkout/${id}/address`, correction)
    const { status, body } = await ship(packed?.shipTo)
    expect([status, body.error.code]).toEqual([409, 'OUTDATED'])
    expect((await ship(null)).body.error.code).toBe('OUTDATED')
    expect((await ship({ ...seattle, line1 })).body.modifiedCount).toBe(1)
    // repeated, it is shipped already, whatever was on the label
    expect((await ship(seattle)).body.modifiedCount).toBe(0)
  })

  test('name, company and street can be corrected until all is shipped; the rest made the price', async () => {
    const methodId = await addMethod()
    const { id, orderIds } = await booked([100, 50])
    const correction = { name: 'Ada E.', company: 'Ada Ltd', line1: '402 Broad St', line2: 'B' }
    const correct = (person = ada, line2 = 'B') =>
      person.call('PUT', `/api/checkout/${id}/address`, { ...correction, line2 })
    expect((await correct()).body.error.fields).toEqual({ name: 'This order has no address' })
    await chosen(id, { methodId, address: seattle })
    expect((await correct()).body.error.code).toBe('ORDER_UNPAID')
    await pay(id)
    const [eve] = await createUsers(shop, 1)
    expect((await correct(eve)).status).toBe(404)
    await ada.call('POST', '/api/addresses', { address: seattle, isDefault: true })
    expect((await correct()).body.modifiedCount).toBe(1)
    // the same again changes nothing
    expect((await correct()).body.modifiedCount).toBe(0)
    expect((await checkoutOf(id)).shipping.shipTo).toEqual({ ...seattle, ...correction })
    // the next order goes there, too, and the owner is told of each correction
    expect((await ada.call('GET', '/api/addresses')).body).toMatchObject([{ address: correction }])
    const { rows } = await shop.pool.query(
      `select text from mail_queue where template = 'owner-address' and order_id = any($1)`,
      [orderIds],
    )
    expect(rows).toEqual([{ text: expect.stringContaining('402 Broad St') }])
    expect((await correct(owner, 'C')).status).toBe(200)
    const { body: log } = await owner.call('GET', `/api/audit?about=order:${orderIds[0]}`)
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'address corrected', by: owner.email },
      { action: 'address corrected', by: ada.email },
    ])
    // an admin's rights need a confirmed address everywhere
    const [unconfirmed] = (await createUsers(shop, 1, { verified: false })) as [Person]
    await shop.pool.query(`update users set role = 'admin' where email = $1`, [unconfirmed.email])
    expect((await correct(unconfirmed, 'C')).status).toBe(404)
    for (const line2 of ['D', 'E', 'F']) expect((await correct(ada, line2)).status).toBe(200)
    expect((await correct(ada, 'G')).body.error.code).toBe('TOO_MANY')
    await owner.call('PUT', `/api/checkout/${id}/shipped`, {})
    expect((await correct()).body.error.code).toBe('ALREADY_SHIPPED')
    expect(await mailOf('order-shipped')).toContain('402 Broad St')
  })

  test('what was paid without a delivery gets an address once, where we deliver at that tax', async () => {
    await setUp(waSalesTax)
    const give = (id: string, address: object, person = ada) =>
      person.call('POST', `/api/checkout/${id}/address`, { address })
    const { id, orderIds } = await booked([100])
    const [first] = orderIds
    expect((await give(id, seattle)).body.error.code).toBe('ORDER_UNPAID')
    // as documented, the payment names the sum with the tax once, and is made without an address
    expect((await open({ totalPrice: 100, orderId: first })).body.error.due).toBe(110.1)
    await open({ totalPrice: 100, due: 110.1, orderId: first })
    await pay(id)
    const ofId = async () => {
      const { checkouts } = (await owner.call('GET', '/api/to-ship')).body as ToShip
      return checkouts.find(({ checkoutId }) => checkoutId === id)
    }
    expect(await ofId()).toMatchObject({ shipTo: null, lacksDelivery: false })
    // a shop that delivers nowhere agrees on it by phone
    const nowhere = 'We do not deliver to Washington, United States. Write to us.'
    expect((await give(id, seattle)).body.error.fields).toEqual({ address: nowhere })
    await addMethod()
    expect(await ofId()).toMatchObject({ shipTo: null, lacksDelivery: true })
    const [eve] = (await createUsers(shop, 1)) as [Person]
    expect((await give(id, seattle, eve)).status).toBe(404)
    const berlin = { ...seattle, region: '', postcode: '10115', city: 'Berlin', country: 'DE' }
    expect((await give(id, berlin)).body.error.fields).toHaveProperty('address')
    const portland = { ...seattle, region: 'US-OR', postcode: '97201', city: 'Portland' }
    expect((await give(id, portland)).body.error.message).toBe(
      'Another tax applies there. Cancel this order and book it again.',
    )
    expect((await give(id, { ...seattle, postcode: '1' })).status).toBe(400)
    const both = await Promise.all([give(id, seattle), give(id, seattle)])
    expect(both.map(({ body }) => body.modifiedCount).toSorted()).toEqual([0, 1])
    expect((await give(id, { ...seattle, line1: '1 Pine St' })).status).toBe(400)
    expect(await checkoutOf(id)).toMatchObject({
      due: 110.1,
      shipping: { shipTo: seattle, price: 0 },
    })
    // the owner still sees that no delivery was paid
    expect(await ofId()).toMatchObject({ shipTo: seattle, method: null, lacksDelivery: true })
    const { rows } = await shop.pool.query(
      `select subject, text from mail_queue where template = 'owner-address' and order_id = $1`,
      [first],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].text).toContain('Agree on the delivery cost before you ship it.')
    const raw = `update checkouts set ship_to = ship_to || '{"postcode": "98110"}' where _id = '${id}'`
    await expect(shop.pool.query(raw)).rejects.toMatchObject({
      constraint: 'checkouts_address_frozen',
    })
    await owner.call('PUT', `/api/checkout/${id}/shipped`, {})
    const sent = await booked([100])
    await open({ totalPrice: 100, due: 110.1, orderId: sent.orderIds[0] })
    await pay(sent.id)
    await owner.call('PUT', `/api/checkout/${sent.id}/shipped`, {})
    expect((await give(sent.id, seattle)).body.error.code).toBe('ALREADY_SHIPPED')
    const asked = await booked([100])
    await open({ totalPrice: 100, due: 110.1, orderId: asked.orderIds[0] })
    await pay(asked.id)
    expect((await give(asked.id, seattle, owner)).status).toBe(200)
    const { body: log } = await owner.call('GET', `/api/audit?about=order:${asked.orderIds[0]}`)
    expect(log[0]).toMatchObject({ action: 'address added', by: owner.email })
    await setUp({})
  })

  test('nothing that made the price changes, even by raw SQL', async () => {
    const methodId = await addMethod()
    const { id } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    await pay(id)
    const change = (set: string) =>
      shop.pool.query(`update checkouts set ${set} where _id = '${id}'`)
    for (const set of [
      'shipping_cents = 0',
      `method_name = 'Another'`,
      'method_id = null, method_name = null, method_type = null',
      `tax_mode = 'added', shipping_tax_cents = 5`,
      'tax_rate = 1',
      'days_to = 9',
    ])
      await expect(change(set)).rejects.toMatchObject({ constraint: 'checkouts_frozen' })
    for (const set of [
      `ship_to = ship_to || '{"postcode": "98110"}'`,
      `ship_to = ship_to || '{"region": "US-OR"}'`,
      `tax_number = 'X'`,
      `bill_to = ship_to`,
      'ship_to = null',
    ])
      await expect(change(set)).rejects.toMatchObject({
        constraint: expect.stringMatching(/^checkouts_(address_frozen|method)$/),
      })
    await expect(
      shop.pool.query(`update orders set tax_cents = 1 where checkout_id = '${id}'`),
    ).rejects.toThrow('its tax is frozen')
    expect((await checkoutOf(id)).due).toBe(109)
  })

  test('shipping and tax are refunded, by line and by hand, never more than was paid', async () => {
    await setUp(waSalesTax)
    const methodId = await addMethod({ freeFrom: null })
    const { id, orderIds } = await booked([100, 50])
    await chosen(id, { methodId, address: seattle })
    const { intentId } = await pay(id)
    const line = (orderId: string | undefined, amount: number) => ({ orderId, amount, restock: 0 })
    const reason = 'Came late'
    const tooMuch = await refund(id, { shipping: 9.92, reason })
    expect(tooMuch.body.error.fields).toEqual({
      shipping: 'Amount cannot be more than the remaining $9.91',
    })
    const both = { lines: [line(orderIds[0], 110.1)], shipping: 4, reason }
    expect((await refund(id, both)).body.state).toBe('succeeded')
    const { orders } = await checkoutOf(id)
    expect(orders.map(({ status, refunded }) => [status, refunded])).toEqual([
      ['refunded', 110.1],
      ['paid', 0],
    ])
    expect(await mailOf('order-refunded')).toContain('We’ve refunded $114.10 of the $175.06')
    expect((await refund(id, { shipping: 5.92, reason })).status).toBe(409)
    expect((await refund(id, { reason })).status).toBe(400)
    // by hand: the rest of the orders first, then of the shipping
    await refundByHand(shop, intentId, 6096)
    await expect
      .poll(async () => (await checkoutOf(id)).orders.map(({ refunded }) => refunded))
      .toEqual([110.1, 55.05])
    const { rows } = await shop.pool.query(
      `select sum(amount)::int as sum from refund_lines where order_id is null
       and refund_id in (select _id from refunds where intent_id = $1)`,
      [intentId],
    )
    expect(rows).toEqual([{ sum: 991 }])
    expect(await mailOf('order-refunded')).toContain('We’ve refunded $60.96.')
    await setUp({})
  })

  test('two refunds by hand beside one that waits are both recorded', async () => {
    const methodId = await addMethod({ freeFrom: null })
    const { id } = await booked([100])
    await chosen(id, { methodId, address: seattle })
    const { intentId } = await pay(id)
    await control('webhooks', { mode: 'drop' })
    await refundByHand(shop, intentId, 3900)
    await refundByHand(shop, intentId, 7000)
    await shop.pool.query(
      withLines(
        `insert into refunds (intent_id, cause, amount, state, requested_by, reason, idempotency_key, request_hash)
         select $1, 'admin', 6000, 'requested', _id, 'x', 'waits', 'x' from users where email = $2`,
      ),
      [intentId, owner.email],
    )
    await importRefunds(shop.deps)
    const { orders, shipping } = await checkoutOf(id)
    expect([orders[0]?.refunded, shipping.refunded]).toEqual([100, 9])
  })

  test('the file of orders and the data of the account have it, a deleted account has not', async () => {
    const methodId = await addMethod()
    const { id, orderIds } = await booked([100])
    await chosen(id, { methodId, address: seattle, billing: vienna, taxNumber: 'ATU1' })
    await pay(id)
    const { body: csv } = await owner.call('GET', `/api/allOrders.csv?q=${ada.email}`)
    expect(parse(csv, { columns: true, bom: true })[0]).toMatchObject({
      Delivery: `Parcel ${methods}`,
      Address: 'Ada Example, 400 Broad St, Seattle, WA 98109, United States',
    })
    await ada.call('POST', '/api/addresses', { address: portland })
    const { body: data } = await ada.call('GET', '/api/me/data')
    expect(data.addresses).toEqual([portland])
    expect(data.orders[0]).toMatchObject({ shipTo: seattle, billTo: vienna, taxNumber: 'ATU1' })
    await owner.call('PUT', `/api/order/${orderIds[0]}/shipped`, {})
    expect((await ada.call('DELETE', '/api/me', { email: ada.email })).status).toBe(200)
    const { shipping } = await checkoutOf(id, owner)
    expect(shipping).toMatchObject({ billTo: null, taxNumber: '' })
    expect(shipping.shipTo).toEqual({
      ...{ name: 'A former customer', company: '', line1: '', line2: '', city: '', postcode: '' },
      ...{ region: 'US-WA', country: 'US' },
    })
    const ofThem = [data.account._id]
    const { rows } = await shop.pool.query('select from addresses where user_id = $1', ofThem)
    expect(rows).toEqual([])
  })
})

test('what is to be packed is listed by checkout, the first paid first, without what was put back', async () => {
  const toShip = async () => (await owner.call('GET', '/api/to-ship')).body as ToShip
  await havePaid(shop.pool, [ada.email])
  const methodId = await addMethod()
  const first = await booked([100, 50])
  await chosen(first.id, { methodId, address: seattle })
  await pay(first.id)
  const second = await booked([20])
  await pay(second.id)
  const ids = [first.id, second.id]
  const own = async () =>
    (await toShip()).checkouts.filter(({ checkoutId }) => ids.includes(checkoutId))
  const [one, two] = await own()
  const codes = `update parts set sku = 'Bay-7', gtin = '4006381333931', mpn = 'QX 90' where _id = (
    select part_id from orders where _id = $1)`
  await shop.pool.query(codes, [first.orderIds[1]])
  // as a scanner reads them: from the slip, or from the box
  for (const q of [one?.lines[1]?.number, 'bay-7', '4006381333931', '04006381333931', 'qx 90']) {
    const { body } = await owner.call('GET', `/api/to-ship?q=${encodeURIComponent(q ?? '')}`)
    expect([q, body.total, body.checkouts[0].checkoutId]).toEqual([q, 1, first.id])
  }
  expect((await owner.call('GET', '/api/to-ship?q=4006381333932')).body.total).toBe(0)
  expect(one).toMatchObject({
    checkoutId: first.id,
    customer: ada.name,
    type: 'ship',
    shipTo: seattle,
    lines: [{ orderId: first.orderIds[0], quantity: 1 }, { orderId: first.orderIds[1] }],
  })
  expect(one?.by).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(two).toMatchObject({ checkoutId: second.id, method: null, shipTo: null, by: null })
  const line = { orderId: first.orderIds[0], amount: 1, restock: 1 }
  expect((await refund(first.id, { lines: [line], reason: 'One less' })).status).toBe(200)
  expect((await own())[0]?.lines.map(({ quantity }) => quantity)).toEqual([1])
  await owner.call('PUT', `/api/checkout/${first.id}/shipped`, { trackingNumber: 'JD014600003' })
  expect((await own()).map(({ checkoutId }) => checkoutId)).toEqual([second.id])
})

test('what did not leave within the owner’s working days is late, unless it is picked up', async () => {
  await havePaid(shop.pool, [ada.email])
  const pickUp = { type: 'pick up', regions: [], freeFrom: null }
  const methods = [await addMethod({ freeFrom: null }), await addMethod(pickUp)]
  const ids: string[] = []
  for (const methodId of methods) {
    const { id } = await booked([20])
    await chosen(id, { methodId, address: seattle })
    await pay(id)
    ids.push(id)
  }
  const own = async () => {
    const { checkouts } = (await owner.call('GET', '/api/to-ship')).body as ToShip
    return ids.map((id) => {
      const checkout = checkouts.find(({ checkoutId }) => checkoutId === id)
      return [checkout?.leavesBy, checkout?.isLate, checkout?.by]
    })
  }
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  const pickedUp = [null, false, null]
  expect(await own()).toEqual([[day, false, day], pickedUp])
  // a Monday
  await shop.pool.query(
    `update orders set paid_at = '2026-01-05 12:00:00Z' where checkout_id = any($1)`,
    [ids],
  )
  expect(await own()).toEqual([['2026-01-05', true, '2026-01-09'], pickedUp])
  await setUp({ shipsWithin: '5' })
  expect(await own()).toEqual([['2026-01-12', true, '2026-01-16'], pickedUp])
  await setUp({})
})

test.each([
  [{ shipsWithin: '61' }, 'shipsWithin', 'Ships within must be from 0 to 60'],
  [{ shipsWithin: '1.5' }, 'shipsWithin', 'Ships within must be a whole number'],
  [{ unknownWeight: '0' }, 'unknownWeight', 'Default weight must be from 1 to 100000'],
])('the setting %j is refused at its field', async (wrong, field, why) => {
  const { version } = (await owner.call('GET', '/api/settings')).body
  const edit = { version, settings: { shop: { ...sampleFacts, ...wrong } } }
  const { status, body } = await owner.call('PUT', '/api/settings', edit)
  expect([status, body.error.fields]).toEqual([400, { [`settings.shop.${field}`]: why }])
})
