/**
 * Any input to any call gets a prompt refusal or response, and never causes a fault, a hang or a
 * partial change.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Login, SignUp } from '#contracts/users.ts'
import type { Schema } from '#server/http/api-docs/api-document.ts'
import {
  type DescribedCall,
  describedCalls,
  documentOf,
  fieldsIn,
} from '#tests/support/api-document.ts'
import { cpuTime } from '#tests/support/cpu-time.ts'
import { atLength, seed } from '#tests/support/length.ts'
import {
  bookingOf,
  call,
  confirmCard,
  createUsers,
  intentFor,
  type Person,
} from '#tests/support/people.ts'
import { photo, upload } from '#tests/support/pictures.ts'
import { openTestShop, type TestShop } from '#tests/support/shop.ts'
import { brokenInvariants, stockPart } from '#tests/support/stock.ts'
import {
  anyText,
  bodiesOf,
  type ExistingValues,
  garbage,
  oddTextsIn,
  queriesOf,
  segmentsOf,
  textOf,
} from './inputs.ts'

const runs = atLength ? 150 : 2
/** Longer for more runs, on a busy machine. */
const timeouts = 300_000 + runs * 10_000
const slowMs = 1000

/** An upload, or what calls itself a form. */
const picture = fc.record({
  type: fc.constantFrom(
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain',
  ),
  body: anyText,
})

/** Calls whose body is not the API's JSON, and what they accept instead. */
const raw: Record<string, fc.Arbitrary<{ type: string; body: string }>> = {
  'POST /api/image': picture,
  'POST /api/logo': picture,
  'POST /api/ticket/{id}/pictures': picture,
  'POST /api/stripe/webhook': fc.record({
    type: fc.constant('application/json'),
    body: fc.oneof(fc.json(), anyText),
  }),
  'POST /api/picture-queue': picture,
  'POST /api/products/import': fc.record({
    type: fc.constant('text/csv'),
    body: fc.oneof(
      anyText,
      fc
        .array(fc.array(garbage.map(textOf), { maxLength: 12 }), { maxLength: 4 })
        .map((lines) =>
          ['name,price,description,minimumOrderQuantity,availableQuantity,image,kind,_id', ...lines]
            .map(String)
            .join('\n'),
        ),
    ),
  }),
}
/** Calls that change something and need no body. */
const bodiless = [
  'POST /api/user/{id}/release',
  'POST /api/batch/{id}/undo',
  'POST /api/delivery/{id}/cancel',
  'PUT /api/user/admin/{email}',
  'PUT /api/user/packer/{email}',
  'POST /api/user/{id}/release',
  'POST /api/order/{id}/reminder',
  'POST /api/product/{id}/restore',
  'POST /api/mail/test',
  'POST /api/picture-queue/retry',
  'POST /api/mail/{id}/dismiss',
  'POST /api/mail/{id}/again',
  'PUT /api/checkout/{id}/delivered',
  'POST /api/webhook/{id}/secret',
  'POST /api/webhook/{id}/test',
  'POST /api/webhook/message/{id}/resend',
]

/** The schema of a JSON body. */
const jsonOf = ({ key, requestBody }: DescribedCall): Schema | undefined =>
  raw[key] ? undefined : requestBody?.content['application/json']?.schema
const hasFields = ({ properties = {} }: Schema) => Object.keys(properties).length > 0

let shop: TestShop
let calls: DescribedCall[]
let ada: Person
let admin: Person
let image: string

beforeAll(async () => {
  shop = await openTestShop({ DEMO: 'off', JOB_SECONDS: '600', OPEN_HOLDS: '10000' })
  calls = describedCalls(documentOf(shop.deps))
  await aim()
  image = (await upload(shop, admin, await photo(64, 64))).body.data.url
})
afterAll(() => shop.close())

