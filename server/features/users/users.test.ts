import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeProtectedHeader, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Exchanged } from '#contracts/users.ts'
import { linkMailedTo } from '#tests/support/mails.ts'
import { call, idToken, login, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ada: Person
const put = (email: string, body: object) =>
  call(shop.origin, 'PUT', `/api/user/${encodeURIComponent(email)}`, { body })
const own = (token: string, email: string) =>
  call(shop.origin, 'GET', `/api/orders?email=${encodeURIComponent(email)}`, { token })

beforeAll(async () => {
  shop = await openTestShop()
  ada = await register(shop.origin, 'Ada User')
})
afterAll(() => shop.close())

describe('the exchange of an ID token for an access token', () => {
  test('answers a token of type at+jwt with no role in it', async () => {
    const { status, body } = await put(ada.email, {
      email: ada.email,
      idToken: await idToken(shop.origin, ada.cookie),
    })
    expect(status).toBe(200)
    const { token } = Exchanged.parse(body)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'at+jwt' })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    expect(claims.exp - claims.iat).toBe(3600)
    expect(Object.keys(claims)).not.toContain('role')
  })

  test('an e-mail without proof gets nothing', async () => {
    const without = await put(ada.email, { email: ada.email })
    expect([without.status, without.body.error.code]).toEqual([401, 'UNAUTHENTICATED'])
    expect((await put(ada.email, { email: ada.email, idToken: '' })).status).toBe(401)
    expect((await put(ada.email, { email: ada.email, idToken: 'x.y.z' })).status).toBe(401)
    expect((await put(ada.email, { email: ada.email, idToken: ada.token })).status).toBe(401)
  })

  test('a proof for one address does not count for another', async () => {
    const proof = await idToken(shop.origin, ada.cookie)
    const { status } = await put('owner@ferrite.example', {
      email: 'owner@ferrite.example',
      idToken: proof,
    })
    expect(status).toBe(403)
    expect((await put(ada.email, { email: 'owner@ferrite.example', idToken: proof })).status).toBe(
      400,
    )
  })

  test('no field of the body makes an admin', async () => {
    const proof = await idToken(shop.origin, ada.cookie)
    await put(ada.email, { email: ada.email, idToken: proof, role: 'admin', emailVerified: true })
    expect((await ada.call('GET', `/api/admin/${ada.email}`)).body).toEqual({ admin: false })
  })
})

