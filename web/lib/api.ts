import { hc } from 'hono/client'
import type { Api } from '#server/http/app.ts'
import { liveToken, renewToken } from '#web/lib/session/exchange.ts'
import { type ApiError, errorFrom, offline } from './api-error.ts'
import { askForCode } from './identity/confirm.ts'
import { syncClock } from './server-clock.ts'

export { ApiError } from './api-error.ts'

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = await liveToken()
  const headers = new Headers(init?.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const answer = await fetch(input, { ...init, headers }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw offline()
  })
  syncClock(answer)
  return answer
}

/** Sends it; a 401 is retried once with a renewed token. */
async function sendRenewed(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await send(input, init)
  return response.status === 401 && (await renewToken()) ? send(input, init) : response
}

/**
 * Turns any unsuccessful response into an ApiError. A call that needs a one-time code is repeated
 * once the user has entered one, with the same Idempotency-Key.
 */
async function sendAs(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await sendRenewed(input, init)
  if (response.ok) return response
  const error: ApiError = await errorFrom(response)
  if (error.code !== 'CONFIRM_FIRST' || !(await askForCode())) throw error
  const repeated = await sendRenewed(input, init)
  if (!repeated.ok) throw await errorFrom(repeated)
  return repeated
}

/**
 * A call as the logged-in user whose request or response is not JSON.
 * @throws ApiError for any unsuccessful response
 */
export const callShop: (path: string, init?: RequestInit) => Promise<Response> = sendAs

/**
 * The shop's API, typed by its routes: `await (await api.part[':id'].$get({ param: { id }
 * })).json()`.
 */
export const api = hc<Api>('/', { fetch: sendAs }).api
