/**
 * Serves `/api`, `/identity`, `/images`, `/sandbox`, the built files and the pages from one origin.
 */

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import { type ErrorBody, errorStatus } from '#contracts/errors.ts'
import { iconFiles, logoPath } from '#contracts/logo.ts'
import { LogoFileParams } from '#contracts/settings.ts'
import { AppError } from '#server/errors.ts'
import { readLogo } from '#server/features/settings/logo.ts'
import { bodyLimit } from '#server/http/limits/body-limit.ts'
import { type Encoded, encode, sendEncoded } from '#server/http/pages/encoding.ts'
import type { ResponseCache } from '#server/http/pages/response-cache.ts'
import { type Deps, mailboxPath, stripeSandboxPath } from '#server/wiring.ts'
import type { createApp } from './app.ts'
import { type ClientAddress, networksOf } from './client-address.ts'
import { describeFailure, errorBody } from './errors.ts'
import { declaredRoutes } from './guards.ts'
import { healthRoutes } from './health.ts'
import { identityRoutes, type SiteEnv } from './identity-routes.ts'
import { setSecurityHeaders } from './security-headers.ts'

export type SiteOptions = {
  deps: Deps
  api: ReturnType<typeof createApp>
  cache: ResponseCache
  https: boolean
  /** The files of the built site. */
  files: ReadonlyMap<string, Encoded>
  clientAddress: ClientAddress
  /** The bearer token of /metrics, which does not exist without one. */
  metricsToken: string | undefined
  /** Whether the process is stopping. */
  isClosing: () => boolean
}

/** @param drawings cache of requested drawings: each is text, and compressed once */
async function picture(
  { images }: Deps,
  drawings: Map<string, Encoded>,
  request: Request,
  name: string,
): Promise<Response> {
  const cached = drawings.get(name)
  if (cached) return sendEncoded(request, cached)
  const file = await images.read(name)
  if (!file) return new Response('There is no such picture', { status: 404 })
  const headers = {
    'content-type': file.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'content-disposition': 'inline',
  }
  if (!name.endsWith('.svg')) return new Response(new Uint8Array(file.bytes), { headers })
  const encoded = encode(Buffer.from(file.bytes), headers)
  drawings.set(name, encoded)
  return sendEncoded(request, encoded)
}

/** A file of an uploaded logo, which never changes. */
async function logo({ db, catalogue }: Deps, request: Request, name: string, file: string) {
  const path = LogoFileParams.safeParse({ logo: name, file: file.replace(/\.png$/, '') })
  const none = () => new Response('There is no such logo', { status: 404 })
  if (!path.success || !file.endsWith('.png')) return none()
  // not by the path, which has many spellings
  const key = logoPath(path.data.logo, path.data.file)
  const encoded = await catalogue.getOrSet(key, async () => {
    const bytes = await readLogo(db, path.data.logo, path.data.file)
    const headers = {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    }
    const value = bytes && encode(Buffer.from(bytes), headers)
    return { value, shows: [], cacheable: value !== null, bytes: bytes?.length ?? 0 }
  })
  return encoded ? sendEncoded(request, encoded) : none()
}

/** An icon at its usual address: the owner's logo, or the sample's. */
async function icon({ deps, files }: SiteOptions, request: Request, path: string) {
  const own = (await deps.facts()).logo
  const file = iconFiles[path]
  const sample = files.get(path)
  if (own && file) {
    const answer = await logo(deps, request, own, `${file}.png`)
    if (answer.ok || answer.status === 304) {
      answer.headers.set('cache-control', 'public, max-age=3600')
      return answer
    }
  }
  return sample ? sendEncoded(request, sample) : new Response('There is no icon', { status: 404 })
}

const docsPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The API's document and its HTML page, made at the first request because few clients need them.
 */
function apiDocs({ api, cache, deps }: SiteOptions) {
  const makeDocument = async () => {
    const { apiDocument } = await import('#server/http/api-docs/api-document.ts')
    return apiDocument(declaredRoutes(api), (await deps.facts()).name)
  }
  const docs = new Hono<SiteEnv>()
  const add = (path: string, type: string, make: () => Promise<string>) =>
    docs.get(path, (c) =>
      cache.call(c.req.raw, async () => {
        const headers = {
          'content-type': type,
          'cache-control': 'public, no-cache',
          'content-security-policy': docsPolicy,
          'cache-tag': 'settings',
        }
        return new Response(await make(), { headers })
      }),
    )
  add('/openapi.json', 'application/json', async () => JSON.stringify(await makeDocument()))
  add('/docs', 'text/html; charset=utf-8', async () => {
    const { apiDocsPage } = await import('#server/http/api-docs/api-docs.ts')
    return apiDocsPage(await makeDocument(), `${deps.publicUrl}/api`, (await deps.facts()).name)
  })
  add('/docs.css', 'text/css; charset=utf-8', () =>
    readFile(join(import.meta.dirname, 'api-docs/api-docs.css'), 'utf8'),
  )
  return docs
}

/** What a phone needs to keep the shop among its apps. */
async function manifest({ deps, cache }: SiteOptions, request: Request): Promise<Response> {
  return cache.call(request, async () => {
    const { name, slogan } = await deps.facts()
    const body = {
      name,
      short_name: name,
      description: slogan,
      start_url: '/',
      scope: '/',
      display: 'minimal-ui',
      background_color: '#f5f2ec',
      theme_color: '#1d2124',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }
    const headers = {
      'content-type': 'application/manifest+json',
      'cache-control': 'public, no-cache',
      'cache-tag': 'settings',
    }
    return new Response(JSON.stringify(body), { headers })
  })
}