/** Values that exist: earlier inputs may have deleted some. */
async function aim(): Promise<ExistingValues> {
  // an input may have deleted an account: a new one replaces it
  const isOpen = async (person?: Person) =>
    person && (await person.call('GET', '/api/me')).status === 200
  const [first, second] = (await createUsers(shop, 2)) as [Person, Person]
  if (!(await isOpen(ada))) ada = first
  if (!(await isOpen(admin))) admin = second
  await shop.pool.query(
    `update users set email_verified = true, role = case email when $1 then 'admin' else role end
     where deleted_at is null`,
    [admin.email],
  )
  const part = await stockPart(shop.pool, { onHand: 500, price: 7 })
  const open = await bookingOf(ada, part)
  const paid = await bookingOf(ada, part)
  const payment = await intentFor(ada, paid)
  const { publishableKey } = shop.deps.payments.browser
  await confirmCard({ origin: shop.origin, publishableKey }, payment)
  await ada.call('PATCH', `/api/order/${paid}`, { transactionId: payment.intentId })
  return {
    id: [part._id, open, paid],
    partId: [part._id],
    orderId: [open, paid],
    email: [ada.email, admin.email],
    phone: ['+1 555 0100'],
    transactionId: [payment.intentId, 'pi_nothing'],
    image: [image],
    timeZone: ['Europe/Vienna', 'UTC'],
    about: [
      ...[`order:${open}`, `order:'`, `part:${part._id}`, `user:${ada.email}`],
      ...[`intent:${payment.intentId}`, 'intent:', 'intent:../refunds', 'mail:x', `mail:${paid}`],
      ...[`picture:${image}`, 'picture:/images/../../secrets/app-secret'],
    ],
    linkedIn: ['https://www.linkedin.com/in/ada'],
  }
}

/**
 * Digests of everything that a refusal leaves unchanged; without payments, which the provider
 * updates in its own time.
 */
async function readState(): Promise<string> {
  const goods = ['parts', 'orders', 'stock_movements', 'reviews', 'refunds', 'pictures']
  const people = ['users', 'profiles', 'ended_sessions', 'identity.user', 'identity.account']
  // the time of the last provider check rate-limits the next one, and is not part of the order's
  // state
  const row = `(to_jsonb(t) - 'provider_checked_at')::text`
  const sums = ['audit_log', ...goods, ...people].map(
    (table) =>
      `(select md5(coalesce(string_agg(${row}, ',' order by ${row}), '')) from ${table} t)`,
  )
  const { rows } = await shop.pool.query({ text: `select ${sums.join(', ')}`, rowMode: 'array' })
  return String(rows[0])
}

type FuzzRequest = {
  method: string
  path: string
  token?: string | undefined
  body?: string | undefined
  headers?: Record<string, string>
}

/**
 * Expects no fault, and no response that repeatedly takes a second of a core: jobs take some of it.
 * A query that sleeps in the database fails after 30 seconds.
 */
async function withstands({ method, path, ...options }: FuzzRequest): Promise<number> {
  let status = 0
  const ask = () =>
    cpuTime(async () => {
      const answer = await call(shop.origin, method, path, options)
      status = answer.status
      const asks = `${method} ${path} ${options.body?.slice(0, 500)}: ${JSON.stringify(answer.body)}`
      expect(status, asks).toBeLessThan(500)
    })
  let best = await ask()
  for (let again = 0; best > slowMs && again < 5; again += 1) best = Math.min(best, await ask())
  expect(best).toBeLessThan(slowMs)
  return status
}

const text = (max: number) =>
  fc.string({ unit: 'binary-ascii', maxLength: max }).map((t) => t.replaceAll(/[^\x21-\x7e]/g, ''))
const headers = fc.record(
  {
    'idempotency-key': fc.oneof(fc.uuid(), text(300), fc.constantFrom('same', 'x'.repeat(256))),
    'content-type': fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'x', ''),
    'if-none-match': text(30),
    origin: fc.constantFrom('null', 'https://evil.example', 'x'),
  },
  { requiredKeys: [] },
)
const authorization = fc.oneof(
  text(80).map((t) => `Bearer ${t}`),
  text(80),
  fc.constantFrom('Bearer', 'bearer x', 'Basic YTpi', 'Bearer a.b.c', `Bearer ${'x'.repeat(8000)}`),
)

