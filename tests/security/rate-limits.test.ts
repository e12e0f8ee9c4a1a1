/**
 * Rate limits are counted in the database: for every process, after a restart, and without locking
 * an owner out.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { networkOf } from '#server/http/client-address.ts'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { askVariant } from '#tests/support/path-variants.ts'
import { call, createUsers, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ada: Person
let eve: Person

beforeAll(async () => {
  const settings = { DEMO: 'off', RATE_LIMIT: 'on', TRUST_PROXY: 'on' }
  shop = await openTestShop(settings, { web: await builtWeb() })
}, 90_000)
beforeEach(async () => {
  await shop.pool.query('delete from rate_limits')
  ;[ada, eve] = (await createUsers(shop, 2)) as [Person, Person]
})
afterAll(() => shop.close())

const statuses = async (times: number, ask: () => Promise<{ status: number }>) => {
  const counts: Record<number, number> = {}
  for (let i = 0; i < times; i += 1) {
    const { status } = await ask()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

describe('calls', () => {
  test('bookings are limited to 20 a minute for each customer, and say when to try again', async () => {
    const nothing = (who: Person) => () => who.call('POST', '/api/order', { quantity: 'none' })
    expect(await statuses(22, nothing(ada))).toEqual({ 400: 20, 429: 2 })
    const refused = await nothing(ada)()
    expect(refused.body.error.code).toBe('TOO_MANY')
    expect(refused.body.error.message).toMatch(
      /^That was too often\. Try again in (a minute|\d+ seconds)\.$/,
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await nothing(eve)()).status).toBe(400)
  })

  test('asking for the head alone counts like asking for all: it is as much work', async () => {
    const [admin] = (await createUsers(shop, 1)) as [Person]
    await shop.pool.query(
      `update users set role = 'admin', email_verified = true where email = $1`,
      [admin.email],
    )
    const ask = (method: string) => () => admin.call(method, '/api/allOrders.csv')
    expect(await statuses(8, ask('HEAD'))).toEqual({ 200: 8 })
    expect(await statuses(4, ask('GET'))).toEqual({ 200: 2, 429: 2 })
    expect((await ask('HEAD')()).status).toBe(429)
  })

  test('one network searches 120 times a minute, and others go on', async () => {
    const search = (address: string) => () =>
      call(shop.origin, 'GET', '/api/search?q=fan', { headers: { 'x-forwarded-for': address } })
    expect(await statuses(122, search('203.0.113.60'))).toEqual({ 200: 120, 429: 2 })
    expect((await search('203.0.113.61')()).status).toBe(200)
  })

  test('a wrong token does not make a network read all reviews more than 60 times a minute', async () => {
    const read = (headers: Record<string, string>) => () =>
      call(shop.origin, 'GET', '/api/review', {
        headers: { 'x-forwarded-for': '203.0.113.64', ...headers },
      })
    expect(await statuses(62, read({ authorization: 'Bearer x' }))).toEqual({ 200: 60, 429: 2 })
    expect((await read({})()).status).toBe(200)
  })

  test('one network lists parts 300 times a minute', async () => {
    const list = (i: number) => () =>
      call(shop.origin, 'GET', `/api/parts?q=made-up-${i}`, {
        headers: { 'x-forwarded-for': '203.0.113.62' },
      })
    expect((await list(0)()).status).toBe(200)
    await shop.pool.query(`update rate_limits set points = 299 where key like 'GET /api/parts:%'`)
    expect(await statuses(3, list(1))).toEqual({ 200: 1, 429: 2 })
  })

  test('what the shop reads itself for a visitor’s page counts for nobody', async () => {
    const page = await call(shop.origin, 'GET', '/parts?q=made-up', {
      headers: { 'x-forwarded-for': '203.0.113.63' },
    })
    // the shop has no such part
    expect(page.status).toBe(404)
    const { rows } = await shop.pool.query(`select key from rate_limits where key like 'GET %'`)
    expect(rows).toEqual([])
  })

  test('calls that need a login write nothing for visitors, whatever id they name', async () => {
    for (const path of ['limit', 'queue', '']) {
      const url = `/api/part/${crypto.randomUUID()}/${path}`.replace(/\/$/, '')
      const expected = path === 'queue' ? 200 : 401
      expect((await call(shop.origin, 'GET', url)).status, url).toBe(expected)
    }
    expect((await call(shop.origin, 'POST', '/api/queue', { body: {} })).status).toBe(401)
    expect((await shop.pool.query('select from rate_limits')).rowCount).toBe(0)
  })

  test('visitors are counted by their network, whatever they put into headers', async () => {
    const exchange = (path: string, address: string) => () =>
      call(shop.origin, 'PUT', `/api/user/${path}`, {
        body: { email: path, idToken: 'forged' },
        headers: { 'x-forwarded-for': address, forwarded: `for=${Math.random()}` },
      })
    const target = 'somebody@example.com'
    expect(await statuses(12, exchange(target, '1.2.3.4, 9.9.9.9'))).toMatchObject({ 429: 2 })
    expect((await exchange(target, '5.6.7.8, 9.9.9.9')()).status).toBe(429)
    expect((await exchange(target, '9.9.9.8')()).status).not.toBe(429)
  })

  test('a home with many networks counts as one with larger limits, and so does a client with many homes', async () => {
    const ask = (from: string) =>
      call(shop.origin, 'POST', '/identity/request-password-reset', {
        body: {},
        headers: { origin: shop.origin, 'x-forwarded-for': from },
      })
    const fromNetwork = async (from: string) => (await ask(from)).status === 429
    const refusedOf = async (networks: string[]) => {
      let refused = 0
      for (const network of networks) if (await fromNetwork(`${network}::1`)) refused += 1
      return refused
    }
    // a /56 is allowed four times as much as a /64
    const home = (n: number) =>
      Array.from({ length: 14 }, (_, i) => `2001:db8:1:${n}0${i.toString(16)}`)
    expect(await refusedOf(home(1))).toBe(2)
    // and a /48 sixteen times
    expect(await refusedOf([...home(2), ...home(3), ...home(4)])).toBe(6)
    expect(await refusedOf(home(5))).toBe(14)
    expect(await refusedOf(['2001:db8:2:100'])).toBe(0)
  })

  test('accounts without a confirmed address are visitors where visitors may call', async () => {
    const confirm = (is: boolean) => shop.pool.query('update users set email_verified = $1', [is])
    const question = { email: 'somebody@example.com', name: 'Somebody', text: 'Is it blue?' }
    const ask = (who: Person) => async () =>
      call(shop.origin, 'POST', '/api/questions', {
        body: question,
        headers: { authorization: `Bearer ${who.token}`, 'x-forwarded-for': '9.9.9.9' },
      })
    await confirm(false)
    expect(await statuses(7, ask(ada))).toEqual({ 200: 7 })
    expect(await statuses(7, ask(eve))).toEqual({ 200: 3, 429: 4 })
    await confirm(true)
    expect((await ask(eve)()).status).toBe(200)
  })

  test('asking at ever new addresses is counted too, for all that a network of visitors changes', async () => {
    const ask = (path: string, from: string) =>
      call(shop.origin, 'PUT', `/api/user/${path}@example.com`, {
        body: {},
        headers: { 'x-forwarded-for': from },
      })
    const answers = await Promise.all(
      Array.from({ length: 320 }, (_, i) => ask(`v${i}`, '7.7.7.7')),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect((await ask('another', '7.7.7.8')).status).toBe(400)
    expect((await ada.call('POST', '/api/order', {})).status).toBe(400)
  })

  test('the count is the same for two processes and after a restart', async () => {
    const nothing = () => ada.call('POST', '/api/order', { quantity: 'none' })
    await statuses(20, nothing)
    const { rows } = await shop.pool.query(`select key, points from rate_limits where points = 20`)
    expect(rows).toHaveLength(1)
    expect(rows[0].key).not.toContain(ada.email)
    await shop.pool.query(`update rate_limits set points = 0`)
    expect((await nothing()).status).toBe(400)
    await shop.pool.query(`update rate_limits set expire = 1`)
    await shop.deps.rateLimiter.clear()
    expect((await shop.pool.query('select from rate_limits')).rowCount).toBe(0)
  })
})

describe('signing in', () => {
  let address = 0
  /** From a new network address each time, as attackers do. */
  const signIn = (email: string, password: string, cookie = '') => {
    address += 1
    return call(shop.origin, 'POST', '/identity/sign-in/email', {
      body: { email, password },
      headers: {
        origin: shop.origin,
        cookie,
        'x-forwarded-for': `10.0.${Math.floor(address / 250)}.${address % 250}`,
      },
    })
  }
  /**
   * That many wrong passwords in total: one is really sent, because each costs a tenth of a second
   * of a core; the rest are only counted.
   */
  const guessed = async (times: number, email: string, cookie = '') => {
    expect((await signIn(email, 'wrong password', cookie)).status).toBe(401)
    await counted(times, 1)
  }
  /** Raises the count of the one account that was guessed at. */
  const counted = async (times: number, before: number) => {
    const { rowCount } = await shop.pool.query(
      `update rate_limits set points = $1 where key like 'sign-in attempts:%' and points = $2`,
      [times, before],
    )
    expect(rowCount).toBe(1)
  }
  const deviceOf = (headers: Headers) =>
    headers.getSetCookie().find((line) => line.startsWith('ferrite.device='))

  test('guessing at one account from many addresses ends after ten, known or not', async () => {
    const guess = (email: string) => () => signIn(email, 'wrong password')
    expect(await statuses(12, guess(ada.email))).toEqual({ 401: 10, 429: 2 })
    await guessed(9, 'nobody@example.com')
    expect(await statuses(2, guess('nobody@example.com'))).toEqual({ 401: 1, 429: 1 })
    await guessed(6, eve.email)
    const at_once = await Promise.all(
      Array.from({ length: 30 }, () => signIn(eve.email, 'wrong password')),
    )
    expect(at_once.filter(({ status }) => status === 401)).toHaveLength(4)
    expect((await signIn(ada.email.toUpperCase(), 'correct horse')).status).toBe(429)
  })

  test('another spelling of the address is the same guess', async () => {
    const spellings = [
      '/./sign-in/email',
      '/x/../sign-in/email',
      '/sign-in/email?x',
      '/x/%2e%2e/sign-in/email',
    ]
    const guess = async (path: string) => {
      address += 1
      const headers = { origin: shop.origin, 'x-forwarded-for': `10.9.0.${address % 250}` }
      const way = { name: '', method: 'POST', path: `/identity${path}`, headers }
      const body = { email: eve.email, password: 'wrong password' }
      return (await askVariant(shop.origin, way, { token: undefined, body })).status
    }
    for (const spelling of spellings) expect(await guess(spelling), spelling).toBe(401)
    await counted(10, spellings.length)
    for (const spelling of spellings) expect(await guess(spelling), spelling).toBe(429)
  })

  test('how long it takes does not tell whether there is such an account', async () => {
    const person = await register(shop.origin, 'Hash Known', { verified: false })
    const scrypt = vi.spyOn(crypto, 'scrypt')
    syncBuiltinESMExports()
    const hashesFor = async (email: string) => {
      scrypt.mockClear()
      expect((await signIn(email, 'wrong password')).status).toBe(401)
      return scrypt.mock.calls.length
    }
    const hashes = [await hashesFor(person.email), await hashesFor('nobody@example.com')]
    scrypt.mockRestore()
    syncBuiltinESMExports()
    // everything that takes a noticeable time
    expect(hashes).toEqual([1, 1])
  })

  test('meanwhile its owner can log in from a browser that has logged in before', async () => {
    const grace = await register(shop.origin, 'Grace Known', { verified: false })
    const before = await signIn(grace.email, 'correct horse')
    const device = deviceOf(before.headers)
    expect(device).toMatch(/HttpOnly; SameSite=Lax/)
    expect(device).not.toContain('example.com')
    await guessed(10, grace.email)
    expect((await signIn(grace.email, 'correct horse')).status).toBe(429)
    const cookie = device?.split(';')[0] ?? ''
    expect((await signIn(grace.email, 'correct horse', cookie)).status).toBe(200)
    // the cookie of another account, or a forged one, helps with no other
    await guessed(10, eve.email)
    expect((await signIn(eve.email, 'correct horse', cookie)).status).toBe(429)
    expect((await signIn(eve.email, 'correct horse', `${cookie}x`)).status).toBe(429)
    // even the owner's own browser has only ten guesses
    await guessed(9, grace.email, cookie)
    expect(await statuses(2, () => signIn(grace.email, 'wrong', cookie))).toEqual({
      401: 1,
      429: 1,
    })
  })

  test('a right password resets the count; wrong ones of others do not', async () => {
    const joan = await register(shop.origin, 'Joan New', { verified: false })
    await guessed(9, joan.email)
    expect((await signIn(joan.email, 'correct horse')).status).toBe(200)
    // again from one network address
    await guessed(9, joan.email)
    expect((await signIn(joan.email, 'wrong password')).status).toBe(401)
  })
})

test('an IPv6 address counts as its network, an IPv4 address as itself in either spelling', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0db8:0001:0002::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3')
  expect(networkOf('10.1.2.3')).toBe('10.1.2.3')
})
