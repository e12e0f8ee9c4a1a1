/** Caches responses that are the same for everybody until the catalogue changes, ready to send. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMiddleware } from 'hono/factory'
import { iconFiles } from '#contracts/logo.ts'
import type { AsOf, CatalogueCache, Computed, Slow } from '#server/database/catalogue-cache.ts'
import { type Env, operationOf } from '#server/http/guards.ts'
import type { Listener } from '#server/http/limits/fair-share.ts'
import { setSecurityHeaders } from '#server/http/security-headers.ts'
import {
  type Encoded,
  encode,
  encodingFor,
  sendEncoded,
  uncopied,
  withHeaders,
} from './encoding.ts'
import type { SharedPage } from './page-addresses.ts'
import { type Page, type Pages, topicsOf } from './pages.ts'

/** A response only for concurrent requests. */
type Uncached = { status: number; headers: Headers; body: Buffer }
type Answer = Encoded | Uncached

const isEncoded = (answer: Answer): answer is Encoded => 'etag' in answer
/** Headers of a single request, which are not cached. */
const ofOneRequest = ['x-request-id', 'vary', 'content-length']

async function collect(page: Page, https: boolean): Promise<Computed<Answer>> {
  const { response, shows, cacheable, clientCacheable = cacheable } = page
  const { status } = response
  const body = Buffer.from(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  if (!clientCacheable) return { value: { status, headers, body }, shows, cacheable }
  for (const name of ofOneRequest) headers.delete(name)
  setSecurityHeaders(headers, https)
  const value = encode(body, Object.fromEntries(headers), status)
  return { value, shows, cacheable, bytes: body.length }
}

function filesWithHeaders(files: ReadonlyMap<string, Encoded>, https: boolean) {
  const headers = new Headers()
  setSecurityHeaders(headers, https)
  const more = Object.fromEntries(headers)
  return new Map([...files].map(([path, file]) => [path, withHeaders(file, more)]))
}

/** How old a page's figures may be while it is rendered again, in milliseconds. */
const staleMs = 2_000

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''
/** Paths that are not pages. */
const noPage =
  /^\/(api|identity|images|logo|sandbox|healthz|readyz|metrics|site\.webmanifest)(?=[/?]|$)/
const isNoPage = (url: string) => noPage.test(url) || pathOf(url) in iconFiles

/** The cache key of a call. Only responses for everybody are sent without checking the caller. */
const callKey = (path: string, readers = 'everybody') => `call of ${readers} ${path}`
const pageKey = ({ path }: SharedPage) => `page ${path}`

export type ResponseCache = ReturnType<typeof responseCache>

export function responseCache(options: {
  catalogue: CatalogueCache
  pages: Pages
  files: ReadonlyMap<string, Encoded>
  https: boolean
  /** False in development. */
  enabled: boolean
}) {
  const { catalogue, pages, https, enabled } = options
  const files = filesWithHeaders(options.files, https)
  const readyKey = (url: string) => {
    const shared = isNoPage(url) ? undefined : pages.shared(url)
    return shared ? pageKey(shared) : callKey(pathOf(url))
  }

  /** Sends the response cached under this key, or makes it once for all concurrent requests. */
  async function send(
    request: Request,
    key: string,
    make: () => Promise<Page>,
    slow?: Slow,
  ): Promise<Response> {
    if (!enabled) return (await make()).response
    const asOf = freshnessFor(request.headers.get('cookie'))
    const answer = await catalogue.getOrSet(
      key,
      async () => collect(await make(), https),
      asOf,
      slow,
    )
    if (isEncoded(answer)) return sendEncoded(request, answer)
    const { status, headers, body } = answer
    return new Response(request.method === 'HEAD' ? null : uncopied(body), {
      status,
      headers,
    })
  }

  return {
    /** The response that can be sent at once, if any. @param url path and query */
    ready(url: string, asOf: AsOf): Encoded | undefined {
      return files.get(pathOf(url)) ?? catalogue.get<Encoded>(readyKey(url), asOf)
    },
    /**
     * A page, shared or rendered for this request alone. @param networks the client's, narrowest
     * first
     */
    async page(request: Request, networks: readonly string[]): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const file = files.get(pathname)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (file && isRead) return sendEncoded(request, file)
      const shared = isRead ? await pages.findShared(pathname + search) : undefined
      if (!shared) return pages.render(request, networks)
      const make = () => pages.renderShared(shared, networks)
      const onJoined = () => pages.join(shared, networks)
      // only such a page may wait before it is rendered
      const slow = shared.isOneOfMany ? { staleMs, onJoined } : undefined
      return send(request, pageKey(shared), make, slow)
    },
    /**
     * An API call whose response is the same for everybody or, with `visitors`, for all who are not
     * logged in.
     */
    call(
      request: Request,
      make: (path: string) => Promise<Response>,
      readers: 'everybody' | 'visitors' = 'everybody',
    ) {
      const path = new URL(request.url).pathname
      return send(request, callKey(path, readers), async () => {
        const response = await make(path)
        return { response, shows: topicsOf(response), cacheable: response.ok }
      })
    },
  }
}

