/**
 * Compares the adapter's requests, the sandbox's responses and its webhooks with Stripe's own
 * description: the types in the package `stripe`, which Stripe generates from its OpenAPI
 * description of the package's API version. The compiler checks each recorded JSON as a literal of
 * its type: nothing required is missing, and nothing is invented.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  cardFields,
  type Exchange,
  openStripeSandbox,
  payByBrowser,
  type StripeSandbox,
} from '#tests/support/stripe-sandbox.ts'
import type { Payments } from './port.ts'
import { stripePayments } from './stripe.ts'

/** For each operation that the shop and its pages use: the types of its request and response. */
const operations: Record<string, [requestType: string, answerType: string]> = {
  'POST /v1/payment_intents': ['Stripe.PaymentIntentCreateParams', 'Stripe.PaymentIntent'],
  'GET /v1/payment_intents': ['Stripe.PaymentIntentListParams', 'List<Stripe.PaymentIntent>'],
  'GET /v1/payment_intents/:id': ['Stripe.PaymentIntentRetrieveParams', 'Stripe.PaymentIntent'],
  'POST /v1/payment_intents/:id/cancel': [
    'Stripe.PaymentIntentCancelParams',
    'Stripe.PaymentIntent',
  ],
  'POST /v1/payment_intents/:id/confirm': ['unknown', 'ShownIntent'],
  'POST /v1/payment_methods': ['unknown', 'Stripe.PaymentMethod'],
  'POST /v1/refunds': ['Stripe.RefundCreateParams', 'Stripe.Refund'],
  'GET /v1/refunds': ['Stripe.RefundListParams', 'List<Stripe.Refund>'],
  'GET /v1/events': ['Stripe.EventListParams', 'List<Stripe.Event>'],
}

const operationOf = ({ method, url }: Pick<Exchange, 'method' | 'url'>) =>
  `${method} ${url.pathname.replace(/\/pi_\w+/, '/:id')}`

/** A form value: the wire format has only text. */
const fromWire = (text: string) => (/^(?:\d+|true|false)$/.test(text) ? JSON.parse(text) : text)

/** The parameters of a form in Stripe's bracket notation. */
function parametersOf(form: string): object {
  const all: Record<string, unknown> = {}
  for (const [name, text] of new URLSearchParams(form)) {
    const steps = name.split(/[[\]]+/).filter((step) => step !== '')
    const last = steps.pop() ?? ''
    let at = all
    for (const [i, step] of steps.entries()) {
      at[step] ??= /^\d+$/.test(steps[i + 1] ?? last) ? [] : {}
      at = at[step] as Record<string, unknown>
    }
    at[last] = fromWire(text)
  }
  return all
}

/** JSON to check against a type. */
type Sample = { what: string; type: string; json: string }

function samplesOf(exchange: Exchange): Sample[] {
  const operation = operationOf(exchange)
  const [requestType, answerType] = operations[operation] ?? ['never', 'never']
  const isFromPage = exchange.headers.get('authorization') === null
  const type = exchange.status === 200 ? answerType : 'Refusal'
  const answer = { what: `the answer to ${operation}`, type, json: exchange.answer }
  const json = JSON.stringify(parametersOf(exchange.form))
  // Stripe's own script makes the requests of pages
  return isFromPage ? [answer] : [{ what: operation, type: requestType, json }, answer]
}

