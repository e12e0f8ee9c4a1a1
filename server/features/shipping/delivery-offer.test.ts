/** What pages say of the delivery of parts: their price by weight, and their day. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partPath } from '#contracts/part-address.ts'
import { sampleFacts } from '#contracts/settings.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { call, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' }, { web: await builtWeb() })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
}, 90_000)
afterAll(() => shop.close())

/** What a page says: 'Delivery from $4.90'. */
async function offerOn(path: string): Promise<string | undefined> {
  const page = String((await call(shop.origin, 'GET', path)).body).replaceAll('<!-- -->', '')
  return /(?:Delivery from [^,]*|Free delivery), by/.exec(page)?.[0]
}

test('a part and a basket are delivered at the price of their weight, which follows the owner’s changes', async () => {
  const method = {
    ...{ name: 'Parcel', type: 'ship', price: 9, freeFrom: 500, regions: ['US'] },
    ...{ daysFrom: 2, daysTo: 4 },
    steps: [
      { upToG: 1000, price: 4.9 },
      { upToG: 5000, price: 7 },
    ],
  }
  const { body } = await owner.call('POST', '/api/shipping-methods', method)
  const parts = [
    await stockPart(shop.pool, { onHand: 9, price: 50, weightG: 700 }),
    await stockPart(shop.pool, { onHand: 9, price: 50, weightG: 700, minimum: 2 }),
    await stockPart(shop.pool, { onHand: 9, price: 50 }),
  ]
  const { rows } = await shop.pool.query('select _id, number, name from parts')
  const [light, pair, unknown] = parts.map(({ _id }) => rows.find((row) => row._id === _id))
  await expect.poll(() => offerOn(partPath(light))).toBe('Delivery from $4.90, by')
  expect(await offerOn(partPath(pair))).toBe('Delivery from $7, by')
  expect(await offerOn(partPath(unknown))).toBe('Delivery from $4.90, by')
  expect(await offerOn(`/basket?parts=${light.number}`)).toBe('Delivery from $4.90, by')
  expect(await offerOn(`/basket?parts=${light.number},${unknown.number}`)).toBe(
    'Delivery from $7, by',
  )
  expect(await offerOn(`/basket?parts=${light.number}x8`)).toBe('Delivery from $9, by')
  expect(await offerOn(`/basket?parts=${light.number}x9,${unknown.number}`)).toBe(
    'Free delivery, by',
  )

  const settings = { shop: { ...sampleFacts, unknownWeight: '2000' } }
  await owner.call('PUT', '/api/settings', { version: 0, settings })
  await expect.poll(() => offerOn(partPath(unknown))).toBe('Delivery from $7, by')
  const edit = { ...method, steps: [], version: 1 }
  await owner.call('PUT', `/api/shipping-methods/${body.insertedId}`, edit)
  await expect.poll(() => offerOn(partPath(light))).toBe('Delivery from $9, by')
})
