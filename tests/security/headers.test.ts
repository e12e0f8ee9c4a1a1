/** The headers of every class of response, and what a page's content security policy allows. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageHeaders, pagePolicy } from '#server/http/security-headers.ts'
import { createListening } from '#server/http/server.ts'
import { call, login } from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop } from '#tests/support/shop.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'

let shop: ShopProcess
let asset: string
let image: string
let token: string

beforeAll(async () => {
  shop = await startShop({ METRICS_TOKEN: 'a-token-of-sixteen', DEMO: 'off' })
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  token = owner.token
  image = (await upload(shop, owner, await photo(64, 64))).body.data.url
  const built = await readdir(join(import.meta.dirname, '../../build/client/assets'))
  asset = `/assets/${built.find((name) => /^list-screen-[\w-]{8}\.js$/.test(name))}`
}, 120_000)
afterAll(() => shop.remove())

test('a script is sent as small as brotli makes it', async () => {
  const script = await readFile(join(import.meta.dirname, '../../build/client', asset))
  const { headers } = await call(shop.origin, 'GET', asset, {
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(headers.get('content-encoding')).toBe('br')
  expect(Number(headers.get('content-length'))).toBe(brotliCompressSync(script).length)
})

type Sample = {
  path: string
  status: number
  cache: string | null
  send?: Parameters<typeof call>[3]
  method?: string
}
const large = { body: 'x'.repeat(70_000), headers: { 'content-type': 'application/json' } }
const withoutWindow = { headers: { accept: 'text/html' } }

/** One of each class: the request, its status, and who may cache it. */
const classes = (): Record<string, Sample> => ({
  'a page': { path: '/', status: 200, cache: 'private, no-cache' },
  'a page that was kept': { path: '/', status: 200, cache: 'private, no-cache' },
  'a page made for a query': { path: '/?x=1', status: 200, cache: 'private, no-cache' },
  'a page with an id': { path: '/dashboard/order/x', status: 200, cache: 'private, no-cache' },
  'a page that is not there': { path: '/nowhere', status: 404, cache: 'private, no-cache' },
  'a page that takes nothing': {
    path: '/',
    method: 'POST',
    status: 405,
    cache: 'private, no-cache',
  },
  'a page’s data': { path: '/blogs.data', status: 200, cache: null },
  'a text for machines': { path: '/robots.txt', status: 200, cache: null },
  'a call': { path: '/api/review', status: 200, cache: 'no-store' },
  'a list in pieces': { path: '/api/user', send: { token }, status: 200, cache: 'no-store' },
  'a sheet': { path: '/api/products.csv', send: { token }, status: 200, cache: 'no-store' },
  'a copy of one’s data': { path: '/api/me/data', send: { token }, status: 200, cache: 'no-store' },
  'the parts': { path: '/api/part', status: 200, cache: 'no-cache' },
  'a call that is refused': { path: '/api/me', status: 401, cache: 'no-store' },
  'a call that is not there': { path: '/api/nothing', status: 404, cache: 'no-store' },
  'a call too large': {
    path: '/api/order',
    method: 'POST',
    send: large,
    status: 413,
    cache: 'no-store',
  },
  'a file': { path: asset, status: 200, cache: 'public, max-age=31536000, immutable' },
  'a picture': { path: image, status: 200, cache: 'public, max-age=31536000, immutable' },
  'a picture that is not there': { path: '/images/x.webp', status: 404, cache: null },
  'the provider': { path: '/identity/jwks', status: 200, cache: 'public, max-age=300' },
  'a refusal of the provider': { path: '/identity/token', status: 401, cache: 'no-store' },
  'a call of the provider that is not there': {
    path: '/identity/x',
    status: 404,
    cache: 'no-store',
  },
  'a redirect': {
    path: '/identity/redirect/google?from=/x',
    send: withoutWindow,
    status: 302,
    cache: 'no-store',
  },
  'the last page of a window': { path: '/identity/popup/done', status: 200, cache: 'no-store' },
  'a sandbox’s script': { path: '/sandbox/stripe/stripe.js', status: 200, cache: 'no-cache' },
  'a sandbox’s call': {
    path: '/sandbox/stripe/v1/payment_intents',
    status: 401,
    cache: 'no-cache, no-store',
  },
  'the mailbox': { path: '/sandbox/mail', status: 200, cache: 'no-store' },
  health: { path: '/healthz', status: 200, cache: 'no-store' },
  'figures without a token': { path: '/metrics', status: 401, cache: 'no-store' },
})

const everywhere: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
  'referrer-policy': /^(strict-origin-when-cross-origin|no-referrer)$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /^camera=\((self)?\), microphone=\(\), geolocation=\(\)/,
}
const nowhere = ['x-powered-by', 'server', 'access-control-allow-origin', 'x-aspnet-version']

/** The sandbox is a script of another site, like the provider that it replaces. */
const excused: Record<string, string> = {
  'a sandbox’s script': 'cross-origin-resource-policy: cross-origin',
}