/** Assumptions about a refusal: its code, its message, and the intent that it is about. */
const prelude = `import type { Stripe } from './stripe/stripe.esm.node.js'
type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }
// Stripe hides the rest from pages
type ShownIntent = Omit<Stripe.PaymentIntent, 'metadata' | 'latest_charge'>
type Refusal = {
  error: {
    type: Stripe.RawErrorType; message: string; code?: string; decline_code?: string; param?: string
    charge?: string; payment_method?: Stripe.PaymentMethod
    payment_intent?: Stripe.PaymentIntent | ShownIntent
  }
}
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferrite-stripe-types-'))
  const types = join(folder, 'stripe')
  const isType = (file: string) => !/\.(?:js|map)$/.test(file)
  const published = fileURLToPath(new URL('.', import.meta.resolve('stripe')))
  await cp(published, types, { recursive: true, filter: isType })
  // only today's names: the package's types also allow any text that a later version may add
  const shared = join(types, 'shared.d.ts')
  const open = 'export type OtherString = string & Record<never, never>'
  const text = await readFile(shared, 'utf8')
  expect(text).toContain(open)
  await writeFile(shared, text.replace(open, 'export type OtherString = never'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** @returns the compiler's errors about the samples, each with its name */
async function drift(samples: Sample[]): Promise<string[]> {
  const different = [
    ...new Map(samples.map((sample) => [sample.type + sample.json, sample])).values(),
  ]
  const lines = different.map(
    ({ type, json }, i) => `export const c${i}: ${type} = ${JSON.stringify(JSON.parse(json))}`,
  )
  const file = join(folder, 'recorded.ts')
  await writeFile(file, prelude + lines.join('\n'))
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'))
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false']
  const target = ['--module', 'nodenext', '--target', 'esnext', '--types', '']
  const tsc = [join(compiler, '../bin/tsc'), ...flags, ...target, file]
  const { stdout } = await promisify(execFile)(process.execPath, tsc).catch((failed) => failed)
  const first = prelude.split('\n').length
  return String(stdout)
    .split(/\n(?=\S)/)
    .filter((line) => line.trim() !== '')
    .map((message) => {
      const line = message.trim()
      const at = Number(/recorded\.ts\((\d+),/.exec(line)?.[1]) - first
      return `${different[at]?.what}: ${line.replace(/^.*?: /, '')}`
    })
}

let sandbox: StripeSandbox
let payments: Payments
beforeAll(async () => {
  sandbox = await openStripeSandbox()
  payments = stripePayments(settings())
})
afterAll(() => sandbox.close())

const settings = () => ({
  ...sandbox.keys,
  currency: 'USD' as const,
  webhookSecrets: [sandbox.keys.webhookSecret],
  timeoutMs: 10_000,
  sandbox: { apiBase: sandbox.base, scriptUrl: '/stripe.js' },
})

const newIntent = (orderId: string) => ({
  amount: 12_900,
  orderId,
  userId: 'user-1',
  description: 'Ferrite order 1',
  receiptEmail: 'ada@example.com',
  idempotencyKey: `intent:${orderId}`,
})

/** Every use of the adapter by the shop, and of the sandbox by cards and banks. */
async function walk(): Promise<void> {
  const since = new Date(Date.now() - 60_000)
  const open = await payments.createIntent(newIntent('order-1'))
  await payments.retrieveIntent(open.id)
  await payments.retrieveIntent('pi_missing')
  await payments.cancelIntent(open.id)
  await payments.cancelIntent(open.id)
  const { intent } = await payByBrowser(sandbox, '4242424242424242')
  await payments.retrieveIntent(intent.id)
  await sandbox.control('/account', { isLate: true })
  await payByBrowser(sandbox, '4242424242424242')
  await sandbox.control('/account', {})
  const refund = { intentId: intent.id, amount: 500, reference: 'r1', idempotencyKey: 'refund:1' }
  await payments.refund(refund)
  const more = { ...refund, amount: 99_999, idempotencyKey: 'refund:2' }
  await expect(payments.refund(more)).rejects.toThrow('greater than unrefunded amount')
  for (const card of ['4000000000005126', '4000000000007726']) {
    const paid = await payByBrowser(sandbox, card)
    const whole = { intentId: paid.intent.id, amount: 2000, reference: 'r2', idempotencyKey: card }
    await payments.refund(whole)
  }
  await payByBrowser(sandbox, '4000000000009995')
  await payByBrowser(sandbox, '4000002500003155')
  await sandbox.browser('/v1/payment_methods', cardFields('4111111111111111'))
  const disputed = await payByBrowser(sandbox, '4000000000000259')
  await sandbox.control(`/disputes/${disputed.intent.id}`, { outcome: 'warning_closed' })
  const receivedTypes = () => [...new Set(sandbox.received.map(({ type }) => type))].sort()
  await vi.waitFor(() => expect(receivedTypes()).toEqual(events), { timeout: 60_000 })
  await payments.listRefunds(intent.id)
  await payments.refundsSince(since)
  await payments.intentsSince(since)
  await payments.eventsSince(since, events)
}

/** The events that the sandbox sends. */
const events = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.refund.updated',
  'charge.refunded',
  'charge.updated',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.succeeded',
  'refund.created',
  'refund.failed',
  'refund.updated',
]

describe('Stripe’s description', () => {
  beforeAll(walk)

  test('holds for each request of the shop and each answer of the sandbox', async () => {
    const used = new Set(sandbox.exchanges.map(operationOf))
    expect([...used].sort()).toEqual(Object.keys(operations).sort())
    expect(await drift(sandbox.exchanges.flatMap(samplesOf))).toEqual([])
  })

  test('holds for each webhook, and the adapter reads it', async () => {
    const samples = sandbox.deliveries.map(({ payload }) => ({
      what: JSON.parse(payload).type,
      type: 'Stripe.Event',
      json: payload,
    }))
    expect(await drift(samples)).toEqual([])
    for (const { payload, signature } of sandbox.deliveries) {
      const { id, type, intentId } = await payments.readEvent(payload, signature)
      expect([id, type]).toEqual([JSON.parse(payload).id, JSON.parse(payload).type])
      expect(intentId).toMatch(/^pi_/)
    }
  })

  test('is of the version that the package asks for and the sandbox speaks', () => {
    const requestVersions = sandbox.exchanges.flatMap(
      ({ headers }) => headers.get('stripe-version') ?? [],
    )
    const eventVersions = sandbox.received.map(({ api_version }) => api_version)
    expect(new Set([...requestVersions, ...eventVersions]).size).toBe(1)
  })

  test('catches what drifts: a field too few, one too many, another kind, an unknown word', async () => {
    const refundExchange = sandbox.exchanges.find(({ url }) => url.pathname === '/v1/refunds')
    const refund = JSON.parse(refundExchange?.answer ?? '')
    const { currency: _, ...few } = refund
    const odd = [few, { ...refund, colour: 'red' }, { ...refund, amount: '500' }]
    const words = [{ ...refund, destination_details: { type: 'card', card: { type: 'gift' } } }]
    const samples = [...odd, ...words].map((value, i) => ({
      what: `refund ${i}`,
      type: 'Stripe.Refund',
      json: JSON.stringify(value),
    }))
    expect(await drift(samples)).toEqual([
      expect.stringMatching(/^refund 0: .*Property 'currency' is missing/s),
      expect.stringMatching(/^refund 1: .*'"colour"' does not exist/s),
      expect.stringMatching(/^refund 2: .*'string' is not assignable to type 'number'/s),
      expect.stringMatching(/^refund 3: .*'"gift"' is not assignable/s),
    ])
  })
})

describe('a fee', () => {
  const paid = async () => (await payByBrowser(sandbox, '4242424242424242')).intent.id
  const feeOf = async (id: string) => (await payments.retrieveIntent(id))?.fee
  const known = expect.stringMatching(/^txn_/)

  test('is that of the charge, and null until Stripe reports it', async () => {
    expect(await feeOf(await paid())).toEqual({ movementId: known, amount: 88, currency: 'USD' })
    await sandbox.control('/account', { isLate: true })
    const late = await paid()
    await sandbox.control('/account', {})
    expect(await feeOf(late)).toBeNull()
    await vi.waitFor(async () => expect(await feeOf(late)).toMatchObject({ amount: 88 }), {
      timeout: 60_000,
    })
  })

  test('is in the currency of the account', async () => {
    await sandbox.control('/account', { currency: 'eur' })
    const intentId = await paid()
    await sandbox.control('/account', {})
    expect(await feeOf(intentId)).toEqual({ movementId: known, amount: 82, currency: 'EUR' })
  })

  test('that the key may not read hides nothing else', async () => {
    const intentId = await paid()
    await payments.refund({ intentId, amount: 500, reference: 'r3', idempotencyKey: intentId })
    await sandbox.control('/fail-next', { status: 403, path: intentId })
    expect(await payments.retrieveIntent(intentId)).toMatchObject({
      amountRefunded: 500,
      fee: null,
    })
    await sandbox.control('/fail-next', { status: 403, path: '/refunds' })
    const [refund] = await payments.listRefunds(intentId)
    expect(refund).toMatchObject({ amount: 500, fees: { refund: null } })
    const [again] = await payments.listRefunds(intentId)
    expect(again?.fees).toEqual({
      refund: { movementId: known, amount: 0, currency: 'USD' },
      sentBack: null,
    })
  })
})

describe('a webhook', () => {
  const event = {
    id: 'evt_1',
    type: 'payment_intent.succeeded',
    created: 1_790_000_000,
    livemode: false,
    data: { object: { object: 'payment_intent', id: 'pi_1' } },
  }
  const signed = (payload: string, ...secrets: string[]) =>
    secrets
      .map((secret) => sandbox.stripe.webhooks.generateTestHeaderString({ payload, secret }))
      .reduce((header, other) => `${header},${/v1=.*/.exec(other)}`)
  const read = (accepted: string[], signers: string[], input: object = event) => {
    const payload = JSON.stringify(input)
    const { readEvent } = stripePayments({ ...settings(), webhookSecrets: accepted })
    return readEvent(payload, signed(payload, ...signers))
  }

  test('is read while its secret is exchanged, at Stripe first or here first', async () => {
    const genuine = { id: 'evt_1', intentId: 'pi_1' }
    const both = ['whsec_old', 'whsec_new']
    // Stripe signs with both secrets during the overlap chosen there
    expect(await read(['whsec_old'], both)).toMatchObject(genuine)
    expect(await read(['whsec_new'], both)).toMatchObject(genuine)
    // a second endpoint, or Stripe replaced the secret at once
    expect(await read(both, ['whsec_old'])).toMatchObject(genuine)
    expect(await read(both, ['whsec_new'])).toMatchObject(genuine)
    await expect(read(both, ['whsec_other'])).rejects.toThrow('webhook refused: No signatures')
  })

  test('of the other mode is refused', async () => {
    const live = { ...event, livemode: true }
    await expect(read(['whsec_1'], ['whsec_1'], live)).rejects.toThrow(
      'webhook refused: it is of live mode, the shop’s key is not',
    )
  })
})
