import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtWeb } from '#server/http/pages/web-build.ts'
import { browsing, type Visit } from '#tests/support/browsing.ts'
import {
  chooseTyped,
  eventId,
  isPage,
  messageOf,
  openGoogleSandbox,
  popupPath,
  signInWithGoogle,
  toChooser,
} from '#tests/support/google.ts'
import { atLength } from '#tests/support/length.ts'
import { rawGet } from '#tests/support/path-variants.ts'
import { call } from '#tests/support/people.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  // these tests need no jobs
  shop = await openTestShop({ JOB_SECONDS: '3600' })
})
afterAll(() => shop.close())

const open = async (origin: string, path: string, headers: Record<string, string> = {}) => {
  const browser = browsing()
  return browser.follow(await browser.visit(`${origin}${path}`, { headers }), isPage)
}
/** Opens the popup of a shop with another public name, as its proxy would pass it on. */
const openAt = async (publicUrl: string | undefined, origin: string) => {
  const { host } = new URL(publicUrl ?? origin)
  const { location = '' } = await rawGet(`${origin}${popupPath}`, { host })
  return browsing().visit(new URL(location, origin))
}
const readMessage = async (visit: Promise<Visit>) => messageOf(await visit)
const grace = { name: 'Grace', email: 'grace.doors@example.com' }

describe('the popup', () => {
  test('begins at the provider with state, nonce, PKCE and the question who it is', async () => {
    const { status, headers } = await call(shop.origin, 'GET', popupPath)
    expect(status).toBe(302)
    const { pathname, searchParams } = new URL(headers.get('location') ?? '')
    expect(pathname).toBe('/sandbox/google/auth')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'ferrite-sandbox',
      redirect_uri: `${shop.origin}/identity/callback/google`,
      scope: 'openid email profile',
      prompt: 'select_account',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{32}$/),
      nonce: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(headers.getSetCookie().join()).toMatch(/ferrite\.state=.*HttpOnly.*SameSite=Lax/i)
  })

  test('ends on a page that may run its own script and nothing else, and keeps its opener', async () => {
    const { text, headers } = await open(shop.origin, `/identity/popup/done?event=${eventId}`)
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'`)
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(text).toContain('href="/login?google=done"')
  })

  test('shows only known messages, whatever its address says', async () => {
    const path = `/identity/popup/done?event=${encodeURIComponent('"><script>1')}&error=${encodeURIComponent('"><img>')}`
    const page = await open(shop.origin, path)
    expect(messageOf(page)).toEqual({ eventId: null, error: 'auth/internal-error' })
    expect(page.text).not.toContain('<img>')
    expect(page.text).toContain('href="/login?google=auth%2Finternal-error"')
  })

  test.each([
    '',
    '?event=',
    '?event=short',
    `?event=${'x'.repeat(65)}`,
    '?event=%3Cscript%3E-0123456789',
  ])('refuses the event %s', async (query) => {
    expect(await readMessage(open(shop.origin, `/identity/popup/google${query}`))).toEqual({
      eventId: null,
      error: 'auth/invalid-auth-event',
    })
  })

  test('knows no other provider, and no other way in', async () => {
    const other = await call(shop.origin, 'GET', `/identity/popup/github?event=${eventId}`)
    expect(other.status).toBe(404)
    const social = await call(shop.origin, 'POST', '/identity/sign-in/social', {
      body: { provider: 'google', callbackURL: '/' },
      headers: { origin: shop.origin },
    })
    expect(social.status).toBe(404)
  })

  test('an answer with no state at all is an invalid event', async () => {
    for (const query of [
      '',
      '?error=access_denied',
      '?code=x',
      '?code=x&state=y',
      '?state=a&state=b',
    ]) {
      const message = await readMessage(open(shop.origin, `/identity/callback/google${query}`))
      expect(message, query).toEqual({ eventId: null, error: 'auth/invalid-auth-event' })
    }
  })

  test('is not begun by another site', async () => {
    const from = (site: string) => open(shop.origin, popupPath, { 'sec-fetch-site': site })
    for (const site of ['cross-site', 'same-site']) {
      expect(await readMessage(from(site))).toEqual({ eventId, error: 'auth/unauthorized-domain' })
    }
    for (const site of ['same-origin', 'none']) {
      expect((await from(site)).text).toContain('Choose an account')
    }
  })

  test('is not begun on a name that its cookie would not reach', async () => {
    const elsewhere = shop.origin.replace('127.0.0.1', 'localhost')
    const page = await open(elsewhere, popupPath)
    expect(page.url.origin).toBe(elsewhere)
    expect(messageOf(page)).toEqual({ eventId, error: 'auth/unauthorized-domain' })
    const { location } = await rawGet(`${shop.origin}/identity/redirect/google?from=/parts`, {
      host: 'evil.example',
    })
    expect(location).toBe('/login?google=auth%2Funauthorized-domain&from=%2Fparts')
  })

  test('can be asked for beforehand', async () => {
    expect((await call(shop.origin, 'GET', '/identity/popup/check')).status).toBe(204)
  })
})

