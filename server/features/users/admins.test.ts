import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Modified } from '#contracts/api.ts'
import { ListedUser } from '#contracts/users.ts'
import { createUsers, login, type Person } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person

beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

describe('the list of users', () => {
  test('is whole unless a page is asked for, and holds no more than it must', async () => {
    await createUsers(shop, 1100)
    const { status, body, headers } = await owner.call('GET', '/api/user')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const users = z.array(ListedUser).parse(body)
    expect(new Set(users.map(({ _id }) => _id)).size).toBe(1101)
    expect(users).toContainEqual(expect.objectContaining({ email: owner.email, role: 'admin' }))
  })

  test('comes in pages', async () => {
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

const rights = (method: 'PUT' | 'DELETE', by: Person, whose: { email: string }) =>
  by.call(method, `/api/user/admin/${encodeURIComponent(whose.email)}`)
const actionsOn = async (whose: { email: string }) => {
  const { rows } = await shop.pool.query(
    `select a.email as actor, l.action, l.detail from audit_log l join users u on u._id = l.user_id
     join users a on a._id = l.actor_id where u.email = $1 order by l._id`,
    [whose.email],
  )
  return rows
}

describe('admin rights', () => {
  test('are given to a verified address once, and written down', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    expect((await ada.call('GET', '/api/user')).status).toBe(403)
    const answer = await rights('PUT', owner, ada)
    expect(Modified.parse(answer.body).modifiedCount).toBe(1)
    expect((await rights('PUT', owner, ada)).body.modifiedCount).toBe(0)
    expect((await ada.call('GET', '/api/user')).status).toBe(200)
    const detail = { email: ada.email }
    expect(await actionsOn(ada)).toEqual([{ actor: owner.email, action: 'admin made', detail }])
  })

  test('are not given to an unknown or an unverified address', async () => {
    const [unproved] = (await createUsers(shop, 1, { verified: false })) as [Person]
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await rights(method, owner, { email: 'nobody@example.com' })).status).toBe(404)
    const { status, body } = await rights('PUT', owner, unproved)
    expect([status, body.error.code]).toEqual([409, 'NOT_VERIFIED'])
    expect(await actionsOn(unproved)).toEqual([])
  })

  test('go to the given address in any case, and to no similar one', async () => {
    const near = ['ada+shop@example.com', 'ada@example.com']
    await shop.pool.query(
      `insert into users (issuer, subject, email, name, email_verified)
       select 'near', a, a, 'Ada', true from unnest($1::text[]) a`,
      [near],
    )
    const admins = async () => {
      const { rows } = await shop.pool.query(
        `select email from users where role = 'admin' and issuer = 'near' order by email`,
      )
      return rows.map(({ email }) => email)
    }
    const put = (written: string) => owner.call('PUT', `/api/user/admin/${written}`)
    expect((await put('ADA%2Bshop@EXAMPLE.com')).body.modifiedCount).toBe(1)
    expect(await admins()).toEqual(['ada+shop@example.com'])
    expect((await put('ada+shop@example.com')).body.modifiedCount).toBe(0)
    for (const odd of [
      // decoded only once, so it does not become ada@example.com
      'ad%2561@example.com',
      'ada%2Fx@example.com',
      'ada%20shop@example.com',
      '%',
      '%00@example.com',
      'ada@example.com%0d%0aBcc:x@example.com',
      '..%2f..%2forder',
      '%F0%28@example.com',
    ]) {
      expect((await put(odd)).status, odd).toBe(400)
    }
    expect((await put('ada/x@example.com')).status).toBe(404)
    expect(await admins()).toEqual(['ada+shop@example.com'])
    expect((await put('%20Ada@example.com%20')).body.modifiedCount).toBe(1)
    await shop.pool.query(`update users set role = 'customer' where issuer = 'near'`)
  })

  test('can be given up by an admin while another has them', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    await rights('PUT', owner, ada)
    expect((await rights('DELETE', ada, ada)).body.modifiedCount).toBe(1)
    expect((await ada.call('GET', '/api/user')).status).toBe(403)
    expect((await rights('PUT', ada, ada)).status).toBe(403)
    expect((await actionsOn(ada)).at(-1)).toMatchObject({
      actor: ada.email,
      action: 'admin rights removed',
    })
  })

  test('are not a customer’s to give', async () => {
    const [ada, bob] = (await createUsers(shop, 2)) as [Person, Person]
    expect((await rights('PUT', ada, ada)).status).toBe(403)
    expect((await rights('DELETE', ada, owner)).status).toBe(403)
    expect((await bob.call('GET', `/api/admin/${bob.email}`)).body).toEqual({ admin: false })
  })

  test('end at the next request when they are taken, the token stays', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    await rights('PUT', owner, ada)
    expect(Modified.parse((await rights('DELETE', owner, ada)).body).modifiedCount).toBe(1)
    expect((await rights('DELETE', owner, ada)).body.modifiedCount).toBe(0)
    expect((await ada.call('GET', '/api/user')).status).toBe(403)
    expect((await ada.call('GET', `/api/orders?email=${ada.email}`)).status).toBe(200)
    expect((await actionsOn(ada)).map(({ action }) => action)).toEqual([
      'admin made',
      'admin rights removed',
    ])
  })

  test('of the last admin cannot be lost; disabled admins do not count', async () => {
    await shop.pool.query(
      `update users set role = 'customer' where role = 'admin' and email <> $1`,
      [owner.email],
    )
    const [disabled] = (await createUsers(shop, 1)) as [Person]
    await rights('PUT', owner, disabled)
    await shop.pool.query('update users set disabled_at = now() where email = $1', [disabled.email])
    const { status, body } = await rights('DELETE', owner, owner)
    expect([status, body.error.code]).toEqual([409, 'LAST_ADMIN'])
    expect((await actionsOn(owner)).length).toBe(0)
    const disable = shop.pool.query('update users set disabled_at = now() where email = $1', [
      owner.email,
    ])
    await expect(disable).rejects.toMatchObject({ constraint: 'users_last_admin' })
    expect((await owner.call('GET', '/api/user')).status).toBe(200)
  })

  test('of two admins who revoke each other’s at once, one keeps them', async () => {
    for (let round = 0; round < 10; round++) {
      const [ada, bob] = (await createUsers(shop, 2)) as [Person, Person]
      for (const person of [ada, bob]) await rights('PUT', owner, person)
      await shop.pool.query(
        `update users set role = 'customer' where role = 'admin' and email <> all($1)`,
        [[ada.email, bob.email]],
      )
      const answers = await Promise.all([rights('DELETE', ada, bob), rights('DELETE', bob, ada)])
      const statuses = answers.map(({ status }) => status).sort()
      // a late second request is refused by the route's guard, an early one by the database
      expect(statuses[0]).toBe(200)
      expect([403, 409]).toContain(statuses[1])
      const { rows } = await shop.pool.query(`select email from users where role = 'admin'`)
      expect(rows).toHaveLength(1)
      await shop.pool.query(`update users set role = 'admin' where email = $1`, [owner.email])
    }
  })
})

test('the database itself keeps the last admin, also from transactions that do not see each other', async () => {
  const [ada] = (await createUsers(shop, 1)) as [Person]
  await rights('PUT', owner, ada)
  const demote = `update users set role = 'customer' where email = $1`
  await shop.pool.query(`${demote.replace('= $1', '<> all($1)')}`, [[ada.email, owner.email]])
  const [one, two] = await Promise.all([shop.pool.connect(), shop.pool.connect()])
  for (const client of [one, two]) await client.query('begin')
  await one.query(demote, [owner.email])
  await two.query(demote, [ada.email])
  const ends = await Promise.allSettled([one.query('commit'), two.query('commit')])
  one.release()
  two.release()
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { rows } = await shop.pool.query(`select email from users where role = 'admin'`)
  expect(rows).toHaveLength(1)
  await shop.pool.query(`update users set role = 'admin' where email = $1`, [owner.email])
})

test('what was logged is never changed or removed', async () => {
  await expect(shop.pool.query('delete from audit_log')).rejects.toThrow(/append-only/)
  await expect(shop.pool.query(`update audit_log set action = 'x'`)).rejects.toThrow(/append-only/)
  await expect(shop.pool.query('truncate audit_log')).rejects.toThrow(/append-only/)
})
