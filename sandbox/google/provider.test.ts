import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browsing, browsing } from '#tests/support/browsing.ts'
import { openGoogleSandbox } from '#tests/support/google.ts'
import { rawGet } from '#tests/support/path-variants.ts'

type Fields = Record<string, string>

let google: Awaited<ReturnType<typeof openGoogleSandbox>>
let config: Record<string, string>
beforeAll(async () => {
  google = await openGoogleSandbox()
  const answer = await fetch(`${google.options.issuer}/.well-known/openid-configuration`)
  config = (await answer.json()) as typeof config
})
afterAll(() => google.close())

const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const grace = { name: 'Grace Hopper', email: 'Grace@Example.com', verified: 'on' }

const authorisation = (more: Fields = {}) =>
  `${config.authorization_endpoint}?${new URLSearchParams({
    client_id: google.options.clientId,
    redirect_uri: google.options.redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    prompt: 'select_account',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state',
    nonce: 'the nonce',
    ...more,
  })}`

/** Submits the chooser. @returns the response to the client */
async function answer(form: Fields, browser: Browsing = browsing(), more: Fields = {}) {
  const chooser = await browser.follow(await browser.visit(authorisation(more)))
  const back = await browser.follow(
    await browser.visit(chooser.url, { form }),
    ({ pathname }) => pathname === '/back',
  )
  return { chooser, back, query: Object.fromEntries(back.url.searchParams) as Fields }
}

async function exchange(code: string | undefined, more: Fields = {}) {
  const response = await fetch(String(config.token_endpoint), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: google.options.redirectUri,
      client_id: google.options.clientId,
      client_secret: google.options.clientSecret,
      code_verifier: verifier,
      ...more,
    }),
  })
  return { status: response.status, body: (await response.json()) as Fields }
}

async function identityOf(form: Fields, browser?: Browsing) {
  const { query } = await answer(form, browser)
  const { body } = await exchange(query.code)
  const keys = createRemoteJWKSet(new URL(String(config.jwks_uri)))
  const { payload, protectedHeader } = await jwtVerify(String(body.id_token), keys, {
    issuer: google.options.issuer,
    audience: google.options.clientId,
  })
  return { payload, protectedHeader, body }
}

