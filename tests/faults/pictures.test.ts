/** The picture folder is missing. */
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login, type Person } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person
let picture: Buffer

beforeAll(async () => {
  picture = await photo(80, 60)
  shop = await openTestShop({ DEMO: 'off' })
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const product = (image: string, name: string) =>
  owner.call('POST', '/api/product', {
    ...{ name, image, description: 'A part.', price: 10 },
    ...{ minimumOrderQuantity: 1, availableQuantity: 5 },
  })
const counted = async (table: 'parts' | 'pictures') =>
  (await shop.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n

test('no picture, no product, no file and no row; when it is back, the same form works', async () => {
  const pictureUrl = (await upload(shop, owner, picture)).body.data.url
  const folder = join(shop.dataDir, 'images')
  const pictures = async () => (await readdir(folder)).filter((name) => name !== 'shop-id')
  const files = await pictures()
  await rename(folder, `${folder}.away`)
  await writeFile(folder, 'what is no folder')

  const refused = await upload(shop, owner, picture)
  expect([refused.status, refused.body.error.code]).toEqual([503, 'UNAVAILABLE'])
  const image = `/images/${'0'.repeat(24)}-960.webp`
  expect((await product(image, 'Without a picture')).status).toBe(400)
  expect((await fetch(`${shop.origin}${pictureUrl}`)).status).toBe(503)
  expect([await counted('parts'), await counted('pictures')]).toEqual([0, 1])

  await rm(folder)
  await rename(`${folder}.away`, folder)
  expect((await pictures()).toSorted()).toEqual(files.toSorted())
  expect((await fetch(`${shop.origin}${pictureUrl}`)).status).toBe(200)
  const { body } = await upload(shop, owner, picture)
  expect((await product(body.data.url, 'With a picture')).status).toBe(200)
  expect(await pictures()).toHaveLength(2 * files.length)
})
