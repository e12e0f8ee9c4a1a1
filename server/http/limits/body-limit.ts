/**
 * Limits a request's body while a route reads it. Routes read bodies only after they know the
 * caller, so the process does not buffer rejected ones.
 */
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import { operationOf } from '#server/http/guards.ts'
import { busyForAMoment } from './load-shedding.ts'

/**
 * The maximum total size of visitors' bodies in progress, in bytes; small bodies are read in any
 * case.
 */
const maxVisitorBytes = 64 * 1024 * 1024
const smallBody = 16 * 1024

/** The total size of visitors' bodies that this process is reading. */
export type VisitorBodies = { bytes: number }

/** The same bytes, read on demand. @param admit throws to stop the reading */
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
 * Register it after `authenticate`.
 * @param visitorBodies one for the whole process
 * @param maxSize bytes @param message refuses a larger body, even one without a declared length
 */
export function bodyLimit(
  visitorBodies: VisitorBodies,
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
      if (isVisitor) visitorBodies.bytes += size
      if (own > maxSize) refused = refusal()
      else if (isVisitor && own > smallBody && visitorBodies.bytes > maxVisitorBytes) {
        refused = busyForAMoment()
      }
      if (refused) throw refused
    }
    const init: RequestInit & { duplex: 'half' } = { body: watched(body, admit), duplex: 'half' }
    c.req.raw = new Request(c.req.raw, init)
    try {
      await next()
    } finally {
      if (isVisitor) visitorBodies.bytes -= own
    }
    // the route saw a truncated body
    if (refused) throw refused
  })
}

const usual = { bytes: 64 * 1024, message: undefined }

/** Applies the body limit that the route declares, or the default one. */
export const limitBodies = (visitorBodies: VisitorBodies) =>
  createMiddleware((c, next) => {
    const { bytes, message } = operationOf(c)?.maxBody ?? usual
    return bodyLimit(visitorBodies, bytes, message)(c, next)
  })
