import { createMiddleware } from 'hono/factory'
import { busyForAMoment } from './load-shedding.ts'

/**
 * Lets `most` requests through at a time; the others wait for their turn. Beyond `longest` of them the next are sent
 * away. A request waits with its body already read: slow senders hold no turn.
 */
export function inTurn(most: number, longest: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return createMiddleware(async (c, next) => {
    const body = await c.req.raw.arrayBuffer()
    c.req.raw = new Request(c.req.raw, { body })
    if (running < most) {
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