describe('a sign-in', () => {
  test('ends with an ID token that says who it is', async () => {
    const { payload, protectedHeader, body } = await identityOf(grace)
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload).toMatchObject({
      sub: expect.stringMatching(/^sandbox-[0-9a-f]{20}$/),
      email: 'grace@example.com',
      email_verified: true,
      name: 'Grace Hopper',
      nonce: 'the nonce',
    })
    const info = await fetch(String(config.userinfo_endpoint), {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(await info.json()).toMatchObject({ sub: payload.sub, email: 'grace@example.com' })
  })

  test('the same address is the same account, even in another browser and after a restart', async () => {
    const first = await identityOf(grace)
    google.restart()
    const second = await identityOf({ name: 'G. Hopper', email: 'grace@example.com' })
    expect(second.payload).toMatchObject({
      sub: first.payload.sub,
      name: 'G. Hopper',
      email_verified: false,
    })
  })

  test('asks for the account each time, and offers those it knows', async () => {
    const browser = browsing()
    const ada = await identityOf({ ...grace, name: 'Ada', email: 'ada@example.com' }, browser)
    const bob = await identityOf({ ...grace, name: 'Bob <b>', email: 'bob@example.com' }, browser)
    expect(bob.payload.sub).not.toBe(ada.payload.sub)
    const { chooser } = await answer({ cancel: 'yes' }, browser)
    expect(chooser.text).toContain('Bob &lt;b&gt;')
    expect(chooser.text).toContain(`value="${ada.payload.sub}"`)
    const again = await identityOf({ account: String(ada.payload.sub) }, browser)
    expect(again.payload).toMatchObject({ sub: ada.payload.sub, email: 'ada@example.com' })
  })

  test('can be cancelled', async () => {
    const { query } = await answer({ cancel: 'yes' })
    expect(query).toMatchObject({ error: 'access_denied', state: 'the state' })
  })

  test.each([
    [{ name: '', email: 'a@b.example' }, 'Give a name of 1 to 100 characters.'],
    [{ name: 'x'.repeat(101), email: 'a@b.example' }, 'Give a name of 1 to 100 characters.'],
    [{ name: '"><b>', email: 'nobody' }, 'Give an e-mail address like ada@example.com.'],
  ])('says what is wrong with %o, and keeps what was typed', async (form, sentence) => {
    const browser = browsing()
    const chooser = await browser.follow(await browser.visit(authorisation()))
    const { status, text } = await browser.visit(chooser.url, { form })
    expect(status).toBe(400)
    expect(text).toContain(sentence)
    expect(text).toContain(`value="${form.name.replace('"><b>', '&quot;&gt;&lt;b&gt;')}"`)
  })

  test('an account that is not there, or a form too large, is asked for again', async () => {
    const browser = browsing()
    const chooser = await browser.follow(await browser.visit(authorisation()))
    const forms: Fields[] = [{ account: '1' }, { name: 'x'.repeat(5000) }]
    for (const form of forms) {
      const again = await browser.visit(chooser.url, { form })
      expect([again.status, again.text.includes('Choose an account')]).toEqual([400, true])
    }
  })

  test('ends with a page when the sandbox restarts meanwhile, and can begin again', async () => {
    const browser = browsing()
    const chooser = await browser.follow(await browser.visit(authorisation()))
    google.restart()
    const { status, text } = await browser.visit(chooser.url, { form: grace })
    expect(status).toBe(400)
    expect(text).toContain('go back to the shop and start again')
    expect((await identityOf(grace, browser)).payload.email).toBe('grace@example.com')
  })

  test('does not continue in another browser', async () => {
    const { url } = await browsing().visit(authorisation())
    const { headers } = await browsing().visit(url)
    const { status, text } = await browsing().visit(new URL(headers.get('location') ?? '', url))
    expect(status).toBe(400)
    expect(text).toContain('Sign-in cannot go on')
  })
})

describe('what Google would refuse', () => {
  test('a request without PKCE, or with a challenge in the clear', async () => {
    const none = { code_challenge: '', code_challenge_method: '' }
    for (const more of [none, { code_challenge_method: 'plain' }]) {
      const back = await browsing().visit(authorisation(more))
      expect(new URL(back.headers.get('location') ?? '').searchParams.get('error')).toBe(
        'invalid_request',
      )
    }
  })

  test('another client, or another address to come back to, with a page', async () => {
    const wrongFields: Fields[] = [
      { client_id: 'other' },
      { redirect_uri: 'https://evil.example/back' },
    ]
    for (const more of wrongFields) {
      const { status, text, headers } = await browsing().visit(authorisation(more))
      expect([status, headers.get('location')]).toEqual([400, null])
      expect(text).toContain('Sign-in cannot go on')
    }
  })

  test('a code with the wrong verifier, the wrong secret, or a second time', async () => {
    const code = async () => (await answer(grace)).query.code
    const wrongVerifier = await exchange(await code(), { code_verifier: 'x'.repeat(43) })
    expect(wrongVerifier.body.error).toBe('invalid_grant')
    const wrongSecret = await exchange(await code(), { client_secret: 'guessed' })
    expect(wrongSecret).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const once = await code()
    expect((await exchange(once)).status).toBe(200)
    expect((await exchange(once)).body.error).toBe('invalid_grant')
  })

  test('any flow but the code’s', async () => {
    const { headers } = await browsing().visit(authorisation({ response_type: 'id_token' }))
    expect(headers.get('location')).toContain('error=unsupported_response_type')
  })
})

describe('the sandbox', () => {
  test('responds only to the machine that it runs on', async () => {
    const address = `${google.options.issuer}/.well-known/openid-configuration`
    const { host } = new URL(google.origin)
    const foreign: Fields[] = [
      { host: 'shop.example' },
      { host: '127.0.0.1.evil.example' },
      { host, 'x-forwarded-for': '203.0.113.7' },
      { host, 'x-forwarded-host': 'shop.example' },
      { host, forwarded: 'for=203.0.113.7' },
      { host, 'x-real-ip': '203.0.113.7' },
      { host, via: '1.1 proxy' },
      // nginx with `proxy_pass` alone, old and new
      { host, connection: 'close' },
      { host, connection: '' },
    ]
    for (const headers of foreign) {
      expect(await rawGet(address, headers), JSON.stringify(headers)).toMatchObject({
        status: 403,
        text: 'This sandbox answers only to the machine that it runs on.',
      })
    }
    expect((await rawGet(address, { host: 'LOCALHOST' })).status).toBe(200)
  })

  test('answers only below its path', async () => {
    for (const path of ['/', '/sandbox/googles', '/sandbox']) {
      expect((await fetch(google.origin + path)).status).toBe(204)
    }
  })

  test('says at its own address what it is', async () => {
    for (const path of ['', '/', '?a=b']) {
      const { status, text } = await browsing().visit(google.options.issuer + path)
      expect([status, text.includes('Sandbox for Google')]).toEqual([200, true])
    }
  })

  test('signs with a key of its own after each restart, and shows its public half alone', async () => {
    const keyOf = async () => {
      const set = (await (await fetch(String(config.jwks_uri))).json()) as { keys: Fields[] }
      return set.keys[0] ?? {}
    }
    const before = await keyOf()
    google.restart()
    const after = await keyOf()
    expect(after.kid).not.toBe(before.kid)
    expect(after).not.toHaveProperty('d')
  })

  test('allows none of its pages to be framed, scripted or cut off from its opener', async () => {
    const browser = browsing()
    const { headers, text } = await browser.follow(await browser.visit(authorisation()))
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    expect(text).not.toMatch(/<script|style=/)
    expect(text).toContain('Ferrite sandbox — not Google.')
  })
})
