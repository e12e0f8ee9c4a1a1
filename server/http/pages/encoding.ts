import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const compressible = /^(text\/|application\/(json|manifest|wasm)|image\/svg)/
/** Bytes; compressing a smaller body does not save a packet. */
const minimum = 1024

export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * A response that is made once and sent many times; each encoding is compressed at its first use.
 */
export type Encoded = {
  status: number
  /** Headers for each encoding, ready to send. */
  headers(encoding: Encoding): Record<string, string>
  etag: string
  compressible: boolean
  /** The body, if this encoding is already available. */
  ready(encoding: Encoding): Buffer | undefined
  body(encoding: Encoding): Promise<Buffer>
}

/**
 * @param headers without those that depend on the encoding
 * @param existingBodies encodings of the body that already exist
 */
export function encode(
  body: Buffer,
  headers: Record<string, string>,
  status = 200,
  existingBodies: Partial<Record<Encoding, Buffer>> = {},
): Encoded {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const isCompressible = body.length >= minimum && compressible.test(headers['content-type'] ?? '')
  const bodies: Partial<Record<Encoding, Buffer>> = { ...existingBodies, identity: body }
  const heads: Partial<Record<Encoding, Record<string, string>>> = {}
  const make = async (encoding: Encoding) => {
    if (encoding === 'identity') return body
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 }
    bodies[encoding] ??= await (encoding === 'gzip' ? gzipped(body) : brotli(body, { params }))
    return bodies[encoding]
  }
  return {
    status,
    etag,
    compressible: isCompressible,
    headers(encoding) {
      heads[encoding] ??= {
        ...headers,
        etag,
        ...(isCompressible && { vary: 'Accept-Encoding' }),
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      }
      return heads[encoding]
    },
    ready: (encoding) => bodies[encoding],
    body: make,
  }
}

/** The same response with more headers. */
export function withHeaders(encoded: Encoded, more: Record<string, string>): Encoded {
  const heads: Partial<Record<Encoding, Record<string, string>>> = {}
  return {
    ...encoded,
    headers: (encoding) => (heads[encoding] ??= { ...more, ...encoded.headers(encoding) }),
  }
}

/** The best encoding that the request accepts and that makes this response smaller. */
export function encodingFor(encoded: Encoded, accepted: string | null | undefined): Encoding {
  if (!encoded.compressible || !accepted) return 'identity'
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}

/**
 * A body that many responses share. A copy for each would cost its size for every client that reads
 * slowly.
 */
export const uncopied = (body: Buffer) => body as Uint8Array<ArrayBuffer>

/**
 * Sends a precompressed response in an encoding that the client accepts; 304 when the client
 * already has it.
 */
export async function sendEncoded(request: Request, encoded: Encoded): Promise<Response> {
  const encoding = encodingFor(encoded, request.headers.get('accept-encoding'))
  const headers = encoded.headers(encoding)
  if (encoded.status === 200 && request.headers.get('if-none-match') === encoded.etag) {
    return new Response(null, { status: 304, headers })
  }
  const body = await encoded.body(encoding)
  return new Response(request.method === 'HEAD' ? null : uncopied(body), {
    status: encoded.status,
    headers: { ...headers, 'content-length': String(body.length) },
  })
}
