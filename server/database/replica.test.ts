/** A DATABASE_READ_URL that points to no replica. tests/scale uses a real one. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Overview } from '#contracts/overview.ts'
import { migratedDatabase, type TestDatabase, testDatabase } from '#tests/support/database.ts'
import { login } from '#tests/support/people.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await migratedDatabase()
  await stockPart(database.pool, { onHand: 5 })
})
afterEach(() => database.drop())

test('another database stops the start', async () => {
  const other = await testDatabase()
  const opening = openTestShop({ DATABASE_READ_URL: other.url }, { shared: database })
  await expect(opening).rejects.toThrow(
    'DATABASE_READ_URL leads to no copy of the database of DATABASE_URL: name a streaming replica of it, or remove DATABASE_READ_URL.',
  )
  await other.drop()
})

test.each([
  ['is down', () => 'postgres://shop@127.0.0.1:9/shop'],
  ['was promoted', () => database.url],
])('a replica that %s is not read: the owner gets everything from the database', async (_, url) => {
  const shop = await openTestShop({ DEMO: 'off', DATABASE_READ_URL: url() }, { shared: database })
  try {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const { status, body } = await owner.call('GET', '/api/overview')
    expect([status, Overview.parse(body).figuresAge]).toEqual([200, null])
    for (const path of [
      '/api/products.csv',
      '/api/allOrders.csv',
      '/api/payments.csv',
      '/api/audit.csv',
    ]) {
      const file = await owner.call('GET', path)
      expect([path, file.status, file.headers.get('x-data-age')]).toEqual([path, 200, null])
    }
  } finally {
    await shop.close()
  }
})
