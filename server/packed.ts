import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const compressible = /^(text\/|application\/(json|manifest)|image\/svg)/
/** Below this many bytes compressing saves no packet. */
const minimum = 1024

/** An answer that is made once and sent many times, each encoding compressed at its first use. */
export type Packed = {
  headers: Record<string, string>
  body(encoding: 'br' | 'gzip' | 'identity'): Promise<Buffer> | Buffer
  compressible: boolean
}

export function pack(body: Buffer, headers: Record<string, string>): Packed {
  const kept: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {}
  return {
    headers,
    compressible: body.length >= minimum && compressible.test(headers['content-type'] ?? ''),
    body(encoding) {
      if (encoding === 'identity') return body
      if (encoding === 'gzip') kept.gzip ??= gzipped(body)
      else kept.br ??= brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
      return kept[encoding] as Promise<Buffer>
    },
  }
}

function bestEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}

/** Sends a packed answer as this request can take it: 304 when it has it already. */
export async function sendPacked(request: Request, packed: Packed): Promise<Response> {
  const { etag } = packed.headers
  if (etag && request.headers.get('if-none-match') === etag) {
    return new Response(null, { status: 304, headers: packed.headers })
  }
  const encoding = packed.compressible
    ? bestEncoding(request.headers.get('accept-encoding') ?? '')
    : 'identity'
  const body = await packed.body(encoding)
  const headers = new Headers(packed.headers)
  if (packed.compressible) headers.append('vary', 'Accept-Encoding')
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  headers.set('content-length', String(body.length))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers })
}
