import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import type { Topic } from '#server/database/catalogue-version.ts'
import { busyForAMoment } from './load-shedding.ts'
import type { Metrics } from './metrics.ts'
import { type SharedPage, sharedPages } from './page-addresses.ts'
import { type PagePolicy, pageHeaders, pagePolicy, withoutNonce } from './security-headers.ts'

export type PagesDeps = {
  shop: Shop
  metrics: Pick<Metrics, 'shed' | 'rendered'>
  /** Asks the backend in this process, as a visitor. */
  fetchApi: (path: string) => Promise<Response>
  policy: PagePolicy
  /** The built site; in development read anew at each request. */
  loadBuild: () => Promise<ServerBuild>
}

export type Page = {
  response: Response
  /** What of the catalogue it shows. */
  shows: readonly Topic[]
  /** Is it the same for the next who asks, until that changes? Not when something it shows could not be had. */
  cacheable: boolean
}

export type Pages = {
  /** The page that this address shares with others, as far as the site is loaded. @param url path and query */
  shared(url: string): SharedPage | undefined
  /** The same, and loads the site first. */
  findShared(url: string): Promise<SharedPage | undefined>
  /** Renders a shared page, the same whoever asks. */
  renderShared(page: SharedPage): Promise<Page>
  /** Renders what this request alone asks for. @throws AppError UNAVAILABLE while too many others are rendered */
  render(request: Request): Promise<Response>
}

/** Pages whose address holds a key, or an e-mail address: nobody is told where a request came from. */
const keyInAddress = new Set(['/reset-password', '/verified'])

/** Renderings for one request alone that wait. Shared pages wait for none: they are as few as the site has routes. */
const mostWaiting = 32

/** What a page shows of the catalogue, by the calls that it is made from. */
const topicsOf: Record<string, Topic> = {
  '/api/part': 'parts',
  '/api/bestSeller': 'parts',
  '/api/review': 'reviews',
}

/** What the built site says of itself: the key of what it is handed, and the script on every page. */
function ownOf({ entry }: ServerBuild) {
  const { shopContext, bootScript } = entry.module as {
    shopContext?: Parameters<RouterContextProvider['set']>[0]
    bootScript?: string
  }
  if (!shopContext || !bootScript) {
    throw new Error('web/entry.server.tsx must export shopContext and bootScript')
  }
  return { shopContext, bootScript }
}

/** Path and query of an address, in any form that a request line may have. */
const partsOf = (url: string) => {
  const [path = '', query = ''] = url.split('?', 2)
  return { path, query }
}

/** One rendering, with what it asked the backend for. */
async function renderPage(deps: PagesDeps, build: ServerBuild, request: Request): Promise<Page> {
  const mark = randomBytes(16).toString('base64url')
  const shows = new Set<Topic>()
  let cacheable = true
  const fetchApi = async (path: string) => {
    const answer = await deps.fetchApi(path)
    const topic = topicsOf[path]
    if (topic) shows.add(topic)
    cacheable &&= answer.ok && topic !== undefined
    return answer
  }
  deps.metrics.rendered()
  const context = new RouterContextProvider()
  context.set(ownOf(build).shopContext, { shop: deps.shop, fetchApi, mark })
  const mode = deps.policy.development ? 'development' : 'production'
  const response = await createRequestHandler(build, mode)(request, context)
  cacheable &&= response.status < 500
  if (!response.headers.get('content-type')?.startsWith('text/html')) {
    return { response, shows: [...shows], cacheable }
  }
  const html = await response.text()
  const own = { mark, known: ownOf(build).bootScript }
  const headers = new Headers({
    ...Object.fromEntries(response.headers),
    ...pageHeaders(deps.policy),
  })
  headers.set('content-security-policy', pagePolicy(html, own, deps.policy))
  headers.set('cache-control', 'private, no-cache')
  if (keyInAddress.has(new URL(request.url).pathname)) headers.set('referrer-policy', 'no-referrer')
  const page = new Response(withoutNonce(html, own), { status: response.status, headers })
  return { response: page, shows: [...shows], cacheable }
}

/**
 * Does one thing at a time, in the order in which it came. A rendering reads nothing and so holds up everything else,
 * those who would wait for it too: before the next, the process is free for as long as the last one took.
 * @throws AppError UNAVAILABLE when too many wait
 */
function inTurn(refused: () => void) {
  const waiting: Array<() => void> = []
  let isBusy = false
  const next = () => {
    const begin = waiting.shift()
    if (begin) begin()
    else isBusy = false
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= mostWaiting) {
      refused()
      throw busyForAMoment()
    }
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve))
    isBusy = true
    const since = performance.now()
    try {
      return await work()
    } finally {
      // timers that are due run one after the other: only behind them comes what has arrived meanwhile
      setTimeout(() => setImmediate(next), performance.now() - since)
    }
  }
}

/**
 * The site's pages, rendered on the server. They are the same for every visitor: who is logged in is known to the
 * browser alone.
 */
export function pages(deps: PagesDeps): Pages {
  let find: ReturnType<typeof sharedPages> | undefined
  const turn = inTurn(deps.metrics.shed)
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
    async renderShared({ path }) {
      const request = new Request(deps.shop.publicUrl + path)
      return renderPage(deps, await deps.loadBuild(), request)
    },
    render: (request) =>
      turn(async () => (await renderPage(deps, await deps.loadBuild(), request)).response),
  }
}
