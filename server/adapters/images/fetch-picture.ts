/** Pictures from URLs in a file of parts. The file's author chose them. */
import type { IncomingMessage } from 'node:http'
import { pictureFetch, pictureLimits, uploadFormatOf } from '#contracts/pictures.ts'
import {
  askPublic,
  type Internet,
  never,
  notNow,
  openInternet,
  within,
} from '#server/adapters/internet.ts'
import { AppError } from '#server/errors.ts'
import type { FetchPicture } from './port.ts'

const { redirects } = pictureFetch

/** @throws AppError INVALID unless it is an http or https URL */
function readAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw never('An address of a picture begins with http:// or https://.')
  if (url.username || url.password)
    throw never('An address with a user name or a password is not fetched.')
  if (!['', '80', '443'].includes(url.port))
    throw never(`Port ${url.port} is not fetched from: pictures are at the usual ones.`)
  return url
}

/** Reads at most as many bytes as a picture may have. */
async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  const tooLarge = () =>
    new AppError('TOO_LARGE', `It is larger than ${pictureLimits.bytes / 1024 / 1024} MB.`)
  if (Number(response.headers['content-length'] ?? 0) > pictureLimits.bytes) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > pictureLimits.bytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Why a response is not a picture. */
function refusal({ hostname }: URL, status: number): AppError {
  if (status === 404 || status === 410) return never(`${hostname} has nothing at this address.`)
  if (status === 429 || status >= 500) return notNow(`${hostname} fails: it answers ${status}.`)
  return never(`${hostname} does not hand it out: it answers ${status}.`)
}

async function follow(first: URL, net: Internet, signal: AbortSignal): Promise<Uint8Array> {
  const headers = { accept: 'image/webp,image/png,image/jpeg' }
  let url = first
  for (let turn = 0; turn <= redirects; turn += 1) {
    const response = await askPublic(url, { headers, signal }, net)
    try {
      const { statusCode: status = 0, headers } = response
      if (status === 200) {
        const bytes = await readBody(response)
        if (uploadFormatOf(bytes)) return bytes
        throw new AppError('UNSUPPORTED', 'There is no JPEG, PNG or WebP picture at this address.')
      }
      if (![301, 302, 303, 307, 308].includes(status) || !headers.location)
        throw refusal(url, status)
      url = readAddress(headers.location, url)
    } finally {
      response.destroy()
    }
  }
  throw never(`The address leads on more than ${redirects} times.`)
}

/** @param net replaces the internet @param seconds the total time limit */
export function pictureFetcher(
  net: Internet = openInternet,
  seconds: number = pictureFetch.seconds,
): FetchPicture {
  return async (address) => {
    const url = readAddress(address)
    return within({ seconds, hostname: url.hostname, late: 'send it' }, (signal) =>
      follow(url, net, signal),
    )
  }
}
