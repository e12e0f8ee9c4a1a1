/**
 * Forged requests: from another site, for another host, for another's payment, with a false
 * provider message.
 */
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSecrets } from '#server/secrets.ts'
import { linkMailedTo } from '#tests/support/mails.ts'
import { askVariant } from '#tests/support/path-variants.ts'
import {
  bookingOf,
  call,
  confirmCard,
  createUsers,
  idToken,
  intentFor,
  orderOf,
  type Person,
  register,
} from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'

let shop: TestShop
let ada: Person
let eve: Person

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', OPEN_HOLDS: '100' })
  ada = await register(shop.origin, 'Ada Real')
  ;[eve] = (await createUsers(shop, 1)) as [Person]
})
afterAll(() => shop.close())

/** The statuses of these attempts. */
async function statusesOf(attempts: Promise<{ status: number }>[]): Promise<number[]> {
  const answers = await Promise.all(attempts)
  return [...new Set(answers.map(({ status }) => status))].toSorted()
}

const headersOf = (list: Record<string, string>[]) => list

describe('another site', () => {
  const evil = 'https://evil.example'
  const post = (path: string, headers: Record<string, string>, body: unknown = {}) =>
    call(shop.origin, 'POST', path, { headers, body })

  test('can do nothing at the provider with a cookie that a browser sends along', async () => {
    const { cookie } = ada
    const requests = ['sign-out', 'update-user', 'sign-in/email', 'sign-up/email'].flatMap((path) =>
      headersOf([
        { origin: evil, cookie },
        { origin: 'null', cookie },
        { origin: `${shop.origin}.evil.example`, cookie },
        { referer: `${evil}/`, cookie },
        { cookie },
      ]).map((headers) =>
        post(`/identity/${path}`, headers, { name: 'X', email: 'x@y.zz', password: 'secret1' }),
      ),
    )
    expect(await statusesOf(requests)).toEqual([403])
    expect(
      (await call(shop.origin, 'GET', '/identity/token', { headers: { cookie } })).status,
    ).toBe(200)
  })

  test('can do nothing in the shop: a cookie is no access token', async () => {
    const headers = { origin: evil, cookie: ada.cookie, 'content-type': 'text/plain' }
    const calls = [
      ['POST', 'order'],
      ['POST', 'review'],
      ['POST', 'create-payment-intent'],
      ['PUT', `profile/${ada.email}`],
      ['GET', 'me/data'],
      ['DELETE', 'sessions'],
      ['DELETE', 'me'],
      ['POST', 'money/repair'],
    ] as const
    const requests = calls.map(([method, path]) =>
      call(shop.origin, method, `/api/${path}`, {
        headers,
        ...(method !== 'GET' && { body: '{}' }),
      }),
    )
    expect(await statusesOf(requests)).toEqual([401])
  })

  test('is not answered by preflight, and may read nothing', async () => {
    for (const path of ['/api/order', '/api/part', '/identity/token', '/identity/sign-in/email']) {
      for (const method of ['OPTIONS', 'GET']) {
        const { headers } = await call(shop.origin, method, path, {
          headers: { origin: evil, 'access-control-request-method': 'POST' },
        })
        expect(headers.get('access-control-allow-origin'), path).toBeNull()
        expect(headers.get('access-control-allow-credentials'), path).toBeNull()
      }
    }
  })
})

describe('a proof that is none', () => {
  test('gives no access token: every ID token but the provider’s own live one', async () => {
    const genuineToken = await idToken(shop.origin, ada.cookie)
    const [head = '', body = '', signature = ''] = genuineToken.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const { privateKey, publicKey } = await generateKeyPair('EdDSA')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const sign = (more: object, header: object = {}) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'EdDSA', kid, ...header })
        .sign(privateKey)
    const published = (await call(shop.origin, 'GET', '/identity/jwks')).body.keys[0]
    const hmac = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid })
    const forged = [
      await sign({}),
      await sign({}, { kid: 'unknown' }),
      await sign({}, { kid: '../../../../dev/null' }),
      await sign({}, { jwk: await exportJWK(publicKey) }),
      await sign({}, { jku: 'https://evil.example/keys' }),
      await hmac.sign(new TextEncoder().encode(JSON.stringify(published))),
      `${encode({ alg: 'none' })}.${body}.`,
      `${encode({ alg: 'nOnE', kid })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, email: 'owner@ferrite.example' })}.${signature}`,
      `${head}.${encode({ ...claims, aud: 'other' })}.${signature}`,
      `${head}.${body}.`,
      ada.token,
    ]
    const put = (email: string, idToken: string) =>
      call(shop.origin, 'PUT', `/api/user/${email}`, { body: { email, idToken } })
    expect(await statusesOf(forged.map((token) => put(ada.email, token)))).toEqual([401])
    expect(await statusesOf([put('owner@ferrite.example', genuineToken)])).toEqual([403])
    expect(await statusesOf([put(ada.email, genuineToken)])).toEqual([200])
  })
})

