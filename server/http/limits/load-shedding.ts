/** Refuses or queues requests that exceed what the shop can handle soon. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { Metrics } from '#server/http/metrics.ts'

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

/**
 * Runs at most `max` requests at a time. Up to `longest` others wait; further ones are refused. A
 * request waits with its body already read, so slow senders block no other client.
 */
export function limitConcurrency(max: number, longest: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return createMiddleware(async (c, next) => {
    const body = await c.req.raw.arrayBuffer()
    c.req.raw = new Request(c.req.raw, { body })
    if (running < max) {
      running += 1
    } else {
      if (waiting.length >= longest) throw busyForAMoment()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      await next()
    } finally {
      const follower = waiting.shift()
      if (follower) follower()
      else running -= 1
    }
  })
}
