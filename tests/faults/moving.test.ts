import { expect, test } from 'vitest'
import { dataFolder, removeDataFolder } from '#tests/support/data-folder.ts'
import { migratedDatabase } from '#tests/support/database.ts'
import { bookingOf, login, orderOf, register } from '#tests/support/people.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

test('at another address users keep their accounts, orders and roles', async () => {
  const shared = await migratedDatabase()
  const dataDir = await dataFolder()
  const open = () => openTestShop({ DEMO: 'off' }, { shared, dataDir })
  const before = await open()
  const ada = await register(before.origin, 'Ada Moving')
  const id = await bookingOf(ada, await stockPart(shared.pool, { onHand: 9 }))
  // opened before the other is closed, so that it cannot get the same port
  const after = await open()
  await before.close()
  expect(after.origin).not.toBe(before.origin)
  const again = await login(after.origin, ada.email, 'correct horse')
  expect((await orderOf(again, id))._id).toBe(id)
  const owner = await login(after.origin, 'owner@ferrite.example', 'owner-password')
  const { body } = await owner.call('GET', `/api/admin/${owner.email}`)
  expect(body).toEqual({ admin: true })
  await after.close()
  await shared.drop()
  await removeDataFolder(dataDir)
})
