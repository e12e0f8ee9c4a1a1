/** Builds kept by name: a customer's own and the shop's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Build } from '#contracts/builds.ts'
import { call, login, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
})
afterAll(() => shop.close())

const numberOf = async (id: string): Promise<number> =>
  (await shop.pool.query('select number from parts where _id = $1', [id])).rows[0].number

test('a build says what it costs now, what is gone and what is sold out', async () => {
  const ada = await register(shop.origin)
  const fan = await stockPart(shop.pool, { onHand: 5, price: 10, name: 'Kept fan' })
  const gone = await stockPart(shop.pool, { onHand: 5, price: 20, name: 'Gone board' })
  const few = await stockPart(shop.pool, { onHand: 1, price: 40, name: 'Few cards' })
  const secret = await stockPart(shop.pool, { onHand: 5, price: 40, name: 'Not announced yet' })
  await shop.pool.query(`update parts set state = 'draft' where _id = $1`, [secret._id])
  const draft = await numberOf(secret._id)
  const parts = `${await numberOf(fan._id)}x2,${await numberOf(gone._id)},${await numberOf(few._id)}x3,${draft}`
  const kept = await ada.call('POST', '/api/me/builds', { name: ' My PC ', parts })
  expect(kept.status).toBe(200)
  await shop.pool.query('update parts set deleted_at = now() where _id = $1', [gone._id])
  const { body } = await ada.call('GET', '/api/me/builds')
  expect(body).toEqual([
    {
      _id: kept.body.insertedId,
      name: 'My PC',
      parts,
      total: 20,
      // drafts are private
      gone: ['Gone board', `Part ${draft}`],
      soldOut: ['Few cards'],
    },
  ])
  // the same name replaces it
  const again = await ada.call('POST', '/api/me/builds', { name: 'My PC', parts: '1' })
  expect(again.body.insertedId).toBe(kept.body.insertedId)
  expect((await ada.call('GET', '/api/me/data')).body.builds).toEqual([
    { name: 'My PC', parts: '1' },
  ])
  // it is nobody else's
  const eve = await register(shop.origin, 'Eve Curious')
  expect((await eve.call('GET', '/api/me/builds')).body).toEqual([])
  const path = `/api/me/builds/${kept.body.insertedId}`
  expect((await eve.call('DELETE', path)).status).toBe(404)
  expect((await ada.call('DELETE', path)).status).toBe(200)
  expect((await ada.call('DELETE', path)).status).toBe(404)
})

test('an account keeps at most twenty, however many come at once, and none after its end', async () => {
  const max = await register(shop.origin, 'Max Keeper')
  const asked = Array.from({ length: 24 }, (_, i) =>
    max.call('POST', '/api/me/builds', { name: `Build ${i}`, parts: '1,2' }),
  )
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429 || status === 409)).toHaveLength(4)
  expect((await max.call('GET', '/api/me/builds')).body).toHaveLength(20)
  for (const build of [
    { name: '', parts: '1' },
    { name: 'x'.repeat(61), parts: '1' },
    { name: 'x', parts: '' },
    { name: 'x', parts: 'xx' },
  ])
    expect((await max.call('POST', '/api/me/builds', build)).status).toBe(400)
  expect((await max.call('DELETE', '/api/me', { password: 'correct horse' })).status).toBe(200)
  expect((await shop.pool.query('select from builds where user_id is not null')).rowCount).toBe(0)
})

test('the owner’s builds are for everybody, and only the owner’s to change', async () => {
  const admin = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const ada = await register(shop.origin, 'Ada Visitor')
  const build = { name: 'Quiet office', parts: '1' }
  expect((await ada.call('POST', '/api/builds', build)).status).toBe(403)
  const { body } = await admin.call('POST', '/api/builds', build)
  const list = async () => (await call(shop.origin, 'GET', '/api/builds')).body as Build[]
  expect((await list()).map(({ name }) => name)).toEqual(['Quiet office'])
  expect((await ada.call('DELETE', `/api/builds/${body.insertedId}`)).status).toBe(403)
  expect((await ada.call('DELETE', `/api/me/builds/${body.insertedId}`)).status).toBe(404)
  expect((await admin.call('DELETE', `/api/builds/${body.insertedId}`)).status).toBe(200)
  expect(await list()).toEqual([])
})
