/** Refuses or queues requests that exceed what the shop can handle soon. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { networksOf } from '#server/http/client-address.ts'
import { type Env, guardOf, lockLines, operationOf } from '#server/http/guards.ts'
import type { Metrics } from '#server/http/metrics.ts'
import { type Networks, networkTurns } from './network-turns.ts'

/**
 * Per connection of the pool: one or two seconds of work. Further requests would time out and slow
 * down all others.
 */
const maxWaitingForOne = 15
const retrySeconds = 1

/** The refusal of a request that the client can retry in a second. */
export const busyForAMoment = () =>
  new AppError(
    'UNAVAILABLE',
    'The shop is busy for a moment. Nothing was changed; try again.',
    undefined,
    retrySeconds,
  )

/**
 * Whether the error is such a refusal. Metrics count them, because a log line for each would add
 * load.
 */
export const isShed = (error: Error): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && error.retryAfter !== undefined

/**
 * Refuses requests while too many wait for the database, so that admitted ones finish soon. Waiting
 * for a slow client or for the card provider does not count.
 */
export function loadShedding({ db, metrics }: { db: Database; metrics: Metrics }) {
  // counts requests before their first query: a burst arrives before any of them waits for the
  // database
  const entering = new Set<Context>()
  const maxWaiting = maxWaitingForOne * db.$client.options.max
  const refuseAt = (waiting: number) => {
    if (waiting < maxWaiting) return
    metrics.shed()
    throw busyForAMoment()
  }
  return {
    /** For routes outside `/api`. */
    check: createMiddleware(async (_, next) => {
      refuseAt(db.$client.waitingCount)
      await next()
    }),
    admit: createMiddleware(async (c, next) => {
      refuseAt(Math.max(entering.size, db.$client.waitingCount))
      entering.add(c)
      try {
        await next()
      } finally {
        entering.delete(c)
      }
    }),
    /** Register it after the first query of the request. */
    release: createMiddleware(async (c, next) => {
      entering.delete(c)
      await next()
    }),
  }
}

type Waiting = { networks: Networks; enter(): void; refuse(error: Error): void }

/**
 * The last of the network that has most in the line, so that others find room. Of equals it is one
 * by chance: if it were the newest, a crowd of networks would shut out everybody else.
 */
function lastOfMost(line: Iterable<Waiting>): Waiting | undefined {
  const ofNetwork = [...Map.groupBy(line, ({ networks }) => networks.at(-1)).values()]
  const most = Math.max(...ofNetwork.map((each) => each.length))
  const equals = ofNetwork.filter((each) => each.length === most)
  return equals[Math.floor(Math.random() * equals.length)]?.at(-1)
}

/** Does the work when it is its turn. @throws AppError UNAVAILABLE when too many wait */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Does the work of at most `max` requests at a time; up to `longest` others wait, in turns of their
 * networks. While too many wait, one of the network with most of them is refused.
 * @returns the turn of a request: of its networks, the narrowest first, until its signal aborts
 */
export function workInTurns(max: number, longest: number) {
  let running = 0
  const waiting = new Set<Waiting>()
  const turns = networkTurns()
  const start = (one: Waiting) => {
    waiting.delete(one)
    turns.take(one.networks)
    one.enter()
  }
  function end() {
    const [first, ...others] = waiting
    if (!first) running -= 1
    else
      start(
        others.reduce(
          (best, one) => (turns.compare(one.networks, best.networks) < 0 ? one : best),
          first,
        ),
      )
  }
  const wait = (networks: Networks, signal: AbortSignal) =>
    new Promise<void>((enter, refuse) => {
      const one = { networks, enter, refuse }
      waiting.add(one)
      // who has hung up leaves the line; otherwise it could be filled without waiting
      const leave = () => {
        if (waiting.delete(one)) refuse(busyForAMoment())
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      if (waiting.size <= longest) return
      const last = lastOfMost(waiting) ?? one
      waiting.delete(last)
      last.refuse(busyForAMoment())
    })
  return (networks: Networks, signal: AbortSignal): Turn =>
    async (work) => {
      if (running < max) {
        running += 1
        turns.take(networks)
      } else {
        await wait(networks, signal)
      }
      try {
        return await work()
      } finally {
        end()
      }
    }
}

/**
 * Whole requests in turns. Read a request's body before this, so that slow senders block no other
 * client.
 */
export function limitConcurrency<E extends object>(
  max: number,
  longest: number,
  networksOf: (c: Context<E>) => Networks,
) {
  const inTurns = workInTurns(max, longest)
  return createMiddleware<E>((c, next) => inTurns(networksOf(c), c.req.raw.signal)(next))
}

/** Turns at a share of the database's connections. */
const shareInTurns = ({ db }: { db: Database }, share: number) =>
  workInTurns(Math.ceil(db.$client.options.max * share), 500)

/** The context of any route. */
type AnyContext = { env?: Env['Bindings']; req: { raw: Pick<Request, 'signal'> } }

/** The request's turn. */
const turnOf = (c: AnyContext, inTurns: ReturnType<typeof workInTurns>): Turn =>
  inTurns(networksOf(c.env?.address ?? ''), c.req.raw.signal)

/**
 * Turns of what a deletion does in the database, and of the check of its password: a crowd of them
 * delays nobody else. Not of the whole call: it may wait for the card provider.
 */
export function deletionTurns(deps: { db: Database }) {
  const inTurns = shareInTurns(deps, 0.2)
  return (c: AnyContext): Turn => turnOf(c, inTurns)
}
export type DeletionTurns = ReturnType<typeof deletionTurns>

/**
 * Reads of visitors and customers run a few at a time, in turns of networks, so that a crowd of
 * networks delays neither another visitor nor the bookings, which need the same database.
 */
export function readInTurns(deps: { db: Database }) {
  const inTurns = shareInTurns(deps, 0.25)
  return createMiddleware<Env>((c, next) => {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const { rule, operation } = guardOf(c) ?? {}
    const isOfMany = isRead && (rule === 'anyone' || rule === 'user') && !operation?.inTurns
    // what a page reads while it is rendered has had its turn
    return isOfMany && c.env?.address ? turnOf(c, inTurns)(next) : next()
  })
}

/**
 * So do calls that wait for each other: for locks, each with a connection, of which a crowd would
 * take all, or for a PDF, which takes longer than a read. Register it after the limit of bodies,
 * which it reads: of customers alone, because a visitor is refused without waiting for a body.
 */
export function lockInTurns(deps: { db: Database }) {
  const lines = new Map(lockLines.map((name) => [name, shareInTurns(deps, 0.2)]))
  return createMiddleware<Env>(async (c, next) => {
    const name = c.var.caller && operationOf(c)?.inTurns
    const line = name && lines.get(name)
    if (!line) return next()
    // the handler gets the text that is read here
    await c.req.text()
    return turnOf(c, line)(next)
  })
}
