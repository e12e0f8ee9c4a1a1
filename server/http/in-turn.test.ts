import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', SWEEP_SECONDS: '3600' })
})
afterAll(() => shop.close())

test('thirty people who sign up at once all get in, and leave the database to the others', async () => {
  const { $client } = shop.deps.db
  let busiest = 0
  const look = setInterval(() => {
    busiest = Math.max(busiest, $client.totalCount - $client.idleCount + $client.waitingCount)
  }, 2)
  const signUp = (i: number) =>
    call(shop.origin, 'POST', '/identity/sign-up/email', {
      body: { name: 'Ada', email: `crowd.${i}@example.com`, password: 'correct horse' },
      headers: { origin: shop.origin },
    })
  const statuses = (await Promise.all(Array.from({ length: 30 }, (_, i) => signUp(i)))).map(
    ({ status }) => status,
  )
  clearInterval(look)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(busiest).toBeLessThan(20)
})
