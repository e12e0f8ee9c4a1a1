/**
 * Bounds a request's body while it is read, so nothing is held of a body that nobody asked for: the routes read theirs
 * after they know the caller.
 */
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import { busyForAMoment } from './load-shedding.ts'

/** What this process holds of the bodies of all visitors together; small ones are read all the same. Bytes. */
const mostOfVisitors = 64 * 1024 * 1024
const smallBody = 16 * 1024
const held = { bytes: 0 }

const tooLarge = (maxSize: number) =>
  new AppError('TOO_LARGE', `The request is larger than ${maxSize / 1024} KB`)

/** The same bytes, read no sooner than they are asked for. @param admit throws what ends the reading */
function watched(body: ReadableStream<Uint8Array>, admit: (size: number) => void) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        admit(value.byteLength)
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/**
 * To be placed behind what finds out who calls.
 * @param maxSize bytes @param refusal what a larger body is refused with, also one without a declared length
 */
export function bodyLimit(maxSize: number, refusal: () => AppError = () => tooLarge(maxSize)) {
  return createMiddleware(async (c, next) => {
    const declared = c.req.header('content-length')
    if (Number(declared ?? 0) > maxSize) throw refusal()
    const isVisitor = !c.get('caller')
    const isBounded = declared !== undefined && !isVisitor
    const { body } = isBounded ? { body: null } : c.req.raw
    if (!body) return next()
    let own = 0
    let refused: AppError | undefined
    const admit = (size: number) => {
      own += size
      if (isVisitor) held.bytes += size
      if (own > maxSize) refused = refusal()
      else if (isVisitor && own > smallBody && held.bytes > mostOfVisitors) {
        refused = busyForAMoment()
      }
      if (refused) throw refused
    }
    const init: RequestInit & { duplex: 'half' } = { body: watched(body, admit), duplex: 'half' }
    c.req.raw = new Request(c.req.raw, init)
    try {
      await next()
    } finally {
      if (isVisitor) held.bytes -= own
    }
    // the route saw a body that broke off
    if (refused) throw refused
  })
}
