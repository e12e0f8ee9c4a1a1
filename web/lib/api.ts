import { hc } from 'hono/client'
import type { Api } from '#server/http/app.ts'
import { liveToken, renewToken } from '#web/lib/session/exchange.ts'
import { errorFrom, offline } from './api-error.ts'
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

/** Turns any unsuccessful response into an ApiError; a 401 is retried once with a renewed token. */
async function sendAs(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response = await send(input, init)
  if (response.status === 401 && (await renewToken())) response = await send(input, init)
  if (!response.ok) throw await errorFrom(response)
  return response
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