describe('a Host header that lies', () => {
  test('is in no link of a mail, neither to reset nor to verify', async () => {
    const lies = headersOf([
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { forwarded: 'host=evil.example;proto=https' },
      { 'x-host': 'evil.example', 'x-forwarded-server': 'evil.example' },
    ])
    const calls = [
      { path: 'request-password-reset', subject: 'Set a new password' },
      { path: 'send-verification-email', subject: 'Confirm your email address' },
    ]
    for (const lie of lies) {
      const person = await register(shop.origin, 'Vic Victim', { verified: false })
      for (const { path, subject } of calls) {
        await shop.pool.query('delete from mail_queue where recipient = $1', [person.email])
        await askVariant(
          shop.origin,
          {
            name: '',
            method: 'POST',
            path: `/identity/${path}`,
            headers: { origin: shop.origin, ...lie },
          },
          { token: undefined, body: { email: person.email } },
        )
        const mailed = () => linkMailedTo(shop, person.email, subject)
        await expect.poll(mailed).not.toBeNull()
        expect(new URL((await mailed()) as string).origin).toBe(shop.origin)
      }
    }
  }, 90_000)
})

describe('line ends', () => {
  test.each(['\r\n', '\n', '\r', '\u2028', '%0d%0a', '\u0000'])(
    'of the kind %j add nothing to a mail',
    async (end) => {
      const injected = `${end}Bcc: eve@example.com`
      const signUp = (name: string, email: string) =>
        call(shop.origin, 'POST', '/identity/sign-up/email', {
          body: { name, email, password: 'correct horse' },
          headers: { origin: shop.origin },
        })
      const part = await stockPart(shop.pool, { onHand: 1 })
      const requests = [
        signUp('Mallory', `mallory@example.com${injected}`),
        ada.call('POST', '/api/order', {
          partId: part._id,
          quantity: 1,
          phone: `+1 555 0100${injected}`,
        }),
      ]
      if (!end.startsWith('%')) requests.push(signUp(`Mallory${injected}`, 'mallory@example.com'))
      expect(await statusesOf(requests)).toEqual([400])
      const { rows } = await shop.pool.query(
        `select 1 from mail_queue where recipient like '%eve@%'`,
      )
      expect(rows).toEqual([])
    },
  )
})

describe('prototypes', () => {
  test('are not reached by JSON, form fields or queries', async () => {
    const part = await stockPart(shop.pool, { onHand: 9 })
    const rest = `"partId":"${part._id}","quantity":1,"phone":"+1 555 0100"`
    const json = [
      `{"__proto__":{"polluted":1,"role":"admin"},${rest}}`,
      `{"constructor":{"prototype":{"polluted":1}},${rest}}`,
      `{${rest},"product":{"__proto__":{"polluted":1}}}`,
    ]
    await statusesOf(json.map((body) => eve.call('POST', '/api/order', body)))
    const queries = [
      'a[__proto__][polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
    ]
    await statusesOf(
      queries.map((query) => eve.call('GET', `/api/orders?email=${eve.email}&${query}`)),
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await eve.call('GET', `/api/admin/${eve.email}`)).body).toEqual({ admin: false })
  })
})