function sendReady(request: IncomingMessage, response: ServerResponse, encoded: Encoded): boolean {
  const encoding = encodingFor(encoded, request.headers['accept-encoding'] as string)
  const body = encoded.ready(encoding)
  if (!body) return false
  const headers = encoded.headers(encoding)
  if (encoded.status === 200 && request.headers['if-none-match'] === encoded.etag) {
    response.writeHead(304, headers).end()
  } else {
    response.writeHead(encoded.status, { ...headers, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  return true
}

const readyFor = (cache: ResponseCache, { method, url = '', headers }: IncomingMessage) =>
  method === 'GET' || method === 'HEAD' ? cache.ready(url, freshnessFor(headers.cookie)) : undefined

/** The body length of a cached, fresh response to the request; undefined without one. */
export function cachedBytes(cache: ResponseCache, request: IncomingMessage): number | undefined {
  const encoded = readyFor(cache, request)
  if (!encoded) return undefined
  const encoding = encodingFor(encoded, request.headers['accept-encoding'] as string)
  return encoded.ready(encoding)?.length
}

/**
 * Sends cached responses directly from the socket's listener; everything else goes through the app.
 */
export function cachedFirst(cache: ResponseCache, otherwise: Listener): Listener {
  return (request, response) => {
    const encoded = readyFor(cache, request)
    if (encoded && sendReady(request, response, encoded)) return
    return otherwise(request, response)
  }
}

/**
 * Set after a client's own change: while the client has it, every process responds with the
 * database's current state.
 */
const cookieName = 'ferrite.catalogue'
/** Seconds; by then, every process has queried the database several times. */
const maxAge = 5
const inHeader = /(?:^|;\s*)ferrite\.catalogue=/

/** How fresh the response to the request must be. */
const freshnessFor = (cookies: string | null | undefined): AsOf =>
  cookies && inHeader.test(cookies) ? 'now' : 'this second'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Sets the cookie on the response to every change, and makes this process query the version before
 * it answers the next reader, who may have no cookies. The change itself does not wait for the new
 * version.
 */
export function setCatalogueCookie(catalogue: CatalogueCache, https: boolean) {
  const cookie = `${cookieName}=changed; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`
  return createMiddleware<Env>(async (c, next) => {
    await next()
    if (!c.res.ok || reading.has(c.req.method)) return
    catalogue.changed()
    c.header('set-cookie', cookie, { append: true })
  })
}

/**
 * Sets `Cache-Tag` to the topic that the response shows, unless its handler has set a more specific
 * one.
 */
export const tagAnswers = createMiddleware<Env>(async (c, next) => {
  await next()
  const topic = operationOf(c)?.shows
  if (topic && c.res.ok && !c.res.headers.has('cache-tag')) c.header('cache-tag', topic)
})
