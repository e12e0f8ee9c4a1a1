/** The Stripe sandbox alone: real HTTP, the official SDK, and a receiver of its webhooks. */
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import Stripe from 'stripe'
import { stripeSandbox } from '#sandbox/stripe/index.ts'
import { testDatabase } from './database.ts'

const basePath = '/sandbox/stripe'
const secretKey = 'sk_test_sandbox'
const publishableKey = 'pk_test_sandbox'
const webhookSecret = 'whsec_sandbox'

/** A server on a free port. */
async function listen(app: Hono): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = await new Promise<ServerType>((resolve) => {
    const listeningServer = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(listeningServer),
    )
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** Receives events as the shop does: verifies the raw text, keeps genuine ones. */
async function openReceiver() {
  const events: Stripe.Event[] = []
  const deliveries: { payload: string; signature: string }[] = []
  const state = { answer: (_event: Stripe.Event): number => 200 }
  const app = new Hono()
  app.post('/webhook', async (c) => {
    const payload = await c.req.text()
    const header = c.req.header('stripe-signature') ?? ''
    const event = await Stripe.webhooks.constructEventAsync(payload, header, webhookSecret)
    const status = state.answer(event)
    if (status < 300) {
      events.push(event)
      deliveries.push({ payload, signature: header })
    }
    return new Response(null, { status, headers: { location: '/webhook' } })
  })
  return { events, deliveries, state, ...(await listen(app)) }
}

/** A call as sent over the wire. */
export type Exchange = {
  method: string
  /** Without the sandbox's prefix. */
  url: URL
  headers: Headers
  /** The sent form, from the URL or the body. */
  form: string
  status: number
  answer: string
}

/** Records each API call with its response. */
function recorder(exchanges: Exchange[]): MiddlewareHandler {
  return async (c, next) => {
    const url = new URL(c.req.url.replace(basePath, ''))
    const { method, headers } = c.req.raw
    const form = method === 'GET' ? url.search.slice(1) : await c.req.raw.clone().text()
    await next()
    const answer = await c.res.clone().text()
    exchanges.push({ method, url, headers, form, status: c.res.status, answer })
  }
}

export type StripeSandbox = Awaited<ReturnType<typeof openStripeSandbox>>

export async function openStripeSandbox({ controls = true } = {}) {
  const database = await testDatabase()
  const receiver = await openReceiver()
  const make = () =>
    stripeSandbox({
      pool: database.pool,
      secretKey,
      publishableKey,
      webhookSecret,
      webhookUrl: () => `${receiver.origin}/webhook`,
      basePath,
      controls,
    })
  const sandbox = make()
  await sandbox.start()
  const exchanges: Exchange[] = []
  const app = new Hono().use(`${basePath}/v1/*`, recorder(exchanges))
  const site = await listen(app.route(basePath, sandbox.app))
  const base = `${site.origin}${basePath}`
  return {
    base,
    origin: site.origin,
    pool: database.pool,
    received: receiver.events,
    deliveries: receiver.deliveries,
    exchanges,
    keys: { secretKey, publishableKey, webhookSecret },
    receiver: receiver.state,
    stripe: sdk(base, secretKey),
    /** a second process on the same database */
    another: make,
    start: () => sandbox.start(),
    stop: () => sandbox.stop(),
    browser: (path: string, fields?: Record<string, string>) => browserCall(base, path, fields),
    control: (path: string, body?: object) => control(base, path, body),
    async close() {
      await sandbox.stop()
      await site.close()
      await receiver.close()
      await database.drop()
    },
  }
}

function sdk(base: string, key: string): Stripe {
  const prefixed = (input: string | URL | Request, init?: RequestInit) =>
    fetch(String(input).replace('https://api.stripe.com', base), init)
  return new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(prefixed),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 10_000,
  })
}

export type BrowserAnswer = {
  status: number
  body: Stripe.PaymentIntent & Failed
  headers: Headers
}
type Failed = { error: Stripe.StripeRawError & { payment_intent?: Stripe.PaymentIntent } }

/** A call as a browser makes it, with the publishable key as a field. */
async function browserCall(
  base: string,
  path: string,
  fields?: Record<string, string>,
): Promise<BrowserAnswer> {
  const form = new URLSearchParams({ key: publishableKey, ...fields })
  const answer = await (path.startsWith('GET ')
    ? fetch(`${base}${path.slice(4)}?${form}`)
    : fetch(`${base}${path}`, { method: 'POST', body: form }))
  const body = (await answer.json()) as BrowserAnswer['body']
  return { status: answer.status, body, headers: answer.headers }
}

type Delivery = {
  event: string
  type: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
}

async function control(base: string, path: string, body?: object) {
  const answer = await fetch(`${base}/_sandbox${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await answer.json()) as { data: Delivery[] }
}

/** A card as the customer types it. */
export const cardFields = (number: string, more: Record<string, string> = {}) => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': '12',
  'card[exp_year]': '2034',
  'card[cvc]': '123',
  ...more,
})

/** Opens an intent and pays it as a browser does: first a payment method, then the confirmation. */
export async function payByBrowser(sandbox: StripeSandbox, number: string, amount = 2000) {
  const intent = await sandbox.stripe.paymentIntents.create({
    amount,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { orderId: 'order-1' },
  })
  const method = await sandbox.browser('/v1/payment_methods', cardFields(number))
  const answer = await sandbox.browser(`/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    payment_method: method.body.id,
  })
  return { intent, method, answer }
}
