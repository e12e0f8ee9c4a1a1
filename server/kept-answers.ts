/** Answers that are the same for everybody until a part or a review changes, kept ready to send. */
import type { RequestListener } from 'node:http'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import { encodingFor, type Packed, pack, sendPacked } from './packed.ts'
import { setSecurityHeaders } from './security-headers.ts'

const isPacked = (answer: Response | Packed): answer is Packed => 'compressible' in answer
const keepable = /^(text\/html|application\/json)/
const plainPath = /^\/[\w/-]{0,100}$/
const keyOf = (path: string) => `answer ${path}`
/** Belong to one request, not to the answer. */
const passing = ['x-request-id', 'vary', 'content-length']

async function packAnswer(response: Response, https: boolean): Promise<Response | Packed> {
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 200 || !keepable.test(type)) return response
  const headers = new Headers(response.headers)
  for (const name of passing) headers.delete(name)
  setSecurityHeaders(headers, https)
  return pack(Buffer.from(await response.arrayBuffer()), Object.fromEntries(headers))
}

/** Answers a request from what is kept, or makes the answer and keeps it. Queries and odd paths are always made. */
export async function keptAnswer(
  options: { catalogue: CatalogueCache; https: boolean },
  request: Request,
  make: () => Promise<Response>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || search || !plainPath.test(pathname)) return make()
  const answer = await options.catalogue.keep(
    keyOf(pathname),
    async () => packAnswer(await make(), options.https),
    isPacked,
  )
  return isPacked(answer) ? sendPacked(request, answer) : answer
}

/** Sends what is kept straight from the socket's listener; everything else takes the long way. */
export function keptFirst(catalogue: CatalogueCache, otherwise: RequestListener): RequestListener {
  return (request, response) => {
    const packed =
      request.method === 'GET' ? catalogue.peek<Packed>(keyOf(request.url ?? '')) : undefined
    const encoding = packed && encodingFor(packed, request.headers['accept-encoding'] as string)
    const body = encoding && packed.ready(encoding)
    if (!body) return otherwise(request, response)
    if (request.headers['if-none-match'] === packed.etag) {
      response.writeHead(304, packed.headers(encoding)).end()
    } else {
      response.writeHead(200, packed.headers(encoding)).end(body)
    }
  }
}
