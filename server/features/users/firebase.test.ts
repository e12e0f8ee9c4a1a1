import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migratedDatabase } from '#tests/support/database.ts'
import { bookingOf, call, login, register } from '#tests/support/people.ts'
import { makeKey, openFirebaseServer } from '#tests/support/servers/firebase-server.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { stockPart } from '#tests/support/stock.ts'

const projectId = 'ferrite-test'
const settings = { FIREBASE_PROJECT_ID: projectId, FIREBASE_API_KEY: 'a-key-of-the-test' }
const ada = {
  localId: 'ada-uid',
  email: 'ada@example.com',
  displayName: 'Ada',
  emailVerified: true,
}

let firebase: Awaited<ReturnType<typeof openFirebaseServer>>
let shop: TestShop
let strange: Awaited<ReturnType<typeof makeKey>>
beforeAll(async () => {
  firebase = await openFirebaseServer(projectId, settings.FIREBASE_API_KEY)
  strange = await makeKey()
  firebase.accounts.set(ada.localId, ada)
  shop = await openTestShop(settings, { firebase: firebase.servers })
})
afterAll(async () => {
  await shop.close()
  await firebase.close()
})

const exchange = (idToken: string, email = ada.email, { origin } = shop) =>
  call(origin, 'PUT', `/api/user/${email}`, { body: { email, idToken } })
const seconds = () => Math.floor(Date.now() / 1000)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('an ID token of Firebase', () => {
  test('is worth an access token, whose sign-in a logout ends', async () => {
    const idToken = await firebase.sign(firebase.claimsOf(ada))
    const { status, body } = await exchange(idToken)
    expect(status).toBe(200)
    const { token } = body
    const { sid, name } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect(name).toBe('Ada')
    const asAda = (method: string, path: string) => call(shop.origin, method, path, { token })
    expect((await asAda('GET', '/api/me')).body).toMatchObject({ hasPassword: false })
    expect((await asAda('GET', '/api/sessions')).body).toEqual([])
    expect((await asAda('DELETE', `/api/sessions/${sid}`)).body.deletedCount).toBe(1)
    expect((await asAda('GET', '/api/me')).status).toBe(401)
    expect((await exchange(idToken)).status).toBe(401)
  })

  test('is refused when anything of it is wrong', async () => {
    const claims = firebase.claimsOf(ada)
    const [, body = ''] = (await firebase.sign(claims)).split('.')
    const wrongTokens = {
      'another issuer': await firebase.sign({ ...claims, iss: 'https://securetoken.google.com/x' }),
      'another audience': await firebase.sign({ ...claims, aud: 'another-project' }),
      expired: await firebase.sign({ ...claims, exp: seconds() - 60 }),
      'no end': await firebase.sign({ ...claims, exp: undefined }),
      'of tomorrow': await firebase.sign({ ...claims, iat: seconds() + 86_400 }),
      'a sign-in of tomorrow': await firebase.sign({ ...claims, auth_time: seconds() + 86_400 }),
      'no subject': await firebase.sign({ ...claims, sub: '' }),
      'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      'the key of another': await firebase.sign(claims, strange),
      'no token': 'x',
      'another account in the API': await firebase.sign({ ...claims, sub: 'nobody' }),
    }
    for (const [what, idToken] of Object.entries(wrongTokens))
      expect((await exchange(idToken)).status, what).toBe(401)
    expect((await exchange(await firebase.sign(claims), 'eve@example.com')).status).toBe(403)
  })

  test('of unknown keys has the key set read once', async () => {
    const claims = firebase.claimsOf(ada)
    const forged = await Promise.all(
      Array.from({ length: 20 }, (_, n) => firebase.sign(claims, { ...strange, kid: `key ${n}` })),
    )
    const before = firebase.keyReads()
    for (const idToken of forged) expect((await exchange(idToken)).status).toBe(401)
    expect(firebase.keyReads() - before).toBeLessThanOrEqual(1)
  })

  test('no longer counts once the account is disabled, revoked or gone', async () => {
    const eve = { localId: 'eve-uid', email: 'eve@example.com', emailVerified: true }
    const idToken = await firebase.sign(firebase.claimsOf(eve))
    const statusOf = async () => (await exchange(idToken, eve.email)).status
    expect(await statusOf()).toBe(401)
    firebase.accounts.set(eve.localId, eve)
    expect(await statusOf()).toBe(200)
    firebase.accounts.set(eve.localId, { ...eve, validSince: String(seconds()) })
    expect(await statusOf()).toBe(401)
    firebase.accounts.set(eve.localId, { ...eve, disabled: true })
    expect(await statusOf()).toBe(403)
  })

  test('is neither believed nor refused while Firebase does not answer', async () => {
    const idToken = await firebase.sign(firebase.claimsOf(ada))
    firebase.setDown(true)
    const { status, body } = await exchange(idToken)
    firebase.setDown(false)
    expect([status, body.error.code]).toEqual([503, 'PROVIDER_DOWN'])
    expect((await exchange(idToken)).status).toBe(200)
  })
})

