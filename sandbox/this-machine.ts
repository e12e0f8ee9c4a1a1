import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'hono'

/** A request as received over the wire. */
export type WireRequest = {
  headers: IncomingHttpHeaders
  httpVersion: string
  socket: Partial<Record<'remotePort' | 'localPort', number | undefined>> & {
    remoteAddress?: string | undefined
  }
}

/** Headers that different proxies and tunnels add. */
const byProxies =
  /^(x-forwarded|x-original|forwarded$|x-real-ip$|x-client-ip$|true-client-ip$|via$|cf-)/i
const loopbackName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const loopbackAddress = /^(::1$|(::ffff:)?127\.)/i

/**
 * Whether a user id belongs to a service, by the convention of Linux distributions: people have
 * 1000 and above.
 */
const isServiceUser = (uid: number) => uid > 0 && uid < 1000 && uid !== process.getuid?.()

/** The rows of a file of /proc; none when the kernel has no such file. */
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

/**
 * The result per connection: its user does not change, and the kernel's list is long on a busy
 * machine.
 */
const fromServices = new WeakMap<WireRequest['socket'], boolean>()

/**
 * Whether a service owns the other end of a connection within this machine. A proxy may copy a
 * client's headers unchanged, but the user of a connection comes from the kernel. False on other
 * systems than Linux.
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
 * Whether a program on this machine sent the request, to a name of this machine. Excludes pages of
 * other sites whose name resolves to this machine. Also excludes proxies that let others in, even
 * if they add no header: every browser sends `Connection: keep-alive`, which proxies must not
 * forward (RFC 9110, 7.6.1). nginx sends `close` and HTTP/1.0 and, since 1.29.7, no such header. A
 * proxy that copies its client's headers is recognised by its user.
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

/**
 * The same for a request in Hono; true for a request that this process makes itself, without a
 * connection.
 */
export function isFromThisMachine({ env }: Context): boolean {
  const { incoming } = Object(env) as { incoming?: WireRequest }
  return incoming === undefined || comesFromThisMachine(incoming)
}

export const refusalText = 'This sandbox answers only to the machine that it runs on.'