type GeneratedRequest = Omit<FuzzRequest, 'method' | 'token'> & { by: 'ada' | 'admin' | 'nobody' }
/** The current token of that caller. */
const tokenOf = (by: GeneratedRequest['by']) => ({ ada, admin, nobody: undefined })[by]?.token

/**
 * Requests for one call, with each part generated from the document, from permitted callers and
 * others.
 */
function asksOf(
  described: DescribedCall,
  existingValues: ExistingValues,
): fc.Arbitrary<GeneratedRequest> {
  const { key, method, path, isForAdmins } = described
  const params = fieldsIn('path', described)
  const query = fieldsIn('query', described)
  const json = jsonOf(described)
  const segments = path
    .split('/')
    .map((part) =>
      part.startsWith('{')
        ? segmentsOf(params, part.slice(1, -1), existingValues)
        : fc.constant(part),
    )
  const reads = method === 'GET'
  const meant = isForAdmins ? 'admin' : 'ada'
  const body = json ? bodiesOf(json, existingValues) : fc.constantFrom('', '{}', '[1', 'x')
  return fc
    .record({
      segments: fc.tuple(...segments),
      query: hasFields(query)
        ? queriesOf(query, existingValues)
        : fc.constantFrom('', '', '?x=1', '?__proto__[a]=1'),
      body: reads ? fc.constant(undefined) : body,
      raw: raw[key] ?? fc.constant(undefined),
      headers: fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, headers),
      by: fc.constantFrom<GeneratedRequest['by'][]>('ada', 'admin', meant, meant, meant),
      forged: fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, authorization),
    })
    .map(({ segments, query, body, raw, headers, by, forged }) => ({
      path: segments.join('/') + query,
      body: raw?.body ?? body,
      headers: {
        // a unique key, without which every refund would be refused
        ...(key.endsWith('/refund') && {
          'idempotency-key': `key-${segments.join()}${body?.length}`,
        }),
        ...(raw && { 'content-type': raw.type }),
        ...(forged !== undefined && { authorization: forged }),
        ...headers,
      },
      by: forged === undefined ? by : 'nobody',
    }))
}

describe('every call', () => {
  test('says what it takes: a schema for each parameter, and for each body', () => {
    const silent = calls.flatMap((described) => {
      const { key, method, path } = described
      const { properties = {} } = fieldsIn('path', described)
      const bare = [...path.matchAll(/\{(\w+)\}/g)].filter(([, name = '']) => !properties[name])
      const needsBody = ['POST', 'PUT', 'PATCH'].includes(method) && !bodiless.includes(key)
      const isSilent = bare.length > 0 || (needsBody && !jsonOf(described) && !raw[key])
      return isSilent ? [key] : []
    })
    expect(silent).toEqual([])
  })

  test(
    'withstands valid, altered and garbage requests, and a refusal changes nothing',
    async () => {
      let existingValues: ExistingValues | undefined
      for (const described of calls) {
        existingValues ??= await aim()
        const arbitrary = asksOf(described, existingValues)
        const isRead = described.method === 'GET'
        let before = isRead ? '' : await readState()
        await fc.assert(
          fc.asyncProperty(arbitrary, async ({ by, ...request }) => {
            const status = await withstands({
              method: described.method,
              token: tokenOf(by),
              ...request,
            })
            if (isRead) return
            const after = await readState()
            if (status >= 400) {
              expect(after, `${status} changed something`).toBe(before)
              return
            }
            // it may have deleted what the next inputs use
            existingValues = undefined
            before = after
            if (described.key !== 'DELETE /api/me') return
            await aim()
            before = await readState()
          }),
          { numRuns: runs, seed, endOnFailure: true },
        )
      }
      expect(await brokenInvariants(shop.pool)).toEqual([])
    },
    timeouts,
  )

  test(
    'withstands each odd text in each of its fields',
    async () => {
      let existingValues: ExistingValues | undefined
      let turn = 0
      for (const described of calls) {
        const { method, path, isForAdmins } = described
        const json = jsonOf(described)
        if (!json) continue
        existingValues ??= await aim()
        const there = existingValues
        const address = path.replace(/\{(\w+)\}/, (_, name: string) => there[name]?.[0] ?? '')
        const { token } = isForAdmins ? admin : ada
        const headers = { 'idempotency-key': crypto.randomUUID() }
        // in the gate each field gets every third input, and the next call's fields get the others
        turn += 1
        const bodies = oddTextsIn(json, there).filter((_, i) => atLength || (i + turn) % 3 === 0)
        const statuses = await Promise.all(
          bodies.map((body) => withstands({ method, path: address, token, headers, body })),
        )
        if (statuses.some((status) => status < 400)) existingValues = undefined
      }
      expect(await brokenInvariants(shop.pool)).toEqual([])
    },
    timeouts,
  )
})

