import type { Context } from 'hono'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { etag } from 'hono/etag'
import { html } from 'hono/html'
import type { Pool } from 'pg'
import { allowOrigin } from './access.ts'
import { readAssets } from './assets.ts'
import { challengeOutcomes, endChallenge, openChallenge } from './challenge.ts'
import { newId } from './store.ts'
import { transaction } from './transaction.ts'

export type PageOptions = { pool: Pool; basePath: string; controls: boolean; wake: () => void }

/** What the browser loads: stripe.js, the card frame, the 3-D Secure frame. */
export function pageRoutes(options: PageOptions): Hono {
  const app = new Hono()
  for (const { path, type, text } of readAssets()) {
    app.get(path, etag(), (c) => {
      // Frames with an opaque origin load these, so they count as another origin's.
      c.header('cross-origin-resource-policy', 'cross-origin')
      c.header('cache-control', 'no-cache')
      c.header('content-type', type)
      return c.body(text)
    })
  }
  app.get('/frame', (c) => framed(c, options, 'frame', cardPage))
  app.get('/3ds', async (c) => {
    const source = c.req.query('source') ?? ''
    const intent = await openChallenge(options.pool, source)
    const theme = c.req.query('theme') === 'dark' ? 'dark' : 'light'
    const price = intent && { amount: intent.amount, currency: intent.currency }
    return framed(c, options, '3ds', challengePage(source, theme, price))
  })
  app.post('/3ds', bodyLimit({ maxSize: 4096 }), (c) => answerChallenge(c, options))
  return app
}

/** A page that only lives in a frame of the shop, with no origin of its own and only its own files. */
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

async function answerChallenge(c: Context, { pool, controls, wake }: PageOptions) {
  allowOrigin(c, true)
  const form = new URLSearchParams(await c.req.text())
  const outcome = challengeOutcomes.find((name) => name === form.get('outcome'))
  if (!outcome) return c.json({ ended: false }, 400)
  const request = { id: newId('req', 14), idempotency_key: null }
  const ended = await transaction(pool, (db) =>
    endChallenge({ db, request, controls }, form.get('source') ?? '', outcome),
  )
  wake()
  return c.json({ ended })
}

type Page = ReturnType<typeof html>

const head = (name: string, title: string) => html`<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${name}.css">
  <script src="${name}.js" defer></script>
</head>`

const digits = html`inputmode="numeric" autocorrect="off" spellcheck="false" aria-describedby="problem"`

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

const challengeForm = (price: Price) => html`<p class="amount">${money(price)}</p>
    <p>Your bank asks whether it is you who pays with this card.</p>
    <button type="button" value="complete" disabled>Complete authentication</button>
    <button type="button" value="fail" disabled>Fail authentication</button>`

function money({ amount, currency }: Price): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
