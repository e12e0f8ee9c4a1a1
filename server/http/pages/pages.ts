import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { pageFacts, type SaleFacts, type Shop, type ShopFacts } from '#contracts/shop.ts'
import type { PageLink } from '#contracts/texts.ts'
import type { ShownTopic } from '#server/database/catalogue-version.ts'
import type { Metrics } from '#server/http/metrics.ts'
import {
  type PagePolicy,
  pageHeaders,
  pagePolicy,
  withoutNonce,
} from '#server/http/security-headers.ts'
import { isKeyInAddress, type SharedPage, sharedPages } from './page-addresses.ts'
import { renderingLine } from './rendering-line.ts'

/** What the shop says of itself; `isCurrent` tells whether it could be read now. */
type Reading<T> = (() => Promise<T>) & { isCurrent: () => boolean }

export type PagesDeps = {
  shop: Omit<Shop, 'facts' | 'ownPages' | 'sale'>
  /** What the shop says of itself now. */
  facts: Reading<ShopFacts>
  ownPages: Reading<PageLink[]>
  sale: Reading<SaleFacts | null>
  metrics: Pick<Metrics, 'shed' | 'rendered'>
  /** Calls the API in this process, as a visitor. */
  fetchApi: (path: string) => Promise<Response>
  policy: PagePolicy
  /** Loads the built site; in development at each request. */
  loadBuild: () => Promise<ServerBuild>
}

export type Page = {
  response: Response
  /** What the page shows of the catalogue. */
  shows: readonly ShownTopic[]
  /**
   * Whether other clients may get it until those topics change. False when some of it could not be
   * loaded.
   */
  cacheable: boolean
  /**
   * Whether clients may cache it, when that differs: the page is complete, but the shop does not
   * cache it.
   */
  clientCacheable?: boolean
}

export type Pages = {
  /** The shared page of this URL, once the site is loaded. @param url path and query */
  shared(url: string): SharedPage | undefined
  /** Loads the site, then finds the shared page. */
  findShared(url: string): Promise<SharedPage | undefined>
  /**
   * Renders a shared page, in the rendering queue when its route has many pages.
   * @param networks the client's
   * @throws AppError UNAVAILABLE while too many others wait
   */
  renderShared(page: SharedPage, networks: readonly string[]): Promise<Page>
  /** Records that another client waits for a shared page's rendering. */
  join(page: SharedPage, networks: readonly string[]): void
  /**
   * Renders a page for this request alone. @throws AppError UNAVAILABLE while too many others wait
   */
  render(request: Request, networks: readonly string[]): Promise<Response>
}

/**
 * What a response of the API shows of the catalogue: its `Cache-Tag`, which `tagAnswers` sets from
 * the route's declaration.
 */
export const topicsOf = (answer: Response): ShownTopic[] =>
  (answer.headers.get('cache-tag')?.split(',') ?? []) as ShownTopic[]

/**
 * The exports of the built site for the server: the key of its context, and the script and style of
 * every page.
 */
function exportsOf({ entry }: ServerBuild) {
  const { shopContext, bootScript, styles } = entry.module as {
    shopContext?: Parameters<RouterContextProvider['set']>[0]
    bootScript?: string
    styles?: string
  }
  if (!shopContext || !bootScript || styles === undefined) {
    throw new Error('web/entry.server.tsx must export shopContext, bootScript and styles')
  }
  return { shopContext, script: bootScript, style: styles }
}

/** Splits a request's URL into path and query. */
const partsOf = (url: string) => {
  const [path = '', query = ''] = url.split('?', 2)
  return { path, query }
}

/** Renders one page, and records which topics it shows. */
async function renderPage(deps: PagesDeps, build: ServerBuild, request: Request): Promise<Page> {
  const nonce = randomBytes(16).toString('base64url')
  const shows = new Set<ShownTopic>(['settings'])
  let cacheable = true
  const fetchApi = async (path: string) => {
    const answer = await deps.fetchApi(path)
    const topics = topicsOf(answer)
    for (const each of topics) shows.add(each)
    cacheable &&= answer.ok && topics.length > 0
    return answer
  }
  deps.metrics.rendered()
  const facts = pageFacts(await deps.facts())
  const context = new RouterContextProvider()
  context.set(exportsOf(build).shopContext, {
    shop: { ...deps.shop, facts, ownPages: await deps.ownPages(), sale: await deps.sale() },
    fetchApi,
    nonce,
  })
  const mode = deps.policy.development ? 'development' : 'production'
  // what the shop said before, or the sample, does not stay on the page
  for (const reading of [deps.facts, deps.ownPages, deps.sale]) cacheable &&= reading.isCurrent()
  const response = await createRequestHandler(build, mode)(request, context)
  cacheable &&= response.status < 500
  if (!response.headers.get('content-type')?.startsWith('text/html')) {
    return { response, shows: [...shows], cacheable }
  }
  const html = await response.text()
  const own = { nonce, ...exportsOf(build) }
  const headers = new Headers({
    ...Object.fromEntries(response.headers),
    ...pageHeaders(deps.policy),
  })
  headers.set('content-security-policy', pagePolicy(html, own, deps.policy))
  headers.set('cache-control', 'private, no-cache')
  if (isKeyInAddress(build, new URL(request.url).pathname)) {
    headers.set('referrer-policy', 'no-referrer')
  }
  const page = new Response(withoutNonce(html, own), { status: response.status, headers })
  return { response: page, shows: [...shows], cacheable }
}

/**
 * Renders the site's pages. A page is the same for every visitor: only the browser knows who is
 * logged in.
 */
export function pages(deps: PagesDeps): Pages {
  let find: ReturnType<typeof sharedPages> | undefined
  const line = renderingLine(deps.metrics.shed)
  const shared = (url: string) => {
    const { path, query } = partsOf(url)
    return find?.(path, query)
  }
  return {
    shared,
    async findShared(url) {
      find ??= sharedPages(await deps.loadBuild())
      return shared(url)
    },
    async renderShared({ path, isOneOfMany }, networks) {
      const request = new Request(deps.shop.publicUrl + path)
      const rendered = async () => renderPage(deps, await deps.loadBuild(), request)
      if (!isOneOfMany) return rendered()
      const isListed = !path.includes('?')
      const page = await line.render({ key: path, isListed }, networks, rendered)
      // a redirect or an error page would take the place of a real page in the cache
      const isOwn = page.cacheable && page.response.status === 200
      // the number of queries is unlimited: their pages go to waiting clients, but not into the
      // cache
      return { ...page, cacheable: isOwn && isListed, clientCacheable: isOwn }
    },
    join: ({ path }, networks) => line.join(path, networks),
    render: (request, networks) =>
      line.render({ key: request.url, isListed: false }, networks, async () => {
        const page = await renderPage(deps, await deps.loadBuild(), request)
        return page.response
      }),
  }
}
