import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'hono'

/** A request as it came over the wire. */
export type WireRequest = {
  headers: IncomingHttpHeaders
  httpVersion: string
  socket: Partial<Record<'remotePort' | 'localPort', number | undefined>> & {
    remoteAddress?: string | undefined
  }
}

/** Headers that proxies and tunnels add, each its own. */
const byProxies =
  /^(x-forwarded|x-original|forwarded$|x-real-ip$|x-client-ip$|true-client-ip$|via$|cf-)/i
const loopbackName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const loopbackAddress = /^(::1$|(::ffff:)?127\.)/i

/** Whether a user number is a service's, as Linux distributions give them out: people have 1000 and more. */
const isServiceUser = (uid: number) => uid > 0 && uid < 1000 && uid !== process.getuid?.()

/** The rows of a file of /proc; none where the kernel has no such file. */
function readRows(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
  } catch {
    return []
  }
}

const endsWithPort = (address: string | undefined, port: number | undefined) =>
  address?.endsWith(`:${port?.toString(16).toUpperCase().padStart(4, '0')}`)

/** What was found of a connection: its user stays, and the kernel's list is long where many come and go. */
const fromServices = new WeakMap<WireRequest['socket'], boolean>()

/**
 * Whether a service holds the other end of a connection within this machine. A proxy may copy a client's headers as they are,
 * but the user of a connection comes from the kernel. False where the kernel is not Linux.
 */
function isFromService(socket: WireRequest['socket']): boolean {
  const { remotePort, localPort } = socket
  const found =
    fromServices.get(socket) ??
    ['/proc/net/tcp', '/proc/net/tcp6']
      .flatMap(readRows)
      .some(
        ([, own, peer, , , , , uid]) =>
          endsWithPort(own, remotePort) &&
          endsWithPort(peer, localPort) &&
          isServiceUser(Number(uid)),
      )
  fromServices.set(socket, found)
  return found
}

/**
 * Did a program on this machine ask, by this machine's own name? Pages of other sites that had their name point here
 * did not, nor did a proxy that lets others in, even one that adds no header: every browser says
 * `Connection: keep-alive`, which proxies must not pass on (RFC 9110, 7.6.1). nginx says `close` and speaks HTTP/1.0, and
 * since 1.29.7 says nothing. A proxy that copies what its client says is known by its user.
 */
export function comesFromThisMachine({ headers, httpVersion, socket }: WireRequest): boolean {
  return (
    loopbackAddress.test(socket.remoteAddress ?? '') &&
    httpVersion === '1.1' &&
    /^keep-alive$/i.test(headers.connection ?? '') &&
    loopbackName.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => byProxies.test(name)) &&
    !isFromService(socket)
  )
}

/** The same of a request in Hono; true of one that this process makes itself, without a wire. */
export function isFromThisMachine({ env }: Context): boolean {
  const { incoming } = Object(env) as { incoming?: WireRequest }
  return incoming === undefined || comesFromThisMachine(incoming)
}

export const refusalText = 'This sandbox answers only to the machine that it runs on.'