/** @throws AppError INVALID when the URL's path cannot be decoded */
function checkReadable(request: Request): void {
  try {
    decodeURIComponent(new URL(request.url).pathname)
  } catch {
    throw new AppError('INVALID', 'This address cannot be read')
  }
}

/**
 * Stops redirects to other sites: a link that begins with the shop's address must stay in the shop.
 */
function stayHere(c: Context<SiteEnv>, { publicUrl, log }: Deps): void {
  const location = c.res.headers.get('location')
  if (location === null || c.get('leavesSite')) return
  if (URL.canParse(location, publicUrl) && new URL(location, publicUrl).origin === publicUrl) return
  log.error({ route: routePath(c, -1) }, 'redirect_stopped')
  c.res = undefined
  c.res = c.text('This address leads nowhere', 400)
}

/**
 * Renders the page again for a form that was posted before its scripts loaded; ignores the body.
 */
async function shownAgain(url: string, show: (request: Request) => Promise<Response>) {
  const { status, headers, body } = await show(new Request(url))
  return new Response(body, { status: status === 200 ? 405 : status, headers })
}

/**
 * Whether the path of a call is another spelling of what it asks for. As an entry of its own, it
 * would take the place of others' pages in the cache; so it is not cached, and has limits and turns
 * as every call.
 */
const isRespelled = (c: Context): boolean =>
  c.req.raw.url.split('?', 1)[0]?.includes('%') ||
  Object.values<string>(c.req.param()).some((value) => value !== value.toLowerCase())

/**
 * Letters, digits and their like that are written as %xx. No client does so; each spelling would
 * ask for the same again, beside the cache and its limits.
 */
const needlesslyEncoded = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f)/i

/** @throws AppError INVALID */
function refuseSpelling({ url }: Request): void {
  if (needlesslyEncoded.test(url.split('?', 1)[0] ?? ''))
    throw new AppError('INVALID', 'This address writes letters as %xx: write them as they are')
}

/** The whole site as one fetch handler. */
export function createSite(options: SiteOptions) {
  const { deps, api, cache, https } = options
  const site = new Hono<SiteEnv>()
  const addressOf = (c: Context<SiteEnv>) =>
    options.clientAddress(c.req.header('x-forwarded-for'), c.env.incoming?.socket.remoteAddress)
  site.use(async (c, next) => {
    refuseSpelling(c.req.raw)
    await next()
    stayHere(c, deps)
    setSecurityHeaders(c.res.headers, https)
  })
  site.route('/', healthRoutes(options))
  const ask = async (path: string) => api.request(path)
  for (const { path, operation } of declaredRoutes(api)) {
    const readers = operation?.cached
    if (!readers) continue
    site.get(path, (c, next) => {
      const isOwn = readers === 'visitors' && c.req.header('authorization')
      return isOwn || isRespelled(c) ? next() : cache.call(c.req.raw, ask, readers)
    })
  }
  site.get('/site.webmanifest', (c) => manifest(options, c.req.raw))
  site.route('/api', apiDocs(options))
  site.on('ALL', ['/api', '/api/*'], (c) => api.fetch(c.req.raw, { address: addressOf(c) }))
  site.route('/identity', identityRoutes({ deps, https, addressOf }))
  const drawings = new Map<string, Encoded>()
  site.get('/images/:name', (c) => picture(deps, drawings, c.req.raw, c.req.param('name')))
  for (const path of Object.keys(iconFiles)) site.get(path, (c) => icon(options, c.req.raw, path))
  site.get('/logo/:logo/:file', (c) =>
    logo(deps, c.req.raw, c.req.param('logo'), c.req.param('file')),
  )
  site.use('/sandbox/*', bodyLimit(deps.openBodies, 64 * 1024))
  if (deps.stripeSandbox) site.route(stripeSandboxPath, deps.stripeSandbox.app)
  if (deps.mailbox) site.route(mailboxPath, deps.mailbox.app)
  const show = (c: Context<SiteEnv>, request: Request) => {
    checkReadable(request)
    return cache.page(request, networksOf(addressOf(c)))
  }
  site.post('*', (c) => shownAgain(c.req.url, (request) => show(c, request)))
  site.get('*', (c) => show(c, c.req.raw))
  site.onError((error, c) => {
    const requestId = randomUUID()
    const log = deps.log.child({ requestId })
    const { code, message } = errorBody(error, { requestId, log }).error
    const { retryAfter } = describeFailure(error)
    const status = errorStatus[code]
    c.header('x-request-id', requestId)
    if (retryAfter) c.header('retry-after', String(retryAfter))
    if (c.req.path.startsWith('/identity')) c.header('cache-control', 'no-store')
    if (c.req.path.startsWith('/api/'))
      return c.json({ error: { code, message, requestId } } satisfies ErrorBody, status)
    // the provider's calls return JSON; a browser that followed a link gets plain text
    const isCall =
      c.req.path.startsWith('/identity/') && !c.req.header('accept')?.includes('text/html')
    return isCall ? c.json({ code, message }, status) : c.text(message, status)
  })
  return site
}