test('an account is deleted here and at Firebase, by a login of the last minutes', async () => {
  const account = { localId: 'gone-uid', email: 'gone@example.com', emailVerified: true }
  firebase.accounts.set(account.localId, account)
  const claims = firebase.claimsOf(account)
  const { token } = (await exchange(await firebase.sign(claims), account.email)).body
  const leave = (idToken: string) =>
    call(shop.origin, 'DELETE', '/api/me', { token, body: { email: account.email, idToken } })
  const old = await firebase.sign({ ...claims, auth_time: seconds() - 600 })
  expect((await leave(old)).body.error.message).toMatch(/^To delete your account, log out/)
  expect((await leave(await firebase.sign(firebase.claimsOf(ada)))).status).toBe(401)
  expect((await leave('')).status).toBe(401)
  expect((await leave(await firebase.sign(claims))).body.deletedCount).toBe(1)
  expect(firebase.accounts.has(account.localId)).toBe(false)
})

test('the embedded provider is not there', async () => {
  for (const path of ['/identity/jwks', '/identity/token', '/identity/popup/google'])
    expect((await call(shop.origin, 'GET', path)).status, path).toBe(404)
  expect((await call(shop.origin, 'GET', '/sandbox/google')).status).not.toBe(200)
})

test('the address of ADMIN_EMAIL is the admin from its first verified sign-in on', async () => {
  const owner = { localId: 'owner-uid', email: 'owner@ferrite.example' }
  const enter = async () => {
    const idToken = await firebase.sign(firebase.claimsOf(owner))
    return exchange(idToken, owner.email)
  }
  firebase.accounts.set(owner.localId, owner)
  expect((await enter()).body.error.code).toBe('NOT_VERIFIED')
  firebase.accounts.set(owner.localId, { ...owner, emailVerified: true })
  const { token } = (await enter()).body
  const answer = await call(shop.origin, 'GET', `/api/admin/${owner.email}`, { token })
  expect(answer.body).toEqual({ admin: true })
})

test('a shop that changes its provider, and back, keeps the accounts whose address is verified', async () => {
  const shared = await migratedDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'ferrite-shop-'))
  const before = await openTestShop({}, { shared, dataDir })
  const part = await stockPart(before.pool, { onHand: 3 })
  const grace = await register(before.origin, 'Grace')
  const bob = await register(before.origin, 'Bob', { verified: false })
  const order = await bookingOf(grace, part)
  await before.close()

  const options = { shared, dataDir, firebase: { ...firebase.servers, cooldownMs: 0 } }
  const after = await openTestShop(settings, options)
  const enter = async (email: string, emailVerified: boolean) => {
    const account = { localId: email, email, emailVerified }
    firebase.accounts.set(email, account)
    return exchange(await firebase.sign(firebase.claimsOf(account)), email, after)
  }
  const orders = async (email: string, token: string) =>
    (await call(after.origin, 'GET', `/api/orders?email=${email}`, { token })).body
  try {
    const early = await enter(grace.email, false)
    expect([early.status, early.body.error.code]).toEqual([409, 'NOT_VERIFIED'])
    // from now on, Firebase signs with new keys
    await firebase.rotate()
    const [own, twice] = await Promise.all([enter(grace.email, true), enter(grace.email, true)])
    expect([own?.status, twice?.status]).toEqual([200, 200])
    expect(await orders(grace.email, own?.body.token)).toMatchObject([{ _id: order }])
    expect((await call(after.origin, 'GET', '/api/me', { token: grace.token })).status).toBe(401)
    // without a verified address, the orders stay with the old account
    const unproved = await enter(bob.email, true)
    expect(await orders(bob.email, unproved.body.token)).toEqual([])
  } finally {
    await after.close()
  }
  const again = await openTestShop({}, { shared, dataDir })
  try {
    const { email, call: asGrace } = await login(again.origin, grace.email, 'correct horse')
    expect((await asGrace('GET', `/api/orders?email=${email}`)).body).toMatchObject([
      { _id: order },
    ])
  } finally {
    await again.close()
    await shared.drop()
    await rm(dataDir, { recursive: true })
  }
})

describe('the Auth emulator', () => {
  const emulator = { ...settings, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9' }

  test('is refused where others reach the shop, and with live keys', async () => {
    const stripe = (mode: string) => ({
      STRIPE_SECRET_KEY: `sk_${mode}_1`,
      STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1`,
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    })
    const open = { PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: 'off', ...stripe('test') }
    for (const more of [stripe('live'), open])
      await expect(openTestShop({ ...emulator, ...more })).rejects.toThrow(
        /FIREBASE_AUTH_EMULATOR_HOST lets any visitor sign in as any user/,
      )
  })

  test('and its tokens without a signature count nowhere else', async () => {
    const { iss = '', aud = '', ...claims } = firebase.claimsOf(ada)
    const idToken = new UnsecuredJWT(claims).setIssuer(iss).setAudience(aud).encode()
    expect((await exchange(idToken)).status).toBe(401)
  })
})
