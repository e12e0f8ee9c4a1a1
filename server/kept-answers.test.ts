import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Part } from '#contracts/parts.ts'
import { bookingOf, call, crowd, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let part: Part
const soon = { timeout: 10_000, interval: 20 }

beforeAll(async () => {
  shop = await openTestShop()
  part = await stockPart(shop.pool, { onHand: 9 })
})
afterAll(() => shop.close())

async function shown(): Promise<number> {
  const { body } = await call(shop.origin, 'GET', '/api/part')
  return body.find(({ _id }: Part) => _id === part._id).availableQuantity
}

test('a booking is seen by the very next reader', async () => {
  const [ada] = (await crowd(shop, 1)) as [Person]
  await expect.poll(shown, soon).toBe(9)
  for (let left = 8; left > 4; left -= 1) {
    await bookingOf(ada, part)
    expect(await shown()).toBe(left)
  }
})

test('a refused request, which anybody can send, makes nobody wait', async () => {
  const kept = () => shop.deps.catalogue.peek('answer /api/part')
  /** Are what was kept before and after refused requests the same? */
  const staysKept = async () => {
    await shown()
    const before = kept()
    for (const [method, path] of [
      ['POST', '/api/order'],
      ['DELETE', '/api/no-such-call'],
      ['PUT', '/api/user/nobody@example.com'],
    ] as const)
      expect((await call(shop.origin, method, path, { body: {} })).status).toBeGreaterThan(399)
    return before !== undefined && kept() === before
  }
  // the last booking's notification may still be on its way
  await expect.poll(staysKept, soon).toBe(true)
})

test('a change made by another process is heard', async () => {
  const before = await shown()
  const receive = `insert into stock_movements (part_id, kind, on_hand_delta) values ($1, 'receive', 10)`
  await shop.pool.query(receive, [part._id])
  await expect.poll(shown, soon).toBe(before + 10)
})

test('who has the answer already is told so, in every encoding', async () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const headers = { 'accept-encoding': encoding }
    const etag =
      (await call(shop.origin, 'GET', '/api/part', { headers })).headers.get('etag') ?? ''
    const again = await call(shop.origin, 'GET', '/api/part', {
      headers: { ...headers, 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
    expect(again.body).toBe('')
  }
})
