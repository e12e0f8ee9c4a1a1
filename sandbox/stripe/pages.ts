import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { html } from 'hono/html'
import type { Pool } from 'pg'
import type Stripe from 'stripe'
import { allowOpaqueOrigin } from './api.ts'
import { endUnpaid, settle } from './charges.ts'
import type { Cause } from './store.ts'
import { type Database, find, newId, type Stored, transaction } from './store.ts'

/** The payment to authenticate; undefined once the challenge is over. */
async function findChallenge(
  db: Database,
  source: string,
  { lock = false } = {},
): Promise<Stored<Stripe.PaymentIntent> | undefined> {
  const { rows } = await db.query<Stored<Stripe.PaymentIntent>>(
    `select body, hidden from sandbox_stripe.objects
      where kind = 'payment_intent' and hidden->>'challenge' = $1 ${lock ? 'for update' : ''}`,
    [source],
  )
  return rows[0]
}

const notAuthenticated = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
} as const

/**
 * Ends a 3-D Secure challenge, identified by its secret source. A challenge ends only once.
 * @returns false when it was already over; then nothing changes
 */
async function endChallenge(
  cause: Cause,
  source: string,
  outcome: 'complete' | 'fail',
): Promise<boolean> {
  const intent = await findChallenge(cause.db, source, { lock: true })
  const id = intent?.hidden.challenged
  if (!intent || id === undefined) return false
  const method = await find<Stripe.PaymentMethod>(cause.db, 'payment_method', id)
  if (outcome === 'complete') await settle(cause, intent, method)
  else await endUnpaid(cause, intent, { ...notAuthenticated, payment_method: method.body })
  return true
}

export type PageOptions = { pool: Pool; basePath: string; controls: boolean; wake: () => void }

const openPolicy = 'cross-origin-resource-policy'
/**
 * Keeps the policy on 304, too: without it, browsers would refuse a card form that is opened a
 * second time.
 */
const revalidated = etag({ retainedHeaders: [...RETAINED_304_HEADERS, openPolicy] })

/** Serves the files that the browser loads: stripe.js, the card frame, the 3-D Secure frame. */
export function pageRoutes(options: PageOptions): Hono {
  const app = new Hono()
  for (const [path, text] of assets()) {
    app.get(path, revalidated, (c) => {
      // Frames with an opaque origin load these, so they count as cross-origin.
      c.header(openPolicy, 'cross-origin')
      c.header('cache-control', 'no-cache')
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/css'
      c.header('content-type', `${type}; charset=utf-8`)
      return c.body(text)
    })
  }
  app.get('/frame', (c) => framed(c, options, 'frame', cardPage))
  app.get('/3ds', async (c) => {
    const source = c.req.query('source') ?? ''
    const theme = c.req.query('theme') === 'dark' ? 'dark' : 'light'
    const intent = await findChallenge(options.pool, source)
    return framed(c, options, '3ds', challengePage(source, theme, intent?.body))
  })
  app.post('/3ds', bodyLimit({ maxSize: 4096 }), (c) => answerChallenge(c, options))
  return app
}

const folder = join(import.meta.dirname, 'browser')
const source = (name: string) => readFileSync(join(folder, name), 'utf8')

/**
 * Joins browser modules into one classic script, in the given order: a frame with an opaque origin
 * cannot load modules, and a page expects `window.Stripe` as soon as the script has loaded.
 */
function joined(...names: string[]): string {
  const sources = names.map((name) =>
    source(`${name}.js`)
      .replace(/^import [^']*'\.\/[^']+'\n/gm, '')
      .replace(/^export /gm, ''),
  )
  return `(() => {\n'use strict'\n${sources.join('\n')}})()\n`
}

/** Every file that the browser loads, by path. */
const assets = (): [path: string, text: string][] => [
  ['/stripe.js', joined('calls', 'frames', 'card-element', 'challenge-dialog', 'stripe')],
  ['/frame.js', joined('parent', 'card-rules', 'card-fields', 'card-frame')],
  ['/3ds.js', joined('parent', 'challenge-frame')],
  ['/frame.css', source('card-frame.css')],
  ['/3ds.css', source('challenge-frame.css')],
]

type Page = ReturnType<typeof html>

/** A page that only works in a frame of the shop, with an opaque origin and only its own files. */
function framed(c: Context, { basePath }: PageOptions, name: string, page: Page): Response {
  const own = new URL(c.req.url).origin
  const policy = [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src ${own}${basePath}/${name}.js`,
    `style-src ${own}${basePath}/${name}.css`,
    `connect-src ${own}${basePath}/`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ]
  c.header('content-security-policy', policy.join('; '))
  c.header('x-frame-options', 'SAMEORIGIN')
  c.header('x-content-type-options', 'nosniff')
  c.header('referrer-policy', 'no-referrer')
  c.header('cache-control', 'no-store')
  c.header('content-type', 'text/html; charset=utf-8')
  return c.body(String(page))
}

const head = (name: string, title: string) => html`<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${name}.css">
  <script src="${name}.js" defer></script>
</head>`

const digits = html`inputmode="numeric" autocorrect="off" spellcheck="false" aria-describedby="problem"`

/** The row of card fields. */
const cardPage = html`<!doctype html>
<html lang="en">
${head('frame', 'Secure card payment input frame')}
<body>
  <form novalidate>
    <span class="number">
      <span class="brand" aria-hidden="true"></span>
      <input name="cardnumber" autocomplete="cc-number" aria-label="Credit or debit card number" placeholder="Card number" ${digits}>
    </span>
    <span class="rest">
      <input name="exp-date" autocomplete="cc-exp" aria-label="Credit or debit card expiration date" placeholder="MM / YY" ${digits}>
      <input name="cvc" autocomplete="cc-csc" aria-label="Credit or debit card CVC/CVV" placeholder="CVC" ${digits}>
      <input name="postal" autocomplete="postal-code" aria-label="ZIP or postal code" placeholder="ZIP" autocapitalize="characters" autocorrect="off" spellcheck="false" aria-describedby="problem">
    </span>
  </form>
  <span id="problem" class="unseen"></span>
</body>
</html>`

type Price = { amount: number; currency: string }

/** The customer bank's authentication page; without a price, the challenge is already over. */
function challengePage(source: string, theme: string, price: Price | undefined): Page {
  return html`<!doctype html>
<html lang="en" data-theme="${theme}">
${head('3ds', 'Card authentication')}
<body data-source="${source}">
  <main>
    <h1>Confirm your payment</h1>
    ${price ? challengeForm(price) : html`<p>This payment no longer waits for you. Close this window to go on.</p>`}
    <p id="note" role="alert"></p>
  </main>
</body>
</html>`
}

const challengeForm = ({
  amount,
  currency,
}: Price) => html`<p class="amount">${new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)}</p>
    <p>Your bank asks whether it is you who pays with this card.</p>
    <button type="button" value="complete" disabled>Complete authentication</button>
    <button type="button" value="fail" disabled>Fail authentication</button>`

async function answerChallenge(c: Context, { pool, controls, wake }: PageOptions) {
  allowOpaqueOrigin(c)
  const form = new URLSearchParams(await c.req.text())
  const outcome = form.get('outcome')
  if (outcome !== 'complete' && outcome !== 'fail') return c.json({ ended: false }, 400)
  const request = { id: newId('req', 14), idempotency_key: null }
  const ended = await transaction(pool, (db) =>
    endChallenge({ db, request, controls }, form.get('source') ?? '', outcome),
  )
  wake()
  return c.json({ ended })
}