/** The problems in a response's headers. */
function faultsIn(headers: Headers): string[] {
  const policy = headers.get('content-security-policy') ?? ''
  return [
    ...Object.entries(everywhere)
      .filter(([name, pattern]) => !pattern.test(headers.get(name) ?? ''))
      .map(([name]) => `${name}: ${headers.get(name)}`),
    ...nowhere.filter((name) => headers.has(name)),
    ...(/frame-ancestors '(none|self)'/.test(policy) ? [] : [`frame-ancestors: ${policy}`]),
    ...(/unsafe-eval|script-src[^;]*unsafe-inline|\*(;|$| )/.test(policy) ? [policy] : []),
  ]
}

describe('every class of answer', () => {
  test('has the headers of all, and says who may keep it', async () => {
    const faults: string[] = []
    for (const [name, { path, status, cache, method = 'GET', send }] of Object.entries(classes())) {
      const { headers, ...answer } = await call(shop.origin, method, path, send)
      const found = [
        ...faultsIn(headers).filter((header) => !header.startsWith(excused[name] ?? ' ')),
        ...(answer.status === status ? [] : [`status ${answer.status}`]),
        ...(headers.get('cache-control') === cache
          ? []
          : [`cache ${headers.get('cache-control')}`]),
      ]
      faults.push(...found.map((what) => `${name}: ${what}`))
    }
    expect(faults).toEqual([])
  })

  test('has them also when there is nothing new, when only the head is asked, and before the shop is open', async () => {
    const faults: string[] = []
    for (const path of ['/', '/api/part', asset]) {
      const etag = (await call(shop.origin, 'GET', path)).headers.get('etag') ?? ''
      const again = await call(shop.origin, 'GET', path, { headers: { 'if-none-match': etag } })
      const head = await call(shop.origin, 'HEAD', path)
      expect([again.status, head.status], path).toEqual([304, 200])
      faults.push(...faultsIn(again.headers), ...faultsIn(head.headers))
    }
    const closed = createListening()
    await closed.listen('127.0.0.1', 0)
    const early = await call(`http://127.0.0.1:${closed.port}`, 'GET', '/')
    await closed.close()
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1'])
    expect([...faults, ...faultsIn(early.headers)]).toEqual([])
  })

  test('has a type, so that no browser guesses', async () => {
    for (const [name, { path, method = 'GET', send }] of Object.entries(classes())) {
      const { headers, body } = await call(shop.origin, method, path, send)
      if (body === '') continue
      expect(headers.get('content-type'), name).toMatch(
        /^(text\/(html|plain|javascript|x-script|csv)(; ?charset=utf-8)?(; header=present)?|application\/json|image\/webp)$/i,
      )
    }
  })

  test('tells browsers to come back by https alone, when the shop is there', async () => {
    const there = await openTestShop({
      DEMO: 'off',
      PUBLIC_URL: 'https://shop.example',
      ALLOW_SANDBOX: '1',
    })
    for (const path of ['/api/part', '/api/nothing', '/identity/jwks', '/images/x', '/healthz']) {
      const { headers } = await call(there.origin, 'GET', path)
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
    }
    const { headers } = await call(there.origin, 'POST', '/identity/sign-in/email', {
      body: { email: 'owner@ferrite.example', password: 'owner-password' },
      headers: { origin: 'https://shop.example' },
    })
    await there.close()
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(
      /^__Secure-ferrite\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await call(shop.origin, 'GET', '/')).headers.has('strict-transport-security')).toBe(
      false,
    )
  })
})

