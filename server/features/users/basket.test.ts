import { afterAll, beforeAll, expect, test } from 'vitest'
import { login, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
})
afterAll(() => shop.close())

test('an account’s basket is on every device, in its export, and is deleted with the account', async () => {
  const ada = await register(shop.origin)
  expect((await ada.call('GET', '/api/me/basket')).body).toEqual({ parts: '' })
  const keep = (parts: string) => ada.call('PUT', '/api/me/basket', { parts })
  expect((await keep('12,15x2,12x9,x,')).status).toBe(200)
  const device = await login(shop.origin, ada.email, 'correct horse')
  expect((await device.call('GET', '/api/me/basket')).body).toEqual({ parts: '12,15x2' })
  expect((await ada.call('GET', '/api/me/data')).body.basket).toBe('12,15x2')
  const { rowCount } = await shop.pool.query('select from baskets')
  expect(rowCount).toBe(1)
  expect((await keep('')).status).toBe(200)
  expect((await shop.pool.query('select from baskets')).rowCount).toBe(0)
  await keep('7')
  expect((await ada.call('DELETE', '/api/me', { password: 'correct horse' })).status).toBe(200)
  expect((await shop.pool.query('select from baskets')).rowCount).toBe(0)
})

test('a basket has at most 20 parts, and only its own characters', async () => {
  const eve = await register(shop.origin, 'Eve Full')
  const many = Array.from({ length: 30 }, (_, i) => i + 1).join(',')
  await eve.call('PUT', '/api/me/basket', { parts: many })
  const { body } = await eve.call('GET', '/api/me/basket')
  expect(body.parts.split(',')).toHaveLength(20)
  for (const parts of ['12;drop', 'a', '1'.repeat(401)]) {
    const refused = await eve.call('PUT', '/api/me/basket', { parts })
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ['parts']])
  }
})
