import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Modified } from '#contracts/api.ts'
import { ListedUser } from '#contracts/users.ts'
import { signInWithGoogle } from '#tests/support/google.ts'
import { call, createUsers, idToken, login, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Person
beforeAll(async () => {
  shop = await openTestShop()
  owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
})
afterAll(() => shop.close())

const idOf = async ({ email }: { email: string }): Promise<string> => {
  const { rows } = await shop.pool.query('select _id from users where email = $1', [email])
  return rows[0]._id
}
const block = async (whose: { email: string }, more: object = {}, by = owner) =>
  by.call('POST', `/api/user/${await idOf(whose)}/block`, {
    reason: 'Held all the stock.',
    ...more,
  })
const unblock = async (whose: { email: string }) =>
  owner.call('POST', `/api/user/${await idOf(whose)}/unblock`, { reason: 'Has apologised.' })
const changed = ({ body }: { body: unknown }) => Modified.parse(body).modifiedCount
const password = 'correct horse'
const signIn = (email: string) =>
  call(shop.origin, 'POST', '/identity/sign-in/email', {
    body: { email, password },
    headers: { origin: shop.origin },
  })

describe('an account that an admin blocks', () => {
  test('is logged out at once, everywhere, until it is unblocked', async () => {
    const mia = await register(shop.origin, 'Mia Blocked')
    const elsewhere = await login(shop.origin, mia.email, password)
    const proof = await idToken(shop.origin, mia.cookie)
    expect(changed(await block(mia))).toBe(1)
    expect(changed(await block(mia))).toBe(0)
    for (const person of [mia, elsewhere]) {
      expect((await person.call('GET', '/api/me')).status).toBe(401)
      const cookie = { headers: { cookie: person.cookie } }
      expect((await call(shop.origin, 'GET', '/identity/token', cookie)).status).toBe(401)
    }
    const exchanged = await call(shop.origin, 'PUT', `/api/user/${mia.email}`, {
      body: { email: mia.email, idToken: proof },
    })
    expect(exchanged.status).toBe(401)
    const refused = await signIn(mia.email)
    expect([refused.status, refused.body.code]).toEqual([403, 'USER_DISABLED'])
    const google = await signInWithGoogle(shop.origin, { name: mia.name, email: mia.email })
    expect(google.error).toBe('auth/user-disabled')

    expect(changed(await unblock(mia))).toBe(1)
    expect(changed(await unblock(mia))).toBe(0)
    // its old sessions stay ended, so the user has to log in again
    expect((await mia.call('GET', '/api/me')).status).toBe(401)
    const back = await login(shop.origin, mia.email, password)
    expect((await back.call('GET', '/api/me')).status).toBe(200)
    const { body: lines } = await owner.call('GET', `/api/audit?about=user:${mia.email}`)
    expect(lines).toMatchObject([
      { action: 'account unblocked', by: owner.email, note: '“Has apologised.”' },
      { action: 'account blocked', by: owner.email, note: '“Held all the stock.”' },
    ])
  })

  test('is told so where its proof of identity outlives the session', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    const proof = await register(shop.origin, 'Pia Proof')
    await shop.pool.query('update users set disabled_at = now() where email = $1', [proof.email])
    const { status, body } = await call(shop.origin, 'PUT', `/api/user/${proof.email}`, {
      body: { email: proof.email, idToken: await idToken(shop.origin, proof.cookie) },
    })
    expect([status, body.error.code]).toEqual([403, 'BLOCKED'])
    expect((await ada.call('GET', '/api/me')).status).toBe(200)
  })

  test('keeps its reviews unless they are to be hidden too', async () => {
    const [kind, rude] = (await createUsers(shop, 2)) as [Person, Person]
    for (const person of [kind, rude])
      await person.call('POST', '/api/review', { review: `By ${person.email}`, ratings: 1 })
    await block(kind)
    await block(rude, { hideReviews: true })
    const { body } = await call(shop.origin, 'GET', '/api/review')
    const texts = body.map(({ review }: { review: string }) => review)
    expect(texts).toContain(`By ${kind.email}`)
    expect(texts).not.toContain(`By ${rude.email}`)
    const { body: lines } = await owner.call('GET', '/api/audit?limit=2')
    expect(lines.map(({ action }: { action: string }) => action)).toEqual([
      'review hidden',
      'account blocked',
    ])
  })

  test('is found among the users', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    await block(ada)
    const list = async (query: string) =>
      z.array(ListedUser).parse((await owner.call('GET', `/api/user?${query}`)).body)
    const blocked = await list('blocked=yes')
    expect(blocked.find(({ email }) => email === ada.email)?.blockedAt).not.toBeNull()
    expect(blocked.every(({ blockedAt }) => blockedAt !== null)).toBe(true)
    expect((await list('blocked=no')).map(({ email }) => email)).not.toContain(ada.email)
  })
})

describe('an admin cannot block', () => {
  test('without a reason, nor an account that is not there', async () => {
    const [ada] = (await createUsers(shop, 1)) as [Person]
    expect((await block(ada, { reason: ' ' })).body.error.fields).toEqual({
      reason: 'Reason is required',
    })
    const nobody = `/api/user/${crypto.randomUUID()}/block`
    expect((await owner.call('POST', nobody, { reason: 'Spam.' })).status).toBe(404)
    expect((await ada.call('GET', '/api/me')).status).toBe(200)
  })

  test('themselves', async () => {
    const { status, body } = await block(owner)
    expect([status, body.error.message]).toEqual([400, 'You can’t block your own account.'])
    expect((await owner.call('GET', '/api/user?limit=1')).status).toBe(200)
  })

  test('the last admin: of two who block each other at once, one remains', async () => {
    for (let round = 0; round < 5; round += 1) {
      const admins = (await createUsers(shop, 2)) as [Person, Person]
      const [ada, bob] = admins
      const emails = admins.map(({ email }) => email)
      await shop.pool.query(`update users set role = 'admin' where email = any($1)`, [emails])
      await shop.pool.query(`update users set role = 'customer' where email <> all($1)`, [emails])
      const answers = await Promise.all([block(ada, {}, bob), block(bob, {}, ada)])
      // 401 if the caller was blocked before authentication
      for (const { status } of answers) expect([200, 401, 409]).toContain(status)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { rowCount } = await shop.pool.query(
        `select from users where role = 'admin' and email_verified and disabled_at is null`,
      )
      expect(rowCount).toBe(1)
    }
  })
})
