/** Limits each network to its share of the shop's work, before a request reaches the database. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ErrorBody } from '#contracts/errors.ts'
import { networksOf } from '#server/http/client-address.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { setSecurityHeaders } from '#server/http/security-headers.ts'
import { busyForAMoment } from './load-shedding.ts'

/** Requests of a network in progress, as shares of the connections to the database: fewer while other networks wait too. */
const shareAlone = 0.8
const shareAmongOthers = 0.2
/** Further requests wait in their network's own queue; an office behind one address hardly notices. */
const maxWaiting = 500
/** Milliseconds; a client that waits longer has given up. */
const longestWait = 10_000

/**
 * Wait in lines of their own. Health and figures are counted by no limit, so as many may wait as there are connections;
 * answered all at once they would hold up everybody else. The shop itself asks the sandboxes in the middle of a request,
 * and the card provider's deliveries, in the middle of which it asks them too.
 */
const ownLines = [
  { of: /^\/(healthz|readyz|metrics)(?=\?|$)/, max: 5_000 },
  { of: /^\/sandbox\//, max: maxWaiting },
  { of: /^\/api\/stripe\/webhook(?=\?|$)/, max: maxWaiting },
]

/** In the line of cached answers as many may wait as there are connections. */
const cachedLine = { max: 5_000 }
/**
 * Cached answers and files that a network gets at once, in this many milliseconds; further ones wait in its line. One of so
 * many bytes counts as two, and so on.
 */
const cachedAtOnce = { max: 200, bytes: 16_384, ms: 100 }
/** A /56 may have twice, a /48 four times as much as a /64. */
const widerBy = (level: number) => 2 ** level

type Waiting = { networks: readonly string[]; enter(): void }
type Counts = Map<string, number>
/** Of a widest network: who waits, and how many requests of each network in it are in progress and wait. */
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

/** Whether a network has had fewer cached answers at once than it may. */
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

/**
 * Each widest network's own line. One network alone may have more in progress than one among others.
 * @param max that wait in one
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
    isFull: ({ waitingCount }: Line, networks: readonly string[]) =>
      networks.some((one, level) => (waitingCount.get(one) ?? 0) >= max * widerBy(level)),
    lineOf(networks: readonly string[]): Line {
      const widest = networks.at(-1) ?? ''
      const empty = { inProgress: new Map(), waiting: new Set<Waiting>(), waitingCount: new Map() }
      const line = lines.get(widest) ?? empty
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
  /** The client's address as `client-address.ts` reads it. */
  addressOf: (request: IncomingMessage) => string
  metrics: Pick<Metrics, 'shed'>
  /** To the database. */
  connections: number
  /** The length of an answer that the listener has in memory; undefined of all others. */
  cachedBytes: (request: IncomingMessage) => number | undefined
}

/** Gives each network its share of what the listener can do. */
export function fairShare(options: FairShareOptions, listener: RequestListener): RequestListener {
  const { addressOf, metrics, connections, cachedBytes } = options
  const usual = linesByNetwork(maxWaiting, connections)
  const cached = linesByNetwork(cachedLine.max, connections)
  const others = ownLines.map(({ of, max }) => ({ of, lines: linesByNetwork(max, connections) }))
  const mayHaveAtOnce = cachedBudget()
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
      // on the next turn of the event loop: in this one, the whole queue would run before any other network
      response.once('close', () => setImmediate(release, line, networks))
      listener(request, response)
    }
    const turnAway = () => {
      metrics.shed()
      refuse(request, response)
    }
    if (hasRoom(line, networks)) {
      begin()
      return
    }
    if (isFull(line, networks)) {
      // or a client that sends without waiting would be refused as fast as it can send
      response.shouldKeepAlive = false
      turnAway()
      return
    }
    const leave = () => {
      clearTimeout(tooLong)
      response.off('close', leave)
      if (line.waiting.delete(waiting)) count(line.waitingCount, networks, -1)
    }
    const enter = () => {
      leave()
      begin()
    }
    const waiting = { networks, enter }
    const tooLong = setTimeout(() => {
      leave()
      turnAway()
    }, longestWait)
    line.waiting.add(waiting)
    count(line.waitingCount, networks, 1)
    response.once('close', leave)
  }
}
