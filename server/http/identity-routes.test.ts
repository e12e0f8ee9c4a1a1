/** Which calls reach the identity provider, and the rate limits, mails and logs of such calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let network = 0
beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', RATE_LIMIT: 'on', TRUST_PROXY: 'on' })
})
afterAll(() => shop.close())

/** Sends from a new network by default. */
const ask = (method: string, path: string, body?: unknown, from?: string) => {
  network += 1
  return call(shop.origin, method, `/identity${path}`, {
    body,
    headers: {
      origin: shop.origin,
      'x-forwarded-for': from ?? `10.1.${network >> 8}.${network & 255}`,
    },
  })
}
const limits = async () => (await shop.pool.query('select key from rate_limits order by key')).rows
const signUp = (email: string, more: object = {}, from?: string) =>
  ask('POST', '/sign-up/email', { name: 'Ada', email, password: 'correct horse', ...more }, from)
const mailsTo = async (template: string, recipient = '%') =>
  (
    await shop.pool.query<{ text: string }>(
      'select text from mail_queue where template = $1 and recipient like $2 order by created_at',
      [template, recipient],
    )
  ).rows.map(({ text }) => text)

describe('a path that no call of the shop has', () => {
  test('is a 404 that leaves no row, however long it is', async () => {
    const before = await limits()
    for (const path of ['/x', '/ok', '/get-session', '/error', '/sign-in/social', '/delete-user']) {
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
      expect([path, (await ask('POST', path, {})).status]).toEqual([path, 404])
    }
    for (let i = 0; i < 50; i += 1) expect((await ask('GET', `/made-up-${i}`)).status).toBe(404)
    expect((await ask('GET', `/${'long/'.repeat(1_500)}`)).status).toBe(404)
    expect((await ask('HEAD', '/jwks')).status).toBe(404)
    expect((await ask('PUT', '/token', {})).status).toBe(404)
    expect(await limits()).toEqual(before)
  })

  test('a session’s call without a session asks no database either', async () => {
    const before = await limits()
    expect((await ask('GET', '/token')).status).toBe(401)
    for (const path of ['/update-user', '/change-email', '/change-password'])
      expect((await ask('POST', path, { name: 'Eve' })).status).toBe(401)
    expect(await limits()).toEqual(before)
  })
})

describe('what is counted', () => {
  test('is one row for a network and a call, with neither address nor token in it', async () => {
    const from = '192.0.2.77'
    const before = await limits()
    for (let i = 0; i < 20; i += 1) await ask('GET', `/reset-password/token-${i}`, undefined, from)
    await ask('GET', `/reset-password/${'t'.repeat(4_000)}`, undefined, from)
    const added = (await limits()).filter(({ key }) => !before.some((row) => row.key === key))
    expect(added).toHaveLength(1)
    expect(added[0]?.key).toMatch(/^identity GET \/reset-password\/:token:[\w-]{43}$/)
  })

  test('above the limit each call is refused without another write', async () => {
    const from = '192.0.2.78'
    for (let i = 0; i < 120; i += 1) await ask('GET', '/jwks', undefined, from)
    const { rows } = await shop.pool.query(
      `select points from rate_limits where key like 'identity GET /jwks%' order by points desc`,
    )
    expect(rows[0].points).toBe(101)
    expect((await ask('GET', '/jwks', undefined, from)).status).toBe(429)
    expect((await ask('GET', '/jwks')).status).toBe(200)
  })
})

describe('links', () => {
  const elsewhere = [
    '//evil.com',
    '/.//evil.com',
    '/..//evil.com/a?b=c',
    '/x/..//evil.com',
    '/%2e//evil.com',
    '/.%2F/evil.com',
    '/\\evil.com',
    '\\/evil.com',
    '/\t/evil.com',
    '/%09/evil.com',
    'https://evil.com',
    'https:evil.com',
    'http:/evil.com',
    '///evil.com',
    '/@evil.com',
    'javascript:alert(1)',
    'http://127.0.0.1@evil.com',
    '.evil.com',
  ]
  /** Where a browser goes when it follows the response. */
  const whereTo = (headers: Headers) => new URL(headers.get('location') ?? '', shop.origin)

  test('lead to a page of the shop, whatever their query says, in every spelling', async () => {
    for (const address of elsewhere) {
      for (const written of [address, encodeURIComponent(address)]) {
        for (const [link, page] of [
          ['/verify-email?token=x&', '/verified'],
          ['/reset-password/x?', '/reset-password'],
        ] as const) {
          for (const name of [
            'callbackURL',
            'callbackURL=/verified&callbackURL',
            'errorCallbackURL',
          ]) {
            const { status, headers } = await ask('GET', `${link}${name}=${written}`)
            expect([status, written]).toEqual([302, written])
            expect(whereTo(headers)).toMatchObject({ origin: shop.origin, pathname: page })
          }
        }
        const google = await ask('GET', `/redirect/google?from=${written}`)
        expect(whereTo(google.headers).origin, written).toBe(shop.origin)
      }
    }
  })

  test('to set a password lead there, wherever their request said to lead', async () => {
    const email = 'ada.link@example.com'
    expect((await signUp(email)).status).toBe(200)
    const answer = await ask('POST', '/request-password-reset', { email, redirectTo: '/nowhere' })
    expect(answer.status).toBe(200)
    const [text = ''] = await mailsTo('reset-password', email)
    const link = /\/identity(\/reset-password\/\S+)/.exec(text)?.[1] ?? ''
    const { headers } = await ask('GET', link)
    expect(whereTo(headers).pathname).toBe('/reset-password')
    const token = whereTo(headers).searchParams.get('token')
    const reset = await ask('POST', '/reset-password', { newPassword: 'better horse', token })
    expect(reset.status).toBe(200)
  })
})

describe('mails that any visitor can request', () => {
  test('are counted for the mailbox, which Gmail’s dots do not change', async () => {
    const spelled = [
      'ada.love',
      'a.dalove',
      'ad.alove',
      'ada.l.ove',
      'adal.ove',
      'adalo.ve',
      'a.d.a.love',
    ]
    for (const [i, name] of spelled.entries()) {
      const email = `${name}@${i % 2 ? 'gmail' : 'googlemail'}.com`
      expect((await signUp(email)).status).toBe(200)
    }
    expect(await mailsTo('verify-email', '%@g%mail.com')).toHaveLength(5)
  })

  test('are counted for the network that asks, over all its calls', async () => {
    const from = '192.0.2.80'
    await shop.pool.query(`update mail_queue set sent_at = now()`)
    const statuses: number[] = []
    for (let i = 0; i < 34; i += 1) {
      // the limit of ten seconds has its own test
      await shop.pool.query(`delete from rate_limits where key like 'identity %'`)
      const { status } =
        i % 10 === 5
          ? await signUp(`many.${i}@example.com`, {}, from)
          : await ask('POST', '/request-password-reset', { email: `nobody.${i}@example.com` }, from)
      statuses.push(status)
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429, 429, 429])
    expect((await signUp('of.another.network@example.com')).status).toBe(200)
  })
})

test('an account has no picture from elsewhere', async () => {
  const email = 'ada.picture@example.com'
  const { status } = await signUp(email, { image: 'https://evil.com/pixel.png' })
  expect(status).toBe(200)
  const { rows } = await shop.pool.query('select image from identity."user" where email = $1', [
    email,
  ])
  expect(rows).toEqual([{ image: null }])
})
