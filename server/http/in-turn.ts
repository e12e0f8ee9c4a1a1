import { createMiddleware } from 'hono/factory'
import { busyForAMoment } from './load-shedding.ts'

/**
 * Lets `most` requests run at a time. Up to `longest` others wait; further ones are refused. A request waits with its body
 * already read, so slow senders block nobody.
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
