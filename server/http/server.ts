import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Settings } from '#server/env.ts'
import { StartError } from '#server/errors.ts'
import { networksOf } from './client-address.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** Limits of one client, in milliseconds. */
const usualLimits = {
  /** The time until the headers, and the whole request, are complete. */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  /** Idle time of a connection between requests, as announced to clients. */
  keepAliveTimeout: 5000,
  /**
   * Extra time after the announced one, so that a client slowed down by a busy machine does not
   * send on a connection that is just closing.
   */
  keepAliveTimeoutBuffer: 5000,
  /** Without data in either direction; disconnects a client that does not read its response. */
  timeout: 120_000,
  /** Maximum size of the headers in bytes, and the maximum number of headers. */
  maxHeaderSize: 16 * 1024,
  maxHeadersCount: 100,
  /** All clients together: the process needs file descriptors for the database, too. */
  maxConnections: 5000,
  /** Connections of one network, as long as others have room. */
  maxConnectionsOfNetwork: 2000,
  /**
   * How long requests in flight may take at shutdown. Hosts kill after ten seconds, and more has to
   * close after the requests.
   */
  stopMs: 8_000,
}
export type Limits = typeof usualLimits
/** The limits of a shop. Behind a trusted proxy, all connections are the proxy's. */
export const limitsFor = ({ TRUST_PROXY, STOP_SECONDS }: Settings): Limits => ({
  ...usualLimits,
  stopMs: STOP_SECONDS * 1000,
  ...(TRUST_PROXY && { maxConnectionsOfNetwork: usualLimits.maxConnections }),
})
/**
 * Connections that wait in the kernel while the process is busy; beyond that, the kernel lets
 * clients retry for up to a minute.
 */
const backlog = 4096
const idleCheckMs = 50
/** The share of all connections from which the largest network loses connections to new ones. */
const nearlyFull = 0.9

export const notReady: RequestListener = (_, response) => {
  const headers = new Headers({ 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' })
  setSecurityHeaders(headers, false)
  response.writeHead(503, Object.fromEntries(headers))
  response.end('The shop is opening. Try again in a second.')
}

export type Listening = {
  /** 0 until the server listens. */
  readonly port: number
  server: Server
  /**
   * Starts accepting connections.
   * @throws StartError when the port or address is not available
   */
  listen(host: string, port: number): Promise<void>
  /** Replaces the initial listener, which responds that the shop is opening. */
  serve(listener: RequestListener): void
  /** Whether `close` has begun. */
  isClosing(): boolean
  /** Refuses new requests, gives those in flight `stopMs`, then disconnects them. */
  close(): Promise<void>
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} is in use. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
    )
  }
  if (error.code === 'EACCES') {
    return new StartError(
      `This user may not listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(
      `HOST ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`,
    )
  }
  return error
}

/** The newest connection without a request in progress; else the newest. */
const newestIdle = (sockets: Set<Socket>, answering: WeakSet<Socket>): Socket | undefined => {
  const all = [...sockets]
  return all.findLast((socket) => !answering.has(socket)) ?? all.at(-1)
}

/**
 * Closes connections that a network opens beyond its limit. While nearly all are in use, each new
 * connection closes one of the network with the most, so that new clients can connect. A /48 counts
 * as one network here.
 */
function limitNetworks(server: Server, limits: Limits): void {
  const { maxConnectionsOfNetwork: max, maxConnections: all } = limits
  // where one network may have all connections, they are all a proxy's
  const nearlyAll = max < all ? all * nearlyFull : all
  const open = new Map<string, Set<Socket>>()
  const answering = new WeakSet<Socket>()
  let count = 0
  const forget = (network: string, socket: Socket) => {
    const own = open.get(network)
    if (!own?.delete(socket)) return
    count -= 1
    if (own.size === 0) open.delete(network)
  }
  const closeOne = () => {
    const [network, own] = [...open].reduce((most, one) =>
      one[1].size > most[1].size ? one : most,
    )
    const socket = newestIdle(own, answering)
    if (!socket) return
    forget(network, socket)
    socket.destroy()
  }
  server.on('request', ({ socket }, response) => {
    answering.add(socket)
    response.once('close', () => answering.delete(socket))
  })
  server.on('connection', (socket) => {
    const network = networksOf(socket.remoteAddress ?? 'unknown').at(-1) ?? ''
    const own = open.get(network) ?? new Set()
    if (own.size >= max) return socket.destroy()
    open.set(network, own.add(socket))
    count += 1
    socket.once('close', () => forget(network, socket))
    if (count > nearlyAll) closeOne()
  })
}

/** A server that does not listen yet, and responds that the shop is opening. */
export function createListening(limits: Limits = usualLimits): Listening {
  let current = notReady
  let closing = false
  const server = createServer(limits, (req, res) => {
    if (closing) res.setHeader('connection', 'close')
    current(req, res)
  })
  // createServer has no options for these three
  const { timeout, maxHeadersCount, maxConnections } = limits
  Object.assign(server, { timeout, maxHeadersCount, maxConnections })
  limitNetworks(server, limits)
  return {
    get port() {
      return (server.address() as AddressInfo | null)?.port ?? 0
    },
    server,
    async listen(host, port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(explain(error, host, port)))
        server.listen({ port, host, backlog }, resolve)
      })
    },
    serve(listener) {
      current = listener
    },
    isClosing: () => closing,
    async close() {
      closing = true
      const closed = new Promise((resolve) => server.close(resolve))
      // otherwise a connection would idle for its keep-alive time
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
      const late = setTimeout(() => server.closeAllConnections(), limits.stopMs)
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}