/** The provider's calls from browsers, and other requests outside the API. */
const beside: [method: string, path: string, contract?: z.ZodType][] = [
  ['POST', '/identity/sign-up/email', SignUp],
  ['POST', '/identity/sign-in/email', Login],
  ['POST', '/identity/sign-in/social', z.object({ provider: z.string() })],
  [
    'POST',
    '/identity/sign-in/oauth2',
    z.object({ providerId: z.string(), callbackURL: z.string() }),
  ],
  [
    'POST',
    '/identity/request-password-reset',
    z.object({ email: z.string(), redirectTo: z.string() }),
  ],
  [
    'POST',
    '/identity/send-verification-email',
    z.object({ email: z.string(), callbackURL: z.string() }),
  ],
  ['POST', '/identity/reset-password', z.object({ newPassword: z.string(), token: z.string() })],
  ['POST', '/identity/update-user', z.object({ name: z.string(), image: z.string() })],
  ['POST', '/identity/change-email', z.object({ newEmail: z.string(), password: z.string() })],
  [
    'POST',
    '/identity/change-password',
    z.object({ currentPassword: z.string(), newPassword: z.string() }),
  ],
  [
    'POST',
    '/identity/two-factor/verify-totp',
    z.object({ code: z.string(), trustDevice: z.boolean() }),
  ],
  ['POST', '/identity/two-factor/verify-backup-code', z.object({ code: z.string() })],
  ['POST', '/identity/two-factor/enable', z.object({ password: z.string(), issuer: z.string() })],
  ['POST', '/identity/sign-out', z.object({})],
  ['GET', '/identity/token'],
  ['GET', '/identity/jwks'],
  ['GET', '/identity/reset-password/'],
  ['GET', '/identity/verify-email'],
  ['GET', '/identity/callback/google'],
  ['GET', '/identity/popup/google'],
  ['GET', '/identity/redirect/google'],
  ['GET', '/images/a'],
]
const schemaOf = (contract: z.ZodType) => z.toJSONSchema(contract, { io: 'input' }) as Schema
const anyId = schemaOf(z.object({ id: z.string() }))
const asBeside = schemaOf(
  z.object({
    token: z.string().optional(),
    state: z.string().optional(),
    code: z.string().optional(),
    error: z.string().optional(),
    eventId: z.string().optional(),
    callbackURL: z.string().optional(),
  }),
)

test.each(beside)(
  '%s %s withstands garbage',
  async (method, path, contract) => {
    const arbitrary = fc.record(
      {
        tail: fc.oneof(queriesOf(asBeside, {}), segmentsOf(anyId, 'id', {})),
        body: contract
          ? bodiesOf(schemaOf(contract), { email: [ada.email] })
          : fc.constant(undefined),
        headers,
        token: fc.constantFrom(undefined, ada.token),
      },
      { requiredKeys: ['tail', 'body'] },
    )
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ tail, headers = {}, ...rest }) => {
        const allHeaders = { origin: shop.origin, ...headers }
        await withstands({
          method,
          path: contract ? path : path + tail,
          headers: allHeaders,
          ...rest,
        })
      }),
      { numRuns: Math.max(2, runs / 2), seed, endOnFailure: true },
    )
  },
  timeouts,
)
