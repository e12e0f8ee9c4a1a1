/**
 * Limits a request's body while a route reads it. Routes read it after they know the caller, so the process holds
 * nothing of other bodies.
 */
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import { operationOf } from '#server/http/guards.ts'
import { busyForAMoment } from './load-shedding.ts'

/** Bytes that this process holds of all visitors' bodies together; it reads small ones anyway. */
const maxVisitorBytes = 64 * 1024 * 1024
const smallBody = 16 * 1024
const held = { bytes: 0 }

/** The same bytes, read on demand. @param admit throws to end the reading */
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
 * Belongs after `authenticate`.
 * @param maxSize bytes @param message refuses a larger body, also one without a declared length
 */
export function bodyLimit(
  maxSize: number,
  message = `The request is larger than ${maxSize / 1024} KB`,
) {
  const refusal = () => new AppError('TOO_LARGE', message)
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
      else if (isVisitor && own > smallBody && held.bytes > maxVisitorBytes) {
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
    // the route saw a truncated body
    if (refused) throw refused
  })
}

const usual = { bytes: 64 * 1024, message: undefined }

/** Applies the body limit that the route declares, or the usual one. */
export const limitBodies = createMiddleware((c, next) => {
  const { bytes, message } = operationOf(c)?.maxBody ?? usual
  return bodyLimit(bytes, message)(c, next)
})
