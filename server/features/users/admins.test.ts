import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ListedUser } from '#contracts/users.ts'
import { crowd, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

describe('the list of users', () => {
  test('is whole unless a piece is asked for, and holds no more than it must', async () => {
    await crowd(shop, 1100)
    const { status, body, headers } = await owner.call('GET', '/api/user')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const users = z.array(ListedUser).parse(body)
    expect(new Set(users.map(({ _id }) => _id)).size).toBe(1101)
    expect(users).toContainEqual(expect.objectContaining({ email: owner.email, role: 'admin' }))
  })

  test('comes in pieces that follow each other', async () => {
    const whole = (await owner.call('GET', '/api/user')).body
    const first = (await owner.call('GET', '/api/user?limit=3')).body
    const second = (await owner.call('GET', `/api/user?limit=2&after=${first[2]._id}`)).body
    expect([...first, ...second]).toEqual(whole.slice(0, 5))
    const rest = (await owner.call('GET', `/api/user?after=${first[2]._id}`)).body
    expect(rest).toEqual(whole.slice(3))
    for (const odd of ['limit=0', 'limit=501', 'limit=x', 'after=x']) {
      expect((await owner.call('GET', `/api/user?${odd}`)).status, odd).toBe(400)
    }
  })
})