describe('a page', () => {
  const own = { nonce: 'mine', script: 'known()', style: 'p { color: red }' }
  const policyOf = (headers: Headers) =>
    Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ')
        return [name, values.join(' ')]
      }),
    )

  test('holds what is painted, and asks for no script before', async () => {
    for (const path of ['/', '/login', '/blogs']) {
      const { body } = await call(shop.origin, 'GET', path)
      expect(body, path).not.toMatch(/<script[^>]* src=|modulepreload" href|rel="stylesheet"/)
      expect(body, path).not.toMatch(/<script[^>]*>\s*import\b/)
    }
  })

  test('lets in its own files, and scripts of its own text by their hash', async () => {
    const { headers, body } = await call(shop.origin, 'GET', '/')
    const { 'script-src': scripts, 'style-src': styles, ...rest } = policyOf(headers)
    const [, style = ''] = /<style[^>]*>([\s\S]*?)<\/style>/.exec(body as string) ?? []
    expect(styles).toBe(`'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(scripts).toMatch(/^'self'( 'sha256-[\w+/=]{44}')+$/)
    expect(rest).toMatchObject({
      'default-src': "'none'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'frame-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'manifest-src': "'self'",
      'frame-ancestors': "'none'",
    })
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  })

  test('with a key in its address is sent in no Referer', async () => {
    const page = await call(shop.origin, 'GET', '/reset-password?token=a-key')
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect((await call(shop.origin, 'GET', '/about')).headers.get('referrer-policy')).not.toBe(
      'no-referrer',
    )
  })

  test('that is sent a form without its script is shown again, and nothing of the form is in it', async () => {
    for (const origin of [shop.origin, 'https://evil.example'])
      for (const path of ['/login', '/register', '/reset-password?token=a-key', '/dashboard']) {
        const answer = await call(shop.origin, 'POST', path, {
          body: new URLSearchParams({ email: 'ada@example.com', password: 'a-secret' }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        })
        expect([answer.status, answer.headers.get('location')], path).toEqual([405, null])
        expect(answer.body, path).toMatch(/<\/footer>/)
        expect(answer.body, path).not.toMatch(/a-secret|ada@example|Error:|\.js:\d+/)
        expect(answer.body, path).toBe((await call(shop.origin, 'GET', path)).body)
      }
  })

  test('admits only the card provider, by https, where cards go to it', () => {
    const policy = pagePolicy('<p>', own, {
      https: true,
      stripe: true,
      firebase: null,
      development: false,
    })
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;")
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;")
    expect(policy).toContain(
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;',
    )
    expect(policy).toContain("img-src 'self' data: https://*.stripe.com;")
    expect(policy).toMatch(/; upgrade-insecure-requests$/)
    expect(
      policy.match(/https?:\/\/[^ ;]+/g)?.filter((host) => !/\.stripe\.com$/.test(host)),
    ).toEqual([])
  })

  test('lets in Firebase where it keeps the accounts, and its emulator instead of it', () => {
    const policyOf = (emulator: string | null) =>
      pagePolicy('<p>', own, {
        https: true,
        stripe: false,
        firebase: { authDomain: 'shop.firebaseapp.com', emulator },
        development: false,
      })
    expect(policyOf(null)).toContain("script-src 'self' https://apis.google.com;")
    expect(policyOf(null)).toContain("frame-src 'self' https://shop.firebaseapp.com;")
    expect(policyOf(null)).toContain(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com;",
    )
    expect(policyOf('http://127.0.0.1:9099')).toContain(
      "connect-src 'self' http://127.0.0.1:9099; frame-src 'self' http://127.0.0.1:9099;",
    )
    expect(policyOf(null)).not.toMatch(/unsafe|\*/)
  })

  test('an injected script does not run: it has no nonce, and no page shows one', async () => {
    const html = '<script>known()</script><script nonce="mine" async="">ours()</script>'
    const got = ['<script>foreign()</script>', '<script nonce="guess">foreign()</script>']
    const policyOf = (page: string) =>
      pagePolicy(page, own, { https: false, stripe: false, firebase: null, development: false })
    expect(
      policyOf(html)
        .match(/script-src[^;]*/)?.[0]
        .match(/'sha256-/g),
    ).toHaveLength(2)
    for (const script of got) expect(policyOf(html + script), script).toBe(policyOf(html))
    for (const path of ['/', '/about', '/nowhere', '/?x=1']) {
      const { body } = await call(shop.origin, 'GET', path)
      expect(body, path).toContain('<script')
      expect(body, path).not.toContain('nonce')
    }
  })

  test('forbids HTML and scripts from strings; with the card provider’s script that is only reported', async () => {
    const required = /require-trusted-types-for 'script'; trusted-types default/
    const { headers } = await call(shop.origin, 'GET', '/')
    expect(headers.get('content-security-policy')).toMatch(required)
    expect(headers.get('permissions-policy')).toMatch(/, payment=\(\)$/)
    const live = pageHeaders({ https: true, stripe: true, firebase: null, development: false })
    expect(live['content-security-policy-report-only']).toMatch(required)
    expect(live['permissions-policy']).toMatch(/, payment=\(self "https:\/\/js\.stripe\.com"\)$/)
  })
})

describe('a cached page', () => {
  test('contains no header of the first client', async () => {
    const marks = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-original-url': '/evil.example',
      'x-rewrite-url': '/evil.example',
      'x-react-router-spa-mode': 'yes',
      'x-react-router-prerender-data': '%22evil.example%22',
      'x-middleware-subrequest': 'evil.example',
      'accept-language': 'evil.example',
      'user-agent': 'evil.example',
      cookie: 'theme=evil.example',
      authorization: 'Bearer evil.example',
    }
    for (const path of ['/about', '/terms', '/privacy', '/imprint', '/reviews']) {
      const { origin } = shop
      const first = await call(origin, 'GET', path, { headers: marks })
      const second = await call(origin, 'GET', path)
      expect([first.status, second.status], path).toEqual([200, 200])
      expect(second.body, path).not.toContain('evil.example')
      expect(second.body, path).toContain('</footer>')
      expect(JSON.stringify([...second.headers]), path).not.toContain('evil.example')
    }
  })
})
