import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { type PagePolicy, pageHeaders, pagePolicy, withoutMark } from './security-headers.ts'

export type PagesDeps = {
  shop: Shop
  /** Asks the backend in this process, as a visitor. */
  fetchApi: (path: string) => Promise<Response>
  policy: PagePolicy
  /** The built site; in development read anew at each request. */
  loadBuild: () => Promise<ServerBuild>
}

export type Page = {
  response: Response
  /** Is it the same for whoever comes next, until the catalogue changes? Not when something it shows could not be had. */
  lasting: boolean
}

/** Pages whose address holds a key, or an e-mail address: nobody is told where a request came from. */
const keyInAddress = new Set(['/reset-password', '/verified'])

/** Every address of the site that is one page: those with an id in them, and any other, are as many as people make up. */
function ownAddresses({ routes }: Pick<ServerBuild, 'routes'>): Set<string> {
  const addressOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    if (!route) return ''
    return addressOf(route.parentId) + (route.path ? `/${route.path}` : '')
  }
  const addresses = Object.keys(routes).map((id) => addressOf(id) || '/')
  return new Set(addresses.filter((address) => !/[:*]/.test(address)))
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

/**
 * The site's pages, rendered on the server. They are the same for every visitor: who is logged in is known to the
 * browser alone.
 */
export function pages(deps: PagesDeps): (request: Request) => Promise<Page> {
  const respond = async (
    request: Request,
    build: ServerBuild,
    handed: Pick<PagesDeps, 'fetchApi'> & { mark: string },
  ) => {
    const context = new RouterContextProvider()
    context.set(ownOf(build).shopContext, { shop: deps.shop, ...handed })
    const mode = deps.policy.development ? 'development' : 'production'
    return createRequestHandler(build, mode)(request, context)
  }
  return async (request) => {
    const build = await deps.loadBuild()
    let lasting = ownAddresses(build).has(new URL(request.url).pathname)
    const mark = randomBytes(16).toString('base64url')
    const fetchApi = async (path: string) => {
      const answer = await deps.fetchApi(path)
      lasting &&= answer.ok
      return answer
    }
    const response = await respond(request, build, { fetchApi, mark })
    if (!response.headers.get('content-type')?.startsWith('text/html')) {
      return { response, lasting: false }
    }
    const html = await response.text()
    const own = { mark, known: ownOf(build).bootScript }
    const headers = new Headers({
      ...Object.fromEntries(response.headers),
      ...pageHeaders(deps.policy),
    })
    headers.set('content-security-policy', pagePolicy(html, own, deps.policy))
    headers.set('cache-control', 'private, no-cache')
    if (keyInAddress.has(new URL(request.url).pathname))
      headers.set('referrer-policy', 'no-referrer')
    return {
      response: new Response(withoutMark(html, own), { status: response.status, headers }),
      lasting,
    }
  }
}
