import { createHash } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Shop } from '#contracts/shop.ts'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import { type Packed, pack, sendPacked } from './packed.ts'
import { type PagePolicy, pagePolicy } from './security-headers.ts'

export type PagesDeps = {
  catalogue: CatalogueCache
  shop: Shop
  /** Asks the backend in this process, as a visitor. */
  fetchApi: (path: string) => Promise<Response>
  policy: PagePolicy
  /** The built site; in development read anew at each request. */
  loadBuild: () => Promise<ServerBuild>
}

const keptPath = /^\/[\w/-]{0,100}$/

/**
 * The site's pages, rendered on the server. They are the same for every visitor (who is logged in is known to the
 * browser alone), so a rendered page is kept until a part or a review changes.
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
    return createRequestHandler(build, deps.policy.development ? 'development' : 'production')(
      request,
      context,
    )
  }

  const render = async (request: Request): Promise<Response | Packed> => {
    const response = await respond(request)
    if (!response.headers.get('content-type')?.startsWith('text/html')) return response
    const html = await response.text()
    const headers = {
      ...Object.fromEntries(response.headers),
      'content-security-policy': pagePolicy(html, deps.policy),
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'private, no-cache',
    }
    if (response.status !== 200) return new Response(html, { status: response.status, headers })
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
    return pack(Buffer.from(html), { ...headers, etag })
  }

  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const keep =
      !deps.policy.development && request.method === 'GET' && !search && keptPath.test(pathname)
    const page = keep
      ? await deps.catalogue.keep(`page ${pathname}`, () => render(request), isPacked)
      : await render(request)
    return isPacked(page) ? sendPacked(request, page) : page
  }
}

const isPacked = (page: Response | Packed): page is Packed => 'compressible' in page
