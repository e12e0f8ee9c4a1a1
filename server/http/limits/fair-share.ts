/** Limits each network to its share of the shop's work, before a request reaches the database. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ErrorBody } from '#contracts/errors.ts'
import { networksOf } from '#server/http/client-address.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { setSecurityHeaders } from '#server/http/security-headers.ts'
import { busyForAMoment } from './load-shedding.ts'

/**
 * A network's requests in progress, as shares of the database connections: fewer while other
 * networks have requests, too.
 */
const shareAlone = 0.8
const shareAmongOthers = 0.2
/**
 * Further requests wait in their network's own queue; an office behind one address hardly notices.
 */
const maxWaiting = 500
/**
 * Requests of all networks together: each has a connection, of the proxy where there is one, and
 * the process accepts 5,000 (`server.ts`).
 */
const maxWaitingOfAll = 2_000
/** Milliseconds; a client that waits longer has given up. */
const longestWait = 10_000

/**
 * Requests with their own queues. Health checks and metrics have no rate limit, so their queue has
 * room for every connection; if all ran at once, they would delay everybody else. The shop calls
 * the sandboxes while it handles other requests, and also while it handles the card provider's
 * webhooks, so both have a queue of their own.
 */
const ownLines = [
  { of: /^\/(healthz|readyz|metrics)(?=\?|$)/, max: 5_000 },
  { of: /^\/sandbox\//, max: maxWaiting },
  { of: /^\/api\/stripe\/webhook(?=\?|$)/, max: maxWaiting },
]

/** The queue of cached responses has room for every connection. */
const cachedLine = { max: 5_000 }
/**
 * How many cached responses and files a network gets at once, within this many milliseconds;
 * further requests wait in its queue. A response counts as one more for each `bytes` of its size.
 */
const cachedAtOnce = { max: 200, bytes: 16_384, ms: 100 }
/** A /56 may have twice as much as a /64, a /48 four times. */
const widerBy = (level: number) => 2 ** level

type Waiting = { networks: readonly string[]; enter(): void; turnAway(): void }
type Counts = Map<string, number>
/**
 * The queue of a widest network, with the requests in progress and waiting of each network in it.
 */
type Line = { waiting: Set<Waiting>; inProgress: Counts; waitingCount: Counts }

function count(counts: Counts, networks: readonly string[], change: number): void {
  for (const network of networks) {
    const now = (counts.get(network) ?? 0) + change
    if (now > 0) counts.set(network, now)
    else counts.delete(network)
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const { code, message, retryAfter, status } = busyForAMoment()
  const isCall = request.url?.startsWith('/api/')
  const body: ErrorBody = { error: { code, message, requestId: randomUUID() } }
  const headers = new Headers({
    'retry-after': String(retryAfter),
    'cache-control': 'no-store',
    'content-type': isCall ? 'application/json' : 'text/plain; charset=utf-8',
  })
  setSecurityHeaders(headers, false)
  response.writeHead(status, Object.fromEntries(headers))
  response.end(isCall ? JSON.stringify(body) : message)
}

/** Whether a network is still within its number of cached responses at once. */
function cachedBudget() {
  const counts: Counts = new Map()
  let since = 0
  return (networks: readonly string[], bytes: number): boolean => {
    const now = performance.now()
    if (now - since > cachedAtOnce.ms) {
      counts.clear()
      since = now
    }
    count(counts, networks, 1 + Math.floor(bytes / cachedAtOnce.bytes))
    return networks.every((one, i) => (counts.get(one) ?? 0) <= cachedAtOnce.max * widerBy(i))
  }
}

const emptyLine = (): Line => ({
  waiting: new Set(),
  inProgress: new Map(),
  waitingCount: new Map(),
})
const longer = (a: Line, b: Line) => (b.waiting.size > a.waiting.size ? b : a)

/**
 * Each widest network's own queue. A network that is alone may have more in progress than one among
 * others.
 * @param max the length of one queue
 */
function linesByNetwork(max: number, connections: number) {
  const lines = new Map<string, Line>()
  const maxAlone = Math.floor(shareAlone * connections)
  const maxAmongOthers = Math.floor(shareAmongOthers * connections)
  const hasRoomAt = ({ inProgress }: Line, network: string, level: number) => {
    const most = lines.size > 1 ? Math.min(maxAmongOthers * widerBy(level), maxAlone) : maxAlone
    return (inProgress.get(network) ?? 0) < most
  }
  const hasRoom = (line: Line, networks: readonly string[]) =>
    networks.every((network, level) => hasRoomAt(line, network, level))
  return {
    hasRoom,
    /** The queue with the most waiting requests. */
    longest: () => [...lines.values()].reduce(longer, emptyLine()),
    isFull: ({ waitingCount }: Line, networks: readonly string[]) =>
      networks.some((one, level) => (waitingCount.get(one) ?? 0) >= max * widerBy(level)),
    lineOf(networks: readonly string[]): Line {
      const widest = networks.at(-1) ?? ''
      const line = lines.get(widest) ?? emptyLine()
      lines.set(widest, line)
      return line
    },
    /** Starts the next requests of the queue. */
    release(line: Line, networks: readonly string[]): void {
      count(line.inProgress, networks, -1)
      const widest = networks.at(-1) ?? ''
      for (const next of line.waiting) {
        if (!hasRoomAt(line, widest, networks.length - 1)) break
        if (hasRoom(line, next.networks)) next.enter()
      }
      if (line.inProgress.size === 0) lines.delete(widest)
    },
  }
}

export type FairShareOptions = {
  /** The client's address, as read by `client-address.ts`. */
  addressOf: (request: IncomingMessage) => string
  metrics: Pick<Metrics, 'shed'>
  /** The number of database connections. */
  connections: number
  /** The length of a response that the listener has in memory; undefined for all others. */
  cachedBytes: (request: IncomingMessage) => number | undefined
}

/** A listener that may return a promise of the end of its work. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Gives each network its share of the listener's work. */
export function fairShare(options: FairShareOptions, listener: Listener): RequestListener {
  const { addressOf, metrics, connections, cachedBytes } = options
  const usual = linesByNetwork(maxWaiting, connections)
  const cached = linesByNetwork(cachedLine.max, connections)
  const others = ownLines.map(({ of, max }) => ({ of, lines: linesByNetwork(max, connections) }))
  const mayHaveAtOnce = cachedBudget()
  let waitingOfAll = 0
  /** Refuses the newest of the network with the most, so that there is room for others. */
  const makeRoom = () => {
    const most = [usual, cached, ...others.map(({ lines }) => lines)]
    const { waiting } = most.map(({ longest }) => longest()).reduce(longer)
    ;[...waiting].at(-1)?.turnAway()
  }
  return (request, response) => {
    const { url = '' } = request
    const networks = networksOf(addressOf(request))
    const bytes = cachedBytes(request)
    if (bytes !== undefined && mayHaveAtOnce(networks, bytes)) {
      listener(request, response)
      return
    }
    const { lineOf, hasRoom, isFull, release } =
      others.find(({ of }) => of.test(url))?.lines ?? (bytes === undefined ? usual : cached)
    const line = lineOf(networks)
    const begin = () => {
      count(line.inProgress, networks, 1)
      const closed = new Promise((resolve) => response.once('close', resolve))
      // the work for a client that has hung up goes on, and counts until it ends; the next one
      // starts in the next turn of the event loop: in this one, the whole queue would run before
      // other networks
      const ended = () => setImmediate(release, line, networks)
      void Promise.allSettled([closed, listener(request, response)]).then(ended)
    }
    const refuseNow = () => {
      metrics.shed()
      refuse(request, response)
    }
    if (hasRoom(line, networks)) {
      begin()
      return
    }
    if (isFull(line, networks)) {
      // otherwise, refusals would run as fast as the client can send
      response.shouldKeepAlive = false
      refuseNow()
      return
    }
    const leave = () => {
      clearTimeout(tooLong)
      response.off('close', leave)
      if (!line.waiting.delete(waiting)) return
      count(line.waitingCount, networks, -1)
      waitingOfAll -= 1
    }
    const enter = () => {
      leave()
      begin()
    }
    const turnAway = () => {
      leave()
      response.shouldKeepAlive = false
      refuseNow()
    }
    const waiting = { networks, enter, turnAway }
    const tooLong = setTimeout(() => {
      leave()
      refuseNow()
    }, longestWait)
    line.waiting.add(waiting)
    count(line.waitingCount, networks, 1)
    response.once('close', leave)
    waitingOfAll += 1
    if (waitingOfAll > maxWaitingOfAll) makeRoom()
  }
}
