/** Answers that are the same for everybody until a part or a review changes, kept ready to send. */
import type { RequestListener } from 'node:http'
import type { CatalogueCache } from '#server/database/catalogue.ts'
import { encodingFor, type Packed, pack, sendPacked } from './packed.ts'
import type { Page } from './pages.ts'
import { setSecurityHeaders } from './security-headers.ts'

const isPacked = (answer: Response | Packed): answer is Packed => 'compressible' in answer
const keyOf = (path: string) => `answer ${path}`
/** Belong to one request, not to the answer. */
const passing = ['x-request-id', 'vary', 'content-length']

async function packAnswer({ response, lasting }: Page, https: boolean): Promise<Response | Packed> {
  if (response.status !== 200 || !lasting) return response
  const headers = new Headers(response.headers)
  for (const name of passing) headers.delete(name)
  setSecurityHeaders(headers, https)
  return pack(Buffer.from(await response.arrayBuffer()), Object.fromEntries(headers))
}

/** Answers a request from what is kept, or makes the answer and keeps it if it lasts. With a query it is always made. */
export async function keptAnswer(
  options: { catalogue: CatalogueCache; https: boolean },
  request: Request,
  make: () => Promise<Page>,
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  if (request.method !== 'GET' || search) return (await make()).response
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