describe('the same in the whole window', () => {
  const begin = (from: string) =>
    `${shop.origin}/identity/redirect/google?${new URLSearchParams({ from })}`

  test('comes back to the login screen, with where the visitor was', async () => {
    const browser = browsing()
    const from = '/purchase/1?color=red#form'
    const page = await chooseTyped(browser, await toChooser(browser, begin(from)), grace)
    expect(page.url.origin).toBe(shop.origin)
    expect(Object.fromEntries(page.url.searchParams)).toEqual({ google: 'done', from })
    expect(browser.cookie(shop.origin)).toContain('session_token')
  })

  test('an error comes back too', async () => {
    const browser = browsing()
    const chooser = await toChooser(browser, begin('/dashboard'))
    const form = { cancel: 'yes' }
    const { url } = await browser.follow(await browser.visit(chooser.url, { form }), isPage)
    expect(url.href).toBe(
      `${shop.origin}/login?google=auth%2Fpopup-closed-by-user&from=%2Fdashboard`,
    )
  })

  test('a place elsewhere is dropped, at the start and at the end', async () => {
    const browser = browsing()
    const evil = 'https://evil.example/'
    const page = await chooseTyped(browser, await toChooser(browser, begin(evil)), grace)
    expect(page.url.href).toBe(`${shop.origin}/login?google=done`)
    const end = `/identity/redirect/done?error=access_denied&from=${encodeURIComponent('//evil.example')}`
    const { headers } = await call(shop.origin, 'GET', end)
    expect(headers.get('location')).toBe('/login?google=auth%2Fpopup-closed-by-user')
  })
})