describe('another customer’s payment', () => {
  const price = 40

  test('pays nothing, no matter which customer confirmed it', async () => {
    const part = await stockPart(shop.pool, { onHand: 20, price })
    const dear = await stockPart(shop.pool, { onHand: 20, price: 4000 })
    const [mine, cheap, costly] = [
      await bookingOf(eve, part),
      await bookingOf(eve, part),
      await bookingOf(eve, dear),
    ]
    const foreignOrder = await bookingOf(ada, part)
    const paid = await intentFor(ada, foreignOrder)
    const paidCheap = await intentFor(eve, cheap)
    const { publishableKey } = shop.deps.payments.browser
    for (const payment of [paid, paidCheap])
      await confirmCard({ origin: shop.origin, publishableKey }, payment)
    const reportPayment = (id: string, transactionId: string) =>
      eve.call('PATCH', `/api/order/${id}`, { transactionId })
    const attempts = [
      reportPayment(mine, paid.intentId),
      reportPayment(mine, paidCheap.intentId),
      reportPayment(costly, paidCheap.intentId),
    ]
    for (const status of await statusesOf(attempts)) expect(status).toBeGreaterThanOrEqual(400)
    for (const id of [mine, costly])
      expect(await orderOf(eve, id)).toMatchObject({ paid: false, transactionId: null })
    expect(await brokenInvariants(shop.pool)).toEqual([])
  })

  test.each([
    0,
    -1,
    0.01,
    '1',
    Number.POSITIVE_INFINITY,
    Number.NaN,
    null,
    [price],
    { $gt: 0 },
    undefined,
    price - 1,
  ])('no intent is opened for a total of %j', async (totalPrice) => {
    const part = await stockPart(shop.pool, { onHand: 5, price: 77 })
    const orderId = await bookingOf(eve, part)
    const request = eve.call('POST', '/api/create-payment-intent', { orderId, totalPrice })
    const [status] = await statusesOf([request])
    expect([400, 409]).toContain(status)
  })
})

describe('deliveries that the provider did not send', () => {
  const event = (more: object = {}) =>
    JSON.stringify({
      id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
      object: 'event',
      type: 'payment_intent.succeeded',
      created: 1_760_000_000,
      livemode: false,
      data: { object: { object: 'payment_intent', id: 'pi_unknown', status: 'succeeded' } },
      ...more,
    })
  const { webhooks } = new Stripe('sk_test_none')
  const secretOf = async () => {
    const secrets = await readSecrets(undefined, join(shop.dataDir, 'secrets'))
    return `whsec_${secrets.derive('stripe-sandbox').toString('hex').slice(40)}`
  }
  const deliver = (body: string, signature?: string, method = 'POST') =>
    call(shop.origin, method, '/api/stripe/webhook', {
      ...(method === 'POST' && { body }),
      ...(signature !== undefined && { headers: { 'stripe-signature': signature } }),
    })
  const sign = (payload: string, secret: string, timestamp?: number) =>
    webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) })
  const countEvents = async () =>
    (await shop.pool.query('select count(*)::int as n from webhook_events')).rows[0].n

  test('are refused: no, old, other or half a signature, one byte more, or the other mode', async () => {
    const secret = await secretOf()
    const body = event()
    const signature = sign(body, secret)
    const now = Math.floor(Date.now() / 1000)
    const before = await countEvents()
    const attempts = [
      deliver(body),
      deliver(body, ''),
      deliver(body, sign(body, 'whsec_other')),
      deliver(body, sign(body, secret, now - 301)),
      deliver(`${body} `, signature),
      deliver(body.replace('pi_unknown', 'pi_another'), signature),
      deliver(body, signature.replace('v1=', 'v0=')),
      deliver(body, signature.split(',')[1]),
      deliver(event({ id: 'evt_x' }), `${signature},v1=00`),
      deliver(event({ livemode: true }), sign(event({ livemode: true }), secret)),
    ]
    expect(await statusesOf(attempts)).toEqual([400])
    expect(await statusesOf([deliver(body, signature, 'GET')])).toEqual([404])
    const huge = event({ padding: 'x'.repeat(300_000) })
    expect(await statusesOf([deliver(huge, sign(huge, secret))])).toEqual([413])
    expect(await countEvents()).toBe(before)
  })

  test('a right one counts once, for the intent that the provider knows, and two v1 are fine', async () => {
    const body = event()
    const signature = sign(body, await secretOf())
    const before = await countEvents()
    expect(await statusesOf([deliver(body, `${signature},v1=${'0'.repeat(64)}`)])).toEqual([200])
    expect(await statusesOf(Array.from({ length: 5 }, () => deliver(body, signature)))).toEqual([
      200,
    ])
    expect(await countEvents()).toBe(before + 1)
    expect(await brokenInvariants(shop.pool)).toEqual([])
  })
})

test('a fault says its request’s id and nothing of the query, the table or the code', async () => {
  await shop.pool.query('alter table profiles rename to somewhere_else')
  const { status, body } = await eve.call('GET', `/api/profile/${eve.email}`)
  await shop.pool.query('alter table somewhere_else rename to profiles')
  expect(status).toBe(500)
  expect(body.error).toEqual({
    code: 'INTERNAL',
    message: expect.stringMatching(/^[A-Z][^:_/]*\.$/),
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})
