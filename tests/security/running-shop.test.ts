/** The shop as its owner runs it: its logs, files and responses contain no secret. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atLength } from '#tests/support/length.ts'
import { linkMailedTo } from '#tests/support/mails.ts'
import { askVariant } from '#tests/support/path-variants.ts'
import {
  bookingOf,
  call,
  confirmCard,
  idToken,
  intentFor,
  login,
  type Person,
  register,
} from '#tests/support/people.ts'
import { shopDatabase } from '#tests/support/shop-database.ts'
import { type ShopProcess, startShop } from '#tests/support/shop-process.ts'
import { stockPart } from '#tests/support/stock.ts'

const root = join(import.meta.dirname, '../..')
let shop: ShopProcess
let ada: Person
let appSecret: string
const metricsToken = 'figures-for-this-test'

beforeAll(async () => {
  shop = await startShop({ LOG_LEVEL: 'debug', METRICS_TOKEN: metricsToken, DEMO: 'off' })
  appSecret = (await readFile(join(shop.dataDir, 'secrets/app-secret'), 'utf8')).trim()
  ada = await register(shop.origin, 'Ada Discreet')
}, 90_000)
afterAll(() => shop.remove())

const get = (path: string) =>
  askVariant(shop.origin, { name: '', method: 'GET', path }, { token: undefined, body: undefined })

/** Whether the digits could be a card number. */
const isCard = (digits: string) =>
  [...digits].toReversed().reduce((sum, digit, i) => {
    const value = Number(digit) * (1 + (i % 2))
    return sum + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

/** Patterns that must not occur in any served file or log line. */
const forms: Record<string, RegExp> = {
  'a key of the card provider': /\b[sr]k_(test|live)_[A-Za-z0-9]{8,}/,
  'a webhook secret': /\bwhsec_[A-Za-z0-9]{8,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a key of Amazon’s': /\bAKIA[0-9A-Z]{16}\b/,
  'a token': /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/,
  'a password’s hash': /\b[0-9a-f]{32}:[0-9a-f]{128}\b/,
  'an address of a database with its password': /postgres(ql)?:\/\/[^\s:/@]+:[^\s@]+@/,
}
const leaksIn = (text: string) => [
  ...Object.entries(forms)
    .filter(([, form]) => form.test(text))
    .map(([name]) => name),
  ...(text.match(/(?<![\w.-])[3-6]\d{15}(?![\w.])/g) ?? []).filter(isCard),
]

test('the search for secrets finds each type of them', () => {
  const samples = ['sk_test_0123456789', `whsec_${'a'.repeat(24)}`, '4242424242424242', ada.token]
  for (const sample of samples) expect(leaksIn(`x ${sample} y`), sample).toHaveLength(1)
})

test('the logs of a busy day hold no password, token, cookie, link, key, card or address', async () => {
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const credentials = { email: ada.email, password: 'a wrong password' }
  const headers = { origin: shop.origin }
  await call(shop.origin, 'POST', '/identity/sign-in/email', { body: credentials, headers })
  await call(shop.origin, 'POST', '/identity/request-password-reset', {
    body: { email: ada.email },
    headers,
  })
  const mailed = () => linkMailedTo(shop, ada.email, 'Set a new password')
  await expect.poll(mailed).not.toBeNull()
  const link = (await mailed()) as string
  await call(shop.origin, 'GET', new URL(link).pathname)
  const proof = await idToken(shop.origin, ada.cookie)
  const pool = await shopDatabase(shop)
  const part = await stockPart(pool, { onHand: 9 })
  await pool.end()
  const order = await bookingOf(ada, part)
  const payment = await intentFor(ada, order)
  const page = (await get(`/dashboard/payment/${order}`)).text
  const publishableKey = /pk_test_\w+/.exec(page)?.[0] ?? ''
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  await ada.call('PATCH', `/api/order/${order}`, { transactionId: payment.intentId })
  await ada.call('GET', `/api/orders?email=${ada.email}`)
  await owner.call('GET', `/api/admin/${ada.email}`)
  await owner.call('POST', '/api/product', { name: 'x', image: 4_242_424_242_424_242 })
  await call(shop.origin, 'GET', `/api/part?token=${ada.token}&email=${ada.email}`)
  await call(shop.origin, 'GET', `/nowhere/${ada.email}?token=${ada.token}`)
  await call(shop.origin, 'POST', `/identity/${ada.email}/${ada.token}`, { body: {}, headers })
  await call(shop.origin, 'POST', `/nowhere/${ada.email}?token=${ada.token}`)
  const logged = shop.output()
  expect(logged).toContain('"route":"/api/order/:id"')
  for (const status of [200, 401])
    expect(logged).toContain(`"route":"/identity/sign-in/email","status":${status}`)
  // a made-up path is not a call, and is not logged
  expect(logged).not.toContain('/identity/*')
  expect(leaksIn(logged)).toEqual([])
  const personal = {
    password: 'a wrong password',
    'right password': 'correct horse',
    'owner’s password': 'owner-password',
    cookie: ada.cookie.split('=')[1],
    'access token': ada.token,
    proof,
    'reset link': new URL(link).pathname.split('/').at(-1),
    'client secret': payment.clientSecret,
    address: ada.email,
    'root secret': appSecret,
  }
  for (const [name, value] of Object.entries(personal)) expect(logged, name).not.toContain(value)
}, 60_000)

/** The log since then. */
const loggedSince = (before: string) => shop.output().slice(before.length)
/** Waits for the log line of a call made after all others. */
async function logsAreWritten(): Promise<void> {
  const { headers } = await call(shop.origin, 'GET', '/api/nothing')
  await expect.poll(() => shop.output()).toContain(headers.get('x-request-id'))
}

test('no client can write a log line by what it sends', async () => {
  const before = shop.output()
  const typed = 'typed.by.a.client'
  const foreign = { origin: `https://${typed}.example` }
  await call(shop.origin, 'POST', '/login', { body: 'a=b', headers: foreign })
  await get(`/%ff/${typed}`)
  await get(`/%E0%A4%A/${typed}`)
  for (const address of [`https://${typed}.example/x`, `//${typed}`, `javascript:${typed}`]) {
    const body = { email: ada.email, redirectTo: address, callbackURL: address }
    for (const path of ['request-password-reset', 'send-verification-email', 'sign-in/email'])
      await call(shop.origin, 'POST', `/identity/${path}`, {
        body,
        headers: { origin: shop.origin },
      })
    await get(`/identity/verify-email?token=x&callbackURL=${encodeURIComponent(address)}`)
  }
  await call(shop.origin, 'POST', '/identity/sign-out', {
    body: {},
    headers: { ...foreign, cookie: ada.cookie },
  })
  await logsAreWritten()
  const logged = loggedSince(before)
  expect(logged).not.toContain(typed)
  const lines = logged.split('\n').filter(Boolean)
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
})

test('a request that its client ends is no fault', async () => {
  const before = shop.output()
  const owner = await login(shop.origin, 'owner@ferrite.example', 'owner-password')
  const paths = [
    '/api/image',
    '/api/products/import',
    '/api/product',
    '/api/stripe/webhook',
    '/identity/sign-in/email',
  ]
  const lengths = [{ 'content-length': '5000' }, { 'transfer-encoding': 'chunked' }]
  for (const path of paths) {
    for (const length of lengths) {
      const headers = {
        authorization: `Bearer ${owner.token}`,
        'content-type': path === '/api/image' ? 'application/octet-stream' : 'application/json',
        expect: '100-continue',
        ...length,
      }
      const one = request(`${shop.origin}${path}`, { method: 'POST', headers, agent: false })
      const ended = new Promise((resolve) => one.on('error', () => {}).once('close', resolve))
      one.flushHeaders()
      // the shop has the head, and waits for the rest
      await once(one, 'continue')
      one.write('--b\r\n')
      one.destroy()
      await ended
    }
  }
  const statuses = async () =>
    (await call(shop.origin, 'GET', '/metrics', { token: metricsToken })).body as string
  const ended = () => loggedSince(before).match(/"route":"\/api\/image"/g)?.length ?? 0
  await expect.poll(ended).toBeGreaterThanOrEqual(1)
  await logsAreWritten()
  expect(loggedSince(before)).not.toMatch(/"level":(50|60)/)
  expect(await statuses()).not.toMatch(/^http_requests_total\{[^}]*status="5/m)
})

const files = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('what is written down in the repository holds no secret that opens anything', async () => {
  /** Marked as not real where they are defined. */
  const invented =
    /sk_test_(somebodyelse|0123456789)|postgres:\/\/ferrite:(\$\{password\}|PASSWORD)@/g
  const folders = (await readdir(root, { withFileTypes: true }))
    .filter(
      (entry) =>
        entry.isDirectory() &&
        !/^(node_modules|build|data|test-results|\.(git|react-router|vite))/.test(entry.name),
    )
    .map(({ name }) => join(root, name))
  const named = ['package.json', '.env.example', '.npmrc', 'README.md', 'CONTRIBUTING.md']
  const leaks: string[] = []
  for (const file of [
    ...named.map((name) => join(root, name)),
    ...(await Promise.all(folders.map(files))).flat(),
  ]) {
    if (/\.(png|webp|woff2|ico)$/.test(file)) continue
    const text = (await readFile(file, 'utf8')).replaceAll(invented, '')
    // the test cards are public, and occur in tests and in the sandbox
    leaks.push(
      ...leaksIn(text)
        .filter((leak) => !/^\d+$/.test(leak))
        .map((leak) => `${file}: ${leak}`),
    )
  }
  expect(leaks).toEqual([])
})

describe('what browsers get', () => {
  test('holds no secret, no source map and no code of the server', async () => {
    const leaks: string[] = []
    for (const file of await files(join(root, 'build/client'))) {
      if (file.endsWith('.map')) leaks.push(`${file}: a source map`)
      if (!/\.(js|css|html|txt|svg|webmanifest)$/.test(file)) continue
      const text = await readFile(file, 'utf8')
      leaks.push(...leaksIn(text).map((leak) => `${file}: ${leak}`))
      for (const word of ['DATABASE_URL', 'APP_SECRET', 'drizzle-orm', 'sourceMappingURL=']) {
        if (text.includes(word)) leaks.push(`${file}: ${word}`)
      }
    }
    expect(leaks).toEqual([])
  })

  test('is the built files and nothing around them, however the path is spelled', async () => {
    const ways = [
      '..',
      '%2e%2e',
      '%252e%252e',
      '.%2e',
      '..;',
      '..%00',
      '%c0%ae%c0%ae',
      '..\\',
      '....',
    ]
    const starts = ['', '/assets', '/images', '/fonts']
    const aims = [
      'package.json',
      'main.js',
      'server/main.ts',
      '.env',
      'etc/passwd',
      'data/secrets/app-secret',
    ]
    const everyPath = starts.flatMap((start) =>
      ways.flatMap((way) =>
        aims.flatMap((aim) => [
          `${start}/${way}/${aim}`,
          `${start}/${way}/${way}/${way}/${way}/${aim}`,
          `${start}/${way}%2f${way}%5c${aim}`,
        ]),
      ),
    )
    const paths = [
      // the gate takes every fifth, so that starts, paths, targets and spellings still mix
      ...everyPath.filter((_, i) => atLength || i % 5 === 0),
      ...[
        '/.env',
        '/.git/config',
        '/package.json',
        '/dist/main.js',
        '/build/server/index.js',
        '/main.js',
      ],
      ...[
        '/assets/',
        '/images/',
        '//etc/passwd',
        '/\\etc/passwd',
        '/%2fetc/passwd',
        '/file:///etc/passwd',
      ],
      ...[
        '/assets/index.js.map',
        '/@fs/etc/passwd',
        '/__manifest?x',
        '/node_modules/hono/package.json',
      ],
    ]
    const odd: string[] = []
    for (const path of paths) {
      const { status, text } = await get(path)
      if (status < 400 || status >= 500) odd.push(`${path}: ${status}`)
      if (/root:x:0|"name": "ferrite"|repositoryformatversion/.test(text)) odd.push(`${path}: read`)
      if (text.includes(appSecret)) odd.push(`${path}: the secret`)
    }
    expect(odd).toEqual([])
  }, 60_000)
})

test('no failure tells of the code, the query or the disk behind it', async () => {
  const inside =
    /\bat .+\(.+:\d+:\d+\)|node_modules|\.ts:\d+|\/server\/|select .+ from|insert into|duplicate key|violates|SQLSTATE|ECONN|pg_|drizzle|better-auth/i
  const post = (path: string, body: unknown) =>
    ada.call('POST', path, body, { origin: shop.origin })
  const questions: [name: string, answer: () => Promise<unknown>][] = [
    ['a body that is none', () => post('/api/order', '{')],
    ['a character that is none', () => post('/api/review', { review: 'a\u0000b', ratings: 5 })],
    ['too large', () => post('/api/order', 'x'.repeat(70_000))],
    ['no id', () => ada.call('GET', "/api/order/1'--")],
    ['no page', () => get('/nowhere')],
    ['no call', () => get('/api/nowhere')],
    ['a bad path', () => get('/%')],
    ['a bad picture', () => get('/images/%00')],
    ['no provider’s call', () => get('/identity/nowhere')],
    ['a bad sign-up', () => post('/identity/sign-up/email', { email: 1 })],
    ['a bad body there', () => post('/identity/sign-up/email', '{')],
    ['a bad return', () => get('/identity/callback/google?state=x&code=y')],
    ['a bad link', () => get('/identity/verify-email?token=x')],
  ]
  for (const [name, ask] of questions) {
    const answer = JSON.stringify(await ask())
    const visibleText = answer.replaceAll(/<script[\s\S]*?<\/script>|<link[^>]*>/g, '')
    expect(visibleText, name).not.toMatch(inside)
  }
})
