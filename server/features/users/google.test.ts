import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browsing } from '#tests/support/browsing.ts'
import {
  chooseTyped,
  eventId,
  messageOf,
  popupPath,
  signInWithGoogle,
  toChooser,
} from '#tests/support/google.ts'
import { linkMailedTo } from '#tests/support/mails.ts'
import { call, idToken, login, type Person, register } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

const inUse = 'auth/account-exists-with-different-credential'
const invalidEvent = 'auth/invalid-auth-event'

let shop: TestShop
beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

const claimsOf = async (cookie: string) => {
  const [, body = ''] = (await idToken(shop.origin, cookie)).split('.')
  return JSON.parse(Buffer.from(body, 'base64url').toString())
}

/** Exchanges the ID token as a browser does. @returns the access token */
async function enterShop(email: string, cookie: string): Promise<string> {
  const proof = await idToken(shop.origin, cookie)
  const { body } = await call(shop.origin, 'PUT', `/api/user/${email}`, {
    body: { email, idToken: proof },
  })
  return body.token
}

const isVerified = async (email: string) => {
  const { rows } = await shop.pool.query('select email_verified from users where email = $1', [
    email,
  ])
  return rows.map(({ email_verified: verified }) => verified)
}

async function mailedLink({ email }: Pick<Person, 'email'>, subject: string): Promise<string> {
  const read = () => linkMailedTo(shop, email, `Subject: ${subject}`)
  await expect.poll(read).not.toBeNull()
  return String(await read())
}

/** Resets the password by the mailed link, which only the owner of the mailbox can read. */
async function resetByMail({ email }: Pick<Person, 'email'>, newPassword: string): Promise<void> {
  const headers = { origin: shop.origin }
  await call(shop.origin, 'POST', '/identity/request-password-reset', {
    body: { email, redirectTo: '/reset-password' },
    headers,
  })
  const landing = await fetch(await mailedLink({ email }, 'Set a new password'), {
    redirect: 'manual',
  })
  const token = new URL(landing.headers.get('location') ?? '').searchParams.get('token')
  const { status } = await call(shop.origin, 'POST', '/identity/reset-password', {
    body: { newPassword, token },
    headers,
  })
  expect(status).toBe(200)
}

describe('sign-in with Google', () => {
  test('a new user gets a verified account, and the same one the next time', async () => {
    const grace = { name: 'Grace Hopper', email: 'Grace.Hopper@Example.com' }
    const first = await signInWithGoogle(shop.origin, grace)
    expect(first).toMatchObject({ eventId, error: null })
    const claims = await claimsOf(first.cookie)
    expect(claims).toMatchObject({
      email: 'grace.hopper@example.com',
      email_verified: true,
      name: 'Grace Hopper',
    })
    const second = await signInWithGoogle(shop.origin, grace)
    expect((await claimsOf(second.cookie)).sub).toBe(claims.sub)
    expect(await enterShop('grace.hopper@example.com', second.cookie)).toEqual(expect.any(String))
    expect(await isVerified('grace.hopper@example.com')).toEqual([true])
  })

  test('a name that accounts cannot have becomes one that they can', async () => {
    const odd = await signInWithGoogle(shop.origin, {
      name: 'Eve\u0007\r\nBcc: x@y.zz <b>',
      email: 'eve.odd@example.com',
    })
    expect((await claimsOf(odd.cookie)).name).toBe('Eve Bcc: x@y.zz <b>')
  })

  test('an address that Google did not verify makes an unverified account, whose mail comes back to the shop', async () => {
    const una = { name: 'Una', email: 'una@example.com', verified: false }
    const { cookie, error } = await signInWithGoogle(shop.origin, una)
    expect(error).toBeNull()
    expect((await claimsOf(cookie)).email_verified).toBe(false)
    await enterShop(una.email, cookie)
    expect(await isVerified(una.email)).toEqual([false])
    const link = await mailedLink(una, 'Confirm your email address')
    expect(new URL(link).searchParams.get('callbackURL')).toBe('/verified')
  })

  test('cancelling is a closed popup', async () => {
    const browser = browsing()
    const chooser = await toChooser(browser, `${shop.origin}${popupPath}`)
    const form = { cancel: 'yes' }
    const page = await browser.follow(await browser.visit(chooser.url, { form }))
    expect(messageOf(page)).toEqual({ eventId, error: 'auth/popup-closed-by-user' })
  })
})

