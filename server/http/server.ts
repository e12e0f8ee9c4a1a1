import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '#server/start-error.ts'
import { networkOf } from './network.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** What one client may take of the machine. Milliseconds. */
const usualLimits = {
  /** Until the head of a request is whole, and until all of it is. */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
  /** Until the next request on a connection. */
  keepAliveTimeout: 5000,
  /** With nothing going in or out: a client that does not read its answer is cut off. */
  timeout: 120_000,
  /** Bytes of a head; more lines than this are not read. */
  maxHeaderSize: 16 * 1024,
  maxHeadersCount: 100,
  /** All clients together: the process needs files for the database too. */
  maxConnections: 5000,
  /** Of one network; behind a trusted proxy all are the proxy's. */
  maxConnectionsOfNetwork: 2000,
}
export type Limits = typeof usualLimits
/** All connections are a trusted proxy's. */
export const limitsFor = (trustProxy: boolean): Limits =>
  trustProxy ? { ...usualLimits, maxConnectionsOfNetwork: usualLimits.maxConnections } : usualLimits
/** How many may wait at the door while the process is busy: the kernel lets the rest try again for up to a minute. */
const backlog = 4096
/** How long requests in flight may take to finish at a stop: hosts kill after ten seconds, and more is to be closed. */
const graceMs = 8_000
const idleCheckMs = 50

export const notReady: RequestListener = (_, response) => {
  const headers = new Headers({ 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' })
  setSecurityHeaders(headers, false)
  response.writeHead(503, Object.fromEntries(headers))
  response.end('The shop is opening. Try again in a second.')
}

export type Listening = {
  port: number
  server: Server
  /** From now on requests are answered by this; until then they are told that the shop is opening. */
  serve(listener: RequestListener): void
  /** Did `close` begin? */
  isClosing(): boolean
  /** Takes no new request, lets those in flight finish for eight seconds, then cuts them off. */
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

/** No network takes all the connections there are: what it opens beyond its limit is closed. */
function limitNetworks(server: Server, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? 'unknown')
    const count = (open.get(network) ?? 0) + 1
    if (count > most) return socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/**
 * Listens at once, so that a port in use is known before anything else happens.
 * @throws StartError when the port or address can not be had
 */
export async function listen(
  host: string,
  port: number,
  limits: Limits = usualLimits,
): Promise<Listening> {
  let current = notReady
  let closing = false
  const server = createServer(limits, (req, res) => {
    if (closing) res.setHeader('connection', 'close')
    current(req, res)
  })
  // these three are no options of its maker
  const { timeout, maxHeadersCount, maxConnections } = limits
  Object.assign(server, { timeout, maxHeadersCount, maxConnections })
  limitNetworks(server, limits.maxConnectionsOfNetwork)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, host, port)))
    server.listen({ port, host, backlog }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    server,
    serve(listener) {
      current = listener
    },
    isClosing: () => closing,
    async close() {
      closing = true
      const closed = new Promise((resolve) => server.close(resolve))
      // a connection whose last answer is out would otherwise idle for its keep-alive time
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}
