import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import { type PagePolicy, pagePolicy } from './security-headers.ts'

export type PagesDeps = {
  shop: Shop
  /** Asks the backend in this process, as a visitor. */
  fetchApi: (path: string) => Promise<Response>
  policy: PagePolicy
  /** The built site; in development read anew at each request. */
  loadBuild: () => Promise<ServerBuild>
}

/**
 * The site's pages, rendered on the server. They are the same for every visitor: who is logged in is known to the
 * browser alone.
 */
export function pages(deps: PagesDeps): (request: Request) => Promise<Response> {
  const respond = async (request: Request) => {
    const build = await deps.loadBuild()
    const context = new RouterContextProvider()
    // the context's key lives in the built site, so it is taken from there
    const { shopContext } = build.entry.module as {
      shopContext?: Parameters<typeof context.set>[0]
    }
    if (!shopContext) throw new Error('web/entry.server.tsx must export shopContext')
    context.set(shopContext, { shop: deps.shop, fetchApi: deps.fetchApi })
    const mode = deps.policy.development ? 'development' : 'production'
    return createRequestHandler(build, mode)(request, context)
  }
  return async (request) => {
    const response = await respond(request)
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    const html = await response.text()
    const headers = new Headers(response.headers)
    headers.set('content-security-policy', pagePolicy(html, deps.policy))
    headers.set('cross-origin-opener-policy', 'same-origin-allow-popups')
    headers.set('cache-control', 'private, no-cache')
    return new Response(html, { status: response.status, headers })
  }
}
