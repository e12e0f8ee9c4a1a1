import type { z } from 'zod'
import type { Exchanged } from '#contracts/users.ts'
import { identity } from '#web/lib/identity/embedded.ts'
import { IdentityError } from '#web/lib/identity/port.ts'
import { readClaims } from './access-token.ts'
import { errorFrom, offline } from './api-error.ts'
import { accessToken, forgetSession, startSession } from './session.ts'

/**
 * Trades the provider's proof of identity for the shop's access token and starts the session with it.
 * @param expected the address it has to be; without one, whoever is signed in at the provider
 * @throws IdentityError when nobody is signed in at the provider, ApiError when the shop refuses
 */
export async function exchangeToken(expected?: string): Promise<void> {
  const idToken = await identity.idToken()
  const email = expected ?? readClaims(idToken)?.email
  if (!email) throw new IdentityError('auth/internal-error')
  const response = await fetch(`/api/user/${encodeURIComponent(email)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, idToken }),
  }).catch(() => {
    throw offline()
  })
  if (!response.ok) throw await errorFrom(response)
  const body: z.infer<typeof Exchanged> = await response.json()
  startSession(body.token)
}

let underWay: Promise<boolean> | undefined

async function renew(email: string): Promise<boolean> {
  try {
    await exchangeToken(email)
    return true
  } catch (error) {
    const { code, status } = error as { code?: string; status?: number }
    const ended = code === 'auth/user-token-expired' || status === 401 || status === 403
    if (ended) forgetSession()
    return false
  }
}

/** A new access token without the user noticing; false when that failed. Simultaneous calls share one attempt. */
export function renewToken(): Promise<boolean> {
  const token = accessToken()
  const claims = token ? readClaims(token) : null
  if (!claims) return Promise.resolve(false)
  underWay ??= renew(claims.email).finally(() => {
    underWay = undefined
  })
  return underWay
}

/** The token to send, renewed first when less than a minute of it is left. */
export async function liveToken(): Promise<string | null> {
  const token = accessToken()
  const left = token ? (readClaims(token)?.exp ?? 0) * 1000 - Date.now() : 0
  if (token && left < 60_000) await renewToken()
  return accessToken()
}
