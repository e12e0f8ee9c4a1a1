import type { Context } from 'hono'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Pool } from 'pg'
import { transaction } from '#sandbox/transaction.ts'
import { allowOrigin } from './access.ts'
import { readAssets } from './assets.ts'
import { challengeOutcomes, endChallenge, openChallenge } from './challenge.ts'
import { cardPage, challengePage, type Page } from './documents.ts'
import { newId } from './store.ts'

export type PageOptions = { pool: Pool; basePath: string; controls: boolean; wake: () => void }

const openPolicy = 'cross-origin-resource-policy'
/** Also what is answered as unchanged says who may load it: a card form opened for the second time was blocked. */
const revalidated = etag({ retainedHeaders: [...RETAINED_304_HEADERS, openPolicy] })

/** What the browser loads: stripe.js, the card frame, the 3-D Secure frame. */
export function pageRoutes(options: PageOptions): Hono {
  const app = new Hono()
  for (const { path, type, text } of readAssets()) {
    app.get(path, revalidated, (c) => {
      // Frames with an opaque origin load these, so they count as another origin's.
      c.header(openPolicy, 'cross-origin')
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
