/** Requests that are more than the shop can do soon are refused, or wait in turn. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { Metrics } from '#server/http/metrics.ts'

/** For each connection of the pool: a second or two of work. Further ones would wait in vain and slow down all others. */
const maxWaitingForOne = 15
const retrySeconds = 1

/** The refusal of a request that the shop will take again in a second. */
export const busyForAMoment = () =>
  new AppError(
    'UNAVAILABLE',
    'The shop is busy for a moment. Nothing was changed; try again.',
    undefined,
    retrySeconds,
  )

/** Whether it is such a refusal. Metrics count them: a log line for each would be more load. */
export const isShed = (error: Error): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && error.retryAfter !== undefined

/**
 * Refuses while too many requests wait for the database, so that admitted ones are answered soon. A wait for a slow
 * client or for the card provider does not count.
 */
export function loadShedding({ db, metrics }: { db: Database; metrics: Metrics }) {
  // counts requests before their first query: a burst arrives before any of them waits for the database
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
    /** Belongs after the first query of the request. */
    release: createMiddleware(async (c, next) => {
      entering.delete(c)
      await next()
    }),
  }
}

/**
 * Lets `max` requests run at a time. Up to `longest` others wait; further ones are refused. A request waits with its body
 * already read, so slow senders block no other client.
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
