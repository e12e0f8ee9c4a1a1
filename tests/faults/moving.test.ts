import { afterAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { bookingOf, call, login, orderOf, register } from '#tests/support/people.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

let shop: ShopProcess
afterAll(() => shop.remove())

test('at another address people are who they were: their orders are theirs, the admin is the admin', async () => {
  shop = await startShop()
  const before = shop.origin
  const ada = await register(before, 'Ada Moving')
  const parts: Part[] = (await call(before, 'GET', '/api/part')).body
  const id = await bookingOf(ada, parts.find((part) => part.availableQuantity > 5) as Part)
  await shop.end('SIGTERM')

  shop = await startShop({}, shop.dataDir)
  expect(shop.origin).not.toBe(before)
  const again = await login(shop.origin, ada.email, 'correct horse')
  expect((await orderOf(again, id))._id).toBe(id)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const { body } = await owner.call('GET', `/api/admin/${owner.email}`)
  expect(body).toEqual({ admin: true })
})
