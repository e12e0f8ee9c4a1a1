import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Database } from '#server/database/client.ts'
import { AppError } from '#server/errors.ts'
import type { Metrics } from './metrics.ts'

/** A second or two of work. Who comes later would wait in vain, and make all others wait longer. */
const mostWaiting = 300
const retrySeconds = 1

/** What a refusal says that is over as soon as the shop has caught its breath. */
export const busyForAMoment = () =>
  new AppError(
    'UNAVAILABLE',
    'The shop is busy for a moment. Nothing was changed; try again.',
    undefined,
    retrySeconds,
  )

/** Is this such a refusal? It is counted: a line in the log for each would be more load. */
export const isShed = (error: Error): boolean =>
  error instanceof AppError && error.code === 'UNAVAILABLE' && error.retryAfter !== undefined

/**
 * Refuses while too many requests wait for the database, so that those inside are answered soon. What waits for a slow
 * client or for the card provider keeps nobody out: `door` stands behind whatever reads a body.
 */
export function loadShedding({ db, metrics }: { db: Database; metrics: Metrics }) {
  // a crowd that comes at once is through the door before the first of it waits for the database
  const entering = new Set<Context>()
  const refuseAt = (waiting: number) => {
    if (waiting < mostWaiting) return
    metrics.shed()
    throw busyForAMoment()
  }
  return {
    /** For calls that never come `inside`. */
    outside: createMiddleware(async (_, next) => {
      refuseAt(db.$client.waitingCount)
      await next()
    }),
    door: createMiddleware(async (c, next) => {
      refuseAt(Math.max(entering.size, db.$client.waitingCount))
      entering.add(c)
      try {
        await next()
      } finally {
        entering.delete(c)
      }
    }),
    /** Behind the first question to the database. */
    inside: createMiddleware(async (c, next) => {
      entering.delete(c)
      await next()
    }),
  }
}
