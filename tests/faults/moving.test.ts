import { afterAll, expect, test } from 'vitest'
import { bookingOf, login, orderOf, register } from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: ShopProcess
afterAll(() => shop.remove())

test('at another address people are who they were: their orders are theirs, the admin is the admin', async () => {
  shop = await startShop({ DEMO: 'off' })
  const pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 9 })
  await pool.end()
  const before = shop.origin
  const ada = await register(before, 'Ada Moving')
  const id = await bookingOf(ada, part)
  await shop.end('SIGTERM')

  shop = await startShop({ DEMO: 'off' }, shop.dataDir)
  expect(shop.origin).not.toBe(before)
  const again = await login(shop.origin, ada.email, 'correct horse')
  expect((await orderOf(again, id))._id).toBe(id)
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const { body } = await owner.call('GET', `/api/admin/${owner.email}`)
  expect(body).toEqual({ admin: true })
})
