import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { apiVersion } from './call.ts'
import { ApiFault, withAddresses } from './faults.ts'
import type { Answer } from './idempotency.ts'

/** The answer to a call that failed; a fault of ours says nothing but that. */
export function refusal(error: unknown, requestId: string): Answer {
  const fault = error instanceof ApiFault ? error : broken
  const body = JSON.stringify({ error: withAddresses(fault.error, requestId) }, null, 2)
  return { status: fault.status, body, requestId, replayed: false }
}

const broken = new ApiFault(
  500,
  { type: 'api_error', message: 'An error occurred. Please try again.' },
  false,
)

/** The failure that a test asked for. */
export function injected(status: number): ApiFault {
  const type = status < 500 && status !== 409 ? 'invalid_request_error' : 'api_error'
  const code = status === 409 ? 'lock_timeout' : status === 429 ? 'rate_limit' : undefined
  return new ApiFault(
    status,
    { type, code, message: `This call was told to fail (${status}).` },
    false,
  )
}

/** The effect happened, the answer never arrives: waits until the caller gives up. */
export function silence(c: Context): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, 60_000).unref()
    c.req.raw.signal.addEventListener('abort', () => {
      clearTimeout(limit)
      resolve()
    })
  })
}

/** Sends an answer with the headers that Stripe puts on it. */
export function send(c: Context, answer: Answer, requestId: string): Response {
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined
  c.header('content-type', 'application/json')
  c.header('cache-control', 'no-cache, no-store')
  c.header('request-id', requestId)
  c.header('stripe-version', c.req.header('stripe-version') ?? apiVersion)
  if (key) c.header('idempotency-key', key)
  if (answer.replayed) {
    c.header('idempotent-replayed', 'true')
    c.header('original-request', answer.requestId)
  }
  return c.body(answer.body, answer.status as ContentfulStatusCode)
}
