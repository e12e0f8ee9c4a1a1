/** Joins the halves on one origin: `/api`, `/identity`, `/images`, the stand-ins, the built files, and every page. */
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errorStatus } from '#contracts/errors.ts'
import { type createApp, describeFailure } from './app.ts'
import { clientAddressHeader, type Deps, mailboxPath, sandboxPath } from './deps.ts'
import { AppError } from './errors.ts'
import { databaseAnswers, healthRoutes } from './health.ts'
import { keptAnswer } from './kept-answers.ts'
import { type Packed, sendPacked } from './packed.ts'
import type { Page } from './pages.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { shedLoad } from './shed-load.ts'
import { guardSignIn, knowAfterReset, knowAfterSignUp } from './sign-in-guard.ts'

export type SiteOptions = {
  deps: Deps
  api: ReturnType<typeof createApp>
  files: ReadonlyMap<string, Packed>
  page: (request: Request) => Promise<Page>
  https: boolean
  trustProxy: boolean
  /** Whoever reads /metrics carries it; without it there are none. */
  metricsToken: string | undefined
  /** Does the process stop? */
  isClosing: () => boolean
  /** Whether answers may be kept until the catalogue changes; in development they are always made. */
  keep: boolean
}

const maxIdentityBody = 16 * 1024

/** The client's address as the server sees it; the last proxy's word only when proxies are trusted. */
function clientAddress(request: Request, peer: string | undefined, trustProxy: boolean): string {
  const forwarded = trustProxy
    ? request.headers.get('x-forwarded-for')?.split(',').at(-1)
    : undefined
  return forwarded?.trim() || peer || 'unknown'
}

async function picture(deps: Deps, name: string): Promise<Response> {
  const found = await deps.images.read(name)
  if (!found) return new Response('There is no such picture', { status: 404 })
  return new Response(new Uint8Array(found.bytes), {
    headers: {
      'content-type': found.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-disposition': 'inline',
    },
  })
}

/** Requests under /identity go to the provider, with the client's address set by us and by nobody else. */
async function identity(options: SiteOptions, request: Request, peer: string | undefined) {
  const headers = new Headers(request.headers)
  headers.set(clientAddressHeader, clientAddress(request, peer, options.trustProxy))
  const response = await options.deps.identity.handle(new Request(request, { headers }))
  // the library takes a database that is away for a session that is not there: that would log people out
  if (response.status >= 400 && !(await databaseAnswers(options.deps))) {
    throw new AppError('UNAVAILABLE', 'The shop is busy for a moment. Try again.')
  }
  const answer = new Response(response.body, response)
  const isKeys = new URL(request.url).pathname === '/identity/jwks'
  answer.headers.set('cache-control', isKeys ? 'public, max-age=300' : 'no-store')
  // a popup that went through here still knows who opened it
  answer.headers.set('cross-origin-opener-policy', 'unsafe-none')
  return answer
}

/** What the provider's own calls are called; whatever else is asked for may hold an address or a key. */
const providersCall = /^\/identity\/[a-z-]+(\/[a-z0-9]+)?$/

const identityLimit = bodyLimit({
  maxSize: maxIdentityBody,
  onError: (c) => c.json({ code: 'TOO_LARGE', message: 'The request is larger than 16 KB' }, 413),
})

/** After a form that was sent without its script: no page takes anything, so it is shown again and nothing typed is read. */
async function shownAgain(url: string, show: (request: Request) => Promise<Response>) {
  const { status, headers, body } = await show(new Request(url))
  return new Response(body, { status: status === 200 ? 405 : status, headers })
}

/** The whole site as one fetch handler. */
export function createSite(options: SiteOptions) {
  const { deps, api, files, page, https } = options
  const site = new Hono<{ Bindings: HttpBindings }>()
  site.use(async (c, next) => {
    await next()
    setSecurityHeaders(c.res.headers, https)
  })
  site.route('/', healthRoutes(options))
  const kept = async (request: Request, make: () => Promise<Page>) =>
    options.keep
      ? keptAnswer({ catalogue: deps.catalogue, https }, request, make)
      : (await make()).response
  site.get('/api/part', (c) =>
    kept(c.req.raw, async () => ({ response: await api.fetch(c.req.raw), lasting: true })),
  )
  site.on('ALL', ['/api', '/api/*'], (c) =>
    api.fetch(c.req.raw, {
      address: clientAddress(c.req.raw, c.env.incoming?.socket.remoteAddress, options.trustProxy),
    }),
  )
  // who signs in, tries to, or is slowed down: the record of it names nobody
  site.post('/identity/*', async (c, next) => {
    await next()
    const route = providersCall.test(c.req.path) ? c.req.path : '/identity/*'
    deps.log.info({ method: 'POST', route, status: c.res.status }, 'request')
  })
  site.use('/identity/*', shedLoad(deps).outside)
  if (deps.paces) {
    const guard = { db: deps.db, paces: deps.paces, secret: deps.deviceSecret, https }
    site.post('/identity/sign-in/email', identityLimit, guardSignIn(guard))
    site.post('/identity/sign-up/email', identityLimit, knowAfterSignUp(guard))
    site.post('/identity/reset-password', identityLimit, knowAfterReset(guard))
  }
  site.on(['GET', 'POST'], '/identity/*', identityLimit, (c) =>
    identity(options, c.req.raw, c.env.incoming?.socket.remoteAddress),
  )
  site.get('/images/:name', (c) => picture(deps, c.req.param('name')))
  if (deps.sandbox) site.route(sandboxPath, deps.sandbox.app)
  if (deps.mailbox) site.route(mailboxPath, deps.mailbox.app)
  const show = (request: Request) => kept(request, () => page(request))
  site.post('*', (c) => shownAgain(c.req.url, show))
  site.get('*', async (c) => {
    const file = files.get(c.req.path)
    return file ? sendPacked(c.req.raw, file) : show(c.req.raw)
  })
  site.onError((error, c) => {
    const { code, message, retryAfter } = describeFailure(error)
    const status = errorStatus[code]
    if (status >= 500) deps.log.error({ err: error }, 'fault outside the backend')
    if (retryAfter) c.header('retry-after', String(retryAfter))
    // the provider's calls speak JSON; who came by a link or a redirect reads the sentence
    const isCall =
      c.req.path.startsWith('/identity/') && !c.req.header('accept')?.includes('text/html')
    return isCall ? c.json({ code, message }, status) : c.text(message, status)
  })
  return site
}