describe('linking', () => {
  test('joins a local account whose address is verified', async () => {
    const vera = await register(shop.origin, 'Vera Verified', { verified: false })
    const landing = await fetch(await mailedLink(vera, 'Confirm your email address'), {
      redirect: 'manual',
      headers: { cookie: vera.cookie },
    })
    expect(landing.headers.get('location')).toBe('/verified')
    expect(await isVerified(vera.email)).toEqual([true])
    const { cookie, error } = await signInWithGoogle(shop.origin, vera)
    expect(error).toBeNull()
    expect((await claimsOf(cookie)).sub).toBe((await claimsOf(vera.cookie)).sub)
  })

  test('a broken or foreign verification link says so, and verifies no account', async () => {
    const nora = await register(shop.origin, 'Nora Notyet', { verified: false })
    const link = new URL(await mailedLink(nora, 'Confirm your email address'))
    link.searchParams.set('token', `${link.searchParams.get('token')}x`)
    const landing = await fetch(link, { redirect: 'manual' })
    expect(landing.headers.get('location')).toBe('/verified?error=INVALID_TOKEN')
    link.searchParams.set('callbackURL', 'https://evil.example/')
    const elsewhere = await fetch(link, { redirect: 'manual' })
    expect(elsewhere.headers.get('location')).toBe('/verified?error=INVALID_TOKEN')
    expect(await isVerified(nora.email)).toEqual([false])
  })

  test('an address that Google did not verify joins nothing', async () => {
    const tess = await register(shop.origin, 'Tess Target', { verified: false })
    await fetch(await mailedLink(tess, 'Confirm your email address'), { redirect: 'manual' })
    const { cookie, error } = await signInWithGoogle(shop.origin, { ...tess, verified: false })
    expect(error).toBe(inUse)
    expect(await idToken(shop.origin, cookie)).toBeUndefined()
  })

  test('a squatted address is refused, until its owner resets the password by mail', async () => {
    const squatter = await register(shop.origin, 'Sam Squatter', { verified: false })
    const owner = { name: 'Olive Owner', email: squatter.email }
    const refused = await signInWithGoogle(shop.origin, owner)
    expect(refused).toMatchObject({ eventId, error: inUse })
    expect(await idToken(shop.origin, refused.cookie)).toBeUndefined()

    await resetByMail(owner, 'the owner knows')
    expect(await isVerified(owner.email)).toEqual([true])
    expect((await squatter.call('GET', `/api/orders?email=${owner.email}`)).status).toBe(401)
    expect(await idToken(shop.origin, squatter.cookie)).toBeUndefined()
    await expect(login(shop.origin, owner.email, 'correct horse')).rejects.toThrow('no session')

    const linked = await signInWithGoogle(shop.origin, owner)
    expect(linked.error).toBeNull()
    const { token } = await login(shop.origin, owner.email, 'the owner knows')
    expect(token).toEqual(expect.any(String))
  })

  test('a squatter with an unverified Google account is logged out by the reset, too', async () => {
    const squat = { name: 'Una Usurper', email: 'mailbox.owner@example.com', verified: false }
    const before = await signInWithGoogle(shop.origin, squat)
    const stolen = await enterShop(squat.email, before.cookie)
    await resetByMail(squat, 'the owner knows')
    const { status } = await call(shop.origin, 'GET', `/api/orders?email=${squat.email}`, {
      token: stolen,
    })
    expect(status).toBe(401)
    const after = await signInWithGoogle(shop.origin, squat)
    expect(after.error).toBe(inUse)
    expect(await idToken(shop.origin, after.cookie)).toBeUndefined()
  })

  test('the sandbox opens no account of an admin', async () => {
    const owner = { name: 'Shop owner', email: 'owner@ferrite.example' }
    const { cookie, error } = await signInWithGoogle(shop.origin, owner)
    expect(error).toBe(inUse)
    expect(await idToken(shop.origin, cookie)).toBeUndefined()
  })

  test('nor one that became an admin’s after it was linked', async () => {
    const promoted = { name: 'Petra Promoted', email: 'petra@example.com' }
    const { cookie } = await signInWithGoogle(shop.origin, promoted)
    await enterShop(promoted.email, cookie)
    await shop.pool.query(`update users set role = 'admin' where email = $1`, [promoted.email])
    expect((await signInWithGoogle(shop.origin, promoted)).error).toBe(inUse)
  })

  test('an account that the shop disabled stays disabled', async () => {
    const dora = { name: 'Dora Disabled', email: 'dora@example.com' }
    const { cookie } = await signInWithGoogle(shop.origin, dora)
    await enterShop(dora.email, cookie)
    await shop.pool.query('update users set disabled_at = now() where email = $1', [dora.email])
    expect((await signInWithGoogle(shop.origin, dora)).error).toBe('auth/user-disabled')
  })
})

describe('what does not fit together is an invalid event', () => {
  const ada = { name: 'Ada', email: 'ada.tampered@example.com' }
  const afterTampering = async (tamper: (address: URL) => void) => {
    const browser = browsing()
    const chooser = await toChooser(browser, `${shop.origin}${popupPath}`, tamper)
    const page = await chooseTyped(browser, chooser, ada)
    expect(await idToken(shop.origin, browser.cookie(shop.origin))).toBeUndefined()
    return messageOf(page)
  }

  test('a state that the shop never issued', async () => {
    const message = await afterTampering(({ searchParams }) => searchParams.set('state', 'x'))
    expect(message).toEqual({ eventId: null, error: invalidEvent })
  })

  test('an ID token for another nonce', async () => {
    const message = await afterTampering(({ searchParams }) => searchParams.set('nonce', 'other'))
    expect(message).toEqual({ eventId, error: invalidEvent })
  })

  test('a code for another verifier', async () => {
    const message = await afterTampering(({ searchParams }) =>
      searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
    )
    expect(message).toEqual({ eventId, error: invalidEvent })
  })

  test('another browser’s answer', async () => {
    const mine = browsing()
    const chooser = await toChooser(mine, `${shop.origin}${popupPath}`)
    const form = { ...ada, verified: 'on' }
    const back = await mine.follow(
      await mine.visit(chooser.url, { form }),
      ({ pathname }) => pathname === '/identity/callback/google',
    )
    const victim = browsing()
    const page = await victim.follow(await victim.visit(back.url))
    expect(messageOf(page)).toEqual({ eventId, error: invalidEvent })
    expect(victim.cookie(shop.origin)).not.toContain('session_token')
  })

  test('an answer that comes a second time', async () => {
    const browser = browsing()
    const chooser = await toChooser(browser, `${shop.origin}${popupPath}`)
    const form = { ...ada, verified: 'on' }
    const back = await browser.follow(
      await browser.visit(chooser.url, { form }),
      ({ pathname }) => pathname === '/identity/callback/google',
    )
    expect(messageOf(await browser.follow(await browser.visit(back.url))).error).toBeNull()
    expect(messageOf(await browser.follow(await browser.visit(back.url))).error).toBe(invalidEvent)
  })
})
