/**
 * Limits a request's body while a route reads it. Routes read bodies only after they know the
 * caller, so the process does not buffer rejected ones.
 */
import { createMiddleware } from 'hono/factory'
import { isPacker } from '#contracts/users.ts'
import { AppError } from '#server/errors.ts'
import { type Env, operationOf } from '#server/http/guards.ts'
import { busyForAMoment } from './load-shedding.ts'

/**
 * The maximum total size of visitors' bodies in progress, in bytes, and likewise of customers':
 * anybody gets an account. Small bodies, and those of the staff, are read in any case.
 */
const maxOpenBytes = 64 * 1024 * 1024
const smallBody = 16 * 1024

/** The total size of visitors' and of customers' bodies that this process is reading. */
export type OpenBodies = { visitors: number; customers: number }

/** Whose sum a body counts toward; null for the staff, and for API keys, which are admins'. */
function sumOf({ caller, apiKey }: Partial<Env['Variables']>): keyof OpenBodies | null {
  if (apiKey || (caller && isPacker(caller))) return null
  return caller ? 'customers' : 'visitors'
}

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
 * @param openBodies one for the whole process
 * @param maxSize bytes @param message refuses a larger body, even one without a declared length
 */
export function bodyLimit(
  openBodies: OpenBodies,
  maxSize: number,
  message = `The request is larger than ${maxSize / 1024} KB`,
) {
  const refusal = () => new AppError('TOO_LARGE', message)
  return createMiddleware<Partial<Env>>(async (c, next) => {
    const declared = c.req.header('content-length')
    if (Number(declared ?? 0) > maxSize) throw refusal()
    const sum = sumOf(c.var)
    const isBounded = declared !== undefined && sum === null
    const { body } = isBounded ? { body: null } : c.req.raw
    if (!body) return next()
    let own = 0
    let refused: AppError | undefined
    const admit = (size: number) => {
      own += size
      if (sum) openBodies[sum] += size
      if (own > maxSize) refused = refusal()
      else if (sum && own > smallBody && openBodies[sum] > maxOpenBytes) refused = busyForAMoment()
      if (refused) throw refused
    }
    const init: RequestInit & { duplex: 'half' } = { body: watched(body, admit), duplex: 'half' }
    c.req.raw = new Request(c.req.raw, init)
    try {
      await next()
    } finally {
      if (sum) openBodies[sum] -= own
    }
    // the route saw a truncated body
    if (refused) throw refused
  })
}

const usual = { bytes: 64 * 1024, message: undefined }

/** Applies the body limit that the route declares, or the default one. */
export const limitBodies = (openBodies: OpenBodies) =>
  createMiddleware((c, next) => {
    const { bytes, message } = operationOf(c)?.maxBody ?? usual
    return bodyLimit(openBodies, bytes, message)(c, next)
  })