describe('who is at the other end', () => {
  const opened: TestShop[] = []
  const shopWith = async (settings: Record<string, string>) => {
    const newShop = await openTestShop(
      { JOB_SECONDS: '3600', ...settings },
      { web: await builtWeb() },
    )
    opened.push(newShop)
    return newShop
  }
  afterAll(() => Promise.all(opened.map((each) => each.close())))
  const keys = { GOOGLE_CLIENT_ID: 'ferrite-test', GOOGLE_CLIENT_SECRET: 'not the secret' }
  const button = 'continue with google'

  test('no provider, on a public address without keys: the sandbox accepts any name', async () => {
    const named = { PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: '1' }
    const listening = { PUBLIC_URL: undefined, HOST: '0.0.0.0', ALLOW_SANDBOX: '1' }
    for (const { PUBLIC_URL, ...more } of atLength ? [named, listening] : [named]) {
      const { origin, deps } = await shopWith({ ...more, ...(PUBLIC_URL && { PUBLIC_URL }) })
      expect([deps.google, deps.googleSandbox]).toEqual([null, null])
      const config = await call(origin, 'GET', '/sandbox/google/.well-known/openid-configuration')
      expect(config.body).not.toHaveProperty('issuer')
      const check = await call(origin, 'GET', '/identity/popup/check')
      const code = 'auth/auth-domain-config-required'
      expect([check.status, check.body]).toEqual([404, { code }])
      expect((await readMessage(openAt(PUBLIC_URL, origin))).error).toBe(code)
      for (const path of ['/login', '/register'])
        expect((await call(origin, 'GET', path)).body).not.toContain(button)
    }
  })

  test('no provider that answers: the shop opens, and sign-in reports a network error', async () => {
    const { origin } = await shopWith({ ...keys, GOOGLE_ISSUER: 'http://127.0.0.1:9' })
    const check = await call(origin, 'GET', '/identity/popup/check')
    expect([check.status, check.body]).toEqual([503, { code: 'auth/network-request-failed' }])
    expect(await readMessage(open(origin, popupPath))).toEqual({
      eventId,
      error: 'auth/network-request-failed',
    })
    const { headers } = await call(origin, 'GET', '/identity/redirect/google?from=/a')
    expect(headers.get('location')).toBe('/login?google=auth%2Fnetwork-request-failed&from=%2Fa')
    for (const path of ['/login', '/register'])
      expect((await call(origin, 'GET', path)).body).toContain(button)
  })

  test('a real one: people come in, an admin with a verified address too', async () => {
    const google = await openGoogleSandbox()
    const { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET } = google.options
    const { issuer: GOOGLE_ISSUER } = google.options
    const real = await shopWith({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER })
    google.options.redirectUri = `${real.origin}/identity/callback/google`
    expect(real.deps.google).toEqual({ sandbox: false })
    expect(real.deps.googleSandbox).toBeNull()
    expect((await signInWithGoogle(real.origin, grace)).error).toBeNull()
    const admin = { name: 'Owner', email: 'owner@ferrite.example' }
    expect((await signInWithGoogle(real.origin, admin)).error).toBeNull()
    await google.close()
  })

  test('one that does not know the secret of this shop', async () => {
    const google = await openGoogleSandbox()
    const { issuer: GOOGLE_ISSUER } = google.options
    const wrongKeyShop = await shopWith({ ...keys, GOOGLE_ISSUER })
    google.options.redirectUri = `${wrongKeyShop.origin}/identity/callback/google`
    const { error } = await signInWithGoogle(wrongKeyShop.origin, grace)
    expect(error).toBe('auth/invalid-api-key')
    await google.close()
  })

  test('one that is gone when the code is to be exchanged', async () => {
    const google = await openGoogleSandbox()
    const { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET } = google.options
    const { issuer: GOOGLE_ISSUER } = google.options
    const left = await shopWith({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER })
    google.options.redirectUri = `${left.origin}/identity/callback/google`
    const browser = browsing()
    const chooser = await toChooser(browser, `${left.origin}${popupPath}`)
    const form = { name: grace.name, email: grace.email }
    const back = await browser.follow(
      await browser.visit(chooser.url, { form }),
      ({ pathname }) => pathname === '/identity/callback/google',
    )
    await google.close()
    const page = await browser.follow(await browser.visit(back.url))
    expect(messageOf(page)).toEqual({ eventId, error: 'auth/network-request-failed' })
  })

  test('one that calls itself something else', async () => {
    const google = await openGoogleSandbox()
    const GOOGLE_ISSUER = google.options.issuer.replace('127.0.0.1', 'localhost')
    const { origin } = await shopWith({ ...keys, GOOGLE_ISSUER })
    expect((await call(origin, 'GET', '/identity/popup/check')).status).toBe(503)
    await google.close()
  })
})

test('too many sign-ins from one address end on the popup’s last page', async () => {
  const strict = await openTestShop({ RATE_LIMIT: 'on', JOB_SECONDS: '3600' })
  const one = () => call(strict.origin, 'GET', popupPath)
  const answers = await Promise.all(Array.from({ length: 120 }, one))
  const refused = answers.find(({ headers }) => headers.get('location')?.includes('error='))
  expect(refused?.headers.get('location')).toBe('/identity/popup/done?error=too_many_requests')
  await strict.close()
})
