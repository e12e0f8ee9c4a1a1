/** Limits each network to its share of the shop's work, before a request reaches the database. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ErrorBody } from '#contracts/errors.ts'
import { networkOf } from './client-address.ts'
import { busyForAMoment } from './load-shedding.ts'
import type { Metrics } from './metrics.ts'
import { setSecurityHeaders } from './security-headers.ts'

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
const apart = [
  { of: /^\/(healthz|readyz|metrics)(?=\?|$)/, max: 5_000 },
  { of: /^\/sandbox\//, max: maxWaiting },
  { of: /^\/api\/stripe\/webhook(?=\?|$)/, max: maxWaiting },
]

type Line = { inProgress: number; waiting: Set<() => void> }

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

/**
 * Each network's own line. One network alone may have more in progress than one among others.
 * @param most that wait in one
 */
function linesByNetwork(max: number, connections: number) {
  const lines = new Map<string, Line>()
  const maxAlone = Math.floor(shareAlone * connections)
  const maxAmongOthers = Math.floor(shareAmongOthers * connections)
  const hasRoom = (line: Line) => line.inProgress < (lines.size > 1 ? maxAmongOthers : maxAlone)
  return {
    hasRoom,
    isFull: (line: Line) => line.waiting.size >= max,
    lineOf(network: string): Line {
      const line = lines.get(network) ?? { inProgress: 0, waiting: new Set() }
      lines.set(network, line)
      return line
    },
    /** Starts the next requests of the queue. */
    release(network: string, line: Line): void {
      line.inProgress -= 1
      for (const next of line.waiting) {
        if (!hasRoom(line)) break
        next()
      }
      if (line.inProgress === 0) lines.delete(network)
    },
  }
}

/**
 * @param addressOf the client's address as `client-address.ts` reads it
 * @param connections to the database
 */
export function fairShare(
  {
    addressOf,
    metrics,
    connections,
  }: { addressOf: (r: IncomingMessage) => string; metrics: Metrics; connections: number },
  listener: RequestListener,
): RequestListener {
  const usual = linesByNetwork(maxWaiting, connections)
  const others = apart.map(({ of, max }) => ({ of, lines: linesByNetwork(max, connections) }))
  return (request, response) => {
    const { url = '' } = request
    const { lineOf, hasRoom, isFull, release } =
      others.find(({ of }) => of.test(url))?.lines ?? usual
    const network = networkOf(addressOf(request))
    const line = lineOf(network)
    const begin = () => {
      line.inProgress += 1
      // on the next turn of the event loop: in this one, the whole queue would run before any other network
      response.once('close', () => setImmediate(release, network, line))
      listener(request, response)
    }
    const turnAway = () => {
      metrics.shed()
      refuse(request, response)
    }
    if (hasRoom(line)) {
      begin()
      return
    }
    if (isFull(line)) {
      turnAway()
      return
    }
    const leave = () => {
      clearTimeout(tooLong)
      response.off('close', leave)
      line.waiting.delete(enter)
    }
    const enter = () => {
      leave()
      begin()
    }
    const tooLong = setTimeout(() => {
      leave()
      turnAway()
    }, longestWait)
    line.waiting.add(enter)
    response.once('close', leave)
  }
}