describe('access tokens', () => {
  const claims = (more: object = {}) => ({ sid: 's', ver: 0, ...more })

  test('only a live token of the shop is accepted', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    const subject = JSON.parse(
      Buffer.from(ada.token.split('.')[1] as string, 'base64url').toString(),
    ).sub
    const forge = (
      header: { alg: string; typ?: string },
      key: Parameters<SignJWT['sign']>[0],
      exp: string | number = '1h',
    ) =>
      new SignJWT(claims())
        .setProtectedHeader(header)
        .setIssuer(shop.origin)
        .setAudience('shop-api')
        .setSubject(subject)
        .setExpirationTime(exp)
        .sign(key)
    const [head, body, signature] = ada.token.split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    const forged = [
      await forge({ alg: 'HS256', typ: 'at+jwt' }, new Uint8Array(32).fill(7)),
      await forge({ alg: 'RS256', typ: 'at+jwt' }, privateKey),
      await forge(
        { alg: 'HS256', typ: 'at+jwt' },
        new TextEncoder().encode(await exportSPKI(publicKey)),
      ),
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${head}.${body}.`,
      await idToken(shop.origin, ada.cookie),
      `${'a'.repeat(5000)}.${body}.${signature}`,
      '',
    ]
    for (const token of forged) expect((await own(token, ada.email)).status).toBe(401)
    expect((await own(ada.token, ada.email)).status).toBe(200)
  })

  test('signing out ends them at once', async () => {
    const zoe = await register(shop.origin, 'Zoe Leaving')
    expect((await own(zoe.token, zoe.email)).status).toBe(200)
    await call(shop.origin, 'POST', '/identity/sign-out', {
      body: {},
      headers: { cookie: zoe.cookie, origin: shop.origin },
    })
    expect((await own(zoe.token, zoe.email)).status).toBe(401)
  })

  test('a disabled user is logged out at once', async () => {
    const max = await register(shop.origin, 'Max Disabled')
    await shop.pool.query('update users set disabled_at = now() where email = $1', [max.email])
    expect((await own(max.token, max.email)).status).toBe(401)
    const proof = await idToken(shop.origin, max.cookie)
    expect((await put(max.email, { email: max.email, idToken: proof })).status).toBe(403)
  })
})

describe('accounts', () => {
  test('a password has at least 6 characters', async () => {
    const signUp = (password: string) =>
      call(shop.origin, 'POST', '/identity/sign-up/email', {
        body: { name: 'Short', email: 'short@example.com', password },
        headers: { origin: shop.origin },
      })
    expect((await signUp('12345')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await signUp('123456')).status).toBe(200)
    expect((await signUp('123456')).body.code).toMatch(/^USER_ALREADY_EXISTS/)
  })

  test('a name and an address keep to the form’s limits, also by the API', async () => {
    const signUp = (name: string, email = `${crypto.randomUUID()}@example.com`) =>
      call(shop.origin, 'POST', '/identity/sign-up/email', {
        body: { name, email, password: 'secret1' },
        headers: { origin: shop.origin },
      })
    const turned = 'Ada\u202Etxt.exe'
    for (const name of [
      '',
      '   ',
      'x'.repeat(101),
      'Ada\r\nBcc: x@y.zz',
      'A\u0000da',
      turned,
      '\u200B',
    ]) {
      const { status, body } = await signUp(name)
      expect([status, body.code], JSON.stringify(name)).toEqual([400, 'INVALID'])
    }
    expect((await signUp('Ada', `${'x'.repeat(250)}@example.com`)).status).toBe(400)
    const update = await call(shop.origin, 'POST', '/identity/update-user', {
      body: { name: 'x'.repeat(101) },
      headers: { origin: shop.origin, cookie: ada.cookie },
    })
    expect(update.status).toBe(400)
  })

  test('a character that cannot be stored is refused, never a fault', async () => {
    const { status } = await call(shop.origin, 'POST', '/identity/reset-password', {
      body: { newPassword: 'secret1', token: 'a\u0000b' },
      headers: { origin: shop.origin },
    })
    expect(status).toBe(400)
  })

  test('the verification mail proves the address', async () => {
    const kim = await register(shop.origin, 'Kim Verified', { verified: false })
    await expect
      .poll(() => linkMailedTo(shop, kim.email, 'Subject: Confirm your email address'))
      .toMatch(/verify-email/)
    const link = (await linkMailedTo(
      shop,
      kim.email,
      'Subject: Confirm your email address',
    )) as string
    expect(link.startsWith(`${shop.origin}/identity/verify-email`)).toBe(true)
    expect((await stat(join(shop.dataDir, 'outbox'))).mode & 0o077).toBe(0)
    const headers = { cookie: kim.cookie }
    const clicked = await fetch(link, { redirect: 'manual', headers })
    expect([clicked.status, clicked.headers.get('location')]).toEqual([302, '/verified'])
    await put(kim.email, { email: kim.email, idToken: await idToken(shop.origin, kim.cookie) })
    const { rows } = await shop.pool.query('select email_verified from users where email = $1', [
      kim.email,
    ])
    expect(rows[0].email_verified).toBe(true)
  })

  test('a password reset ends all other sessions', async () => {
    const lee = await register(shop.origin, 'Lee Reset')
    await call(shop.origin, 'POST', '/identity/request-password-reset', {
      body: { email: lee.email, redirectTo: '/reset-password' },
      headers: { origin: shop.origin },
    })
    await expect
      .poll(() => linkMailedTo(shop, lee.email, 'Subject: Set a new password'))
      .toMatch(/reset-password/)
    const link = (await linkMailedTo(shop, lee.email, 'Subject: Set a new password')) as string
    const landing = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
    const token = new URL(landing, shop.origin).searchParams.get('token')
    const proof = await idToken(shop.origin, lee.cookie)
    const reset = (newPassword: string) =>
      call(shop.origin, 'POST', '/identity/reset-password', {
        body: { newPassword, token },
        headers: { origin: shop.origin },
      })
    expect((await reset('brand new one')).status).toBe(200)
    expect((await reset('a second time')).status).toBe(400)
    expect((await own(lee.token, lee.email)).status).toBe(401)
    expect((await put(lee.email, { email: lee.email, idToken: proof })).status).toBe(401)
    // an ID token from before the reset does not undo the verification by the reset
    const { rows } = await shop.pool.query('select email_verified from users where email = $1', [
      lee.email,
    ])
    expect(rows[0].email_verified).toBe(true)
    const again = await login(shop.origin, lee.email, 'brand new one')
    expect((await own(again.token, lee.email)).status).toBe(200)
  })

  test('no mail quotes text that another visitor may have typed', async () => {
    const lure = 'You won: http://evil.example'
    const mallory = await register(shop.origin, lure, { verified: false })
    await call(shop.origin, 'POST', '/identity/request-password-reset', {
      body: { email: mallory.email, redirectTo: '/reset-password' },
      headers: { origin: shop.origin },
    })
    const { rows } = await shop.pool.query(
      'select template, subject, text, html from mail_queue where recipient = $1',
      [mallory.email],
    )
    expect(rows.map(({ template }) => template).sort()).toEqual(['reset-password', 'verify-email'])
    expect(JSON.stringify(rows)).not.toContain('evil.example')
  })

  test('what the shop does not use of its identity provider is not there', async () => {
    for (const path of ['set-password', 'verify-password', 'revoke-sessions', 'revoke-session']) {
      const { status } = await call(shop.origin, 'POST', `/identity/${path}`, {
        body: {},
        headers: { origin: shop.origin, cookie: ada.cookie },
      })
      expect(status, path).toBe(404)
    }
    const headers = { cookie: ada.cookie }
    const sessions = await call(shop.origin, 'GET', '/identity/list-sessions', { headers })
    expect(sessions.status).toBe(404)
  })

  test('a reset for an unknown address answers the same', async () => {
    const ask = (email: string) =>
      call(shop.origin, 'POST', '/identity/request-password-reset', {
        body: { email, redirectTo: '/reset-password' },
        headers: { origin: shop.origin },
      })
    const [knownAnswer, unknownAnswer] = [await ask(ada.email), await ask('nobody@example.com')]
    expect(knownAnswer.status).toBe(unknownAnswer.status)
    expect(knownAnswer.body).toEqual(unknownAnswer.body)
  })

  test('another site cannot sign a user in', async () => {
    const answer = await call(shop.origin, 'POST', '/identity/sign-in/email', {
      body: { email: ada.email, password: 'correct horse' },
      headers: { origin: 'https://evil.example', cookie: ada.cookie },
    })
    expect(answer.status).toBe(403)
  })

  test('role cannot be set at sign-up', async () => {
    const { status } = await call(shop.origin, 'POST', '/identity/sign-up/email', {
      body: { name: 'Eve', email: 'eve@example.com', password: 'secret1', role: 'admin' },
      headers: { origin: shop.origin },
    })
    const { rows } = await shop.pool.query(`select role from users where email = 'eve@example.com'`)
    expect(status === 400 || rows.every((row: { role: string }) => row.role === 'customer')).toBe(
      true,
    )
  })
})

describe('the first admin', () => {
  test('comes from the settings, verified, and is an admin by the database', async () => {
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    expect((await owner.call('GET', '/api/admin/owner@ferrite.example')).body).toEqual({
      admin: true,
    })
    // adds another admin, because the last one cannot be removed
    await shop.pool.query(
      `insert into users (issuer, subject, email, name, role, email_verified)
       values ('test', 'deputy', 'deputy@example.com', 'Deputy', 'admin', true)`,
    )
    await shop.pool.query(
      `update users set role = 'customer' where email = 'owner@ferrite.example'`,
    )
    expect((await owner.call('GET', '/api/admin/owner@ferrite.example')).body).toEqual({
      admin: false,
    })
  })

  test('customers may only ask about themselves, an admin about every user', async () => {
    await shop.pool.query(`update users set role = 'admin' where email = 'owner@ferrite.example'`)
    const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
    const adminStatusOf = async (email: string) =>
      (await owner.call('GET', `/api/admin/${email}`)).body
    expect(await adminStatusOf(ada.email)).toEqual({ admin: false })
    expect(await adminStatusOf(owner.email)).toEqual({ admin: true })
    expect((await ada.call('GET', '/api/admin/owner@ferrite.example')).status).toBe(403)
  })
})
