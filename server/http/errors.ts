/** The client's view of a failure, and the error handler. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type ErrorBody, type ErrorCode, errorStatus } from '#contracts/errors.ts'
import { isUnavailable, refusedBy, sqlState } from '#server/database/client.ts'
import { AppError, KeyRefused, PriceChanged } from '#server/errors.ts'
import { storageLow } from '#server/http/limits/disk-guard.ts'
import { busyForAMoment, isShed } from '#server/http/limits/load-shedding.ts'
import type { Env } from './guards.ts'

/** Constraints that refuse a write or a session while an account is being deleted. */
const goneAccount = new Set(['users_not_deleted', 'session_user_id_user_id_fk'])

/**
 * Whether the client disconnected before its body was read. A broken database connection has
 * another message.
 */
const isAborted = (error: Error & { code?: unknown }): boolean =>
  error.code === 'ECONNRESET' && error.message === 'aborted'

/** The public part of a failure: a refusal's message; for internal errors, only the request id. */
export function describeFailure(error: Error): {
  code: ErrorCode
  message: string
  fields?: Record<string, string>
  /** The current total of the goods, and the same with shipping and tax. */
  totalPrice?: number
  due?: number
  /** Seconds. */
  retryAfter?: number
} {
  if (error instanceof AppError) {
    const { code, message, fields, retryAfter } = error
    return {
      code,
      message,
      ...(fields && { fields }),
      ...(error instanceof PriceChanged && { totalPrice: error.totalPrice, due: error.due }),
      ...(retryAfter && { retryAfter }),
    }
  }
  if (error instanceof HTTPException && error.status < 500) {
    return { code: error.status === 413 ? 'TOO_LARGE' : 'INVALID', message: error.message }
  }
  // the client is gone: nobody reads the response, and nothing is broken
  if (isAborted(error)) return { code: 'INVALID', message: 'The request ended before it was whole' }
  if (sqlState(error) === '53100') {
    const { code, message } = storageLow()
    return { code, message }
  }
  // PostgreSQL stores every character except NUL
  if (sqlState(error) === '22021') {
    return { code: 'INVALID', message: 'The text holds a character that cannot be stored' }
  }
  if (goneAccount.has(refusedBy(error) ?? '')) {
    return { code: 'UNAUTHENTICATED', message: 'This account was deleted' }
  }
  if (isUnavailable(error)) return describeFailure(busyForAMoment())
  return {
    code: 'INTERNAL',
    message: 'Something went wrong on our side. Please try again.',
  }
}

/** The response body for a failed call; logs internal errors. */
export function errorBody(
  error: Error,
  { requestId, log }: Pick<Env['Variables'], 'requestId' | 'log'>,
): ErrorBody {
  const { retryAfter: _, ...refusal } = describeFailure(error)
  if (error instanceof KeyRefused) log.error({ reason: error.reason }, error.event)
  else if (errorStatus[refusal.code] >= 500 && !isShed(error))
    log.error({ err: error }, 'request_failed')
  return { error: { ...refusal, requestId } }
}

/** Sends the response for a failed API call. */
export function answerFailure(error: Error, c: Context<Env>) {
  const { retryAfter } = describeFailure(error)
  if (retryAfter) c.header('retry-after', String(retryAfter))
  const body = errorBody(error, c.var)
  return c.json(body, errorStatus[body.error.code])
}
