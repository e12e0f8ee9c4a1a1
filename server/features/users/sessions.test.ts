import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { SessionInfo } from '#contracts/account.ts'
import { Exchanged } from '#contracts/users.ts'
import { call, idToken, login, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off' })
})
afterAll(() => shop.close())

const sessionsOf = async (person: Person) => {
  const { status, body } = await person.call('GET', '/api/sessions')
  expect(status).toBe(200)
  return z.array(SessionInfo).parse(body)
}
const again = (person: Person) => login(shop.origin, person.email, 'correct horse')
const isIn = async (person: Person) =>
  (await person.call('GET', `/api/orders?email=${person.email}`)).status
const exchangeOf = (person: Person, proof: string) =>
  call(shop.origin, 'PUT', `/api/user/${person.email}`, {
    body: { email: person.email, idToken: proof },
  })

test('users see their own sign-ins, this one first, without secrets', async () => {
  const laptop = await register(shop.origin, 'Ada Sessions')
  const phone = await again(laptop)
  await register(shop.origin, 'Somebody Else')
  const { body } = await phone.call('GET', '/api/sessions')
  const sessions = z.array(SessionInfo).parse(body)
  expect(sessions.map(({ current }) => current)).toEqual([true, false])
  expect((await sessionsOf(laptop)).map(({ _id }) => _id)).toEqual(
    sessions.map(({ _id }) => _id).toReversed(),
  )
  const { rows } = await shop.pool.query('select token from identity.session')
  for (const { token } of rows) expect(JSON.stringify(body)).not.toContain(token)
})

test('ending one ends its access, its cookie and its proofs at once, and no other', async () => {
  const here = await register(shop.origin, 'Bea Ending')
  const there = await again(here)
  const proof = await idToken(shop.origin, there.cookie)
  expect(await isIn(there)).toBe(200)
  const other = (await sessionsOf(here)).find(({ current }) => !current)
  const ended = await here.call('DELETE', `/api/sessions/${other?._id}`)
  expect([ended.status, ended.body]).toEqual([200, { acknowledged: true, deletedCount: 1 }])
  expect(await isIn(there)).toBe(401)
  expect((await exchangeOf(here, proof)).status).toBe(401)
  const token = await call(shop.origin, 'GET', '/identity/token', {
    headers: { cookie: there.cookie },
  })
  expect(token.status).toBe(401)
  expect(await isIn(here)).toBe(200)
  expect(await sessionsOf(here)).toHaveLength(1)
  expect((await here.call('DELETE', `/api/sessions/${other?._id}`)).status).toBe(404)
})

test('all others end together', async () => {
  const here = await register(shop.origin, 'Cy Many')
  const others = [await again(here), await again(here)]
  const ended = await here.call('DELETE', '/api/sessions')
  expect(ended.body).toEqual({ acknowledged: true, deletedCount: 2 })
  expect(await Promise.all([here, ...others].map(isIn))).toEqual([200, 401, 401])
  expect((await here.call('DELETE', '/api/sessions')).body.deletedCount).toBe(0)
})

test('an account has fifty, the last used ones, and all others end together', async () => {
  const ada = await register(shop.origin, 'Ada Many')
  await shop.pool.query(
    `insert into identity.session (id, user_id, token, user_agent, expires_at, created_at, updated_at)
     select 'many-' || i, u.id, 'token-' || i, 'Browser', now() + interval '1 day', now(), now() - make_interval(mins => i)
     from identity."user" u, generate_series(1, 150) i where u.email = $1`,
    [ada.email],
  )
  // the library lists a hundred at a time
  const last = await again(await again(ada))
  expect(await sessionsOf(last)).toHaveLength(50)
  expect(await isIn(ada)).toBe(200)
  expect((await last.call('DELETE', '/api/sessions')).body.deletedCount).toBe(49)
  const left = `select from identity.session s join identity."user" u on u.id = s.user_id where u.email = $1`
  expect((await shop.pool.query(left, [ada.email])).rowCount).toBe(1)
})

test('no user ends another’s sign-in', async () => {
  const victim = await register(shop.origin, 'Di Victim')
  const mallory = await register(shop.origin, 'Mallory Ends')
  const [session] = await sessionsOf(victim)
  expect((await mallory.call('DELETE', `/api/sessions/${session?._id}`)).status).toBe(404)
  await mallory.call('DELETE', '/api/sessions')
  expect(await isIn(victim)).toBe(200)
})

test('signing out ends the access token at once, and the list no longer has it', async () => {
  const here = await register(shop.origin, 'Eve Leaving')
  const there = await again(here)
  const { headers } = await call(shop.origin, 'POST', '/identity/sign-out', {
    body: {},
    headers: { cookie: there.cookie, origin: shop.origin },
  })
  expect(headers.getSetCookie().join()).toMatch(/session_token=;.*Max-Age=0/i)
  expect(await isIn(there)).toBe(401)
  expect(await sessionsOf(here)).toHaveLength(1)
})

test('a renewed access token counts as being seen', async () => {
  const here = await register(shop.origin, 'Flo Seen')
  await shop.pool.query(`update identity.session set updated_at = now() - interval '3 days'`)
  const [old] = await sessionsOf(here)
  const { body } = await exchangeOf(here, await idToken(shop.origin, here.cookie))
  expect(Exchanged.parse(body).token).toBeTruthy()
  const [renewedSession] = await sessionsOf(here)
  const day = 86_400_000
  expect(
    Date.parse(renewedSession?.lastSeenAt ?? '') - Date.parse(old?.lastSeenAt ?? ''),
  ).toBeGreaterThan(2.9 * day)
})
