/** Refuses or queues requests that exceed what the shop can handle soon. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import { networksOf } from '#server/http/client-address.ts'
import { type Env, guardOf, type LockLine, operationOf } from '#server/http/guards.ts'
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

/**
 * Runs at most `max` requests at a time; up to `longest` others wait, in turns of their networks.
 * While too many wait, one of the network with most of them is refused. A request waits with its
 * body already read, so slow senders block no other client.
 * @param networksOf the request's networks, the narrowest first
 */
export function limitConcurrency<E extends object>(
  max: number,
  longest: number,
  networksOf: (c: Context<E>) => Networks,
) {
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
  return createMiddleware<E>(async (c, next) => {
    const { signal } = c.req.raw
    if (c.req.raw.body) {
      c.req.raw = new Request(c.req.raw, { body: await c.req.raw.arrayBuffer() })
    }
    const networks = networksOf(c)
    await new Promise<void>((enter, refuse) => {
      const one = { networks, enter, refuse }
      waiting.add(one)
      // who has hung up leaves the line; otherwise it could be filled without waiting
      const leave = () => {
        if (waiting.delete(one)) refuse(busyForAMoment())
      }
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) {
        leave()
      } else if (running < max) {
        running += 1
        start(one)
      } else if (waiting.size > longest) {
        const last = lastOfMost(waiting) ?? one
        waiting.delete(last)
        last.refuse(busyForAMoment())
      }
    })
    try {
      await next()
    } finally {
      end()
    }
  })
}

/**
 * Limits the calls that match to `max` at a time. What a page reads while it is rendered has had
 * its turn.
 */
function inTurns(max: number, matches: (c: Context<Env>) => boolean) {
  const limited = limitConcurrency<Env>(max, 500, (c) => networksOf(c.env?.address ?? ''))
  return createMiddleware<Env>((c, next) =>
    c.env?.address && matches(c) ? limited(c, next) : next(),
  )
}

/** A share of the database's connections, at least one. */
const shareOf = ({ db }: { db: Database }, share: number) =>
  Math.ceil(db.$client.options.max * share)

/**
 * Reads of visitors and customers run a few at a time, in turns of networks, so that a crowd of
 * networks delays neither another visitor nor the bookings, which need the same database.
 */
export const readInTurns = (deps: { db: Database }) =>
  inTurns(shareOf(deps, 0.25), (c) => {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const { rule } = guardOf(c) ?? {}
    return isRead && (rule === 'anyone' || rule === 'user')
  })

/**
 * So do calls that wait for each other's locks, each with a connection: a crowd would take them
 * all. Register it after the limit of bodies, which it reads: of customers alone, because a visitor
 * is refused without waiting for a body.
 */
export const lockInTurns = (deps: { db: Database }, line: LockLine) =>
  inTurns(shareOf(deps, 0.2), (c) => c.var.caller !== null && operationOf(c)?.inTurns === line)
